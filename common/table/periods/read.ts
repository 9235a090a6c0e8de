import { afterWeakYear } from './contexts.ts';
import { type Period, type PeriodKind, wholeYear } from './dates.ts';
import type { Token } from './forms.ts';
import { isKazakh, mayNameThing } from './homographs.ts';
import { around, indexesFrom, isReference, type Span, spansIn } from './spans.ts';
import { folded, tokensOf } from './tokens.ts';
import { isOfTime, type Sign } from './words.ts';

export { type Period, type PeriodKind, periodKinds } from './dates.ts';

export interface ReadPeriod extends Period {
  readonly kind: PeriodKind;
  /** Text besides the period, such as `план`; may be empty. */
  readonly note: string;
}

/** Interpretations of a whole year: the period, or a point at its end or start. */
export const yearReadings = ['whole', 'end', 'start'] as const;
export type YearReading = (typeof yearReadings)[number];

/** Longer texts name no period. */
const longest = 300;

/** Interpretations that the neighbouring names suggest. */
interface Context {
  /** `2011-12` is the year from 2011 to 2012, not December. */
  readonly speaksOfSplitYears?: boolean;
  /** Roman numerals under a year are quarters, or months. */
  readonly romans?: 'Q' | 'M' | undefined;
  /** `2022 га` is a year, because other columns differ only in the year. */
  readonly areYears?: boolean;
}

/**
 * Reads the period in a column name or a cell, in Russian, Kazakh or English. Undefined if there is none, if several
 * differ, or if other words of time are not understood: a part of a text never dates the whole.
 */
export function readPeriod(text: string, context: Context = {}): ReadPeriod | undefined {
  if (text.length > longest || !/\d\d/.test(text)) return undefined;
  const plain = folded(text);
  const tokens = tokensOf(plain, context.romans);
  const spans = spansIn(tokens, plain, context.speaksOfSplitYears === true);
  const isInSpan = new Set(spans.flatMap(({ from, until }) => indexesFrom(from, until)));
  if (tokens.some(({ sign }, at) => isOfTime.has(sign) && !isInSpan.has(at))) return undefined;
  if (spans.some((span) => isPartOfNumber(span, tokens))) return undefined;
  const own = spans.filter((span) => !isReference(span, tokens, plain));
  const strong = own.filter((span) => !isWeak(span, tokens, plain));
  const weak = context.areYears === true || isAlone(own, tokens) ? own : [];
  const found = narrowest(strong.length > 0 ? strong : weak);
  if (found !== undefined && isOfPartUnknown(found, tokens, plain)) return undefined;
  return found && { ...found.bounds, note: noteOf(text, tokens, found) };
}

