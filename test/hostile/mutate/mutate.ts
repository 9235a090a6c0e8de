import { byteMutations } from './bytes.ts';
import { geojsonMutations } from './geojson.ts';
import { geopackageMutations } from './geopackage.ts';
import type { Means, Mutation } from './mutation.ts';
import { sldMutations } from './sld.ts';
import { tiffMutations } from './tiff.ts';
import { zipMutations } from './zip.ts';

export const formats = ['tiff', 'geopackage', 'zip', 'geojson', 'sld'] as const;
export type Format = (typeof formats)[number];

/** What knows the structure of a format. */
export const structuralMutations: Readonly<Record<Format, readonly Mutation[]>> = {
  tiff: tiffMutations,
  geopackage: geopackageMutations,
  zip: zipMutations,
  geojson: geojsonMutations,
  sld: sldMutations,
};

const structuralShare = 0.75;
/** How often a file is changed: most often once, so that a single fault comes as far as it can. */
const rounds = [1, 1, 1, 1, 2, 2, 3, 5] as const;
const maxBytes = 8 * 2 ** 20;

/** Other bytes of the same format, or what was one; the same for the same draws. Never empty, never `original`. */
export function mutate(original: Buffer, format: Format, means: Means): Buffer {
  const { random } = means;
  const mutations = structuralMutations[format];
  let bytes = Buffer.from(original);
  for (let left: number = random.pick(rounds); left > 0 || bytes.equals(original); left -= 1) {
    const change = random.pick(random.chance(structuralShare) ? mutations : byteMutations);
    const changed =
      change(Buffer.from(bytes), means) ?? random.pick(byteMutations)(Buffer.from(bytes), means);
    if (changed.length > 1 && changed.length <= maxBytes) bytes = Buffer.from(changed);
  }
  return bytes;
}
