import { MiB } from '../../../common/units.ts';
import { drawingProblems } from '../../../messages/drawing.ts';
import type { Lattice } from '../../../portrayal/raster/lattice.ts';
import type { Samples } from '../../../portrayal/raster/samples.ts';
import { warpOver } from '../../../portrayal/raster/warp.ts';
import type { CogHead, CogImage } from '../tiff/cog-head.ts';
import type { BlockPlace, OpenRasters } from './open-rasters.ts';
import { planTile, type TilePlan } from './plan-tile.ts';

/** The most that blocks of a tile may have together once they are decoded, and how many there may be. */
const maxTileBytes = 96 * MiB;
const maxTileBlocks = 256;

export interface DrawnRaster {
  readonly rasters: OpenRasters;
  readonly key: string;
  readonly head: CogHead;
}

/**
 * Reads bands of a raster for a square of `size` by `size` screen pixels, each pixel the nearest of the level that fits; NaN for
 * no data and outside.
 * @param bands counted from 0.
 * @returns undefined when the square misses the raster.
 * @throws {Problem} when that would take too many bytes, or a block is damaged.
 */
export async function readSquare(
  raster: DrawnRaster,
  lattices: readonly Lattice[],
  { size, bands }: { readonly size: number; readonly bands: readonly number[] },
): Promise<readonly Float64Array[] | undefined> {
  const { head } = raster;
  const sizes = head.levels.map(({ image }) => image);
  const plans = lattices.flatMap((lattice) => {
    const planned = planTile(lattice, size, sizes);
    return planned === undefined ? [] : [{ lattice, planned }];
  });
  if (plans.length === 0) return undefined;
  refuseTooMuch(head, plans, bands.length);
  return await Promise.all(
    bands.map(async (band) => {
      const values = new Float64Array(size * size).fill(Number.NaN);
      for (const { lattice, planned } of plans) await drawBand(raster, planned, { lattice, size, band, values });
      return values;
    }),
  );
}

interface Drawing {
  readonly lattice: Lattice;
  readonly size: number;
  readonly band: number;
  readonly values: Float64Array;
}

async function drawBand(
  { rasters, key, head }: DrawnRaster,
  { plan, blocks }: TilePlan,
  { lattice, size, band, values }: Drawing,
): Promise<void> {
  const level = head.levels[plan.level];
  const full = head.levels[0]?.image;
  if (level === undefined || full === undefined) throw new RangeError(`there is no level ${plan.level}`);
  const { image, mask } = level;
  const read = async (of: CogImage, plane: number) =>
    await inRectangle(plan, blocks, async (place) => await rasters.block(key, head, of, { ...place, plane }));
  const [tiles, masks] = await Promise.all([
    read(image, image.isPlanar ? band : 0),
    mask === undefined ? undefined : read(mask, 0),
  ]);
  const layout = image.isPlanar ? { stride: 1, offset: 0 } : { stride: head.bands, offset: band };
  warpOver({ plan, full, level: image, tiles, masks, noData: head.noData, ...layout }, lattice, size, values);
}

/** Blocks at their places in the rectangle of a plan; those that nobody needs are empty. */
async function inRectangle(
  { firstColumn, lastColumn, firstRow, lastRow }: TilePlan['plan'],
  blocks: TilePlan['blocks'],
  read: (place: Omit<BlockPlace, 'plane'>) => Promise<Samples>,
): Promise<readonly Samples[]> {
  const perRow = lastColumn - firstColumn + 1;
  const none = new Uint8Array(0);
  const all: Samples[] = Array.from({ length: perRow * (lastRow - firstRow + 1) }, () => none);
  await Promise.all(
    blocks.map(async ({ column, row }) => {
      all[(row - firstRow) * perRow + column - firstColumn] = await read({ column, row });
    }),
  );
  return all;
}

/** Masks have the tiles of their image: a COG whose mask has others is not drawn from. */
function refuseTooMuch(
  { levels }: CogHead,
  plans: readonly { readonly planned: TilePlan }[],
  bands: number,
): void {
  let [bytes, count] = [0, 0];
  for (const { planned } of plans) {
    const level = levels[planned.plan.level];
    if (level === undefined) continue;
    const { image, mask } = level;
    if (mask !== undefined && (mask.tileWidth !== image.tileWidth || mask.tileHeight !== image.tileHeight))
      throw drawingProblems.brokenRaster();
    const planes = image.isPlanar ? bands : 1;
    bytes += planned.blocks.length * (image.blockBytes * planes + (mask === undefined ? 0 : mask.tileWidth * mask.tileHeight));
    count += planned.blocks.length * planes;
  }
  if (bytes > maxTileBytes || count > maxTileBlocks) throw drawingProblems.tooMuch(maxTileBytes / MiB);
}
