import { formatFixed, formatNumber, type Language } from './numbers.ts';

/** Formats a share with one decimal; a small share is never shown as nothing or all. */
export function formatShare(share: number, language: Language): string {
  const percent = (value: number) => `${formatNumber(value, language, 1)}\u00a0%`;
  if (share > 0 && share < 0.001) return `<\u00a0${percent(0.1)}`;
  if (share > 0.999 && share < 1) return `>\u00a0${percent(99.9)}`;
  return percent(100 * share);
}

const all = 1000;

/**
 * Formats shares of one whole with one decimal so that they sum to 100 %: the largest remainders are rounded up. All
 * places that show such shares use it, so that a share is the same on every page. Zeros for a whole of zero.
 * @param sign text after each number
 */
export function formatParts(
  parts: readonly number[],
  language: Language,
  sign = '\u00a0%',
): readonly string[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const exact = parts.map((part) => (whole > 0 ? (all * part) / whole : 0));
  const tenths = exact.map(Math.floor);
  const left = whole > 0 ? all - tenths.reduce((sum, each) => sum + each, 0) : 0;
  const byRemainder = [...exact.keys()].toSorted(
    (one, other) => remainderOf(exact[other]) - remainderOf(exact[one]) || one - other,
  );
  for (const place of byRemainder.slice(0, left)) tenths[place] = (tenths[place] ?? 0) + 1;
  const written = (each: number) => `${formatFixed(each / 10, language, 1)}${sign}`;
  return tenths.map((each, place) => {
    const part = exact[place] ?? 0;
    if (each === 0 && part > 0) return `<\u00a0${written(1)}`;
    return each === all && part < all ? `>\u00a0${written(all - 1)}` : written(each);
  });
}

function remainderOf(value = 0): number {
  return value - Math.floor(value);
}
