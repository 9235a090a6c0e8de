/**
 * Meanings of the marks of statistical tables. Those before `revised` replace a value; the others qualify one, and
 * `negligible` qualifies a zero.
 */
export const statuses = [
  'not_applicable',
  'not_available',
  'none',
  'confidential',
  'negligible',
  'revised',
  'provisional',
  'estimated',
  'note',
] as const;
export type Status = (typeof statuses)[number];

/** A mark with its meaning; `text` is the sign with its explanation in the table if there is one. */
export interface Mark {
  readonly status: Status;
  readonly sign: string;
  readonly text: string;
}

/** Explanations of marks in the notes of a table, by `keyOfMark`. */
export type MarkLegend = ReadonlyMap<string, Mark>;

/** Longer explanations are cut. */
export const maxRemarkCharacters = 300;

/** The end of the name of a column that has the remarks of another. */
const suffix = ' [*]';

/** The name of the column with the remarks on the values of a column. */
export const remarksNameOf = (column: string): string => `${column}${suffix}`;

export const isRemarksName = (column: string): boolean => column.endsWith(suffix);

/** Writes marks as one text: `provisional: * preliminary data`. */
export function writeRemark(marks: readonly Pick<Mark, 'status' | 'text'>[]): string {
  const codes = [...new Set(marks.map(({ status }) => status))].join(', ');
  const text = marks.map((mark) => mark.text).join('; ');
  return `${codes}: ${text}`.slice(0, maxRemarkCharacters).toWellFormed();
}

const written = new RegExp(`^((?:${statuses.join('|')})(?:, (?:${statuses.join('|')}))*): ([^]*)$`);

/** Reads a text of `writeRemark`; any other text is a remark without a status. */
export function readRemark(text: string): { readonly status: string | null; readonly remark: string } {
  const [, status, remark] = written.exec(text) ?? [];
  return status === undefined || remark === undefined ? { status: null, remark: text } : { status, remark };
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Latin letters that people type for Cyrillic ones. Latin `p` stays: it is `provisional` in some tables. */
const lookAlikes: Readonly<Record<string, string>> = { x: 'х', '×': 'х', k: 'к', c: 'с' };

/** The same key for all spellings of a mark. */
export function keyOfMark(mark: string): string {
  const text = mark
    .trim()
    .toLowerCase()
    .replaceAll(/[⁰¹²³⁴-⁹]/g, (digit) => String(superscripts.indexOf(digit)))
    .replaceAll(/^[(«"“„']+|[)⁾»"”']+$/g, '');
  if (/^[-\u2010-\u2015\u2212_]+$/.test(text)) return '-';
  if (/^(?:\.{1,3}|…)$/.test(text)) return '…';
  if (/^0[.,]0+$/.test(text)) return '0,0';
  const bare = text.replace(/\.$/, '');
  return lookAlikes[bare] ?? bare;
}

/** `нет сведений` and shorter; names, which are longer, end here. */
const longestSign = 14;
const words =
  /^(?:н\/?д|н\.\s?д|нет данных|нет св(?:ед(?:ений)?)?|мәлімет жоқ|деректер жоқ|жоқ|n\/?a|n\.a|no data|null)$/iu;
const bySign: Readonly<Record<string, Status>> = {
  '-': 'none',
  '…': 'not_available',
  х: 'not_applicable',
  к: 'confidential',
  с: 'confidential',
};

/** Reads a mark in the place of a value; undefined for another text. The notes of the table decide on its meaning. */
export function readMark(cell: string, legend?: MarkLegend): Mark | undefined {
  const text = cell.trim();
  if (text.length > longestSign || text === '') return undefined;
  const key = keyOfMark(text);
  const usual = bySign[key] ?? (words.test(key) ? 'not_available' : undefined);
  if (usual === undefined) return readMarkWithFootnote(text, legend);
  const explained = legend?.get(key);
  return explained === undefined
    ? { status: usual, sign: text, text }
    : {
        status: explained.status === 'note' ? usual : explained.status,
        sign: text,
        text: `${text} ${explained.text}`,
      };
}

/** Reads a mark with the sign of a footnote behind it: `…⁴`, `-*`. */
function readMarkWithFootnote(text: string, legend?: MarkLegend): Mark | undefined {
  const [, before = '', footnote = ''] = /^(.*[^\s*¹²³⁰⁴-⁹])\s*(\*+|[¹²³⁰⁴-⁹]+[)⁾]?)$/u.exec(text) ?? [];
  const mark = before === '' ? undefined : readMark(before, legend);
  return mark && { ...mark, text: `${mark.text} ${meaningOf(footnote, legend).text}` };
}

/** A sign of a footnote behind a number. */
const footnoteMark = /(?<=[\d%).])\s*(?:\*+|[¹²³⁰⁴-⁹]+[)⁾]?|\s\d\))$/u;
const letters: readonly (readonly [Status, string])[] = [
  ['revised', 'р|r'],
  ['provisional', 'п'],
  ['estimated', 'е|e'],
];
const wordMarks: readonly (readonly [Status, string])[] = [
  ['revised', String.raw`пересм(?:отр\p{L}*)?|уточн(?:[её]н\p{L}*)?|revised|rev|қайта қаралған|нақтыланған`],
  ['provisional', String.raw`предв(?:арит\p{L}*)?|prelim(?:inary)?|prov(?:isional)?|алдын ала`],
  ['estimated', String.raw`оценк[аи]|оц|estimated?|est|бағалау|бағам`],
];
const behind = (spellings: readonly (readonly [Status, string])[], before: string): RegExp =>
  new RegExp(`(?<=[\\d%)])${before}\\(?(?:${spellings.map(([, one]) => one).join('|')})\\.?\\)?$`, 'iu');
