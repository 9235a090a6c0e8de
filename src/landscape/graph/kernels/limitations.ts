import type { Band } from '../../model/bands.ts';
import type { GraphNode } from '../../model/node.ts';
import type { Lookup, RatingTable } from '../../model/rating.ts';
import { attractions, crop, irrigation, pasture, snowRetention, tourism } from './suitability.ts';

/** Limitations of land use with their letters in subclasses, according to the FAO framework, in the order of subclasses. */
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

/** The limitation of each rated band, by key. */
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

/** One limiting factor of a sector, and its rated rasters. */
export interface Limitation {
  readonly name: LimitationName;
  readonly letter: string;
  /** Rasters that are rated from 1 to 5. The greatest rating counts; each raster needs a value. */
  readonly sources: readonly RatedBand[];
}

interface RatedBand {
  readonly band: Band;
  readonly table: RatingTable | Lookup;
}

/** The nodes that rate a sector: on allocable land, suitability is the least rating of its limitations. */
export const sectorNodes: readonly GraphNode[] = [irrigation, snowRetention, crop, pasture, tourism];

/** Lists the limitations of a sector, in the order of the letters. @throws {Error} for a node that does not rate a sector. */
export function limitationsOf(node: GraphNode): readonly Limitation[] {
  if (!sectorNodes.includes(node)) throw new Error(`node ${node.code} rates no sector`);
  const found = new Map<LimitationName, RatedBand[]>();
  for (const {
    bands: [band],
    table,
  } of node.explanation.quantities) {
    if (table === undefined) continue;
    // Relief and water attract visitors: one can replace the other.
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
