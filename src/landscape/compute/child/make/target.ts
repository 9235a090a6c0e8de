import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { levelsFrom, prepareLevels } from '../../../../geo/child/raster/levels.ts';
import { createTileEncoder } from '../../../../geo/child/raster/part-file.ts';
import { joinTiles, tileBytesOf } from '../../../../geo/formats/tiff/join-tiles.ts';
import { openGdalLog, watchWrites } from '../../../../geo/gdal/log-file.ts';
import { createStage } from '../../../../geo/gdal/progress.ts';
import { classNoData, floatNoData } from '../../../model/bands.ts';
import type { ReferenceGrid } from '../../../grid/reference-grid.ts';
import { maxTileSide, type Tile, tilesOf, windowsOf } from '../../../model/tiles.ts';

export type Pixels = Float32Array | Uint8Array;

/** The raster that is made. */
export interface Target {
  readonly isClasses: boolean;
  readonly noData: number;
  /** Returns an array for the pixels of one strip; its contents are those of an earlier one. */
  room(length: number): Pixels;
  /** Number of pixels with a value, so far. */
  valid(): number;
  /**
   * Writes the tiles of a strip, each once, while the next strip is computed: waits for the strip before only.
   * @param values row by row, in the array of the last call of `room`
   */
  write(strip: Tile, values: Pixels): Promise<void>;
}

/** Side of the windows in which a raster is made: the tiles of an overview come soon after each other. */
const windowSide = 4096;

/** Yields the tiles of a raster, window by window. */
export const tilesOfRaster = (grid: Pick<ReferenceGrid, 'width' | 'height'>): Generator<Tile> =>
  tilesOf(windowsOf(grid, windowSide));

/** Number of pixels of the largest strip. */
export const mostPixelsOfStrip = windowSide * maxTileSide;

/** Yields strips of a raster, one tile high and at most eight tiles wide, each with its window: their order suits overviews. */
export function* stripsOf(
  grid: Pick<ReferenceGrid, 'width' | 'height'>,
): Generator<{ readonly window: Tile; readonly strip: Tile }> {
  for (const window of windowsOf(grid, windowSide)) {
    const bottom = window.y + window.height;
    for (let y = window.y; y < bottom; y += maxTileSide)
      yield { window, strip: { ...window, y, height: Math.min(maxTileSide, bottom - y) } };
  }
}

/** Threads that encode tiles: making an input has the processors of the machine for itself. */
const threads = 2;

/** Share of the progress that remains for joining the tiles. */
const joiningShare = 0.1;

/** Writes a COG on a grid, with the tiles and overviews of the rasters of runs: nothing is encoded twice. @returns its path */
export async function writeRaster(
  grid: ReferenceGrid,
  { isClasses, folder }: { readonly isClasses: boolean; readonly folder: string },
  fill: (target: Target) => Promise<void>,
): Promise<string> {
  const storage = isClasses
    ? ({ dataType: 'Byte', noData: classNoData } as const)
    : ({ dataType: 'Float32', noData: floatNoData } as const);
  const tiles = [...tilesOfRaster(grid)];
  const gdalLog = await openGdalLog(folder);
  const encoder = createTileEncoder({ ...grid, ...storage, tiles, path: join(folder, 'tiles') }, threads);
  await watchWrites(gdalLog, async () => {
    const { target, finish } = createTarget(grid, encoder, storage);
    await fill(target);
    await finish();
    await encoder.finish();
  });
  const cogPath = join(folder, 'made.tif');
  const tiled = { ...grid, ...storage, parts: [{ paths: encoder.paths, tiles }] };
  const levels = await prepareLevels(tiled, cogPath, { gdalLog, tilesOf: tileBytesOf });
  await joinTiles(levelsFrom(levels.heads, levels.tiles), cogPath);
  for (const path of [...levels.heads, ...encoder.paths]) await rm(path);
  return cogPath;
}

type Encoder = ReturnType<typeof createTileEncoder>;

function createTarget(
  grid: ReferenceGrid,
  encoder: Encoder,
  { dataType, noData }: { readonly dataType: 'Byte' | 'Float32'; readonly noData: number },
): { readonly target: Target; readonly finish: () => Promise<void> } {
  const isClasses = dataType === 'Byte';
  const tell = createStage(0, 1 - joiningShare);
  const make = (length: number): Pixels => (isClasses ? new Uint8Array(length) : new Float32Array(length));
  let [room, otherRoom] = [make(0), make(0)];
  const tileRooms: Pixels[] = [];
  let [valid, written] = [0, 0];
  let writing = Promise.resolve();

  /** Writes and encodes the tiles of a strip beside the computation, which lets nothing else run in between. */
  async function put(strip: Tile, values: Pixels): Promise<void> {
    const writes = Array.from(tilesOf([strip]), async (tile, index) => {
      const length = tile.width * tile.height;
      if (tile.width === strip.width) return await encoder.put(tile, values);
      const kept = tileRooms[index];
      const pixels = kept !== undefined && kept.length >= length ? kept : make(length);
      tileRooms[index] = pixels;
      copyTile(values, strip, tile, pixels);
      await encoder.put(tile, pixels.subarray(0, length));
    });
    await Promise.all([...writes, encoder.flush()]);
    written += strip.width * strip.height;
    tell(written / (grid.width * grid.height));
  }

  const target: Target = {
    isClasses,
    noData,
    room(length) {
      [room, otherRoom] = [otherRoom, room];
      if (room.length < length) room = make(length);
      return room.subarray(0, length);
    },
    valid: () => valid,
    async write(strip, values) {
      valid += isClasses ? countClasses(values) : countNumbers(values, noData);
      await writing;
      writing = put(strip, values);
      // A failure is thrown by the next call, or at the end.
      writing.catch(() => undefined);
    },
  };
  return { target, finish: async () => await writing };
}

function copyTile(values: Pixels, strip: Tile, { x, width, height }: Tile, out: Pixels): void {
  for (let row = 0; row < height; row += 1) {
    const from = row * strip.width + x - strip.x;
    out.set(values.subarray(from, from + width), row * width);
  }
}

function countClasses(values: Pixels): number {
  let count = 0;
  if (values instanceof Uint8Array)
    for (let i = 0; i < values.length; i += 1) if (values[i] !== classNoData) count += 1;
  return count;
}

function countNumbers(values: Pixels, noData: number): number {
  let count = 0;
  if (values instanceof Float32Array)
    for (let i = 0; i < values.length; i += 1) if (values[i] !== noData) count += 1;
  return count;
}
