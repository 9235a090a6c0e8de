import type { RasterReader } from '../../../../geo/raster-reader.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';
import { crsOf, type ReferenceGrid } from '../../../grid/reference-grid.ts';
import type { Band } from '../../../model/bands.ts';
import { maxTileSide, type Tile } from '../../../model/tiles.ts';
import type { InputFigures, InputWork, RecipeOf } from '../../input-work.ts';
import { openSources, type OpenSources } from '../../sources.ts';
import { type Pixels, type Target, tilesOfRaster } from './target.ts';

type Source = InputWork['sources'][number];
type Recipe = RecipeOf<'mosaic'> | RecipeOf<'arithmetic'>;
type Found = Pick<InputFigures, 'overlap' | 'largest_difference' | 'invalid'>;

/** The pixels of a raster in a tile; the rasters of a tile come in the order of the recipe. */
interface Layer {
  readonly index: number;
  readonly values: Pixels;
  /** True if every pixel has a value. */
  readonly isWhole: boolean;
}

/** Fills the pixels of a tile. */
interface Combination {
  fill(out: Pixels, layers: readonly Layer[]): void;
  found(): Omit<Found, 'invalid'>;
}

/** Rasters are read in this many threads: a processor decodes while another computes. */
const lanes = 2;
/** The next tile is read while one is computed. */
const tilesInMemory = 2;

/**
 * Combines rasters on a grid, tile by tile; those on another grid are resampled as runs do. @throws {Problem} for a raster that is not on the earth
 * @param createReader each reader has a buffer of its own, and reads one raster at a time
 */
export async function combineRasters(
  createReader: () => RasterReader,
  grid: ReferenceGrid,
  { rasters, recipe, classes }: CombineWork,
  target: Target,
): Promise<Found> {
  await refuseElsewhere(createReader(), grid, rasters);
  const files = rasters.map(({ key, path }) => ({ path, band: bandOf(key, classes) }));
  using sources = new DisposableStack();
  const opened: { readonly lane: OpenSources; readonly keys: readonly string[] }[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    const own = files.filter((_, index) => index % lanes === lane);
    const keys = own.map(({ band }) => band.key);
    opened.push({ lane: sources.use(await openSources(createReader(), grid, own, tilesInMemory)), keys });
  }
  const combine =
    recipe.method === 'mosaic'
      ? createMosaic(recipe, target)
      : createArithmetic(recipe, rasters.length, target);
  let invalid = 0;
  const readTile = async (tile: Tile) =>
    await Promise.all(
      opened.map(async ({ lane, keys }) => {
        const present = keys.filter((key) => lane.windowOn(key, tile) !== undefined);
        return await lane.readSome(tile, new Set(present));
      }),
    );
  for await (const { tile, read } of readAhead(tilesOfRaster(grid), readTile)) {
    const layers = rasters.flatMap(({ key }, index) => {
      const pixels = read[index % lanes]?.get(key);
      if (pixels === undefined) return [];
      invalid += pixels.counts.invalid;
      const isWhole = pixels.counts.valid === tile.width * tile.height;
      return [{ index, values: pixels.values, isWhole }];
    });
    const values = target.room(tile.width * tile.height);
    combine.fill(values, layers);
    await target.write(tile, values);
  }
  return { ...combine.found(), invalid: classes === null ? null : invalid };
}

/** Yields tiles with their pixels, while those of the next tile are read. */
async function* readAhead<T>(tiles: Iterable<Tile>, readTile: (tile: Tile) => Promise<T>) {
  const begin = async (tile: Tile) => ({ tile, read: await readTile(tile) });
  let reading: ReturnType<typeof begin> | undefined;
  for (const tile of tiles) {
    const ready = await reading;
    reading = begin(tile);
    // A failure is thrown where the pixels are used.
    reading.catch(() => undefined);
    if (ready !== undefined) yield ready;
  }
  if (reading !== undefined) yield await reading;
}

interface CombineWork {
  readonly rasters: readonly Source[];
  readonly recipe: Recipe;
  readonly classes: readonly number[] | null;
}

function bandOf(key: string, classes: readonly number[] | null): Band {
  const facts = { key, group: '', title: '', unit: null };
  return classes === null ? { ...facts, type: 'float32' } : { ...facts, type: 'uint8', classes };
}

async function refuseElsewhere(
  reader: RasterReader,
  grid: ReferenceGrid,
  rasters: readonly Source[],
): Promise<void> {
  for (const { key, path } of rasters) {
    using raster = await reader.open(path);
    const { affine, crs } = raster.facts;
    const isOnEarth =
      affine !== undefined && crs !== undefined && reader.transformation(crsOf(grid), crs) !== undefined;
    if (!isOnEarth) throw inputProblems.notOnEarth(Number(key) + 1);
  }
}

