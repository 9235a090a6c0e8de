import { MiB } from '../../../lib/units.ts';
import { drawingProblems } from '../../../messages/drawing/english.ts';
import type { Spreads } from '../../../../common/maps/raster/paint.ts';
import {
  type CountedRange,
  type Spread,
  spreadOf,
  withCounted,
} from '../../../../common/maps/raster/stretch.ts';
import type { DrawnRaster } from './read-square.ts';

/** The coarsest level of a drawable raster has at most some million pixels. */
const maxBytes = 64 * MiB;

/** Statistics of the first bands. */
export type Counted = readonly (CountedRange | null)[] | undefined;

/** Returns the statistics of some bands, counted from one. @throws {Problem} as `readSpread` does. */
export async function readSpreads(
  raster: DrawnRaster,
  bands: readonly number[],
  counted: Counted,
): Promise<Spreads> {
  const spreads = new Map<number, Spread>();
  for (const band of new Set(bands)) {
    const spread = withCounted(await readSpread(raster, band - 1), counted?.[band - 1]);
    if (spread !== undefined) spreads.set(band, spread);
  }
  return spreads;
}

/**
 * Returns the statistics of a band from the coarsest level of a raster; undefined without valid values. Pixels that the
 * alpha band hides do not count.
 * @param band counted from 0.
 * @throws {Problem} if that level is too large to be read completely.
 */
export async function readSpread(
  { rasters, key, head }: DrawnRaster,
  band: number,
): Promise<Spread | undefined> {
  const level = head.levels.at(-1);
  if (level === undefined) return undefined;
  const { image, mask } = level;
  const down = Math.ceil(image.height / image.tileHeight);
  if (image.across * down * image.blockBytes > maxBytes) throw drawingProblems.tooMuch(maxBytes / MiB);
  const values = new Float64Array(image.width * image.height).fill(Number.NaN);
  const [stride, offset] = image.isPlanar ? [1, 0] : [head.bands, band];
  const { least, greatest } = head.hidden;
  const { alphaBand } = head;
  for (let row = 0; row < down; row += 1) {
    for (let column = 0; column < image.across; column += 1) {
      const place = { column, row, plane: image.isPlanar ? band : 0 };
      const last = image.tileHeight - 1;
      using lent = rasters.lendBlock(key, head, image, place);
      using lentMask = mask && rasters.lendBlock(key, head, mask, { ...place, plane: 0 });
      const alphaPlane = image.isPlanar ? (alphaBand ?? 0) : 0;
      using lentAlpha =
        alphaBand === undefined
          ? undefined
          : rasters.lendBlock(key, head, image, { ...place, plane: alphaPlane });
      const [block, maskBlock, alphaBlock] = await Promise.all([
        lent.block,
        lentMask?.block,
        lentAlpha?.block,
      ]);
      const [samples, valid] = [block.samples(0, last), maskBlock?.samples(0, last)];
      const opacity = alphaBlock?.samples(0, last);
      const alphaOffset = image.isPlanar ? 0 : (alphaBand ?? 0);
      const [left, top] = [column * image.tileWidth, row * image.tileHeight];
      for (let y = top; y < Math.min(image.height, top + image.tileHeight); y += 1) {
        for (let x = left; x < Math.min(image.width, left + image.tileWidth); x += 1) {
          const pixel = (y - top) * image.tileWidth + x - left;
          const value = samples[pixel * stride + offset] ?? Number.NaN;
          if ((value >= least && value <= greatest) || valid?.[pixel] === 0) continue;
          if (opacity !== undefined && !((opacity[pixel * stride + alphaOffset] ?? 0) > 0)) continue;
          values[y * image.width + x] = value;
        }
      }
    }
  }
  return spreadOf(values, head.scales[band] ?? { scale: 1, offset: 0 });
}
