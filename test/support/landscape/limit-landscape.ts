import { buffer } from 'node:stream/consumers';
import { type DrawnLeaf, drawnLeaves, grid, hectaresOfRow } from './gap-landscape.ts';
import type { startRuns } from './runs.ts';

type Runs = Awaited<ReturnType<typeof startRuns>>;

const drawn = (key: string): DrawnLeaf => {
  const leaf = drawnLeaves[key];
  if (leaf === undefined) throw new Error(`no leaf ${key} is drawn`);
  return leaf;
};
const pick = (values: readonly number[], index: number) => values[index % values.length] ?? 0;

/** Draws a leaf with other values and the same gaps. */
export function redrawn(key: string, value: (x: number, y: number) => number): DrawnLeaf {
  const leaf = drawn(key);
  const isHole = (x: number, y: number) => [leaf.noData, 0, 77, 500].includes(leaf.value(x, y));
  return { ...leaf, value: (x, y) => (isHole(x, y) ? leaf.value(x, y) : value(x, y)) };
}

/** Leaves in which each factor limits somewhere, alone and with others; their gaps are those of `drawnLeaves`. */
export const variedLeaves: Readonly<Record<string, DrawnLeaf>> = {
  ...drawnLeaves,
  dem: redrawn('dem', (x, y) => 300 + (x > 200 ? 8 * (x % 45) * Math.abs(Math.sin(y / 20)) : 0)),
  'land-cover': redrawn('land-cover', (x, y) =>
    y < 50 ? 80 : pick([40, 40, 30, 40, 20, 60, 40, 90, 10], (x >> 4) + (y >> 5)),
  ),
  precipitation: redrawn('precipitation', (x, y) => pick([960, 620, 400, 300, 960, 220, 150], x + (y >> 3))),
  'soil-salinity': redrawn('soil-salinity', (_, y) => pick([1, 1, 2.5, 1, 4.5, 7, 1, 18, 30], y >> 3)),
  'distance-water': {
    ...drawn('ndvi'),
    value: (x, y) => pick([300, 1200, 700, 3500, 400, 6000, 300, 12_000], (x >> 3) + (y >> 4)),
  },
  ndvi: redrawn('ndvi', (x, y) => pick([0.5, 0.4, 0.3, 0.2, 0.1], (x >> 2) + (y >> 2))),
};

/** Pixels of the COG of a dataset, or of a layer by its key, row by row. */
export async function pixelsOf({ db, store }: Runs, at: { dataset: string } | { key: string }) {
  const key =
    'key' in at
      ? at.key
      : (
          await db
            .selectFrom('dataset_files')
            .select('object_key')
            .where('dataset_id', '=', at.dataset)
            .where('kind', '=', 'cog')
            .executeTakeFirstOrThrow()
        ).object_key;
  // Imported after the engine in this process, which prepares GDAL.
  const { default: gdal } = await import('gdal-async');
  const path = `/vsimem/${key.replaceAll('/', '-')}.tif`;
  gdal.vsimem.set(await buffer(await store.read(key)), path);
  const raster = gdal.open(path);
  const { x: width, y: height } = raster.rasterSize;
  const pixels = raster.bands.get(1).pixels.read(0, 0, width, height);
  raster.close();
  gdal.vsimem.release(path);
  return pixels;
}

/**
 * Hectares by value over the grid of `drawnLeaves`, by independent arithmetic.
 * @param isWanted selects pixels; by default all
 */
export function hectaresByValue(
  pixels: ArrayLike<number>,
  isWanted: (column: number, row: number) => boolean = () => true,
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (let row = 0; row < grid.height; row += 1) {
    const area = hectaresOfRow(row);
    for (let column = 0; column < grid.width; column += 1) {
      if (!isWanted(column, row)) continue;
      const value = pixels[row * grid.width + column] ?? 0;
      sums.set(value, (sums.get(value) ?? 0) + area);
    }
  }
  return sums;
}
