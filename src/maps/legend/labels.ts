import type { ClassLabel } from './model.ts';
import { formatNumber, type Language } from './numbers.ts';

/** The words that labels are made of. */
export interface LabelWords {
  readonly others: string;
  readonly unnamedClass: string;
  readonly above: (from: string) => string;
  readonly below: (to: string) => string;
}

/** The words and the language in which a legend speaks. */
export interface LabelSpeech {
  readonly words: LabelWords;
  readonly language: Language;
}

/** Digits behind the mark that a number is worth: four that count, at most five behind the mark. */
export const digitsOf = (value: number) =>
  value === 0 ? 0 : Math.min(5, Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value)))));

/** Writes a value of a map: numbers by the language, text as it is. */
export function formatValue(value: number | string, language: Language): string {
  return typeof value === 'string' ? value : formatNumber(value, language, digitsOf(value));
}

/** Writes a bound of a class: one with two decimals at most as it is, since values between it and its rounding lie elsewhere. */
function formatBound(value: number, language: Language): string {
  const exact = [0, 1, 2].find((digits) => Number(value.toFixed(digits)) === value) ?? 0;
  return formatNumber(value, language, Math.max(exact, digitsOf(value)));
}

/** Writes what a legend entry stands for. */
export function formatLabel(label: ClassLabel, { words, language }: LabelSpeech): string {
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
