import { cogBlockSide as side } from './cog-options.ts';
import { createPartFile, type Encoding, newTile, openPartFile, type PartFile } from './part-file.ts';
import {
  type Level,
  numberOf,
  placesIn,
  putQuarter,
  quartersOf,
  reductionOf,
  type TilePixels,
  type TilePlace,
} from './pyramid.ts';

interface LevelsToFill extends Encoding {
  readonly levels: readonly Level[];
  /** The files of each level that are there; those that are made are added. */
  readonly parts: PartFile[][];
  /** The beginning of the paths of the files that are made. */
  readonly path: string;
}

/**
 * Makes the tiles of overviews that no part has, because their quarters were encoded in several: level by level, from those of
 * the next finer one. Returns the files that it writes.
 */
export async function fillLevels(raster: LevelsToFill): Promise<readonly PartFile[]> {
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

/** Reads tiles of a level, each from the file that has it; files are opened when they are first needed. */
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
