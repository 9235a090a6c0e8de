import { ofStudies, readWord } from './period-words.ts';

export const periodKinds = [
  'year',
  'split_year',
  'years',
  'half_year',
  'quarter',
  'month',
  'months',
  'days',
  'day',
] as const;

/**
 * What a text is about. `split_year` is 2020/21: from July to June, or from September to August where it is one of studies.
 * `years`, `months` and `days` are from one to another. `day` is a point in time.
 */
export type PeriodKind = (typeof periodKinds)[number];

/** A period, both ends included, or a point in time, whose end is null; dates are `YYYY-MM-DD`. */
export interface Period {
  readonly start_date: string;
  readonly end_date: string | null;
}

export interface ReadPeriod extends Period {
  readonly kind: PeriodKind;
  /** What the text says beside the period, such as `план`; empty when it says nothing else. */
  readonly note: string;
}

/** Points or periods that whole years can stand for. */
export const yearReadings = ['whole', 'end', 'start'] as const;
export type YearReading = (typeof yearReadings)[number];

/** Longer texts name no period. */
const longest = 300;
const [firstYear, lastYear] = [1900, 2099];

/** A run of letters, of digits or of blanks, or another character, as one sign. */
interface Token {
  readonly sign: string;
  readonly value: number;
  readonly digits: number;
  readonly start: number;
  readonly end: number;
}

/** What may stand between the parts of a period. */
const gap = '[ .,*w/-]*';
const to = '(?: ?- ?| w )';
const ordinal = '[ s-]*';

type Bounds = Period & { readonly kind: PeriodKind };
/** Reads the tokens that a pattern has found, in the order of its named groups a, b, c. */
type Make = (a: Token, b: Token, c: Token) => Bounds | undefined;

interface Pattern {
  readonly signs: RegExp;
  readonly make: Make;
  /** True when it holds for `2011-12` only if the other columns speak of such years. */
  readonly ofSplitYears?: true;
}

function pattern(signs: string, make: Make, rest: Pick<Pattern, 'ofSplitYears'> = {}): Pattern {
  return { signs: new RegExp(signs, 'd'), make, ...rest };
}

const dates = [
  pattern('(?<a>Y)([./-])(?<b>d)\\2(?<c>d)', (y, m, d) => day(y.value, m.value, d.value)),
  pattern('(?<a>d)([./-])(?<b>d)\\2(?<c>[Yd])', (d, m, y) =>
    m.value > 12 ? day(yearOf(y), d.value, m.value) : day(yearOf(y), m.value, d.value),
  ),
  pattern(`(?<a>d)${ordinal}(?<b>M)${gap}(?<c>[Yd])`, (d, m, y) => day(yearOf(y), m.value, d.value)),
  pattern(`(?<a>Y)${gap}(?<b>d)${ordinal}(?<c>M)`, (y, d, m) => day(y.value, m.value, d.value)),
  pattern(`(?<a>M) (?<b>d)s?,? (?<c>Y)`, (m, d, y) => day(y.value, m.value, d.value)),
];

/** The first that holds is taken: what is longer comes first. */
const patterns: readonly Pattern[] = [
  ...dates,
  pattern(`(?<a>M)${to}(?<b>M)(?: ?O)?${gap}(?<c>[Yd])`, (a, b, y) => months(yearOf(y), a.value, b.value)),
  pattern(`(?<a>Y)${gap}(?<b>M)${to}(?<c>M)`, (y, a, b) => months(y.value, a.value, b.value)),
  pattern(`(?<a>d)${ordinal}O${gap}(?<b>Y)`, (n, y) => months(y.value, 1, n.value)),
  pattern(`(?<a>Y)${gap}(?<b>d)${ordinal}O`, (y, n) => months(y.value, 1, n.value)),
  ...parts('Q', 'quarter', 3),
  ...parts('H', 'half_year', 6),
  pattern(`(?<a>M)(?: ?O)?${gap}(?<b>Y)`, (m, y) => month(y.value, m.value)),
  pattern(`(?<a>Y)${gap}(?<b>M)`, (y, m) => month(y.value, m.value)),
  pattern(`(?<a>M)(?: ?O)?[ .,'/-]*(?<b>d)`, (m, y) =>
    y.digits === 2 ? month(yearOf(y), m.value) : undefined,
  ),
  pattern('(?<a>Y)-?x(?<b>d)', (y, m) => month(y.value, m.value)),
  pattern('(?<a>Y) ?[/-] ?(?<b>Y)', (from, until) =>
    years(from.value, until.value, from.value + 1 === until.value),
  ),
  pattern('(?<a>Y) ?/ ?(?<b>d)', splitYear),
  pattern('(?<a>Y) ?- ?(?<b>d)', splitYear, { ofSplitYears: true }),
  pattern('(?<a>Y)[./-](?<b>d)', (y, m) => (m.digits === 2 ? month(y.value, m.value) : undefined)),
  pattern('(?<a>Y) ?- ?(?<b>d)', splitYear),
  pattern('(?<a>d)[./-](?<b>Y)', (m, y) => month(y.value, m.value)),
  pattern(`B${gap}(?<a>Y)`, (y) => day(y.value, 1, 1)),
  pattern(`(?<a>Y)${gap}B`, (y) => day(y.value, 1, 1)),
  pattern(`E${gap}(?<a>Y)`, (y) => day(y.value, 12, 31)),
  pattern(`(?<a>Y)${gap}E`, (y) => day(y.value, 12, 31)),
  pattern('(?<a>Y)(?:\\.z)?', (y) => ({ ...wholeYear(y.value), kind: 'year' })),
];

