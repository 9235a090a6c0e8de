import type { Format } from './mutate.ts';
import { mutate } from './mutate.ts';
import type { Original } from './originals.ts';
import { createRandom } from './random.ts';

/** How often each format is drawn, where there are originals of it. */
const weights: Readonly<Record<Format, number>> = { tiff: 8, geopackage: 4, zip: 3, geojson: 3, sld: 2 };
const indexDigits = 5;

/** File number `index` of a seed, the same each time for the same originals; its name tells seed, index and original. */
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
