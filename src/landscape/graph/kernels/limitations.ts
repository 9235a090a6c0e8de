import type { Band } from '../../model/bands.ts';
import type { GraphNode } from '../../model/node.ts';
import type { Lookup, RatingTable } from '../../model/rating.ts';
import { attractions, crop, irrigation, pasture, snowRetention, tourism } from './suitability.ts';

/** What can limit a use of land, and its letter in a subclass, as the FAO framework has them; in the order of subclasses. */
const limitationLetters = [
  ['topography', 't'],
  ['moisture', 'm'],
  ['snow', 'h'],
  ['warmth', 'c'],
  ['texture', 's'],
  ['carbon', 'o'],
  ['salinity', 'n'],
  ['water', 'w'],
  ['cover', 'v'],
  ['growth', 'g'],
  ['road', 'r'],
  ['attraction', 'a'],
] as const;
export type LimitationName = (typeof limitationLetters)[number][0];
export const limitationNames = limitationLetters.map(([name]) => name);

/** What each rated band limits by, by its key. */
const limitationOfBand: Readonly<Record<string, LimitationName>> = {
  '01': 'topography',
  precipitation: 'moisture',
  '03': 'moisture',
  'snow-depth': 'snow',
  'temperature-sum': 'warmth',
  'soil-texture': 'texture',
  'soil-organic-carbon': 'carbon',
  'soil-salinity': 'salinity',
  'distance-water': 'water',
  'land-cover': 'cover',
  '04': 'growth',
  'distance-road': 'road',
};

/** One factor of a sector, and what rates it. */
export interface Limitation {
  readonly name: LimitationName;
  readonly letter: string;
  /** The rasters that are rated from 1 to 5; of several the greatest rating counts, and each needs a value. */
  readonly sources: readonly RatedBand[];
}

interface RatedBand {
  readonly band: Band;
  readonly table: RatingTable | Lookup;
}

/** The nodes that rate a sector, whose suitability is the least rating of their limitations on allocable land. */
export const sectorNodes: readonly GraphNode[] = [irrigation, snowRetention, crop, pasture, tourism];

/** Lists what limits a sector, in the order of the letters. @throws {Error} for a node that rates no sector. */
export function limitationsOf(node: GraphNode): readonly Limitation[] {
  if (!sectorNodes.includes(node)) throw new Error(`node ${node.code} rates no sector`);
  const found = new Map<LimitationName, RatedBand[]>();
  for (const {
    bands: [band],
    table,
  } of node.explanation.quantities) {
    if (table === undefined) continue;
    // Relief and water attract visitors: one stands in for the other.
    const attracts = node === tourism && band !== undefined && attractions.includes(band);
    const name = attracts ? 'attraction' : limitationOfBand[band?.key ?? ''];
    if (band === undefined || name === undefined)
      throw new Error(`a factor of node ${node.code} has no letter: ${band?.key ?? ''}`);
    found.set(name, [...(found.get(name) ?? []), { band, table }]);
  }
  return limitationLetters.flatMap(([name, letter]) => {
    const sources = found.get(name);
    return sources === undefined ? [] : [{ name, letter, sources }];
  });
}
