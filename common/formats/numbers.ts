export type Language = 'en' | 'ru' | 'kk';

/** Chromium lacks Kazakh number formats; in Kazakhstan numbers are written as in Russian. */
const localeOf = { en: 'en-GB', ru: 'ru-RU', kk: 'ru-RU' } as const satisfies Record<Language, string>;

/** Thousands separator and decimal separator. */
const marks = { en: [',', '.'], ru: ['\u00a0', ','], kk: ['\u00a0', ','] } as const satisfies Record<
  Language,
  unknown
>;
/** From here on, JavaScript formats numbers with an exponent. */
const greatest = 1e15;

/**
 * Formats a number with the separators of a language, like `Intl`. The first frame of a map contains numbers, and the
 * first formatter of `Intl` takes too long.
 */
export function formatNumber(value: number, language: Language, digits = 0): string {
  if (!(Math.abs(value) < greatest)) {
    return new Intl.NumberFormat(localeOf[language], { maximumFractionDigits: digits }).format(value);
  }
  const [whole = '', fraction = ''] = roundedTo(digits, Math.abs(value)).split('.');
  const [thousands, point] = marks[language];
  let text = whole.slice(-3);
  for (let end = whole.length - 3; end > 0; end -= 3) {
    text = `${whole.slice(Math.max(0, end - 3), end)}${thousands}${text}`;
  }
  const written = withoutZeros(fraction);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return `${sign}${text}${written === '' ? '' : `${point}${written}`}`;
}

/**
 * Rounds the shortest decimal form of a number, half up, like `Intl`: 1.005 becomes 1.01. `toFixed` rounds the binary
 * number, which is slightly less than 1.005.
 */
function roundedTo(digits: number, value: number): string {
  const [whole = '', fraction = ''] = String(value).split('.');
  // With an exponent, the number is less than a millionth.
  if (whole.includes('e') || fraction.includes('e')) return value.toFixed(digits);
  if (fraction.length <= digits) return `${whole}.${fraction}`;
  const isUp = (fraction[digits] ?? '0') >= '5';
  const kept = BigInt(whole + fraction.slice(0, digits)) + (isUp ? 1n : 0n);
  const text = String(kept).padStart(digits + 1, '0');
  const point = text.length - digits;
  return `${text.slice(0, point)}.${text.slice(point)}`;
}

function withoutZeros(fraction: string): string {
  let end = fraction.length;
  while (end > 0 && fraction[end - 1] === '0') end -= 1;
  return fraction.slice(0, end);
}

/** Number of decimals: four significant digits, at most five decimals. */
export const digitsOf = (value: number) =>
  value === 0 ? 0 : Math.min(5, Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value)))));

/** Formats a value of a map: numbers in the language, text unchanged. */
export function formatValue(value: number | string, language: Language): string {
  return typeof value === 'string' ? value : formatAny(value, language, digitsOf(value));
}

/** Smaller numbers are written with an exponent: with five decimals they would be 0. */
const leastWritten = 1e-5;
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

export function formatAny(value: number, language: Language, digits: number): string {
  if (value === 0 || Math.abs(value) >= leastWritten || Number.isNaN(value))
    return formatNumber(value, language, digits);
  const [mantissa = '', exponent = ''] = value.toExponential(3).split('e-');
  const power = [...exponent].map((digit) => superscripts[Number(digit)]).join('');
  return `${formatNumber(Number(mantissa), language, 3)}·10⁻${power}`;
}

/** Formats a number with all its decimals, so that a column of them is straight. */
export function formatFixed(value: number, language: Language, digits: number): string {
  const text = formatNumber(value, language, digits);
  const [, point] = marks[language];
  return digits === 0 || text.includes(point) ? text : `${text}${point}${'0'.repeat(digits)}`;
}
