import { rename, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import gdal, { type Dataset } from 'gdal-async';
import { arrangeTiles } from '../../formats/tiff/join-tiles.ts';
import { cogBlockSide as side } from './image/cog-options.ts';
import {
  boundsOf,
  numberOf,
  type TilePlace,
  type Level,
  levelsOf,
  placeOf,
  quartersOf,
  tilesFrom,
  type TilePixels,
  putQuarter,
  reductionOf,
} from './overviews/pyramid.ts';
import type { EncodedRaster, TileEncoder } from '../../raster-reader.ts';

/** Storage of the pixels of all tiles of a COG. */
export interface Encoding {
  readonly dataType: 'Float32' | 'Byte' | 'UInt16';
  readonly noData: number;
}

/** Options of GDAL's GeoTIFF driver for the tiles of computed rasters: docs/decisions/0018-cogs-of-runs.md. */
function encodingOptions({ dataType }: Encoding): Readonly<Record<string, string>> {
  return {
    TILED: 'YES',
    BLOCKXSIZE: String(side),
    BLOCKYSIZE: String(side),
    COMPRESS: 'DEFLATE',
    ZLEVEL: '1',
    PREDICTOR: dataType === 'Float32' ? '3' : '1',
    BIGTIFF: 'IF_SAFER',
  };
}

/** A GeoTIFF with some tiles of a level: their bounding rectangle, every tile complete. */
export interface PartFile {
  readonly path: string;
  readonly tiles: readonly TilePlace[];
}

/** Creates a part file without tiles. @param threads that encode its tiles, with equal bytes for any number; those of the process if 1 */
export function createPartFile({ path, tiles }: PartFile, encoding: Encoding, threads = 1) {
  const bounds = boundsOf(tiles);
  const missing = new Set(tiles.map((tile) => numberOf(bounds, tile)));
  const checksums = new Map<TilePlace, number>();
  const size = [bounds.across * side, bounds.down * side] as const;
  const dataset = createRaster(path, size, encoding, threads === 1 ? {} : { NUM_THREADS: String(threads) });
  // Once, because asking a dataset waits for its threads.
  const { pixels: stored } = dataset.bands.get(1);
  return {
    path,
    /** @param pixels of the whole tile, including those beyond the edge of the raster. */
    async write(tile: TilePlace, pixels: TilePixels): Promise<void> {
      if (!missing.delete(numberOf(bounds, tile)))
        throw new Error(`the tile in column ${tile.column} and row ${tile.row} comes twice or unannounced`);
      checksums.set(tile, checksumOf(pixels));
      const [x, y] = cornerOf(tile, bounds);
      await stored.writeAsync(x, y, side, side, pixels);
    },
    /** Encodes the tiles so far, beside other work. GDAL keeps them in its cache otherwise, and encodes them while the file is closed. */
    async flush(): Promise<void> {
      await dataset.flushAsync();
    },
    /** @throws {Error} if a tile is missing. */
    close(): void {
      dataset.close();
      if (missing.size > 0) throw new Error(`${missing.size} tiles of the raster are missing`);
    },
    /** Decodes all tiles of the closed file. @throws {Error} if one differs from what was written. */
    async verify(): Promise<void> {
      const written = [...checksums];
      const verifyEvery = async (first: number): Promise<void> => {
        using part = await openPartFile({ path, tiles });
        for (let i = first; i < written.length; i += threads) {
          const [tile, checksum] = written[i] ?? [];
          if (tile !== undefined && checksumOf(await part.read(tile)) !== checksum)
            throw new Error(`the tile in column ${tile.column} and row ${tile.row} is not what was written`);
        }
      };
      await Promise.all(Array.from({ length: threads }, async (_, first) => await verifyEvery(first)));
    },
  };
}

/** Opens a part file to decode its tiles. @throws {Error} if its size does not fit its tiles. */
export async function openPartFile({ path, tiles }: PartFile) {
  const bounds = boundsOf(tiles);
  const dataset = await gdal.openAsync(path, 'r', ['GTiff']);
  const { x: width, y: height } = dataset.rasterSize;
  if (width !== bounds.across * side || height !== bounds.down * side)
    throw new Error(`a part of ${width} by ${height} pixels holds other tiles`);
  const { pixels, dataType } = dataset.bands.get(1);
  if (dataType !== 'Float32' && dataType !== 'Byte' && dataType !== 'UInt16')
    throw new Error('a part holds pixels of another type');
  const room = newTile(dataType);
  return {
    /** The next call reuses the array. */
    async read(tile: TilePlace): Promise<TilePixels> {
      const [x, y] = cornerOf(tile, bounds);
      return await pixels.readAsync<TilePixels>(x, y, side, side, room);
    },
    [Symbol.dispose]: (): void => dataset.close(),
  };
}

/** Creates an empty raster of one band. */
export function createRaster(
  path: string,
  [width, height]: readonly [number, number],
  encoding: Encoding,
  options: Readonly<Record<string, string>> = {},
): Dataset {
  const all = { ...encodingOptions(encoding), ...options };
  const raster = gdal.drivers.get('GTiff').create(path, width, height, 1, encoding.dataType, all);
  raster.bands.get(1).noDataValue = encoding.noData;
  return raster;
}

export function newTile(dataType: Encoding['dataType']): TilePixels {
  if (dataType === 'Float32') return new Float32Array(side * side);
  return dataType === 'UInt16' ? new Uint16Array(side * side) : new Uint8Array(side * side);
}

function cornerOf({ column, row }: TilePlace, bounds: TilePlace): readonly [number, number] {
  return [(column - bounds.column) * side, (row - bounds.row) * side];
}

function checksumOf({ buffer, byteOffset, byteLength }: TilePixels): number {
  return crc32(new Uint8Array(buffer, byteOffset, byteLength));
}

/**
 * Creates an encoder that uses GDAL in this process. An overview tile is made in memory when its quarters are complete, so that tiles
 * should come window by window; a tile with quarters elsewhere is left out. The result depends neither on the order of the tiles nor on
 * the number of threads.
 */
export function createTileEncoder(raster: EncodedRaster, threads = 1): TileEncoder {
  const { noData } = raster;
  const levels = levelsOf(raster);
  const places = raster.tiles.map((tile) => placeOf(tile, raster));
  const parts = tilesFrom(levels, places).map((tiles, level) => ({
    file: createPartFile({ path: `${raster.path}.${level}.tif`, tiles }, raster, threads),
    tiles: new Set(tiles.map((tile) => numberOf(levelAt(levels, level), tile))),
    /** Tiles with some of their quarters. */
    pending: new Map<number, { readonly pixels: TilePixels; missing: number }>(),
  }));
  const reduce = reductionOf(raster.dataType);

  /** Starts to write a tile and the overview tiles that it completes, without waiting in between. */
  async function write(level: number, place: TilePlace, pixels: TilePixels): Promise<void> {
    await Promise.all([parts[level]?.file.write(place, pixels), reduceInto(level + 1, place, pixels)]);
  }

  async function reduceInto(level: number, place: TilePlace, pixels: TilePixels): Promise<void> {
    const coarser = parts[level];
    if (coarser === undefined) return;
    const parent = { column: place.column >> 1, row: place.row >> 1 };
    const number = numberOf(levelAt(levels, level), parent);
    if (!coarser.tiles.has(number)) return;
    const tile = coarser.pending.get(number) ?? {
      pixels: newTile(raster.dataType).fill(noData),
      missing: quartersOf(parent, levelAt(levels, level - 1)).length,
    };
    putQuarter(tile.pixels, side, place, reduce(pixels, side, noData));
    tile.missing -= 1;
    coarser.pending.set(number, tile);
    if (tile.missing > 0) return;
    coarser.pending.delete(number);
    await write(level, parent, tile.pixels);
  }

  /** Pads a tile that the edge of the raster cuts. */
  function whole(values: TilePixels, width: number): TilePixels {
    if (values.length === side * side) return values;
    const pixels = newTile(raster.dataType).fill(noData);
    for (let from = 0, to = 0; from < values.length; from += width, to += side)
      pixels.set(values.subarray(from, from + width), to);
    return pixels;
  }

  return {
    paths: parts.map(({ file }) => file.path),
    async put(tile, values) {
      await write(0, placeOf(tile, raster), whole(values, tile.width));
    },
    async flush() {
      await Promise.all(parts.map(async ({ file }) => await file.flush()));
    },
    async finish() {
      await this.flush();
      for (const { file } of parts) file.close();
      for (const { file } of parts) await file.verify();
    },
    async arrange() {
      return await Promise.all(
        parts.map(async ({ file, tiles }, level) => {
          const first = await arrangePart(file.path);
          const coarser = parts[level + 1]?.tiles;
          const { across } = levelAt(levels, level);
          const isRead = (tile: number): boolean => {
            const parent = { column: (tile % across) >> 1, row: Math.floor(tile / across) >> 1 };
            return coarser?.has(numberOf(levelAt(levels, level + 1), parent)) !== true;
          };
          // A coarser tile that is made elsewhere needs its quarters.
          const isNeeded = level + 1 < levels.length && [...tiles].some(isRead);
          return isNeeded ? (await stat(file.path)).size : first;
        }),
      );
    },
  };
}

/** Sorts the tiles of a closed part file. @returns the number of bytes before the first one. */
export async function arrangePart(path: string): Promise<number> {
  const arranged = `${path}.arranged`;
  const first = await arrangeTiles(path, arranged);
  await rename(arranged, path);
  return first;
}

function levelAt(levels: readonly Level[], index: number): Level {
  const level = levels[index];
  if (level === undefined) throw new Error(`the raster has no level ${index}`);
  return level;
}