/** `I кв. 2021`, `Q1 2021`, `2021 1-тоқсан`, `2021H1`: parts of a year of so many months. */
function parts(sign: string, kind: PeriodKind, length: number): Pattern[] {
  const part = (year: number, number: number) =>
    number < 1 || number > 12 / length
      ? undefined
      : { ...span(year, (number - 1) * length + 1, year, number * length), kind };
  return [
    pattern(`(?<a>[dR])${ordinal}${sign}${gap}(?<b>[Yd])`, (n, y) => part(yearOf(y), n.value)),
    pattern(`${sign} ?(?<a>[dR])${gap}(?<b>[Yd])`, (n, y) => part(yearOf(y), n.value)),
    pattern(`(?<a>Y)${gap}(?<b>[dR])${ordinal}${sign}`, (y, n) => part(y.value, n.value)),
    pattern(`(?<a>Y)${gap}${sign} ?(?<b>[dR])`, (y, n) => part(y.value, n.value)),
  ];
}

/**
 * Reads the period in the name of a column or in a cell, in Russian, Kazakh or English; undefined when it names none.
 * @param speaksOfSplitYears true when `2011-12` is not December but the year from 2011 to 2012; see `readPeriods`.
 */
export function readPeriod(text: string, speaksOfSplitYears = false): ReadPeriod | undefined {
  if (text.length > longest || !/\d/.test(text)) return undefined;
  const tokens = tokensOf(text);
  const signs = tokens.map(({ sign }) => sign).join('');
  const days = readDays(tokens, signs);
  if (days !== undefined) return { ...days.bounds, note: noteOf(text, tokens, days.at) };
  for (const { signs: wanted, make, ofSplitYears } of patterns) {
    if (ofSplitYears === true && !speaksOfSplitYears) continue;
    const found = find(wanted, make, tokens, signs);
    if (found === undefined) continue;
    const bounds = found.bounds;
    const ofSchool = bounds?.kind === 'split_year' && ofStudies.test(folded(text));
    const start = Number(bounds?.start_date.slice(0, 4));
    const period = ofSchool ? { kind: bounds.kind, ...span(start, 9, start + 1, 8) } : bounds;
    if (period !== undefined) return { ...period, note: noteOf(text, tokens, found.at) };
    // A date that no calendar has is not the year in it.
    if (dates.some(({ signs: date }) => date === wanted)) return undefined;
  }
  return undefined;
}

/** Reads the names of columns together: `2011-12` is a year like `2012-13` where both occur, else December. */
export function readPeriods(texts: readonly string[]): (ReadPeriod | undefined)[] {
  const alone = texts.map((text) => readPeriod(text));
  const speaksOfSplitYears = alone.some(
    (read, at) => read?.kind === 'split_year' && texts[at]?.includes('-'),
  );
  return speaksOfSplitYears ? texts.map((text) => readPeriod(text, true)) : alone;
}

/** Returns what a whole year stands for; other periods stay as they are. */
export function yearAs<P extends Period & { readonly kind: PeriodKind }>(period: P, reading: YearReading): P {
  if (period.kind !== 'year') return period;
  const whole = wholeYear(Number(period.start_date.slice(0, 4)));
  if (reading === 'whole') return { ...period, ...whole };
  return { ...period, start_date: reading === 'end' ? whole.end_date : whole.start_date, end_date: null };
}

function find(wanted: RegExp, make: Make, tokens: readonly Token[], signs: string) {
  const { indices } = wanted.exec(signs) ?? {};
  const whole = indices?.[0];
  if (whole === undefined) return undefined;
  const [a, b, c] = ['a', 'b', 'c'].map((name) => tokens[indices?.groups?.[name]?.[0] ?? -1]);
  const none: Token = { sign: '', value: 0, digits: 0, start: 0, end: 0 };
  return { bounds: make(a ?? none, b ?? none, c ?? none), at: whole };
}

/** `01.01.2020 - 31.03.2020`. */
function readDays(tokens: readonly Token[], signs: string) {
  for (const date of dates.slice(0, 3)) {
    const first = find(date.signs, date.make, tokens, signs);
    if (first?.bounds === undefined) continue;
    const [start, end] = first.at;
    const rest = signs.slice(end);
    const second = find(date.signs, date.make, tokens.slice(end), rest);
    if (second?.bounds === undefined || !/^[ ./w-]+$/.test(rest.slice(0, second.at[0]))) continue;
    const [from, until] = [first.bounds.start_date, second.bounds.start_date];
    if (from > until) continue;
    const at: [number, number] = [start, end + second.at[1]];
    return { bounds: { start_date: from, end_date: until, kind: 'days' } satisfies Bounds, at };
  }
  return undefined;
}

