import type { Language } from './translate.ts';

/** The names of an administrative unit; the Russian one is always known. */
interface UnitNames {
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
}

/** Returns the name of a unit in a language, the Russian one where that is not known. */
export function unitName({ name, name_kk, name_en }: UnitNames, language: Language): string {
  return { ru: name, kk: name_kk ?? name, en: name_en ?? name }[language];
}
