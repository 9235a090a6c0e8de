import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { GiB, MiB } from '../../../lib/units.ts';
import {
  headerBytes,
  placesTag,
  lengthsTag,
  readTags,
  type Tag,
  writeDirectories,
  writeHeader,
  readTiffLayout,
  withMovedBlocks,
  type TiffLayout,
} from './layout.ts';
import { blocksOf, tags } from './image.ts';
import { BrokenTiff, readDirectory, walkDirectories } from './walk.ts';

/** Larger files are BigTIFFs; the difference is left for directories. */
const maxClassicBytes = 4 * GiB - 64 * MiB;

/** Position of the bytes of an encoded tile. */
export interface TileBytes {
  readonly path: string;
  readonly start: number;
  readonly length: number;
}

/** An image of a COG: a file without pixels that provides its tags, and its tiles row by row. */
interface LevelOfTiles<Tile> {
  readonly headPath: string;
  readonly tiles: readonly Tile[];
}

/** Layout of a file of encoded tiles. */
export interface JoinedTiles<Tile> {
  /** Header and directories; the tiles follow after `gapBytes`. */
  readonly head: Buffer;
  /** Tiles in the order of the file, each with the number of its level. */
  readonly tiles: readonly (Tile & { readonly level: number })[];
  readonly sizeBytes: number;
}

/**
 * Plans a COG of encoded tiles: directories first, then tiles from the coarsest level to the finest, each level row by
 * row. Levels are passed from fine to coarse. Tags and tiles remain byte-identical.
 * @throws {BrokenTiff} if a head is inconsistent.
 */
export async function layOutTiles<Tile extends TileBytes>(
  levels: readonly LevelOfTiles<Tile>[],
  gapBytes = 0,
): Promise<JoinedTiles<Tile>> {
  const heads = await Promise.all(levels.map(async ({ headPath }, index) => await readHead(headPath, index)));
  const tileBytes = levels.map(({ tiles }) => tiles.reduce((sum, { length }) => sum + length, 0));
  const bigTiff = tileBytes.reduce((sum, bytes) => sum + bytes, 0) > maxClassicBytes;
  const start = headerBytes(bigTiff);
  const directoriesOf = (firsts: readonly number[]) =>
    writeDirectories(
      levels.map(({ tiles }, index) => [
        ...(heads[index] ?? []),
        placesTag(placesFrom(firsts[index] ?? 0, tiles), bigTiff),
        lengthsTag(tiles.map(({ length }) => length)),
      ]),
      { bigTiff, start },
    );
  // The length of directories does not depend on the offsets in them.
  const firsts: number[] = [];
  let end = start + directoriesOf([]).bytes.length + gapBytes;
  for (const [index, bytes] of [...tileBytes.entries()].toReversed()) {
    firsts[index] = end;
    end += bytes;
  }
  const directories = directoriesOf(firsts);
  return {
    head: Buffer.concat([writeHeader(bigTiff, directories.first), directories.bytes]),
    tiles: [...levels.entries()]
      .toReversed()
      .flatMap(([level, { tiles }]) => tiles.map((tile) => ({ ...tile, level }))),
    sizeBytes: end,
  };
}

/**
 * Writes a COG of encoded tiles with the plan of `layOutTiles`.
 * @returns the checksums of the tiles by level, for comparison with those of the written file.
 * @throws {BrokenTiff} if a head is inconsistent, or a file of tiles has become shorter.
 */
export async function joinTiles(
  levels: readonly LevelOfTiles<TileBytes>[],
  cogPath: string,
): Promise<number[][]> {
  const { head, tiles } = await layOutTiles(levels);
  const checksums: number[][] = levels.map(() => []);
  await using files = createOpenFiles();
  await writeFile(
    cogPath,
    (async function* () {
      yield head;
      for (const tile of tiles) {
        const bytes = await readBytes(await files.open(tile.path), tile);
        checksums[tile.level]?.push(crc32(bytes));
        yield bytes;
      }
    })(),
    { flag: 'wx' },
  );
  return checksums;
}

/**
 * Copies a file of one image so that its tiles lie row by row, after a table of their checksums.
 * @returns the number of bytes before the first tile.
 * @throws {BrokenTiff} if a tile is missing.
 */
export async function arrangeTiles(fromPath: string, toPath: string): Promise<number> {
  const unordered = await tileBytesOf(fromPath);
  const table = Buffer.alloc(unordered.length * checksumBytes);
  const { head, tiles } = await layOutTiles([{ headPath: fromPath, tiles: unordered }], table.length);
  await using from = await open(fromPath);
  await using to = await open(toPath, 'wx', 0o600);
  let at = head.length + table.length;
  for (const [index, tile] of tiles.entries()) {
    const bytes = await readBytes(from, tile);
    table.writeUInt32LE(crc32(bytes), index * checksumBytes);
    await to.write(bytes, 0, bytes.length, at);
    at += bytes.length;
  }
  await to.write(Buffer.concat([head, table]), 0, head.length + table.length, 0);
  return head.length + table.length;
}

const checksumBytes = 4;

/** A tile and the CRC-32 of its bytes. */
export interface CheckedTile extends TileBytes {
  readonly checksum: number;
}

