import type { FileHandle } from 'node:fs/promises';
import { readGhostArea, type GhostArea } from './ghost-area.ts';
import { BrokenTiff, openTiff, walkDirectories, type TiffFile } from './walk.ts';
import { blocksOf, readImage, type TiffImage } from './image.ts';

/** One image of a TIFF file, as far as its layout is concerned. Offsets are bytes from the start of the file. */
export interface TiffDirectory extends TiffImage {
  readonly offset: number;
  /** Tiles or strips whose place and length the file tells; 0 when it has forgotten to. */
  readonly blocks: number;
  /** Tiles or strips that the image has and whose place or length the file does not tell; GDAL makes zeros of them. */
  readonly lostBlocks: number;
  /** Of the first block that holds data; absent when all blocks are sparse. */
  readonly firstDataOffset: number | undefined;
  /** Where the block that lies last in the file ends. */
  readonly dataEnd: number;
}

export interface TiffLayout extends TiffFile {
  readonly ghostArea: GhostArea;
  readonly directories: readonly TiffDirectory[];
}

/**
 * Walks the directories of a TIFF or BigTIFF file of either byte order; reads nothing but headers and block tables.
 * @throws {BrokenTiff} when the file is no TIFF, points outside itself, or runs in a loop.
 */
export async function readTiffLayout(file: FileHandle): Promise<TiffLayout> {
  const tiff = await openTiff(file);
  const ghostArea = await readGhostArea(tiff);
  const directories: TiffDirectory[] = [];
  for await (const directory of walkDirectories(tiff)) {
    const image = await readImage(directory);
    if (image === undefined) throw new BrokenTiff('an image has no size');
    directories.push({ offset: directory.offset, ...image, ...(await blockExtent(tiff, image)) });
  }
  return { ...tiff, ghostArea, directories };
}

async function blockExtent(
  tiff: TiffFile,
  { tables, expectedBlocks }: TiffImage,
): Promise<Pick<TiffDirectory, 'blocks' | 'lostBlocks' | 'firstDataOffset' | 'dataEnd'>> {
  if (tables === undefined) {
    return { blocks: 0, lostBlocks: expectedBlocks, firstDataOffset: undefined, dataEnd: 0 };
  }
  const blocks = Math.min(tables.offsets.count, tables.byteCounts.count);
  let lostBlocks = Math.max(0, expectedBlocks - blocks);
  let firstDataOffset: number | undefined;
  let dataEnd = 0;
  for await (const { start, length } of blocksOf(tiff, tables)) {
    if (start === 0 || length === 0) {
      // Both are zero for a sparse block; of the only block of an image every reader knows the length.
      if (length > 0 || (start > 0 && blocks > 1)) lostBlocks += 1;
      continue;
    }
    firstDataOffset ??= start;
    dataEnd = Math.max(dataEnd, start + length);
  }
  if (dataEnd > tiff.fileBytes) throw new BrokenTiff('pixel data lies outside the file');
  return { blocks, lostBlocks, firstDataOffset, dataEnd };
}
