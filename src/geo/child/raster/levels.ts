import gdal from 'gdal-async';
import type { TiledRaster } from '../../engine.ts';
import { type GdalLog, watchWrites } from '../../gdal/log-file.ts';
import { cogBlockSide as side } from './image/cog-options.ts';
import {
  boundsOf,
  type Level,
  levelsOf,
  numberOf,
  placeOf,
  placesIn,
  tilesFrom,
  putQuarter,
  quartersOf,
  reductionOf,
  type TilePixels,
  type TilePlace,
} from './overviews/pyramid.ts';
import {
  createRaster,
  type PartFile,
  createPartFile,
  type Encoding,
  newTile,
  openPartFile,
} from './part-file.ts';

interface PreparedLevels<Tile> {
  /** Files with the tags of each level, from fine to coarse. */
  readonly heads: readonly string[];
  /** Tiles of each level, row by row. */
  readonly tiles: readonly (readonly Tile[])[];
  /** Files of tiles that no part contains. */
  readonly made: readonly PartFile[];
}

interface Preparation<Tile> {
  readonly gdalLog: GdalLog;
  /** Lists the tiles of a part file. */
  tilesOf(path: string): Promise<readonly Tile[]>;
  /** Called with each finished file of made tiles. */
  finish?(path: string): Promise<unknown>;
}

/** Makes everything that a COG needs besides the tiles of its parts. @throws {Error} if the tiles do not cover their raster. */
export async function prepareLevels<Tile>(
  tiled: TiledRaster,
  cogPath: string,
  { gdalLog, tilesOf, finish }: Preparation<Tile>,
): Promise<PreparedLevels<Tile>> {
  const levels = levelsOf(tiled);
  const heads = levels.map((_, index) => `${cogPath}.head-${index}.tif`);
  const parts = partsByLevel(tiled, levels);
  const made: PartFile[] = [];
  await watchWrites(gdalLog, async () => {
    for (const [index, level] of levels.entries())
      createHead(tiled, heads[index] ?? '', { ...level, isPlaced: index === 0 });
    made.push(...(await fillLevels({ ...tiled, levels, parts, path: cogPath })));
  });
  for (const { path } of made) await finish?.(path);
  const tiles = await Promise.all(
    levels.map(async (level, index) => await tilesIn(level, parts[index] ?? [], tilesOf)),
  );
  return { heads, tiles, made };
}

export function levelsFrom<Tile>(heads: readonly string[], tiles: readonly (readonly Tile[])[]) {
  return tiles.map((each, index) => ({ headPath: heads[index] ?? '', tiles: each }));
}

/** Returns the files of each level with their tiles. @throws {Error} if a tile of the full resolution is missing or occurs twice. */
function partsByLevel(raster: TiledRaster, levels: readonly Level[]): PartFile[][] {
  const parts: PartFile[][] = levels.map(() => []);
  for (const { paths, tiles } of raster.parts) {
    const places = tiles.map((tile) => placeOf(tile, raster));
    for (const [level, each] of tilesFrom(levels, places).entries())
      parts[level]?.push({ path: paths[level] ?? '', tiles: each });
  }
  const [finest] = levels;
  const seen = new Set<number>();
  for (const tile of parts[0]?.flatMap((part) => part.tiles) ?? []) {
    const number = finest === undefined ? 0 : numberOf(finest, tile);
    if (seen.has(number))
      throw new Error(`the tile in column ${tile.column} and row ${tile.row} comes twice`);
    seen.add(number);
  }
  const missing = (finest?.across ?? 0) * (finest?.down ?? 0) - seen.size;
  if (missing > 0) throw new Error(`${missing} tiles of the raster are missing`);
  return parts;
}

