const decimal = /^[+-]?\d+,\d+$/;
/** Three digits behind the comma, and in front of it one to three that do not begin with 0. */
const doubtful = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** Tells whether a comma may part thousands as well as begin a fraction: `1,234`. */
export const isDoubtful = (text: string): boolean => doubtful.test(text.trim());

/** Writes a number whose comma begins a fraction, as `12,5` does and `0,125`, with a point; undefined for any other text. */
export function withPoint(text: string, areDecimal = false): string | undefined {
  const trimmed = text.trim();
  return decimal.test(trimmed) && (areDecimal || !isDoubtful(trimmed))
    ? trimmed.replace(',', '.')
    : undefined;
}
