import {
  type Bounds,
  day,
  days,
  month,
  months,
  parts,
  season,
  thirdOfMonth,
  wholeYear,
  years,
} from './dates.ts';
import type { Sign } from './words.ts';

/** A run of letters, digits or spaces, or another character, with its sign. */
export interface Token {
  readonly sign: Sign;
  readonly value: number;
  readonly digits: number;
  readonly start: number;
  readonly end: number;
}

/** Returns the token of a named group of a form. */
export type Part = (name: string) => Token;

/** A notation of a period: the signs of its tokens, and its meaning. Undefined for an impossible date. */
export interface PeriodForm {
  readonly name: string;
  readonly signs: RegExp;
  readonly read: (part: Part) => Bounds | undefined;
  /** True for a form that matches `2011-12` only if other columns have such years. */
  readonly ofSplitYears?: true;
}

/** Separators between a part of a year and the year. */
const gap = "[ .,*'wg/-]*";
/** Between the first and the last of a range. */
const to = '(?:[ .g]*-[ .]*|[ .]*t[ .]*)';
/** Between a number and its noun: `1-й`. */
const ending = '[ .sx-]*';
const number = '[dR]';
/** A year of four digits, or of two. */
const year = '(?<y>[Yd])';

function form(name: string, signs: string, read: PeriodForm['read']): PeriodForm {
  return { name, signs: new RegExp(signs, 'dy'), read };
}

/** Two digits mean a year from 1950 to 2049. */
function yearOf({ value, sign, digits }: Token): number {
  if (sign === 'Y') return value;
  return digits === 2 ? (value < 50 ? 2000 : 1900) + value : Number.NaN;
}

/** `2020/21`. */
function splitYear(from: Token, until: Token): Bounds | undefined {
  const isNext = until.digits === 2 && (from.value + 1) % 100 === until.value;
  return isNext ? years(from.value, from.value + 1) : undefined;
}

/** Forms of quarters or half-years: a single one, or a range. */
function partsOf(what: string, sign: 'Q' | 'H', length: 3 | 6): PeriodForm[] {
  const one = (p: Part) => parts(yearOf(p('y')), p('a').value, p('a').value, length);
  const several = (p: Part) => parts(yearOf(p('y')), p('a').value, p('b').value, length);
  const [a, b] = [`(?<a>${number})`, `(?<b>${number})`];
  return [
    form(`${what}, its number first`, `${a}${ending}${sign}${gap}${year}`, one),
    form(`${what}, its number last`, `${sign}[ .-]*${a}${gap}${year}`, one),
    form(`year and ${what}`, `(?<y>Y)${gap}${a}${ending}${sign}`, one),
    form(`year and ${what}, its number last`, `(?<y>Y)${gap}${sign}[ .-]*${a}`, one),
    form(`several of ${what}`, `${a}s?(?:${ending}${sign})?${to}${b}${ending}${sign}${gap}${year}`, several),
    form(
      `several of ${what}, numbers last`,
      `${sign}[ .]*${a}${to}(?:${sign}[ .]*)?${b}${gap}${year}`,
      several,
    ),
    form(
      `year and several of ${what}`,
      `(?<y>Y)${gap}${a}s?(?:${ending}${sign})?${to}${b}${ending}${sign}`,
      several,
    ),
    form(
      `year and several of ${what}, numbers last`,
      `(?<y>Y)${gap}${sign}[ .]*${a}${to}(?:${sign}[ .]*)?${b}`,
      several,
    ),
  ];
}