/** Lower case, one kind of dash and blank; the letters keep their places. */
function folded(text: string): string {
  return Array.from({ length: text.length }, (_, at) => {
    const character = text.charAt(at);
    if (/[\s_\u00a0\u200b\ufeff]/.test(character)) return ' ';
    if (/[\u2010-\u2015\u2212]/.test(character)) return '-';
    const lower = character.toLowerCase();
    return lower === 'ё' ? 'е' : lower.length === 1 ? lower : character;
  })
    .join('')
    .replaceAll('п/г', 'пг ')
    .replace(/(?<=\d{4}-\d\d-\d\d)[t ]\d\d:\d\d\S*/, ({ length }) => ' '.repeat(length));
}

function tokensOf(text: string): Token[] {
  return [...folded(text).matchAll(/\d+| +|\p{L}+|[^]/gu)].map(({ 0: part, index }) => {
    const place = { start: index, end: index + part.length, digits: 0 };
    if (/^\d/.test(part)) return { ...place, ...numberSign(part), digits: part.length };
    if (/^\p{L}/u.test(part)) return { ...place, ...readWord(part) };
    return {
      ...place,
      sign: part.startsWith(' ') ? ' ' : /^[.,/'-]/.test(part) ? part : part === '%' ? '?' : '*',
      value: 0,
    };
  });
}

/** A year, a number of one or two digits, a zero, or another number. */
function numberSign(digits: string): Pick<Token, 'sign' | 'value'> {
  const value = Number(digits);
  if (digits.length === 4 && value >= firstYear && value <= lastYear) return { sign: 'Y', value };
  if (value === 0) return { sign: digits.length === 1 ? 'z' : 'd', value };
  return { sign: digits.length <= 2 ? 'd' : 'n', value };
}

/** Two digits are a year from 1950 to 2049. */
function yearOf({ value, sign, digits }: Token): number {
  if (sign === 'Y') return value;
  return digits === 2 ? (value < 50 ? 2000 : 1900) + value : Number.NaN;
}

/** What the text says outside of the tokens from `from` to `to`; words such as "year" say nothing. */
function noteOf(text: string, tokens: readonly Token[], [from, until]: readonly [number, number]): string {
  const silent = /^[ .,/*'w-]$/;
  const outside = [tokens.slice(0, from), tokens.slice(until)].map((side) => {
    const first = side.findIndex(({ sign }) => !silent.test(sign));
    const last = side.findLast(({ sign }) => !silent.test(sign));
    return first < 0 ? '' : text.slice(side[first]?.start, last?.end);
  });
  return outside
    .filter((part) => part !== '')
    .join(' … ')
    .trim();
}

function day(year: number, monthNumber: number, dayNumber: number): Bounds | undefined {
  const last = daysOf(year, monthNumber);
  if (Number.isNaN(last) || monthNumber < 1 || monthNumber > 12 || dayNumber < 1 || dayNumber > last)
    return undefined;
  return { start_date: isoDate(year, monthNumber, dayNumber), end_date: null, kind: 'day' };
}

function month(year: number, number: number): Bounds | undefined {
  return number < 1 || number > 12 ? undefined : { ...span(year, number, year, number), kind: 'month' };
}

function months(year: number, from: number, until: number): Bounds | undefined {
  if (from < 1 || until > 12 || from > until) return undefined;
  return from === until ? month(year, from) : { ...span(year, from, year, until), kind: 'months' };
}

function years(from: number, until: number, areNeighbours: boolean): Bounds | undefined {
  if (from >= until) return undefined;
  if (areNeighbours) return { ...span(from, 7, until, 6), kind: 'split_year' };
  return { ...span(from, 1, until, 12), kind: 'years' };
}

/** `2020/21`. */
function splitYear(from: Token, until: Token): Bounds | undefined {
  const isNext = until.digits === 2 && (from.value + 1) % 100 === until.value;
  return isNext ? years(from.value, from.value + 1, true) : undefined;
}

function wholeYear(year: number) {
  return span(year, 1, year, 12);
}

/** From the first day of a month to the last day of another. */
function span(fromYear: number, fromMonth: number, untilYear: number, untilMonth: number) {
  return {
    start_date: isoDate(fromYear, fromMonth, 1),
    end_date: isoDate(untilYear, untilMonth, daysOf(untilYear, untilMonth)),
  };
}

function daysOf(year: number, monthNumber: number): number {
  return new Date(Date.UTC(year, monthNumber, 0)).getUTCDate();
}

function isoDate(year: number, monthNumber: number, dayNumber: number): string {
  return `${year}-${String(monthNumber).padStart(2, '0')}-${String(dayNumber).padStart(2, '0')}`;
}
