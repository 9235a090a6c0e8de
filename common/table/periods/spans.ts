import { afterReference, beforeReference, inDative, percentBehind } from './contexts.ts';
import { between, type Bounds, day, studyYear, wholeYear } from './dates.ts';
import { periodForms, type Token } from './forms.ts';
import { isOfTime, ofStudies } from './words.ts';

/** A period in a text with its tokens from `from` to `until`. */
export interface Span {
  readonly from: number;
  readonly until: number;
  readonly bounds: Bounds;
}

/** Finds the periods in a tokenized text, and joins those that belong together. */
export function spansIn(
  tokens: readonly Token[],
  plain: string,
  speaksOfSplitYears: boolean,
): readonly Span[] {
  return joined(spansOf(tokens, plain, speaksOfSplitYears), tokens, plain);
}

/** Finds the periods in a row of tokens, from left to right, the longest at each position. */
function spansOf(tokens: readonly Token[], plain: string, speaksOfSplitYears: boolean): readonly Span[] {
  const signs = tokens.map(({ sign }) => sign).join('');
  const spans: Span[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (!isOfTime.has(tokens[at]?.sign ?? ' ') && tokens[at]?.sign !== 'c') continue;
    let best: Span | undefined;
    // The text after a base year is about another period: «в % к 2015 году январь 2016».
    const isBase =
      tokens[at]?.sign === 'Y' &&
      beforeReference.some((pattern) => pattern.test(textBefore(tokens[at], plain)));
    for (const { signs: wanted, read, ofSplitYears } of periodForms) {
      if (ofSplitYears === true && !speaksOfSplitYears) continue;
      wanted.lastIndex = at;
      const { indices } = wanted.exec(signs) ?? {};
      const until = indices?.[0]?.[1];
      if (until === undefined || until <= (best?.until ?? 0)) continue;
      if (isBase && !/^[Yd/ -]+$/.test(signs.slice(at, until))) continue;
      const bounds = read((name) => tokens[indices?.groups?.[name]?.[0] ?? -1] ?? nothing);
      if (bounds !== undefined) best = { from: at, until, bounds };
    }
    if (best === undefined) continue;
    spans.push(best);
    at = best.until - 1;
  }
  return spans;
}

const nothing: Token = { sign: '?', value: Number.NaN, digits: 0, start: 0, end: 0 };
const connector = /^[ .,*g]*(?:-|\/|t)[ .,*g]*$/;
const beside = /^[ .,*wgt?a-]*$/;
const behind = /^[ .,*wgt-]*$/;

/** Joins periods that belong together: `01.2023-03.2023`, and the beginning or the end of a period. */
function joined(spans: readonly Span[], tokens: readonly Token[], plain: string): readonly Span[] {
  const signsOf = (from: number, until: number) =>
    tokens
      .slice(from, until)
      .map(({ sign }) => sign)
      .join('');
  const ranges: Span[] = [];
  for (const span of spans.map((each) => ofTwoYears(each, tokens, plain))) {
    const before = ranges.at(-1);
    const isRange =
      before !== undefined &&
      connector.test(signsOf(before.until, span.from)) &&
      lengthClass(before.bounds) === lengthClass(span.bounds);
    const bounds = isRange ? between(before.bounds, span.bounds) : undefined;
    if (before === undefined || bounds === undefined) ranges.push(span);
    else ranges.splice(-1, 1, { from: before.from, until: span.until, bounds });
  }
  return withEdges(ranges, tokens, plain);
}

