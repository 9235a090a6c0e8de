/**
 * Meaning of a column's commas. `mixed`: some cells prove thousands separators, others decimal commas. `ambiguous`: no
 * cell proves anything; they are read as decimal commas.
 */
export const commaFormats = ['decimal', 'thousands', 'mixed', 'ambiguous'] as const;
export type CommaFormat = (typeof commaFormats)[number];

/** Evidence of one text about its column's commas; `nothing` for `1,234`, which has two readings. */
export type CommaProof = 'decimal' | 'thousands' | 'nothing';

/** The same for a column's points: `1.234.567` and `1.234,5` have thousands separators, `12.5` has a decimal point. */
export type PointFormat = CommaFormat;

/** Meaning of the commas and points of a column. */
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
 * Parses a finite number; undefined for any other text. Ignores surrounding white space; accepts groups of three digits
 * with spaces between, a decimal point or comma, and an exponent.
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

/** Parses digits with a decimal point and an exponent; undefined if no double can represent the number. */
export function parsePlainNumber(digits: string): number | undefined {
  const value = Number(digits);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value; // no negative zero, which JSON readers and databases write differently
}

/** Returns the evidence of `text` about commas; undefined without a comma or a number. */
export function commaProof(text: string): CommaProof | undefined {
  return text.includes(',') ? proofOf(text.trim(), commaThousands, pointThousands) : undefined;
}

/** Returns the evidence of `text` about points; undefined without a point or a number. */
export function pointProof(text: string): CommaProof | undefined {
  return text.includes('.') ? proofOf(text.trim(), pointThousands, commaThousands) : undefined;
}

function proofOf(text: string, thousands: RegExp, otherThousands: RegExp): CommaProof | undefined {
  const asDecimal = decimalReading.test(text);
  const asThousands = thousands.test(text);
  if (!asDecimal && !asThousands) return otherThousands.test(text) ? 'decimal' : undefined;
  if (!asDecimal) return 'thousands';
  // a leading zero excludes thousands separators
  return asThousands && !leadingZero.test(text) ? 'nothing' : 'decimal';
}

/** Decides the meaning of a column's commas or points from the evidence of its cells; undefined if there are none. */
export function decideSeparator(proofs: ReadonlySet<CommaProof>): CommaFormat | undefined {
  if (proofs.has('decimal')) return proofs.has('thousands') ? 'mixed' : 'decimal';
  if (proofs.has('thousands')) return 'thousands';
  return proofs.has('nothing') ? 'ambiguous' : undefined;
}