/** A letter is a mark behind a space, in brackets or with a point: `12,5 р.`, not `12e`. */
const letterMark = behind(letters, String.raw`(?:\s+|(?=\()|(?=\p{L}\.))`);
const wordMark = behind(wordMarks, String.raw`\s*`);

/** A number without the marks behind it, which come in their order. */
export interface BareNumber {
  readonly number: string;
  readonly marks: readonly string[];
}

/** Separates a number from the marks behind it: `4154 р.*`. A letter may be a currency, so that the caller decides on it. */
export function withoutMarks(cell: string, withLetters = true): BareNumber {
  let number = cell.trim();
  const marks: string[] = [];
  // Most cells end here: names, and numbers without marks.
  if (/[\d%]$/.test(number) || !/\d/.test(number)) return { number, marks };
  for (;;) {
    const found =
      footnoteMark.exec(number) ?? wordMark.exec(number) ?? (withLetters ? letterMark.exec(number) : null);
    if (found === null || marks.length > 3) return { number, marks };
    marks.unshift(found[0].trim());
    number = number.slice(0, found.index).trim();
  }
}

export const withoutFootnote = (text: string): string => text.replace(footnoteMark, '');

export const hasLetterMark = (cell: string): boolean => letterMark.test(cell.trim());

/** The meaning of a mark behind a number, by the notes of the table or as usual. */
export function meaningOf(mark: string, legend?: MarkLegend): Mark {
  const key = keyOfMark(mark);
  const explained = legend?.get(key);
  const [usual] =
    [...wordMarks, ...letters].find(([, spelling]) => new RegExp(`^(?:${spelling})$`, 'iu').test(key)) ?? [];
  if (explained === undefined) return { status: usual ?? 'note', sign: mark, text: mark };
  const status = explained.status === 'note' ? (usual ?? 'note') : explained.status;
  return { status, sign: mark, text: `${mark} ${explained.text}` };
}

/** A zero that stands for a small amount. */
export const isRoundedZero = (cell: string): boolean => /^0[.,]0+$/.test(cell.trim());

/** Words of explanations; the first that is found holds. */
const meanings: readonly (readonly [Status, RegExp])[] = [
  ['confidential', /конфиденц|құпия|confidential|secret|suppress/iu],
  ['negligible', /незначит|небольш|меньше|менее|аз шама|шамалы|negligible|magnitude|less than|small/iu],
  [
    'not_applicable',
    /не имеет смысла|не примен|не заполн|не подлеж|қолданылмайды|толтырылмайды|not applicable/iu,
  ],
  [
    'not_available',
    /(?:данн\p{L}*|сведени\p{L}*) (?:отсутств|нет|недоступ|не получ)|(?:нет|отсутств\p{L}*|не имеется) (?:данн|сведен)|(?:дерек|мәлімет)\p{L}* жоқ|not available|no data|unknown/iu,
  ],
  ['none', /явлени|отсутств|құбылыс|жоқ|(?<!\p{L})(?:nil|none|not occur)/iu],
  ['provisional', /предварит|оператив|алдын ала|preliminary|provisional/iu],
  ['revised', /пересм|уточн|қайта қарал|нақтылан|revised/iu],
  ['estimated', /оценк|оценочн|бағалау|estimate/iu],
];
const sign = String.raw`\*+|[¹²³⁰⁴-⁹]+[)⁾]?|\d{1,2}[)⁾]|[-\u2010-\u2015\u2212]|…|\.{3}|0[.,]0+|[xх×кkсcрпrpеe]\.?|предв\.?|оц\.?|пересм\.?|н\/д`;
const quoted = new RegExp(`[«"“„(]\\s*(${sign})\\s*[»"”)]\\s*[-–—:=]?\\s*([^«"“„;]{3,})`, 'giu');
const atStart = new RegExp(`^(${sign})(?:\\s*[-–—:=]\\s*|\\s+|(?<=[*)⁾¹²³⁰⁴-⁹]))(\\S.{2,})$`, 'iu');
const maxLines = 60;

/** Reads the explanations of marks in the lines around a table. */
export function legendOf(lines: readonly string[]): MarkLegend {
  const legend = new Map<string, Mark>();
  const add = (mark: string, explanation: string): void => {
    const text = explanation
      .trim()
      .replace(/[,.;\s]+$/, '')
      .slice(0, maxRemarkCharacters);
    const status = meanings.find(([, pattern]) => pattern.test(text))?.[0];
    const isFootnote = /^(?:\*|[¹²³⁰⁴-⁹]|\d)/u.test(mark) && !isRoundedZero(mark);
    // A dash may begin any line, and a letter any sentence: they need a meaning.
    if (status === undefined && !isFootnote) return;
    const key = keyOfMark(mark);
    if (!legend.has(key)) legend.set(key, { status: status ?? 'note', sign: mark, text });
  };
  for (const line of lines.slice(0, maxLines).map((each) => each.slice(0, 2000))) {
    for (const [, mark = '', text = ''] of line.matchAll(quoted)) add(mark, text);
    for (const part of line.split(/[;\n]/)) {
      const [, mark, text] = atStart.exec(part.trim()) ?? [];
      if (mark !== undefined && text !== undefined) add(mark, text);
    }
  }
  return legend;
}