const partUnknown = [
  /(?<!\p{L})(?:соответствующ|аналогичн)\p{L}* (?:период|месяц|квартал|дат)\p{L}*[ ,(]*$/u,
  /(?:corresponding|same) (?:period|month|quarter|date) (?:of|in) (?:the year )?$/u,
];
const partUnknownBehind =
  /^[ .]*(?:жыл\p{L}*|ж\.?|год\p{L}*|г\.?)? ?(?:тиісті|сәйкес|осы|дәл осындай|соответствующ\p{L}*|аналогичн\p{L}*) (?:кезең|ай|тоқсан|күн|период|месяц|квартал|дат)/u;

/** Returns whether a text refers to a part of its year that another text names: «соответствующий период 2022 года». */
function isOfPartUnknown(span: Span, tokens: readonly Token[], plain: string): boolean {
  if (span.bounds.kind !== 'year') return false;
  const [before, after] = around(span, tokens, plain);
  return partUnknown.some((pattern) => pattern.test(before)) || partUnknownBehind.test(after);
}

/** Words that belong to a period even if the year is elsewhere: `I квартал`, `янв.-июнь`. */
const timeWords: ReadonlySet<Sign> = new Set<Sign>(['M', 'Q', 'H', 'O', 'S', 'D', 'T', 'R', 'B', 'E']);

/** Returns whether a text has words of time, understood or not. */
export function speaksOfTime(text: string): boolean {
  if (text.length > longest) return false;
  const signs = tokensOf(folded(text)).map(({ sign }) => sign);
  return signs.some((sign) => timeWords.has(sign)) || /[dc] ?x/.test(signs.join(''));
}

/** Reads the names of columns together, using what they have in common. */
export function readPeriods(texts: readonly string[]): (ReadPeriod | undefined)[] {
  const alone = withoutThings(
    texts,
    texts.map((text) => readPeriod(text)),
  );
  const speaksOfSplitYears = alone.some(
    (read, at) => read?.kind === 'split_year' && texts[at]?.includes('-') === true,
  );
  const all = speaksOfSplitYears ? texts.map((text) => readPeriod(text, { speaksOfSplitYears })) : alone;
  const romans = romansOf(texts.filter((_, at) => all[at] === undefined));
  const years = seriesOf(texts.filter((_, at) => all[at] === undefined));
  return all.map((read, at) => {
    const text = texts[at] ?? '';
    if (read !== undefined) return read;
    if (years.has(withoutYear(text))) return readPeriod(text, { areYears: true });
    return romans === undefined ? undefined : readPeriod(text, { romans });
  });
}

/** `Қаз 2023` is not October beside `Тауық 2023`, nor is `Май 2023` May in a Kazakh table that names no other month. */
function withoutThings(texts: readonly string[], read: readonly (ReadPeriod | undefined)[]) {
  const plain = texts.map(folded);
  const areThings = plain.map((text, at) => read[at]?.kind === 'month' && mayNameThing(text));
  const hasMonths = read.some(
    (each, at) => (each?.kind === 'month' || each?.kind === 'months') && areThings[at] === false,
  );
  const years = read.filter((each) => each?.kind === 'year' && each.note !== '').length;
  const hasOthers = years > 0 || plain.some((text, at) => areThings[at] === false && isKazakh(text));
  return read.map((each, at) =>
    areThings[at] === true && !hasMonths && hasOthers && areThings.filter(Boolean).length === 1
      ? undefined
      : each,
  );
}

/** Returns texts without their year that occur with several years. */
function seriesOf(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Map<string, string>();
  const series = new Set<string>();
  for (const text of texts) {
    const rest = withoutYear(text);
    if (rest === text) continue;
    const before = seen.get(rest);
    if (before !== undefined && before !== text) series.add(rest);
    else seen.set(rest, text);
  }
  return series;
}

function withoutYear(text: string): string {
  return text.replace(/(?<!\d)(?:19|20)\d\d(?!\d)/, '#');
}

/** `I` to `IV` under each year are quarters, `I` to `XII` months; fewer may be half-years as well. */
function romansOf(texts: readonly string[]): 'Q' | 'M' | undefined {
  const numbers = texts.flatMap((text) => {
    const tokens = tokensOf(folded(text));
    const own = tokens.filter(({ sign }) => sign === 'R');
    return tokens.some(({ sign }) => sign === 'Y') && own.length === 1 ? own : [];
  });
  const values = new Set(numbers.map(({ value }) => value));
  if (values.size === 4 && Math.max(...values) === 4) return 'Q';
  return values.size === 12 ? 'M' : undefined;
}

/** Applies an interpretation to a whole year; returns other periods unchanged. */
export function yearAs<P extends Period & { readonly kind: PeriodKind }>(period: P, reading: YearReading): P {
  if (period.kind !== 'year') return period;
  const { start_date, end_date } = wholeYear(Number(period.start_date.slice(0, 4)));
  if (reading === 'whole') return { ...period, start_date, end_date };
  return { ...period, start_date: (reading === 'end' ? end_date : null) ?? start_date, end_date: null };
}

/** A dash or slash joins a period to another number, and the result is not understood. */
function isPartOfNumber({ from, until }: Span, tokens: readonly Token[]): boolean {
  const signs = tokens.map(({ sign }) => sign).join('');
  return /a ?[/-] ?$/.test(signs.slice(0, from)) || /^ ?[/-] ?a/.test(signs.slice(until));
}

/** A year directly before a unit may be an amount. */
function isWeak(span: Span, tokens: readonly Token[], plain: string): boolean {
  const isBare = span.bounds.kind === 'year' && span.until - span.from === 1;
  return isBare && afterWeakYear.test(around(span, tokens, plain)[1]);
}

/** Returns whether a text begins with its period: `2022 га`, but not `Тариф 2000 тг`. */
function isAlone([first, other]: readonly Span[], tokens: readonly Token[]): boolean {
  return (
    other === undefined && tokens.slice(0, first?.from).every(({ sign }) => sign !== '?' && sign !== 'a')
  );
}

/** Returns the period inside all others; undefined if they only overlap, or are disjoint. */
function narrowest(spans: readonly Span[]): Span | undefined {
  const last = ({ bounds }: Span) => bounds.end_date ?? bounds.start_date;
  const [best] = spans.toSorted((a, b) => lengthOf(a.bounds) - lengthOf(b.bounds));
  const isWithin =
    best !== undefined &&
    spans.every((span) => span.bounds.start_date <= best.bounds.start_date && last(best) <= last(span));
  return isWithin ? best : undefined;
}

function lengthOf({ start_date: start, end_date: end }: Period): number {
  return end === null ? 0 : Date.parse(end) - Date.parse(start) + 1;
}

/** Returns the text outside of a period, without words such as "year". */
function noteOf(text: string, tokens: readonly Token[], { from, until }: Span): string {
  const silent = /^[ .,/*'wgtsx-]$/;
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
