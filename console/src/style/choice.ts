import { type RampName, rampNames } from '../../../common/maps/style/colour-map.ts';

export const kinds = ['classes', 'ramp', 'values'] as const;
export const methods = ['quantiles', 'equal', 'natural', 'own'] as const;
export type Kind = (typeof kinds)[number];
export type Method = (typeof methods)[number];

/** A ramp, or unordered colours for single values. */
export type Palette = RampName | 'different';
export const palettes: readonly Palette[] = ['different', ...rampNames];

/** The choices of a style of values, which the address records. */
export interface Choice {
  readonly kind: Kind;
  readonly ramp: Palette;
  /** True if the colours of the ramp run from high to low. */
  readonly isReversed: boolean;
  readonly classes: number;
  readonly method: Method;
  /** Bounds between classes of the method `own`, ascending. */
  readonly breaks: readonly number[];
  /** Ends of a continuous ramp; undefined for the 2nd and 98th percentiles. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** One symbol for all features of a vector. */
export interface SingleSymbol {
  /** `#rrggbb` */
  readonly fill: string;
  readonly line: string;
  /** Width in pixels. */
  readonly width: number;
}

export const leastClasses = 3;
export const mostClasses = 9;
/** Members of the address that record a choice. */
const members = [
  'kind',
  'ramp',
  'reversed',
  'classes',
  'by',
  'breaks',
  'from',
  'to',
  'fill',
  'line',
  'width',
] as const;
type Members = Readonly<Partial<Record<(typeof members)[number], string | undefined>>>;

/** Returns true if an address has a choice, which is then shown instead of the stored style. */
export const hasChoice = (query: URLSearchParams): boolean => members.some((name) => query.has(name));

/** Reads a choice; invalid members take their initial values. @param first the initial kind and ramp */
export function readChoice(query: URLSearchParams, first: Pick<Choice, 'kind' | 'ramp'>): Choice {
  const one = <T extends string>(name: string, known: readonly T[], otherwise: T): T =>
    known.find((each) => each === query.get(name)) ?? otherwise;
  const classes = numberIn(query.get('classes')) ?? 5;
  return {
    kind: one('kind', kinds, first.kind),
    ramp: one('ramp', palettes, first.ramp),
    isReversed: query.get('reversed') === '1',
    classes: Math.min(mostClasses, Math.max(leastClasses, Math.round(classes))),
    method: one('by', methods, 'quantiles'),
    breaks: inOrder((query.get('breaks') ?? '').split(';').flatMap((text) => numberIn(text) ?? [])),
    from: numberIn(query.get('from')),
    to: numberIn(query.get('to')),
  };
}

/** Writes a choice as members of the address; undefined ones are left out. */
export function writeChoice(choice: Choice): Members {
  const { kind, ramp, isReversed, classes, method, breaks, from, to } = choice;
  const isOwn = kind === 'classes' && method === 'own';
  return {
    kind,
    ramp,
    reversed: isReversed ? '1' : undefined,
    classes: kind === 'classes' && !isOwn ? String(classes) : undefined,
    by: kind === 'classes' ? method : undefined,
    breaks: isOwn ? breaks.join(';') : undefined,
    from: kind === 'ramp' && from !== undefined ? String(from) : undefined,
    to: kind === 'ramp' && to !== undefined ? String(to) : undefined,
  };
}

/** Reads the symbol of a vector; invalid members give the green of the page. */
export function readSymbol(query: URLSearchParams): SingleSymbol {
  const colour = (name: string, otherwise: string) =>
    /^#[0-9a-f]{6}$/.test(query.get(name) ?? '') ? (query.get(name) ?? otherwise) : otherwise;
  const width = numberIn(query.get('width')) ?? 1.5;
  return {
    fill: colour('fill', '#8fb5a9'),
    line: colour('line', '#1f6a52'),
    width: Math.min(20, Math.max(0, width)),
  };
}

export function writeSymbol({ fill, line, width }: SingleSymbol): Members {
  return { fill, line, width: String(width) };
}

/** An address without a choice. */
export const noChoice: Members = Object.fromEntries(members.map((name) => [name, undefined]));

function numberIn(text: string | null): number | undefined {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

function inOrder(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b).slice(0, mostClasses - 1);
}

/**
 * Reads typed bounds, separated by semicolons or lines, with a decimal point or comma and with spaces between
 * thousands. Undefined if one is not a number, or if there are none or too many.
 */
export function readBreaks(text: string): readonly number[] | undefined {
  const parts = text
    .split(/[;\n]/)
    .map((part) =>
      part
        .replace(/[\s\u00a0\u202f]/g, '')
        .replace('\u2212', '-')
        .replace(',', '.'),
    )
    .filter((part) => part !== '');
  const numbers = parts.map((part) => numberIn(part));
  const known = numbers.filter((number) => number !== undefined);
  if (known.length < numbers.length || known.length === 0 || known.length >= mostClasses) return undefined;
  return inOrder(known);
}
