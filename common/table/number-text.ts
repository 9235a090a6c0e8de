/**
 * The reading of a column's commas. `mixed`: some cells prove that they part thousands, others that they are decimal commas.
 * `ambiguous`: none proves anything; they are read as decimal commas.
 */
export const commaFormats = ['decimal', 'thousands', 'mixed', 'ambiguous'] as const;
export type CommaFormat = (typeof commaFormats)[number];

/** The proof that one text gives of its column's commas; `nothing` for `1,234`, which reads both ways. */
export type CommaProof = 'decimal' | 'thousands' | 'nothing';

/** The same of a column's points: `1.234.567` and `1.234,5` part thousands, `12.5` has a decimal point. */
export type PointFormat = CommaFormat;

/** How the commas and points of a column read. */
export interface Separators {
  readonly commas?: CommaFormat | undefined;
  readonly points?: PointFormat | undefined;
}

const sign = '[+\\-\\u2212]?';
const spaced = '\\d{1,3}(?:[ \\u00a0\\u2009\\u202f]\\d{3})+';
const exponent = `(?:[eE]${sign}\\d+)?`;
const decimalReading = new RegExp(`^${sign}(?:(?:\\d+|${spaced})(?:[.,]\\d+)?|[.,]\\d+)${exponent}$`);
const commaThousands = new RegExp(`^${sign}\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?${exponent}$`);
const pointThousands = new RegExp(`^${sign}\\d{1,3}(?:\\.\\d{3})+(?:,\\d+)?${exponent}$`);
const spaces = /[ \u00a0\u2009\u202f]/g;
const leadingZero = new RegExp(`^${sign}0`);

/**
 * Returns the finite number that `text` is, or undefined. White space at its ends does not matter; digits may be in groups of
 * three with spaces between, with a decimal point or comma and an exponent.
 */
export function parseNumberText(text: string, { commas, points }: Separators = {}): number | undefined {
  const trimmed = text.trim();
  const asDecimal = decimalReading.test(trimmed);
  const plain = trimmed.replaceAll('\u2212', '-').replaceAll(spaces, '');
  if (commaThousands.test(trimmed) && (!asDecimal || commas === 'thousands'))
    return parsePlainNumber(plain.replaceAll(',', ''));
  if (pointThousands.test(trimmed) && (!asDecimal || points === 'thousands'))
    return parsePlainNumber(plain.replaceAll('.', '').replace(',', '.'));
  return asDecimal ? parsePlainNumber(plain.replace(',', '.')) : undefined;
}

/** Returns the number that digits with a decimal point and an exponent say; undefined when no double can hold it. */
export function parsePlainNumber(digits: string): number | undefined {
  const value = Number(digits);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value; // no negative zero, which JSON readers and databases write differently
}

/** Returns what the commas of `text` prove; undefined when it has none or is not a number. */
export function commaProof(text: string): CommaProof | undefined {
  return text.includes(',') ? proofOf(text.trim(), commaThousands, pointThousands) : undefined;
}

/** Returns what the points of `text` prove; undefined when it has none or is not a number. */
export function pointProof(text: string): CommaProof | undefined {
  return text.includes('.') ? proofOf(text.trim(), pointThousands, commaThousands) : undefined;
}

function proofOf(text: string, thousands: RegExp, otherThousands: RegExp): CommaProof | undefined {
  const asDecimal = decimalReading.test(text);
  const asThousands = thousands.test(text);
  if (!asDecimal && !asThousands) return otherThousands.test(text) ? 'decimal' : undefined;
  if (!asDecimal) return 'thousands';
  // thousands are never separated after a leading zero
  return asThousands && !leadingZero.test(text) ? 'nothing' : 'decimal';
}

/** Decides how a column's commas, or points, read from all that its cells prove; undefined when none holds one. */
export function decideSeparator(proofs: ReadonlySet<CommaProof>): CommaFormat | undefined {
  if (proofs.has('decimal')) return proofs.has('thousands') ? 'mixed' : 'decimal';
  if (proofs.has('thousands')) return 'thousands';
  return proofs.has('nothing') ? 'ambiguous' : undefined;
}