/** Converts a period with a word for its beginning or end to a day: the word before it, or else after it. */
function withEdges(ranges: readonly Span[], tokens: readonly Token[], plain: string): readonly Span[] {
  const taken = new Set<number>();
  const edgeAt = (from: number, until: number, between: RegExp, isAhead: boolean): number => {
    const places = indexesFrom(from, until).filter(
      (at) => /^[BE]$/.test(tokens[at]?.sign ?? '') && !taken.has(at),
    );
    const at = (isAhead ? places.at(-1) : places[0]) ?? -1;
    const rest = isAhead ? tokens.slice(at + 1, until) : tokens.slice(from, at);
    const isBeside = at >= 0 && between.test(rest.map(({ sign }) => sign).join(''));
    return isBeside ? at : -1;
  };
  const joinedAt = (span: Span, at: number): Span => {
    const bounds = at < 0 ? undefined : edgeOf(span.bounds, tokens[at]?.sign === 'B' ? 'B' : 'E');
    if (bounds === undefined) return span;
    taken.add(at);
    return { from: Math.min(at, span.from), until: Math.max(at + 1, span.until), bounds };
  };
  const ahead = ranges.map((span, index) =>
    joinedAt(span, edgeAt(ranges[index - 1]?.until ?? 0, span.from, beside, true)),
  );
  return ahead.map((span, index) => {
    if (span.bounds.end_date === null || isReference(span, tokens, plain)) return span;
    return joinedAt(span, edgeAt(span.until, ahead[index + 1]?.from ?? tokens.length, behind, false));
  });
}

/** Two consecutive years are an academic year, a range of calendar years if a word says so, or else a year from July. */
function ofTwoYears(span: Span, tokens: readonly Token[], plain: string): Span {
  if (span.bounds.kind !== 'split_year') return span;
  const first = Number(span.bounds.start_date.slice(0, 4));
  if (ofStudies.test(plain)) return { ...span, bounds: studyYear(first) };
  const isPlural = /^ ?(?:годы|годов|годах|годам|жылдар)/u.test(around(span, tokens, plain)[1]);
  const bounds = isPlural ? between(wholeYear(first), wholeYear(first + 1)) : undefined;
  return bounds === undefined ? span : { ...span, bounds };
}

/** Only periods of one class can be the start and the end of a longer period. */
function lengthClass({ kind }: Bounds): string {
  if (kind === 'quarter' || kind === 'half_year') return 'months';
  if (kind === 'month' || kind === 'day' || kind === 'year') return kind === 'month' ? 'months' : kind;
  return `${kind} alone`;
}

function edgeOf({ start_date: start, end_date: end }: Bounds, edge: 'B' | 'E'): Bounds | undefined {
  if (end === null) return undefined;
  const [year = 0, month = 0, number = 0] = (edge === 'B' ? start : end).split('-').map(Number);
  return day(year, month, number);
}

/** Returns whether a period is a base year, a bound or the date of a document, rather than that of the values. */
export function isReference(span: Span, tokens: readonly Token[], plain: string): boolean {
  const [before, after] = around(span, tokens, plain);
  const isRange =
    span.bounds.kind === 'days' || span.bounds.kind === 'years' || span.bounds.kind === 'months';
  const own = plain.slice(tokens[span.from]?.start, tokens[span.until - 1]?.end);
  return (
    (inDative.test(own) && percentBehind.test(after)) ||
    beforeReference.some((pattern) => pattern.test(before) && !(isRange && isFrom.test(before))) ||
    afterReference.some((pattern) => pattern.test(after) && !(isRange && isTo.test(after)))
  );
}

/** Words before and after a range: «с января по март», «қаңтардан наурызға дейін». */
const isFrom = /(?<!\p{L})(?:со?|от|from) $/u;
const isTo = /^ ?дейін/u;

/** Returns the text before and after a period. */
export function around(
  { from, until }: Span,
  tokens: readonly Token[],
  plain: string,
): readonly [string, string] {
  const end = tokens[until - 1]?.end ?? plain.length;
  return [textBefore(tokens[from], plain), plain.slice(end).replace(/ +/g, ' ')];
}

function textBefore(token: Token | undefined, plain: string): string {
  return plain.slice(0, token?.start ?? 0).replace(/ +/g, ' ');
}

export function indexesFrom(from: number, until: number): number[] {
  return Array.from({ length: until - from }, (_, index) => from + index);
}
