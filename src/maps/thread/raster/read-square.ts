import { MiB } from '../../../lib/units.ts';
import { drawingProblems } from '../../../messages/drawing/english.ts';
import { type Lattice, type Plan, planOf } from '../../../../common/maps/raster/lattice.ts';
import { warpOver, type WarpSource } from '../../../../common/maps/raster/warp.ts';
import type { CogHead, CogImage } from '../tiff/cog-head.ts';
import type { BlockPlace, OpenRasters } from './open-rasters.ts';

/** Limits of the decoded size of the blocks of a tile, and of their number. */
const maxTileBytes = 96 * MiB;
const maxTileBlocks = 256;

export interface DrawnRaster {
  readonly rasters: OpenRasters;
  readonly key: string;
  readonly head: CogHead;
}

/** A square of a raster with all its blocks in memory, until disposal. */
export interface LoadedSquare extends Disposable {
  /** Fills `values`, one per screen pixel, with the nearest pixels of a requested band, counted from 0; NaN for no data and outside. */
  fillBand(index: number, values: Float64Array): void;
}

/**
 * Reads the blocks for drawing bands of a raster in a square of `size` by `size` screen pixels, by nearest neighbour
 * from the level that fits.
 * @param bands counted from 0.
 * @returns undefined if the square lies outside the raster.
 * @throws {Problem} if that would take too many bytes, or a block is damaged.
 */
export async function loadSquare(
  raster: DrawnRaster,
  lattices: readonly Lattice[],
  { size, bands }: { readonly size: number; readonly bands: readonly number[] },
): Promise<LoadedSquare | undefined> {
  const { head } = raster;
  const sizes = head.levels.map(({ image }) => image);
  const parts = lattices.flatMap((lattice) => {
    const plan = planOf(lattice, size, sizes);
    return plan === undefined ? [] : [{ lattice, plan }];
  });
  if (parts.length === 0) return undefined;
  refuseTooMuch(
    head,
    parts.map(({ plan }) => plan),
    bands.length,
  );
  using lent = new DisposableStack();
  const loaded = await Promise.all(
    bands.map(
      async (band) =>
        await Promise.all(
          parts.map(async ({ lattice, plan }) => ({
            lattice,
            source: await loadBand(raster, plan, { band, lent }),
          })),
        ),
    ),
  );
  const held = lent.move();
  return {
    fillBand(index, values) {
      values.fill(Number.NaN);
      for (const { lattice, source } of loaded[index] ?? []) warpOver(source, lattice, size, values);
    },
    [Symbol.dispose]: () => held.dispose(),
  };
}

/** @param load.lent receives the blocks. */
async function loadBand(
  { rasters, key, head }: DrawnRaster,
  plan: Plan,
  { band, lent }: { readonly band: number; readonly lent: DisposableStack },
): Promise<WarpSource> {
  const level = head.levels[plan.level];
  const full = head.levels[0]?.image;
  if (level === undefined || full === undefined) throw new RangeError(`there is no level ${plan.level}`);
  const { image, mask } = level;
  const read = async (of: CogImage, plane: number) =>
    await Promise.all(
      placesOf(plan).map(async (place) => {
        const block = await lent.use(rasters.lendBlock(key, head, of, { ...place, plane })).block;
        const top = place.row * of.tileHeight;
        return block.samples(Math.max(0, plan.top - top), Math.min(of.tileHeight - 1, plan.bottom - top));
      }),
    );
  const [tiles, masks] = await Promise.all([
    read(image, image.isPlanar ? band : 0),
    mask === undefined ? undefined : read(mask, 0),
  ]);
  const layout = image.isPlanar ? { stride: 1, offset: 0 } : { stride: head.bands, offset: band };
  return { plan, full, level: image, tiles, masks, hidden: head.hidden, ...layout };
}

type Blocks = Pick<Plan, 'firstColumn' | 'lastColumn' | 'firstRow' | 'lastRow'>;

/** Yields the blocks of a plan, row by row. */
function placesOf({
  firstColumn,
  lastColumn,
  firstRow,
  lastRow,
}: Blocks): readonly Omit<BlockPlace, 'plane'>[] {
  const across = lastColumn - firstColumn + 1;
  return Array.from({ length: countOf({ firstColumn, lastColumn, firstRow, lastRow }) }, (_, index) => ({
    column: firstColumn + (index % across),
    row: firstRow + Math.floor(index / across),
  }));
}

function countOf({ firstColumn, lastColumn, firstRow, lastRow }: Blocks): number {
  return (lastColumn - firstColumn + 1) * (lastRow - firstRow + 1);
}

/** Masks share the tiling of their image: a COG with a mask of another tiling is not drawn. */
function refuseTooMuch({ levels }: CogHead, plans: readonly Plan[], bands: number): void {
  let [bytes, count] = [0, 0];
  for (const plan of plans) {
    const level = levels[plan.level];
    if (level === undefined) continue;
    const { image, mask } = level;
    if (mask !== undefined && (mask.tileWidth !== image.tileWidth || mask.tileHeight !== image.tileHeight))
      throw drawingProblems.brokenRaster();
    const planes = image.isPlanar ? bands : 1;
    const blocks = countOf(plan);
    bytes +=
      blocks * (image.blockBytes * planes + (mask === undefined ? 0 : mask.tileWidth * mask.tileHeight));
    count += blocks * planes;
  }
  if (bytes > maxTileBytes || count > maxTileBlocks) throw drawingProblems.tooMuch(maxTileBytes / MiB);
}
