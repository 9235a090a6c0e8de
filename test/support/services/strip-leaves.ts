import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Leaf, leaves } from '../../../src/landscape/model/leaves.ts';
import { writeRaster } from '../geo/geotiffs.ts';
import { noise } from '../landscape/steppe-landscape.ts';

/** As wide as five blocks of a run that is spread over workers, which a block of this height makes cheap. */
const strip = { width: 122_880, height: 4 };
const pixelMetres = 2;
/** Around the strip, in degrees. */
const degrees = { west: 68.3, north: 41.6, width: 3.3, height: 0.4, step: 0.004 };
/** Leaves in degrees, which have to be brought onto the grid. */
const foreignLeaves = 6;

/** Draws all leaves for a grid that is a strip, six of them in another CRS and coarser; gives the files by leaf. */
export async function drawStrip(folder: string): Promise<Readonly<Record<string, File>>> {
  const numbers = leaves.filter(({ type, key }) => type === 'float32' && key !== 'dem');
  const foreign = new Set(numbers.slice(0, foreignLeaves).map(({ key }) => key));
  const { west, north, width, height, step } = degrees;
  const draw = async (leaf: Leaf): Promise<readonly [string, File]> => {
    const name = `${leaf.key}.tif`;
    const path = join(folder, name);
    const place = foreign.has(leaf.key)
      ? ({
          epsg: 4326,
          width: Math.round(width / step),
          height: Math.round(height / step),
          affine: [west, step, 0, north, 0, -step],
        } as const)
      : ({ epsg: 32642, ...strip, affine: [455_000, pixelMetres, 0, 4_591_000, 0, -pixelMetres] } as const);
    writeRaster(path, {
      ...place,
      noData: -32_768,
      options: { TILED: 'YES', COMPRESS: 'DEFLATE' },
      value: (x, y) => valueOf(leaf, x, y),
    });
    return [leaf.key, new File([await readFile(path)], name)];
  };
  return Object.fromEntries(await Promise.all(leaves.map(draw)));
}

function valueOf(leaf: Leaf, x: number, y: number): number {
  if (leaf.type === 'uint8') return leaf.classes[Math.floor(noise(x >> 6, y) * leaf.classes.length)] ?? 0;
  const [least, most] = leaf.range ?? [0, 1000];
  const share = 0.5 + 0.4 * Math.sin(x / 190) * Math.cos(y / 130) + 0.02 * noise(x, y);
  return least + (most - least) * share * 0.3;
}
