import type { Band } from '../../model/bands.ts';
import type { GraphNode } from '../../model/node.ts';
import type { Lookup, RatingTable } from '../../model/rating.ts';
import { crop, irrigation, pasture, snowRetention, tourism } from './suitability.ts';

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

/** The names that suitabilities have for their factors, and what each of them limits by. */
const limitationOfFactor: Readonly<Record<string, LimitationName>> = {
  slope: 'topography',
  precipitation: 'moisture',
  aridity: 'moisture',
  snowDepth: 'snow',
  temperatureSum: 'warmth',
  soilTexture: 'texture',
  soilOrganicCarbon: 'carbon',
  soilSalinity: 'salinity',
  distanceToWater: 'water',
  landCover: 'cover',
  vegetationCover: 'growth',
  distanceToRoad: 'road',
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

/** What attracts visitors: one stands in for the other. */
const attractions: readonly string[] = ['ruggedness', 'distanceToWater'];

/** Lists what limits a sector, in the order of the letters. @throws {Error} for a node that rates no sector. */
export function limitationsOf(node: GraphNode): readonly Limitation[] {
  if (!sectorNodes.includes(node)) throw new Error(`node ${node.code} rates no sector`);
  const attracts = node === tourism ? attractions : [];
  const found = new Map<LimitationName, RatedBand[]>();
  for (const [index, [factor, table]] of Object.entries(node.tables).entries()) {
    const band = node.inputs[index];
    const name = attracts.includes(factor) ? 'attraction' : limitationOfFactor[factor];
    if (band === undefined || name === undefined)
      throw new Error(`factor ${factor} of node ${node.code} has no letter`);
    found.set(name, [...(found.get(name) ?? []), { band, table }]);
  }
  return limitationLetters.flatMap(([name, letter]) => {
    const sources = found.get(name);
    return sources === undefined ? [] : [{ name, letter, sources }];
  });
}