const mostPixels = maxTileSide * maxTileSide;

function createMosaic({ rule }: RecipeOf<'mosaic'>, { isClasses, noData }: Target): Combination {
  const [least, greatest] = [new Float64Array(mostPixels), new Float64Array(mostPixels)];
  const [sums, counts] = [new Float64Array(mostPixels), new Uint16Array(mostPixels)];
  let [overlap, largest] = [0, 0];

  /** Adds the values of a raster to those of the pixels; `out` gets the first one. */
  function add(values: Pixels, out: Pixels): void {
    for (let i = 0; i < out.length; i += 1) {
      const value = values[i] ?? noData;
      if (value === noData) continue;
      const count = counts[i] ?? 0;
      counts[i] = count + 1;
      if (count === 0) {
        out[i] = value;
        least[i] = value;
        greatest[i] = value;
        sums[i] = value;
        continue;
      }
      if (value < (least[i] ?? 0)) least[i] = value;
      if (value > (greatest[i] ?? 0)) greatest[i] = value;
      sums[i] = (sums[i] ?? 0) + value;
    }
  }

  return {
    fill(out, layers) {
      const [first, second] = layers;
      if (first !== undefined && second === undefined) {
        out.set(first.values);
        return;
      }
      out.fill(noData);
      counts.fill(0, 0, out.length);
      for (const { values } of layers) add(values, out);
      for (let i = 0; i < out.length; i += 1) {
        const count = counts[i] ?? 0;
        if (count < 2) continue;
        overlap += 1;
        const apart = (greatest[i] ?? 0) - (least[i] ?? 0);
        // A difference of classes has no size.
        const difference = isClasses ? Math.min(1, apart) : apart;
        if (difference > largest) largest = difference;
        if (rule === 'mean') out[i] = (sums[i] ?? 0) / count;
        else if (rule === 'minimum') out[i] = least[i] ?? 0;
      }
    },
    found: () => ({ overlap, largest_difference: overlap === 0 ? null : largest }),
  };
}

/** Combines numbers with those so far, pixel by pixel; NaN where one of them is. */
type Merge = (results: Float64Array, others: Float64Array, length: number) => void;

const add: Merge = (results, others, length) => {
  for (let i = 0; i < length; i += 1) results[i] = (results[i] ?? NaN) + (others[i] ?? NaN);
};
const mergers: Readonly<Record<RecipeOf<'arithmetic'>['combine'], Merge>> = {
  sum: add,
  mean: add,
  minimum(results, others, length) {
    for (let i = 0; i < length; i += 1) results[i] = Math.min(results[i] ?? NaN, others[i] ?? NaN);
  },
  maximum(results, others, length) {
    for (let i = 0; i < length; i += 1) results[i] = Math.max(results[i] ?? NaN, others[i] ?? NaN);
  },
};

function createArithmetic(
  { combine, scale, offset, weights, above }: RecipeOf<'arithmetic'>,
  rasters: number,
  { noData }: Target,
): Combination {
  const [results, scaled] = [new Float64Array(mostPixels), new Float64Array(mostPixels)];
  const divisor = combine === 'mean' ? weights.reduce((sum, weight) => sum + weight, 0) : 1;
  const least = above ?? -Infinity;
  const merge = mergers[combine];

  /** Scales and weights values; NaN where a raster has none. */
  function convert({ index, values, isWhole }: Layer, out: Float64Array): void {
    // In profiles, constants of this function are faster than those of the outer one.
    const [factor, more, bound, gap] = [scale, offset, least, noData];
    const weight = weights[index] ?? NaN;
    if (isWhole && bound === -Infinity) {
      // Comparing two numbers takes six times as long as the rest.
      for (let i = 0; i < values.length; i += 1) out[i] = ((values[i] ?? gap) * factor + more) * weight;
      return;
    }
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i] ?? gap;
      const converted = value * factor + more;
      out[i] = value === gap ? NaN : (converted <= bound ? 0 : converted) * weight;
    }
  }

  return {
    fill(out, layers) {
      if (layers.length < rasters) {
        out.fill(noData);
        return;
      }
      for (const [place, layer] of layers.entries()) {
        convert(layer, place === 0 ? results : scaled);
        if (place > 0) merge(results, scaled, out.length);
      }
      for (let i = 0; i < out.length; i += 1) {
        const result = (results[i] ?? NaN) / divisor;
        out[i] = Number.isFinite(result) ? result : noData;
      }
    },
    found: () => ({ overlap: null, largest_difference: null }),
  };
}
