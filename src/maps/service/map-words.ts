import type { Language } from '../../messages/languages/translate.ts';
import { type LegendModel, withoutNames } from '../../../common/maps/legend/model.ts';

/** The service's own words for the maps of a group, in a language. What users have named themselves stays as it is. */
export interface MapWords {
  /** Words the name of the group, or of a dataset in it. */
  nameOf(name: string): string;
  unitOf(unit: string | null): string | null;
  /** Words the label of a class, the value of which tells which one it is. */
  labelOf(label: string, value: number): string;
  /** Two sentences on how to read the map; undefined of an input. */
  readonly reading: string | undefined;
}

/** Finds the words for a group by its code; undefined for a group of users. */
export type FindMapWords = (groupCode: string | null, language: Language) => MapWords | undefined;

/** Words the labels of the classes of single values, and leaves those of ramps to their numbers. */
export function wordModel(model: LegendModel, { labelOf }: MapWords): LegendModel {
  if (model.kind !== 'classes') return withoutNames(model);
  const entries = model.entries.map((entry) => {
    const { label, range } = entry;
    if (label.kind !== 'text' || range === undefined || range.from !== range.to) return entry;
    return { ...entry, label: { ...label, text: labelOf(label.text, range.from) } };
  });
  return { ...model, entries };
}

/** Words the name of a dataset, or of the group that shows it, and the dataset's unit. */
export function wordNames(
  { unit }: { readonly unit: string | null },
  name: string,
  words: MapWords | undefined,
): { readonly name: string; readonly unit: string | null } {
  return words === undefined ? { name, unit } : { name: words.nameOf(name), unit: words.unitOf(unit) };
}
