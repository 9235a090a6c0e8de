import { digitsOf, formatAny, type Language } from '../../formats/numbers.ts';
import type { ClassLabel } from './model.ts';

export interface LabelWords {
  readonly others: string;
  readonly unnamedClass: string;
  readonly above: (from: string) => string;
  readonly below: (to: string) => string;
}

/** Words and language of a legend. */
export interface LabelLocale {
  readonly words: LabelWords;
  readonly language: Language;
}

/**
 * Formats a bound of a class: exactly if it has at most two decimals, because values between a bound and its rounding
 * belong to another class.
 */
function formatBound(value: number, language: Language): string {
  const exact = [0, 1, 2].find((digits) => Number(value.toFixed(digits)) === value) ?? 0;
  return formatAny(value, language, Math.max(exact, digitsOf(value)));
}

/** Any thousands separator, and the true minus sign. */
const [spaces, minus] = [/\s/g, '\u2212'];

/** Returns the label of a stop of a ramp; undefined if it only repeats the number, possibly rounded. */
export function nameOfStop({
  value,
  label,
}: {
  readonly value: number;
  readonly label: string;
}): string | undefined {
  const text = label.trim();
  const plain = text.replaceAll(spaces, '').replace(minus, '-');
  const saysNumber = [plain.replace(',', '.'), plain.replaceAll(',', '')].some((written) => {
    const fraction = /^[+-]?\d+(?:\.(\d+))?(?:e[+-]?\d+)?$/i.exec(written);
    const half = 0.5 * 10 ** -(fraction?.[1]?.length ?? 0);
    return fraction !== null && Math.abs(Number(written) - value) <= half * (1 + 1e-9);
  });
  return text === '' || saysNumber ? undefined : text;
}

export function formatLabel(label: ClassLabel, { words, language }: LabelLocale): string {
  switch (label.kind) {
    case 'text':
      return label.text === '' ? words.unnamedClass : label.text;
    case 'others':
      return words.others;
    default: {
      const { from, to, upTo = false } = label;
      if (from === to) return formatBound(from, language);
      const [low, high] = [formatBound(from, language), formatBound(to, language)];
      if (from === -Infinity) return upTo ? `≤ ${high}` : words.below(high);
      if (to === Infinity) return upTo ? `> ${low}` : words.above(low);
      return `${low} – ${high}`;
    }
  }
}
