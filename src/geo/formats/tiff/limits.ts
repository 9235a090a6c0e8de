import { open } from 'node:fs/promises';
import type { Problem } from '../../../lib/errors.ts';
import { rasterProblems } from '../../../messages/raster.ts';
import { tiffProblems } from '../../../messages/tiff.ts';
import {
  BrokenTiff,
  maxDirectories,
  openTiff,
  readDirectory,
  walkDirectories,
  type Directory,
  type TiffFile,
} from './walk.ts';
import { createImageBudget, createTagBudget } from './budgets.ts';
import { readImage, tags } from './image.ts';

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
    // GDAL, too, takes what it cannot read behind the first image for the end of the chain.
    if (error.fault !== 'other' || directories === 0) throw problemOf(error, directories).because(error);
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
    try {
      yield await readDirectory(tiff, offset);
    } catch (error) {
      // Where one is broken GDAL leaves out the rest.
      if (error instanceof BrokenTiff) return;
      throw error;
    }
  }
}

function problemOf(error: BrokenTiff, directories: number): Problem {
  if (error.fault === 'loop') return tiffProblems.loop();
  if (error.fault === 'endless') return tiffProblems.tooManyImages(maxDirectories);
  return directories === 0 ? rasterProblems.notATiff() : rasterProblems.unreadable('images', false);
}

/** GDAL's own metadata, as XML. */
const gdalMetadata = 42_112;
/** By this name GDAL opens another file, or an address in the network, as the overviews of this one. */
const referenceName = /OVERVIEW_FILE/i;

/** @throws {Problem} when the metadata of an image lead GDAL to another file; no raster that stands alone needs that. */
async function refuseReferences(tiff: TiffFile, { entries }: Directory): Promise<void> {
  const entry = entries.get(gdalMetadata);
  if (entry === undefined) return;
  const bytes = await tiff.read(entry.at, entry.count * entry.size);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (referenceName.test(withoutEscapes(text))) throw tiffProblems.reference();
}

/** Resolves XML's second way to write a character: by its number. */
function withoutEscapes(xml: string): string {
  return xml.replaceAll(/&#(?:x([0-9a-f]{1,8})|(\d{1,10}));?/gi, (_, hex: string, decimal: string) =>
    String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}
