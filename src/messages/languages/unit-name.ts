import type { Language } from './translate.ts';

/** Names of an administrative unit; the Russian one is always known. */
interface UnitNames {
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
}

/** Returns the name of a unit in a language, or else the Russian one. */
export function unitName({ name, name_kk, name_en }: UnitNames, language: Language): string {
  return { ru: name, kk: name_kk ?? name, en: name_en ?? name }[language];
}
