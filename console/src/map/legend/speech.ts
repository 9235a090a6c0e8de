import { formatNumber } from '../../../../common/maps/legend/labels.ts';
import { formatDay, formatPeriod } from '../../words/formats.ts';
import type { MapWords } from '../words/words.ts';
import type { Language } from '../../words/languages.ts';
import type { Period } from '../units/unit-series.ts';
import { loadedMapWords, loadMapWords } from '../words/map-words.ts';
import { language } from '../../words/words.ts';
import type { Unit } from '../units/districts.ts';
import type { MapSources } from '../layers/read-layer.ts';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The words and the language in which a map speaks. */
export interface MapSpeech {
  readonly words: MapWords;
  readonly language: Language;
}

/** Writes the dates of a series: whole years, and days that are the same first or last day of every year, as years. */
export function formatDates(dates: readonly Period[], language: Language): readonly string[] {
  const years = new Set(dates.map(({ start }) => start.slice(0, 4)));
  const days = new Set(dates.map(({ start }) => start.slice(4)));
  const isYearly =
    years.size === dates.length && days.size === 1 && (days.has('-01-01') || days.has('-12-31'));
  return dates.map(({ start, end }) => {
    if (end !== null) return formatPeriod(start, end, language) ?? start;
    return isYearly ? start.slice(0, 4) : formatDay(start, language);
  });
}

/** Writes a place with four decimals, about ten metres. */
export function formatPlace(lat: number, lon: number, { words, language }: MapSpeech): string {
  const degrees = (value: number) => `${formatNumber(Math.abs(value), language, 4)}°`;
  const north = `${degrees(lat)} ${lat < 0 ? words.south : words.north}`;
  return `${north} ${degrees(lon)} ${lon < 0 ? words.west : words.east}`;
}

/** The words of the map in the language of the page; undefined until they are there. */
export function useMapWords(): MapSpeech | undefined {
  const wanted = language();
  const ready = loadedMapWords(wanted);
  const speech = useSignal(ready && { words: ready, language: wanted });
  useEffect(() => {
    if (speech.peek()?.language === wanted) return undefined;
    let isCurrent = true;
    const load = async () => {
      // Where they do not come, the map goes on in the language that it has.
      const words = await loadMapWords(wanted).catch(() => undefined);
      if (isCurrent && words !== undefined) speech.value = { words, language: wanted };
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  return speech.value;
}

type Names = ReadonlyMap<string, string>;

/** Names of units by KATO code, in a language where the service has them; the code itself until they are read. */
export function useUnitNames(
  { districts }: MapSources,
  isWanted: boolean,
  language: Language,
): (code: string) => string {
  const names = useSignal<Names>(new Map());
  useEffect(() => {
    if (!isWanted) return;
    const load = async () => {
      const levels = ['region', 'district'] as const;
      const units = await Promise.all(levels.map(async (level) => await districts.units(level)));
      names.value = new Map(units.flat().map((unit) => [unit.kato, nameIn(unit, language)]));
    };
    // Without names the codes stay, and the base map says that borders could not be read.
    void load().catch(() => undefined);
  }, [isWanted, language]);
  return (code) => names.value.get(code) ?? code;
}

/** The name of a unit in a language, else the Russian one. */
export function nameIn({ name, name_kk: kazakh, name_en: english }: Unit, language: Language): string {
  const own = { ru: name, kk: kazakh, en: english }[language] ?? '';
  return own === '' ? name : own;
}
