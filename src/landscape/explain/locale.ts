import { digitsOf, formatNumber } from '../../../common/formats/numbers.ts';
import { type ExplanationWords, explanation as english } from '../../messages/explanation/english.ts';
import { explanation as kazakh } from '../../messages/explanation/kazakh.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { explanation as russian } from '../../messages/explanation/russian.ts';
import { graphWordsIn, nodeWords, slotWords, unitIn } from '../groups/graph-words.ts';
import { nodeByCode } from '../graph/graph.ts';
import { leadingSector } from '../graph/nodes.ts';
import type { Band } from '../model/bands.ts';
import { paramFacts } from '../model/params.ts';
import { shortestOf } from './floats.ts';

const words: Readonly<Record<Language, ExplanationWords>> = { en: english, ru: russian, kk: kazakh };

/** The texts and number formats of explanations in one language. */
export type Locale = ReturnType<typeof localeOf>;

/** Limit of digits before a number is indistinguishable from another one. */
const mostDigits = 9;

/** Returns the texts and number formats of explanations in a language. */
export function localeOf(language: Language) {
  const own = words[language];
  const names: Readonly<Record<string, string>> = own.names;
  const wordsOf = (band: Band) =>
    nodeByCode(band.key) === undefined ? slotWords(language, band.key) : nodeWords(language, band.key);
  const write = (value: number, digits = digitsOf(value)) => formatNumber(value, language, digits);
  const withUnit = (text: string, unit: string | null) => {
    const said = unit === 'percent' ? '%' : unitIn(language, unit);
    return said === null ? text : `${text} ${said}`;
  };
  const classTitle = (band: Band, value: number): string => wordsOf(band).classes?.[value] ?? String(value);
  const quoted = (text: string) => (language === 'en' ? `“${text}”` : `«${text}»`);
  return {
    language,
    words: own,
    /** Returns the name of a quantity, a condition or a band within a sentence. */
    nameOf: (name: string): string => names[name] ?? name,
    /** Joins names in a list. @returns undefined for an empty list. */
    namesOf: (list: readonly string[]): string | undefined =>
      list.length === 0 ? undefined : own.list(list.map((name) => names[name] ?? name)),
    titleOf: (band: Band): string => wordsOf(band).title,
    unitOf: ({ unit }: Band): string | null => unitIn(language, unit),
    classTitle,
    /** Returns the name of a class in the language; null for numbers. */
    classOf: (band: Band, value: number | undefined): string | null =>
      band.type === 'uint8' && value !== undefined ? classTitle(band, value) : null,
    sectorOf: (sector: number): string => classTitle(leadingSector.output, sector),
    paramOf: (param: keyof typeof paramFacts): string =>
      graphWordsIn(language).params[param]?.title ?? paramFacts[param].title,
    /** Formats a value of a band: a class by its name, a number with its unit. */
    valueOf(band: Band, value: number): string {
      return band.type === 'uint8' ? quoted(classTitle(band, value)) : withUnit(write(value), band.unit);
    },
    /** Formats a value and a bound with enough digits to distinguish them; the bound is rounded so that the statement remains true. */
    valueAndBound(band: Band, value: number, bound: number) {
      const exact = write(roundedAway(shortestOf(bound), value), mostDigits);
      let digits = digitsOf(value);
      while (digits < mostDigits && write(value, digits) === exact) digits += 1;
      return { value: withUnit(write(value, digits), band.unit), bound: withUnit(exact, band.unit) };
    },
    interval(from: number | null, below: number | null, unit: string | null): string {
      const exact = (value: number | null, isLast: boolean) => {
        if (value === null) return undefined;
        const text = write(value, mostDigits);
        return isLast ? withUnit(text, unit) : text;
      };
      return own.interval(exact(from, below === null), exact(below, true));
    },
  };
}

/** Rounds a bound with many digits away from a value, so that the statement remains true. */
function roundedAway(bound: number, value: number): number {
  const scale = 10 ** digitsOf(bound);
  const rounded = bound > value ? Math.ceil(bound * scale) / scale : Math.floor(bound * scale) / scale;
  return Math.abs(rounded - bound) < Math.abs(bound) / 1e3 ? Number(rounded.toPrecision(mostDigits)) : bound;
}
