import type { Language } from '../../messages/languages/translate.ts';
import { type LegendModel, withoutNames } from '../../../common/maps/legend/model.ts';

/** The service's own texts for the maps of a group, in a language. Names given by users stay unchanged. */
export interface MapWords {
  readonly title: string;
  /** Translates the name of the group, or of a dataset in it. */
  nameOf(name: string): string;
  unitOf(unit: string | null): string | null;
  /** Translates the label of the class with a value. */
  labelOf(label: string, value: number): string;
  /** Two sentences on how to read the map; undefined for an input. */
  readonly reading: string | undefined;
}

/** Finds the texts for a group by its code; undefined for a group of users. */
export type FindMapWords = (groupCode: string | null, language: Language) => MapWords | undefined;

/** Translates the labels of single-value classes; ramps keep their numbers. */
export function wordModel(model: LegendModel, { labelOf }: MapWords): LegendModel {
  if (model.kind !== 'classes') return withoutNames(model);
  const entries = model.entries.map((entry) => {
    const { label, range } = entry;
    if (label.kind !== 'text' || range === undefined || range.from !== range.to) return entry;
    return { ...entry, label: { ...label, text: labelOf(label.text, range.from) } };
  });
  return { ...model, entries };
}

/** Translates the name of a dataset, or of the group that shows it, and the dataset's unit. */
export function wordNames(
  { unit }: { readonly unit: string | null },
  name: string,
  words: MapWords | undefined,
): { readonly name: string; readonly unit: string | null } {
  return words === undefined ? { name, unit } : { name: words.nameOf(name), unit: words.unitOf(unit) };
}
