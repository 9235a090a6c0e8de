import { byteMutations } from './bytes.ts';
import { geopackageMutations } from './geopackage.ts';
import type { Format, Means, Mutation } from './mutation.ts';
import type { Original } from './originals.ts';
import { createRandom } from './random.ts';
import { geojsonMutations, sldMutations } from './text.ts';
import { tiffMutations } from './tiff.ts';
import { zipMutations } from './zip.ts';

/** Mutations that know the structure of a format. */
export const structuralMutations: Readonly<Record<Format, readonly Mutation[]>> = {
  tiff: tiffMutations,
  geopackage: geopackageMutations,
  zip: zipMutations,
  geojson: geojsonMutations,
  sld: sldMutations,
};

const structuralShare = 0.75;
/** Numbers of changes of a file: mostly one, so that a single fault passes as many checks as possible. */
const rounds = [1, 1, 1, 1, 2, 2, 3, 5] as const;
const maxBytes = 8 * 2 ** 20;

/** Mutated bytes of the same or a similar format, reproducible for the same draws. Never empty, never equal to `original`. */
function mutate(original: Buffer, format: Format, means: Means): Buffer {
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

/** Weights of the formats that have originals. */
const weights: Readonly<Record<Format, number>> = { tiff: 8, geopackage: 4, zip: 3, geojson: 3, sld: 2 };
const indexDigits = 5;

/** File number `index` of a seed, reproducible for the same originals; its name contains seed, index and original. */
export function mutatedFile(
  originals: readonly Original[],
  seed: number,
  index: number,
): { readonly name: string; readonly bytes: Buffer } {
  const random = createRandom(seed, index);
  const drawn = originals.map(({ format }) => format);
  const present = [...new Set(drawn)].toSorted();
  const format = random.pick(present.flatMap((each) => Array<Format>(weights[each]).fill(each)));
  const candidates = originals.filter((original) => original.format === format);
  const [original, other] = [random.pick(candidates), random.pick(candidates)];
  const bytes = mutate(original.bytes, format, { random, other: other.bytes });
  return { name: `seed${seed}-${String(index).padStart(indexDigits, '0')}-${original.name}`, bytes };
}
