import { open, writeFile } from 'node:fs/promises';
import { GiB } from '../../../common/units.ts';
import {
  headerBytes,
  readTags,
  withMovedBlocks,
  writeDirectories,
  writeHeader,
  type Tag,
} from './directories.ts';
import { tags } from './image.ts';
import { readTiffLayout } from './layout.ts';
import { readDirectory } from './walk.ts';

/** Larger files are BigTIFFs; so much is left for directories. */
const maxClassicBytes = 4 * GiB - 64 * 1024 * 1024;

/** A level in a file of its own. */
interface Level {
  readonly path: string;
  readonly tags: readonly Tag[];
  /** Where its pixels begin and end in that file. */
  readonly start: number;
  readonly end: number;
}

/**
 * Joins little-endian TIFFs of one image each, the full resolution first and then its overviews from large to small, to a
 * COG: directories first, then pixels from the coarsest to the finest. Tags and pixels stay as they are, byte by byte.
 * @throws {BrokenTiff} when one of them does not hold together.
 */
export async function joinLevels(paths: readonly string[], cogPath: string): Promise<void> {
  const levels = await Promise.all(paths.map(readLevel));
  const pixelBytes = levels.reduce((sum, { start, end }) => sum + end - start, 0);
  const bigTiff = pixelBytes > maxClassicBytes;
  const place = { bigTiff, start: headerBytes(bigTiff) };
  const directoriesOf = (shifts: readonly number[]) =>
    writeDirectories(
      levels.map((level, index) =>
        level.tags.map((tag) => withMovedBlocks(tag, shifts[index] ?? 0, bigTiff)),
      ),
      place,
    );
  // The length of directories does not depend on the places that they tell.
  const shifts: number[] = [];
  let end = place.start + directoriesOf([]).bytes.length;
  for (const [index, level] of [...levels.entries()].toReversed()) {
    shifts[index] = end - level.start;
    end += level.end - level.start;
  }
  const directories = directoriesOf(shifts);
  await writeFile(
    cogPath,
    (async function* () {
      yield writeHeader(bigTiff, directories.first);
      yield directories.bytes;
      for (const level of levels.toReversed()) {
        await using file = await open(level.path);
        yield* file.createReadStream({ start: level.start, end: level.end - 1, autoClose: false });
      }
    })(),
    { flag: 'wx' },
  );
}

async function readLevel(path: string, index: number): Promise<Level> {
  await using file = await open(path);
  const layout = await readTiffLayout(file);
  const [image] = layout.directories;
  if (image?.firstDataOffset === undefined || image.lostBlocks > 0) throw new Error('a level lacks pixels');
  const own = await readTags(layout, await readDirectory(layout, image.offset));
  const kind = {
    number: tags.newSubfileType,
    type: 4,
    count: 1,
    values: Uint8Array.of(index === 0 ? 0 : 1, 0, 0, 0),
  };
  return {
    path,
    tags: [...own.filter(({ number }) => number !== tags.newSubfileType), kind],
    start: image.firstDataOffset,
    end: image.dataEnd,
  };
}
