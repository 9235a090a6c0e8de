import { codeWord, copyNumber, listNumber, otherNumbers } from './contexts.ts';
import type { Token } from './forms.ts';
import { withoutHomographs } from './homographs.ts';
import { readWord, type Sign } from './words.ts';

const [firstYear, lastYear] = [1900, 2099];

/** Returns lower case with one kind of dash and space; positions of letters do not change. */
export function folded(text: string): string {
  const plain = Array.from({ length: text.length }, (_, at) => {
    const character = text.charAt(at);
    if (/[\s_\u00a0\u200b\ufeff]/.test(character)) return ' ';
    if (/[\u2010-\u2015\u2212]/.test(character)) return '-';
    if (/[\u2019\u2018`]/.test(character)) return "'";
    const lower = character.toLowerCase();
    return lower === 'ё' ? 'е' : lower.length === 1 ? lower : character;
  }).join('');
  return plain
    .replaceAll(/(?<!\p{L})(?:п\/г|ж\/ж)(?!\p{L})/gu, 'пг ')
    .replace(/(?<=(?<!\p{L})на )(к|н)[./]? ?г(?!\p{L})/u, (all, which: string) =>
      (which === 'к' ? 'кон' : 'нач').slice(0, all.length).padEnd(all.length, ' '),
    )
    .replace(/(?<!\p{L})(?:fy|[yfx]) ?(?=(?:19|20)\d\d)/u, ({ length }) => ' '.repeat(length))
    .replace(/(?<=\d{4}-\d\d-\d\d)[t ]\d\d:\d\d\S*/, ({ length }) => ' '.repeat(length));
}

/** Replaces a number that is not a time; counts as a word without meaning. */
const otherNumber = '\u00a4';

function withoutOtherNumbers(plain: string): string {
  const cover = (all: string) => otherNumber.repeat(all.length);
  let text = plain.replace(copyNumber, cover);
  for (const pattern of otherNumbers) text = text.replace(pattern, cover);
  text = text.replace(codeWord, (all, word: string) => (readWord(word).sign === '?' ? cover(all) : all));
  const listed = listNumber.exec(text);
  const [all = '', word = ''] = listed ?? [];
  if (readWord(word).sign === '?') text = cover(all) + text.slice(all.length);
  return withoutMarks(text);
}

/** Hides footnote marks: `2021 год 1)`, without an opening bracket. */
function withoutMarks(text: string): string {
  let open = 0;
  let covered = text;
  for (const [at, character] of [...text].entries()) {
    if (character === '(') open += 1;
    if (character !== ')') continue;
    if (open > 0) open -= 1;
    else if (/(?<=\S.?)(?<!\d)\d$/.test(text.slice(0, at)) && at > 1)
      covered = `${covered.slice(0, at - 1)}${otherNumber}${covered.slice(at)}`;
  }
  return covered;
}

/** Splits a folded text into tokens. `romans` is the meaning of Roman numerals beside a year alone. */
export function tokensOf(plain: string, romans?: 'Q' | 'M'): Token[] {
  const text = withoutOtherNumbers(plain);
  const parts = [...text.matchAll(/\d+| +|\u00a4+|\p{L}+|[^]/gu)].map(({ 0: part, index }): Token => {
    const place = { start: index, end: index + part.length, digits: 0, value: 0 };
    if (/^\d/.test(part)) return { ...place, ...numberSign(part), digits: part.length };
    if (/^\p{L}/u.test(part)) return { ...place, ...readWord(part) };
    return { ...place, sign: signOf(part) };
  });
  const tokens = inOneLanguage(withoutHomographs(parts, text));
  if (romans === undefined) return tokens;
  const at = tokens.findIndex(({ sign }) => sign === 'R');
  const numeral = tokens[at];
  if (numeral === undefined) return tokens;
  const { start, end } = numeral;
  const word: Token = { sign: 'Q', value: 0, digits: 0, start: end, end };
  const named: Token[] = romans === 'M' ? [{ ...numeral, sign: 'M', start }] : [numeral, word];
  return tokens.toSpliced(at, 1, ...named);
}

/** Signs of a part of a year. */
const partOfYear = /^[MQHORSdc]$/;

/** Removes the repetition of a part of a year in another language after a slash: «қаңтар-наурыз / январь-март 2023». */
function inOneLanguage(tokens: Token[]): Token[] {
  const at = tokens.findIndex(({ sign }) => sign === '/');
  if (at === -1 || !tokens.slice(0, at).some(({ sign }) => partOfYear.test(sign))) return tokens;
  const signed = (side: readonly Token[]) => side.filter(({ sign }) => partOfYear.test(sign));
  const first = signed(tokens.slice(0, at));
  const isRepeated = signed(tokens.slice(at + 1)).every(
    ({ sign, value }, index) => first[index]?.sign === sign && first[index].value === value,
  );
  const hasYear = tokens.slice(0, at).some(({ sign }) => sign === 'Y');
  const isSame = signed(tokens.slice(at + 1)).length === first.length && isRepeated && !hasYear;
  const isName = first.some(({ sign }) => sign !== 'd' && sign !== 'c');
  if (!isSame || !isName) return tokens;
  return tokens.map((token, index) => (index <= at ? { ...token, sign: ' ' } : token));
}

function signOf(part: string): Sign {
  const [first] = part;
  if (first === ' ' || first === '.' || first === ',' || first === '/' || first === "'" || first === '-')
    return first;
  if (first === otherNumber) return 'a';
  return first === '%' ? '?' : '*';
}

/** A year, a number of one or two digits, a zero, or another number. */
function numberSign(digits: string): Pick<Token, 'sign' | 'value'> {
  const value = Number(digits);
  if (digits.length === 4 && value >= firstYear && value <= lastYear) return { sign: 'Y', value };
  if (value === 0) return { sign: digits.length === 1 ? 'z' : 'd', value };
  return { sign: digits.length <= 2 ? 'd' : 'n', value };
}