/** All notations of a period. If several match at a position, the longest wins. */
export const periodForms: readonly PeriodForm[] = [
  form('day as numbers, year first', '(?<y>Y)(?<sep>[./-])(?<m>d)\\k<sep>(?<d>d)', (p) =>
    day(p('y').value, p('m').value, p('d').value),
  ),
  form('day as numbers', `(?<d>d)(?<sep>[./-])(?<m>d)\\k<sep>${year}`, (p) =>
    p('m').value > 12
      ? day(yearOf(p('y')), p('d').value, p('m').value)
      : day(yearOf(p('y')), p('m').value, p('d').value),
  ),
  form('day, month and year', `(?<d>d)[ s-]*(?<m>M)${gap}${year}`, (p) =>
    day(yearOf(p('y')), p('m').value, p('d').value),
  ),
  form('year, day and month', `(?<y>Y)${gap}(?<d>d)[ s-]*(?<m>M)`, (p) =>
    day(p('y').value, p('m').value, p('d').value),
  ),
  form('month, day and year', '(?<m>M)[ .]+(?<d>d)s?[ ,]+(?<y>Y)', (p) =>
    day(p('y').value, p('m').value, p('d').value),
  ),
  form('days of two months', `(?<d>d)[ s-]*(?<m>M)${to}(?<e>d)[ s-]*(?<n>M)${gap}${year}`, (p) =>
    days(yearOf(p('y')), [p('d').value, p('m').value], [p('e').value, p('n').value]),
  ),
  form('year and days of two months', `(?<y>Y)${gap}(?<d>d)[ s-]*(?<m>M)${to}(?<e>d)[ s-]*(?<n>M)`, (p) =>
    days(p('y').value, [p('d').value, p('m').value], [p('e').value, p('n').value]),
  ),
  form('days of two months, months first', `(?<m>M) (?<d>d)s?${to}(?<n>M) (?<e>d)s?[ ,]+(?<y>Y)`, (p) =>
    days(p('y').value, [p('d').value, p('m').value], [p('e').value, p('n').value]),
  ),
  form('days of one month', `(?<d>d)s?${to}(?<e>d)[ s-]*(?<m>M)${gap}${year}`, (p) =>
    days(yearOf(p('y')), [p('d').value, p('m').value], [p('e').value, p('m').value]),
  ),
  form('year and days of one month', `(?<y>Y)${gap}(?<d>d)s?${to}(?<e>d)[ s-]*(?<m>M)`, (p) =>
    days(p('y').value, [p('d').value, p('m').value], [p('e').value, p('m').value]),
  ),
  form('days of one month, month first', `(?<m>M) (?<d>d)s?${to}(?<e>d)s?[ ,]+(?<y>Y)`, (p) =>
    days(p('y').value, [p('d').value, p('m').value], [p('e').value, p('m').value]),
  ),
  form('days as numbers of one year', `(?<d>d)[.](?<m>d)[.]?${to}(?<e>d)[.](?<n>d)[.]${year}`, (p) =>
    days(yearOf(p('y')), [p('d').value, p('m').value], [p('e').value, p('n').value]),
  ),
  form('ten days of a month', `(?<a>${number})${ending}D${gap}(?<m>M)${gap}${year}`, (p) =>
    thirdOfMonth(yearOf(p('y')), p('m').value, p('a').value),
  ),
  form('year and ten days of a month', `(?<y>Y)${gap}(?<m>M)${gap}(?<a>${number})${ending}D`, (p) =>
    thirdOfMonth(p('y').value, p('m').value, p('a').value),
  ),
  form('months from one to another', `(?<a>M)${to}(?<b>M)(?:[ .]*O)?${gap}${year}`, (p) =>
    months(yearOf(p('y')), p('a').value, p('b').value),
  ),
  form('year and months from one to another', `(?<y>Y)${gap}(?<a>M)${to}(?<b>M)(?:[ .]*O)?`, (p) =>
    months(p('y').value, p('a').value, p('b').value),
  ),
  form('months counted', `(?:R )?(?<a>[dc])${ending}[Ox]${gap}(?<y>Y)`, (p) =>
    months(p('y').value, 1, p('a').value),
  ),
  form('year and months counted', `(?<y>Y)${gap}(?:R )?(?<a>[dc])${ending}[Ox]`, (p) =>
    months(p('y').value, 1, p('a').value),
  ),
  ...partsOf('quarter', 'Q', 3),
  ...partsOf('half-year', 'H', 6),
  form('month and year', `(?<m>M)(?:[ .]*O)?${gap}(?<y>Y)`, (p) => month(p('y').value, p('m').value)),
  form('year and month', `(?<y>Y)${gap}(?<m>M)(?:[ .]*O)?`, (p) => month(p('y').value, p('m').value)),
  form('month and year of two digits', `(?<m>M)(?:[ .]*O)?[ .,'/-]*(?<y>d)`, (p) =>
    month(yearOf(p('y')), p('m').value),
  ),
  form('year and number of a month behind m', '(?<y>Y)[ -]?x(?<m>d)', (p) =>
    month(p('y').value, p('m').value),
  ),
  form('year that begins in another', '(?<y>Y) ?/ ?(?<z>d)', (p) => splitYear(p('y'), p('z'))),
  {
    ...form('year that begins in another, with a dash, beside its like', '(?<y>Y) ?- ?(?<z>d)', (p) =>
      splitYear(p('y'), p('z')),
    ),
    ofSplitYears: true,
  },
  form('number of a month and year', '(?<m>d)[./-](?<y>Y)', (p) => month(p('y').value, p('m').value)),
  form('year and number of a month', '(?<y>Y)[./-](?<m>d)', (p) =>
    p('m').digits === 2 ? month(p('y').value, p('m').value) : undefined,
  ),
  form('season', `(?<s>S)${gap}(?<y>Y)`, (p) =>
    p('s').value === 12 ? undefined : season(p('y').value, p('s').value),
  ),
  form('year and season', `(?<y>Y)${gap}(?<s>S)`, (p) =>
    p('s').value === 12 ? undefined : season(p('y').value, p('s').value),
  ),
  form('winter of two years', `(?<s>S)${gap}(?<y>Y) ?[/-] ?(?<z>[Yd])`, (p) =>
    p('s').value === 12 && yearOf(p('z')) === p('y').value + 1 ? season(p('y').value, 12) : undefined,
  ),
  form('two years and their winter', `(?<y>Y) ?[/-] ?(?<z>[Yd])${gap}(?<s>S)`, (p) =>
    p('s').value === 12 && yearOf(p('z')) === p('y').value + 1 ? season(p('y').value, 12) : undefined,
  ),
  form('years from one to another', '(?<y>Y) ?[/-] ?(?<z>Y)', (p) => years(p('y').value, p('z').value)),
  form('year that begins in another, with a dash', '(?<y>Y) ?- ?(?<z>d)', (p) => splitYear(p('y'), p('z'))),
  form('year', '(?<y>Y)(?:\\.z(?!\\d))?', (p) => wholeYear(p('y').value)),
];
