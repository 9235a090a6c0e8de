import { open } from 'node:fs/promises';
import { Problem } from '../../../common/errors.ts';
import { BrokenTiff } from './bytes.ts';
import { maxDirectories, openTiff, readDirectory, walkDirectories } from './walk.ts';
import type { Directory, TiffFile } from './walk.ts';
import { createImageBudget } from './image-limits.ts';
import { readImage, tags } from './image.ts';
import { refuseReferences } from './references.ts';
import { createTagBudget } from './tag-limits.ts';

/**
 * Looks at the headers of a TIFF before GDAL opens it, and refuses what would take hours or all memory, however small the
 * file that asks for it. Its own time and memory are bounded by the size of the file.
 * @throws {Problem}
 */
export async function refuseUnreasonableTiff(path: string): Promise<void> {
  await using file = await open(path);
  let directories = 0;
  try {
    const tiff = await openTiff(file);
    const tagBudget = createTagBudget(tiff.fileBytes);
    const imageBudget = createImageBudget();
    for await (const directory of directoriesOf(tiff)) {
      tagBudget.spend(directory);
      await refuseReferences(tiff, directory);
      const image = await readImage(directory);
      if (image !== undefined) imageBudget.spend(image, directories === 0);
      else if (directories === 0) throw new BrokenTiff('the first image has no size');
      directories += 1;
    }
  } catch (error) {
    if (!(error instanceof BrokenTiff)) throw error;
    // GDAL, too, takes what it can not read behind the first image for the end of the chain.
    if (error.fault !== 'other' || directories === 0) throw problemOf(error, directories);
  }
}

/** The chain of directories, and those beside it that the first one names, which GDAL takes for overviews and masks. */
async function* directoriesOf(tiff: TiffFile): AsyncGenerator<Directory> {
  let isFirst = true;
  for await (const directory of walkDirectories(tiff)) {
    yield directory;
    if (isFirst) yield* subDirectoriesOf(tiff, directory);
    isFirst = false;
  }
}

async function* subDirectoriesOf(tiff: TiffFile, directory: Directory): AsyncGenerator<Directory> {
  const offsets = await directory.numbers(tags.subIfds, maxDirectories);
  for (const offset of offsets) {
    const subDirectory = await readDirectory(tiff, offset).catch((error: unknown) => {
      if (error instanceof BrokenTiff) return undefined;
      throw error;
    });
    // Where one is broken GDAL leaves out the rest.
    if (subDirectory === undefined) return;
    yield subDirectory;
  }
}

function problemOf(error: BrokenTiff, directories: number): Problem {
  const cause = { cause: error };
  if (error.fault === 'loop') {
    return new Problem(
      'invalid',
      'The images of the file follow each other in a loop, so that it never ends: it is damaged. Export it again and upload the new file.',
      cause,
    );
  }
  if (error.fault === 'endless') {
    return new Problem(
      'invalid',
      `The file holds more than ${maxDirectories} images; at most that many can be read. Upload the one that is wanted as a file of its own.`,
      cause,
    );
  }
  return new Problem(
    'invalid',
    directories === 0
      ? 'The file cannot be opened as a GeoTIFF: it is cut short or damaged. Export it again and upload the new file.'
      : 'Some images or tables of the file can not be read: the file is cut short or damaged. Export it again and upload the new file.',
    cause,
  );
}
