import { Problem } from '../lib/errors.ts';
import { toLegendJson } from '../maps/service/legend-json.ts';
import type { Legends } from '../maps/service/legends.ts';
import type { Language } from '../messages/languages/translate.ts';
import type { ClassWords } from './area-answers.ts';

/** The labels and colours of single values in the legend. */
export type Words = readonly (readonly [value: number, title: string, color: string])[];

/** Returns the labels of the legend; an empty list for a raster without a legend, whose areas can still be counted. */
export async function classWords(
  { legends }: { readonly legends: Legends },
  datasetId: string,
  language: Language,
): Promise<Words> {
  try {
    const { entries } = toLegendJson(await legends.modelOf(datasetId, language), language);
    return entries.flatMap(({ value, from, to, label, colour }) => {
      const single = value ?? (from === to ? from : undefined);
      return single === undefined ? [] : [[single, label, colour] as const];
    });
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

export function wordsIn(words: Words): ClassWords {
  const known = new Map(words.map(([value, title, color]) => [value, { title, color }]));
  return (value) => known.get(value) ?? { title: null, color: null };
}
