import type { Dataset } from 'gdal-async';
import { maxSideWithoutOverview } from '../../formats/tiff/cog-structure.ts';
import type { RasterWindow } from '../../raster-reader.ts';
import { cogBlockSide as side } from './cog-options.ts';
import type { Reduce, TilePixels } from './reduction.ts';

interface LevelsToWrite {
  readonly width: number;
  readonly height: number;
  readonly noData: number;
  readonly reduce: Reduce;
  /** Creates the file of a level, 0 for the full resolution. */
  create(level: number, width: number, height: number): Dataset;
}

/** The full resolution of a raster, or one of its overviews. */
interface Level {
  readonly dataset: Dataset;
  readonly width: number;
  readonly height: number;
  /** Tiles in a row. */
  readonly across: number;
  readonly down: number;
  /** Numbers of the tiles that are not written yet. */
  readonly missing: Set<number>;
  /** Tiles of which some quarters are there. */
  readonly pending: Map<number, { readonly pixels: TilePixels; quartersMissing: number }>;
}

/**
 * Creates the levels of a raster: its pixels and its overviews, each a file of its own. Overviews are made while tiles come
 * by, each from the next finer one; a tile of theirs waits in memory for its quarters, so that tiles should come window by
 * window. What is written does not depend on their order.
 */
export function createLevels(raster: LevelsToWrite) {
  const { noData, reduce } = raster;
  const levels = [...layLevels(raster)];

  /** @param pixels of the whole tile; those beyond the edge of the raster are `noData`. */
  async function write(index: number, column: number, row: number, pixels: TilePixels): Promise<void> {
    const level = levels[index];
    if (level === undefined) return;
    if (!level.missing.delete(row * level.across + column))
      throw new Error(`the tile in column ${column} and row ${row} comes twice`);
    const [x, y] = [column * side, row * side];
    const [width, height] = [Math.min(side, level.width - x), Math.min(side, level.height - y)];
    const values = resized(pixels, side, [width, height], noData);
    await level.dataset.bands.get(1).pixels.writeAsync(x, y, width, height, values);
    const coarser = levels[index + 1];
    if (coarser === undefined) return;
    const quarter = reduce(pixels, side, noData);
    const complete = addQuarter(quarter, { column, row }, { finer: level, coarser, noData });
    if (complete !== undefined) await write(index + 1, column >> 1, row >> 1, complete);
  }

  return {
    /**
     * Writes a tile of the full resolution, which is cut only at the edge of the raster.
     * @throws {Error} when it lies elsewhere than tiles do, or was written before.
     */
    async put({ x, y, width, height }: RasterWindow, values: TilePixels): Promise<void> {
      const isTile = (at: number, length: number, whole: number) =>
        at % side === 0 && at < whole && length === Math.min(side, whole - at);
      if (!isTile(x, width, raster.width) || !isTile(y, height, raster.height))
        throw new Error(`there is no tile of ${width} by ${height} pixels at ${x}, ${y}`);
      await write(0, x / side, y / side, resized(values, width, [side, side], noData));
    },
    /** Closes the files. @throws {Error} when a tile is missing. */
    finish(): void {
      for (const { dataset } of levels) dataset.close();
      const missing = levels[0]?.missing.size ?? 0;
      if (missing > 0) throw new Error(`${missing} tiles of the raster are missing`);
    },
  };
}

function* layLevels({ width, height, create }: LevelsToWrite): Generator<Level> {
  for (let number = 0; ; number += 1) {
    const [w, h] = [Math.ceil(width / 2 ** number), Math.ceil(height / 2 ** number)];
    const [across, down] = [Math.ceil(w / side), Math.ceil(h / side)];
    const missing = new Set(Array.from({ length: across * down }, (_, tile) => tile));
    yield { dataset: create(number, w, h), width: w, height: h, across, down, missing, pending: new Map() };
    if (Math.max(w, h) <= maxSideWithoutOverview) return;
  }
}

/** Puts a halved tile into the one of the next level that it is a quarter of; returns that one when it is complete. */
function addQuarter(
  quarter: TilePixels,
  { column, row }: { readonly column: number; readonly row: number },
  { finer, coarser, noData }: { readonly finer: Level; readonly coarser: Level; readonly noData: number },
): TilePixels | undefined {
  const number = (row >> 1) * coarser.across + (column >> 1);
  const quarters = Math.min(2, finer.across - (column & ~1)) * Math.min(2, finer.down - (row & ~1));
  const tile = coarser.pending.get(number) ?? {
    pixels: like(quarter, side * side).fill(noData),
    quartersMissing: quarters,
  };
  const half = side / 2;
  const corner = ((row & 1) * side + (column & 1)) * half;
  for (let line = 0; line < half; line += 1)
    tile.pixels.set(quarter.subarray(line * half, (line + 1) * half), corner + line * side);
  tile.quartersMissing -= 1;
  if (tile.quartersMissing > 0) {
    coarser.pending.set(number, tile);
    return undefined;
  }
  coarser.pending.delete(number);
  return tile.pixels;
}

/** Cuts a rectangle to another size, or fills it up with `noData`, at its right and lower edge. */
function resized(
  values: TilePixels,
  fromWidth: number,
  [width, height]: readonly [number, number],
  noData: number,
): TilePixels {
  if (fromWidth === width && values.length === width * height) return values;
  const pixels = like(values, width * height).fill(noData);
  const rows = Math.min(height, values.length / fromWidth);
  const columns = Math.min(width, fromWidth);
  for (let row = 0; row < rows; row += 1)
    pixels.set(values.subarray(row * fromWidth, row * fromWidth + columns), row * width);
  return pixels;
}

function like(values: TilePixels, length: number): TilePixels {
  return values instanceof Float32Array ? new Float32Array(length) : new Uint8Array(length);
}
