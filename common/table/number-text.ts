/**
 * The reading of a column's commas. `mixed`: some cells prove that they part thousands, others that they are decimal commas.
 * `ambiguous`: none proves anything; they are read as decimal commas.
 */
export const commaFormats = ['decimal', 'thousands', 'mixed', 'ambiguous'] as const;
export type CommaFormat = (typeof commaFormats)[number];

/** The proof that one text gives of its column's commas; `nothing` for `1,234`, which reads both ways. */
export type CommaProof = 'decimal' | 'thousands' | 'nothing';

const sign = '[+\\-\\u2212]?';
const spaced = '\\d{1,3}(?:[ \\u00a0\\u2009\\u202f]\\d{3})+';
const exponent = `(?:[eE]${sign}\\d+)?`;
const decimalReading = new RegExp(`^${sign}(?:(?:\\d+|${spaced})(?:[.,]\\d+)?|[.,]\\d+)${exponent}$`);
const thousandsReading = new RegExp(`^${sign}\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?${exponent}$`);
const spaces = /[ \u00a0\u2009\u202f]/g;
const leadingZero = new RegExp(`^${sign}0`);

/**
 * Returns the finite number that `text` is, or undefined. White space at its ends does not matter; digits may be in groups of
 * three with spaces between, with a decimal point or comma and an exponent.
 */
export function parseNumberText(text: string, commas: CommaFormat = 'decimal'): number | undefined {
  const trimmed = text.trim();
  const asDecimal = decimalReading.test(trimmed);
  const asThousands = thousandsReading.test(trimmed);
  if (!asDecimal && !asThousands) return undefined;
  const partsThousands = asThousands && (!asDecimal || commas === 'thousands');
  const plain = trimmed
    .replaceAll('\u2212', '-')
    .replaceAll(spaces, '')
    .replaceAll(',', partsThousands ? '' : '.');
  return parsePlainNumber(plain);
}

/** Returns the number that digits with a decimal point and an exponent say; undefined when no double can hold it. */
export function parsePlainNumber(digits: string): number | undefined {
  const value = Number(digits);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value; // no negative zero, which JSON readers and databases write differently
}

/** Returns what the commas of `text` prove; undefined when it has none or is not a number. */
export function commaProof(text: string): CommaProof | undefined {
  if (!text.includes(',')) return undefined;
  const trimmed = text.trim();
  const asDecimal = decimalReading.test(trimmed);
  const asThousands = thousandsReading.test(trimmed);
  if (!asDecimal) return asThousands ? 'thousands' : undefined;
  // thousands are never separated after a leading zero
  return asThousands && !leadingZero.test(trimmed) ? 'nothing' : 'decimal';
}

/** Decides how a column's commas read from all that its cells prove; undefined when none holds a comma. */
export function decideCommas(proofs: ReadonlySet<CommaProof>): CommaFormat | undefined {
  if (proofs.has('decimal')) return proofs.has('thousands') ? 'mixed' : 'decimal';
  if (proofs.has('thousands')) return 'thousands';
  return proofs.has('nothing') ? 'ambiguous' : undefined;
}
