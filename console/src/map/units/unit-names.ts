import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Language } from '../../words/languages.ts';
import type { Districts, Level, Unit } from './districts.ts';

const usualLevels: readonly Level[] = ['region', 'district'];

type Names = ReadonlyMap<string, string>;

/** Names of units by KATO code, in a language if the service has them; the code itself until they are loaded. */
export function useUnitNames(
  districts: Districts,
  isWanted: boolean,
  language: Language,
  levels: readonly Level[] = usualLevels,
): (code: string) => string {
  const names = useSignal<Names>(new Map());
  useEffect(() => {
    if (!isWanted) return;
    const load = async () => {
      const units = await Promise.all(levels.map(async (level) => await districts.units(level)));
      names.value = new Map(units.flat().map((unit) => [unit.kato, nameIn(unit, language)]));
    };
    // Without names the codes stay, and the base map reports that borders could not be read.
    void load().catch(() => undefined);
  }, [isWanted, language, levels.join()]);
  return (code) => names.value.get(code) ?? code;
}

/** The name of a unit in a language, or its Russian name. */
export function nameIn({ name, name_kk: kazakh, name_en: english }: Unit, language: Language): string {
  const own = { ru: name, kk: kazakh, en: english }[language] ?? '';
  return own === '' ? name : own;
}
