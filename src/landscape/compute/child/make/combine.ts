import type { RasterReader } from '../../../../geo/raster-reader.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';
import { crsOf, type ReferenceGrid } from '../../../grid/reference-grid.ts';
import type { Band } from '../../../model/bands.ts';
import { maxTileSide, tilesOf } from '../../../model/tiles.ts';
import type { InputFigures, InputWork, RecipeOf } from '../../input-work.ts';
import { openSources } from '../../sources.ts';
import type { Target } from './target.ts';

type Source = InputWork['sources'][number];
type Recipe = RecipeOf<'mosaic'> | RecipeOf<'arithmetic'>;
type Found = Pick<InputFigures, 'overlap' | 'largest_difference' | 'invalid'>;

/** A tile of all rasters with pixels in it. */
interface Layers {
  /** In the order of the recipe. */
  readonly layers: readonly { readonly index: number; readonly values: Float32Array | Uint8Array }[];
  readonly noData: number;
}

/** Combines rasters on a grid, tile by tile; those on another grid are resampled as runs do. @throws {Problem} for a raster that is not on the earth */
export async function combineRasters(
  reader: RasterReader,
  grid: ReferenceGrid,
  { rasters, recipe, classes }: CombineWork,
  target: Target,
): Promise<Found> {
  await refuseElsewhere(reader, grid, rasters);
  const files = rasters.map(({ key, path }) => ({ path, band: bandOf(key, classes) }));
  using sources = await openSources(reader, grid, files);
  const combine =
    recipe.method === 'mosaic' ? createMosaic(recipe, target) : createSum(recipe, rasters.length);
  let invalid = 0;
  const room = target.isClasses
    ? new Uint8Array(maxTileSide * maxTileSide)
    : new Float32Array(maxTileSide * maxTileSide);
  for (const tile of tilesOf([{ x: 0, y: 0, width: grid.width, height: grid.height }])) {
    const keys = new Set(
      rasters.map(({ key }) => key).filter((key) => sources.windowOn(key, tile) !== undefined),
    );
    const pixels = await sources.readSome(tile, keys);
    const layers = rasters.flatMap(({ key }, index) => {
      const read = pixels.get(key);
      return read === undefined ? [] : [{ index, values: read.values }];
    });
    for (const { counts } of pixels.values()) invalid += counts.invalid;
    const values = room.subarray(0, tile.width * tile.height);
    combine.fill(values, { layers, noData: target.noData });
    await target.write(tile, values);
  }
  return { ...combine.found(), invalid: classes === null ? null : invalid };
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

function createMosaic({ rule }: RecipeOf<'mosaic'>, { isClasses }: Target) {
  let [overlap, largest] = [0, 0];
  return {
    fill(out: Float32Array | Uint8Array, { layers, noData }: Layers): void {
      for (let i = 0; i < out.length; i += 1) {
        let [count, sum, least, greatest, first] = [0, 0, Infinity, -Infinity, noData];
        for (let k = 0; k < layers.length; k += 1) {
          const value = layers[k]?.values[i] ?? noData;
          if (value === noData) continue;
          if (count === 0) first = value;
          count += 1;
          sum += value;
          if (value < least) least = value;
          if (value > greatest) greatest = value;
        }
        if (count > 1) {
          overlap += 1;
          // A difference of classes has no size.
          const difference = isClasses ? Number(greatest !== least) : greatest - least;
          if (difference > largest) largest = difference;
        }
        if (rule === 'first' || count === 0) out[i] = first;
        else out[i] = rule === 'mean' ? sum / count : least;
      }
    },
    found: () => ({ overlap, largest_difference: overlap === 0 ? null : largest }),
  };
}

function createSum({ combine, scale, offset, weights }: RecipeOf<'arithmetic'>, rasters: number) {
  const divisor = combine === 'mean' ? weights.reduce((sum, weight) => sum + weight, 0) : 1;
  return {
    fill(out: Float32Array | Uint8Array, { layers, noData }: Layers): void {
      if (layers.length < rasters) {
        out.fill(noData);
        return;
      }
      for (let i = 0; i < out.length; i += 1) {
        let sum = 0;
        for (let k = 0; k < layers.length; k += 1) {
          const value = layers[k]?.values[i] ?? noData;
          sum += value === noData ? NaN : (value * scale + offset) * (weights[k] ?? NaN);
        }
        const result = sum / divisor;
        out[i] = Number.isFinite(result) ? result : noData;
      }
    },
    found: () => ({ overlap: null, largest_difference: null }),
  };
}