/** Returns the tiles of a file of `arrangeTiles`; reads only the bytes before them. @throws {BrokenTiff} */
export async function arrangedTilesOf(path: string): Promise<readonly CheckedTile[]> {
  const tiles = await tileBytesOf(path);
  const table = Buffer.alloc(tiles.length * checksumBytes);
  await using file = await open(path);
  const { bytesRead } = await file.read(table, 0, table.length, (tiles[0]?.start ?? 0) - table.length);
  if (bytesRead !== table.length) throw new BrokenTiff('a file of tiles ends before them');
  return tiles.map((tile, index) => ({ ...tile, checksum: table.readUInt32LE(index * checksumBytes) }));
}

/** Returns the positions of the tiles of a file with one image, row by row. @throws {BrokenTiff} if one is missing. */
export async function tileBytesOf(path: string): Promise<readonly TileBytes[]> {
  await using file = await open(path);
  const layout = await readTiffLayout(file);
  const [image] = layout.directories;
  if (image === undefined) throw new BrokenTiff('there is no image');
  const tiles = await Array.fromAsync(blocksOf(layout, image), (block) => ({ path, ...block }));
  if (tiles.length !== image.expectedBlocks || tiles.some(({ length }) => length === 0))
    throw new BrokenTiff('a tile is missing');
  return tiles;
}

/** Returns the checksums of the tiles of a file by image, like `joinTiles`. @throws {BrokenTiff} */
export async function tileChecksumsOf(path: string): Promise<number[][]> {
  await using file = await open(path);
  const layout = await readTiffLayout(file);
  return await Array.fromAsync(
    layout.directories,
    async (image) =>
      await Array.fromAsync(blocksOf(layout, image), async (block) => crc32(await readBytes(file, block))),
  );
}

/** Returns the tags of a file with one image, except those of its tiles. */
async function readHead(path: string, index: number): Promise<readonly Tag[]> {
  await using file = await open(path);
  const layout = await readTiffLayout(file);
  const [image] = layout.directories;
  if (image === undefined) throw new BrokenTiff('there is no image');
  const left = new Set<number>([tags.newSubfileType, tags.tileOffsets, tags.tileByteCounts]);
  const own = await readTags(layout, await readDirectory(layout, image.offset));
  const kind = {
    number: tags.newSubfileType,
    type: 4,
    count: 1,
    values: Uint8Array.of(index === 0 ? 0 : 1, 0, 0, 0),
  };
  return [...own.filter(({ number }) => !left.has(number)), kind];
}

function placesFrom(first: number, tiles: readonly TileBytes[]): readonly number[] {
  let next = first;
  return tiles.map(({ length }) => {
    const place = next;
    next += length;
    return place;
  });
}

async function readBytes(
  file: FileHandle,
  { start, length }: Pick<TileBytes, 'start' | 'length'>,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(bytes, 0, length, start);
  if (bytesRead !== length) throw new BrokenTiff('a file of tiles ends while it is read');
  return bytes;
}

/** Opens files on first use. */
function createOpenFiles() {
  const files = new Map<string, FileHandle>();
  return {
    async open(path: string): Promise<FileHandle> {
      const file = files.get(path) ?? (await open(path));
      files.set(path, file);
      return file;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const file of files.values()) await file.close();
    },
  };
}

/**
 * Copies a COG of GDAL and adds tags to its first image: its directories grow, and all pixels move by the same amount.
 * @throws {BrokenTiff} if the file is inconsistent.
 * @throws {Error} if the file has another layout, or would have to become a BigTIFF.
 */
export async function copyWithTags(fromPath: string, toPath: string, added: readonly Tag[]): Promise<void> {
  await using from = await open(fromPath);
  const layout = await readTiffLayout(from);
  if (!layout.littleEndian) throw new Error('the COG is big-endian');
  const images = await Array.fromAsync(walkDirectories(layout), (directory) => readTags(layout, directory));
  const taken = new Set(added.map(({ number }) => number));
  const [first = [], ...others] = images;
  const grown = [[...first.filter(({ number }) => !taken.has(number)), ...added], ...others];

  const { bigTiff, ghostArea } = layout;
  const place = { bigTiff, start: headerBytes(bigTiff) + ghostArea.bytes };
  const directoriesFor = (shift: number) =>
    writeDirectories(
      grown.map((image) => image.map((tag) => withMovedBlocks(tag, shift, bigTiff))),
      place,
    );
  const pixelsAt = firstByteOfPixels(layout);
  // The length of directories does not depend on the offsets in them.
  const directories = directoriesFor(place.start + directoriesFor(0).bytes.length - pixelsAt);

  const before = Buffer.alloc(place.start);
  await from.read(before, 0, before.length, 0);
  if (bigTiff) before.writeBigUInt64LE(BigInt(directories.first), 8);
  else before.writeUInt32LE(directories.first, 4);
  await writeFile(
    toPath,
    (async function* () {
      yield before;
      yield directories.bytes;
      yield* from.createReadStream({ start: pixelsAt, autoClose: false });
    })(),
    { flag: 'wx' },
  );
}

/** The first block follows all directories; its length precedes it. */
function firstByteOfPixels({ directories, ghostArea, fileBytes }: TiffLayout): number {
  const first = Math.min(...directories.map(({ firstDataOffset }) => firstDataOffset ?? fileBytes));
  return ghostArea.lines.get('BLOCK_LEADER') === 'SIZE_AS_UINT4' ? first - 4 : first;
}
