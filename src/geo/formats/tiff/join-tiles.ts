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

/** Larger files are BigTIFFs; so much is left for directories. */
const maxClassicBytes = 4 * GiB - 64 * MiB;

/** Where the bytes of an encoded tile lie. */
export interface TileBytes {
  readonly path: string;
  readonly start: number;
  readonly length: number;
}

/** An image of a COG: a file without pixels whose tags it gets, and its tiles row by row. */
interface LevelOfTiles {
  readonly headPath: string;
  readonly tiles: readonly TileBytes[];
}

/**
 * Writes a COG of encoded tiles: directories first, then tiles from the coarsest level to the finest, each level row by row.
 * Levels are given from fine to coarse. Tags and tiles stay as they are, byte by byte.
 * @returns the checksums of the tiles by level, to be compared with those of the written file.
 * @throws {BrokenTiff} when a head does not hold together, or a file of tiles has become shorter.
 */
export async function joinTiles(levels: readonly LevelOfTiles[], cogPath: string): Promise<number[][]> {
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
  // The length of directories does not depend on the places that they tell.
  const firsts: number[] = [];
  let end = start + directoriesOf([]).bytes.length;
  for (const [index, bytes] of [...tileBytes.entries()].toReversed()) {
    firsts[index] = end;
    end += bytes;
  }
  const directories = directoriesOf(firsts);
  const checksums: number[][] = levels.map(() => []);
  await using files = createOpenFiles();
  await writeFile(
    cogPath,
    (async function* () {
      yield writeHeader(bigTiff, directories.first);
      yield directories.bytes;
      for (const [index, { tiles }] of [...levels.entries()].toReversed()) {
        for (const tile of tiles) {
          const bytes = await readBytes(await files.open(tile.path), tile);
          checksums[index]?.push(crc32(bytes));
          yield bytes;
        }
      }
    })(),
    { flag: 'wx' },
  );
  return checksums;
}

/** The places of the tiles of a file of one image, row by row. @throws {BrokenTiff} when one is missing. */
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

/** The checksums of the tiles of a file by image, as `joinTiles` returns them. @throws {BrokenTiff} */
export async function tileChecksumsOf(path: string): Promise<number[][]> {
  await using file = await open(path);
  const layout = await readTiffLayout(file);
  return await Array.fromAsync(
    layout.directories,
    async (image) =>
      await Array.fromAsync(blocksOf(layout, image), async (block) => crc32(await readBytes(file, block))),
  );
}

/** The tags of a file of one image, but for those of its tiles. */
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

/** Files that are opened when they are first needed. */
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
 * Copies a COG that GDAL wrote, giving its first image more tags: its directories grow, and all pixels move by as much.
 * @throws {BrokenTiff} when the file does not hold together.
 * @throws {Error} when the file is laid out in another way, or would have to become a BigTIFF.
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
  // The length of directories does not depend on the places that they tell.
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

/** The first block lies behind all directories; what tells its length stands before it. */
function firstByteOfPixels({ directories, ghostArea, fileBytes }: TiffLayout): number {
  const first = Math.min(...directories.map(({ firstDataOffset }) => firstDataOffset ?? fileBytes));
  return ghostArea.lines.get('BLOCK_LEADER') === 'SIZE_AS_UINT4' ? first - 4 : first;
}