/** Writes a file with the tags of a level. */
function createHead(
  raster: TiledRaster,
  path: string,
  { width, height, isPlaced }: Level & { readonly isPlaced: boolean },
): void {
  const head = createRaster(path, [width, height], raster, { SPARSE_OK: 'TRUE' });
  if (isPlaced) {
    head.srs = gdal.SpatialReference.fromWKT(raster.wkt);
    head.geoTransform = [raster.left, raster.resX, 0, raster.top, 0, -raster.resY];
  }
  head.close();
}

/** Returns the positions of the tiles of a level in their files, row by row. */
async function tilesIn<Tile>(
  level: Level,
  parts: readonly PartFile[],
  tilesOf: (path: string) => Promise<readonly Tile[]>,
): Promise<readonly Tile[]> {
  const found = new Map<number, Tile>();
  for (const { path, tiles } of parts) {
    const bounds = boundsOf(tiles);
    const bytes = await tilesOf(path);
    for (const tile of tiles) {
      const place = { column: tile.column - bounds.column, row: tile.row - bounds.row };
      const its = bytes[numberOf(bounds, place)];
      if (its !== undefined) found.set(numberOf(level, tile), its);
    }
  }
  return Array.from(placesIn(level), (tile) => {
    const its = found.get(numberOf(level, tile));
    if (its === undefined)
      throw new Error(`the tile in column ${tile.column} and row ${tile.row} is missing`);
    return its;
  });
}

interface LevelsToFill extends Encoding {
  readonly levels: readonly Level[];
  /** Existing files of each level; new ones are added. */
  readonly parts: PartFile[][];
  /** Prefix of the paths of new files. */
  readonly path: string;
}

/**
 * Makes the overview tiles that no part contains, because their quarters were encoded in several parts: level by level,
 * from the next finer one. Returns the files that it writes.
 */
async function fillLevels(raster: LevelsToFill): Promise<readonly PartFile[]> {
  const made: PartFile[] = [];
  for (const [index, level] of raster.levels.entries()) {
    const finer = raster.levels[index - 1];
    const missing = missingFrom(level, raster.parts[index] ?? []);
    if (finer === undefined || missing.length === 0) continue;
    const file = { path: `${raster.path}.level-${index}.tif`, tiles: missing };
    const part = createPartFile(file, raster);
    const from = openParts(finer, raster.parts[index - 1] ?? []);
    for (const tile of missing) await part.write(tile, await madeOf(quartersOf(tile, finer), raster, from));
    from.close();
    part.close();
    await part.verify();
    raster.parts[index]?.push(file);
    made.push(file);
  }
  return made;
}

function missingFrom(level: Level, parts: readonly PartFile[]): readonly TilePlace[] {
  const present = new Set(parts.flatMap(({ tiles }) => tiles.map((tile) => numberOf(level, tile))));
  return [...placesIn(level)].filter((tile) => !present.has(numberOf(level, tile)));
}

/** Reads tiles of a level from the files that contain them; opens files on first use. */
function openParts(level: Level, parts: readonly PartFile[]) {
  const fileOf = new Map(
    parts.flatMap((part) => part.tiles.map((tile) => [numberOf(level, tile), part] as const)),
  );
  const opened = new Map<PartFile, Awaited<ReturnType<typeof openPartFile>>>();
  return {
    async read(tile: TilePlace): Promise<TilePixels> {
      const part = fileOf.get(numberOf(level, tile));
      if (part === undefined)
        throw new Error(`the tile in column ${tile.column} and row ${tile.row} is missing`);
      const file = opened.get(part) ?? (await openPartFile(part));
      opened.set(part, file);
      return await file.read(tile);
    },
    close(): void {
      for (const file of opened.values()) file[Symbol.dispose]();
    },
  };
}

async function madeOf(
  quarters: readonly TilePlace[],
  { dataType, noData }: Encoding,
  from: { read(tile: TilePlace): Promise<TilePixels> },
): Promise<TilePixels> {
  const reduce = reductionOf(dataType);
  const pixels = newTile(dataType).fill(noData);
  for (const quarter of quarters)
    putQuarter(pixels, side, quarter, reduce(await from.read(quarter), side, noData));
  return pixels;
}
