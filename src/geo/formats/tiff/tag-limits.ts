import { Problem } from '../../../common/errors.ts';
import { MiB } from '../../../common/units.ts';
import type { Directory } from './walk.ts';
import { tags } from './image.ts';

/** Of all images together; real files have some dozens. libtiff's time grows with the square. */
const maxKindsOfTags = 1000;
const maxEntries = 1_000_000;
/** Of what GDAL makes something larger of in memory: texts, metadata, control points, colours. */
const maxBytesOfLoaded = 16 * MiB;
/** Of what it only keeps, such as the layers of a graphics program. */
const maxBytesOfKept = 256 * MiB;
/** Images may share values; how many bytes more than the file has may be read for that. */
const maxSharedBytes = 64 * MiB;

const blockTables: readonly number[] = [
  tags.stripOffsets,
  tags.stripByteCounts,
  tags.tileOffsets,
  tags.tileByteCounts,
];
/** From here on tags belong to whoever registered them. */
const firstPrivateTag = 32_768;
/** Those of GeoTIFF and of GDAL. */
const loadedPrivateTags: readonly number[] = [
  33_550, 33_922, 34_264, 34_735, 34_736, 34_737, 42_112, 42_113, 50_844, 50_909,
];

/** Counts what the tags of one file ask for. */
export interface TagBudget {
  /** @throws {Problem} when that is more than the file can have, or too much. */
  spend(directory: Directory): void;
}

export function createTagBudget(fileBytes: number): TagBudget {
  const kinds = new Set<number>();
  let entries = 0;
  let bytes = 0;
  return {
    spend(directory) {
      entries += directory.entryCount;
      for (const [tag, { count, size, isInline }] of directory.entries) {
        kinds.add(tag);
        if (isInline) continue;
        if (count * size > fileBytes) throw largerThanFile(tag, count * size);
        const limit = limitOf(tag);
        if (count * size > limit) throw largerThanLimit(tag, count * size, limit);
        bytes += count * size;
      }
      if (kinds.size > maxKindsOfTags || entries > maxEntries) throw tooManyTags();
      if (bytes > fileBytes + maxSharedBytes) throw tagsLargerThanFile(bytes);
    },
  };
}

function limitOf(tag: number): number {
  if (blockTables.includes(tag)) return Number.POSITIVE_INFINITY;
  const isKept = tag >= firstPrivateTag && !loadedPrivateTags.includes(tag);
  return isKept ? maxBytesOfKept : maxBytesOfLoaded;
}

function tooManyTags(): Problem {
  return new Problem(
    'invalid',
    `The images of the file have more than ${maxKindsOfTags} kinds of tags or ${maxEntries} tags in all, which no program writes: it is damaged. Export it again and upload the new file.`,
  );
}

function largerThanFile(tag: number, bytes: number): Problem {
  return new Problem(
    'invalid',
    `The file says that its TIFF tag ${tag} takes ${bytes} bytes, which are more than it has: it is cut short or damaged. Export it again and upload the new file.`,
  );
}

function largerThanLimit(tag: number, bytes: number, limit: number): Problem {
  return new Problem(
    'invalid',
    `The TIFF tag ${tag} of the file takes ${bytes} bytes; at most ${limit} can be read. Save the file without it.`,
  );
}

function tagsLargerThanFile(bytes: number): Problem {
  return new Problem(
    'invalid',
    `The images of the file say that their TIFF tags take ${bytes} bytes, which are more than it has: it is damaged. Export it again and upload the new file.`,
  );
}
