import type { FileHandle } from 'node:fs/promises';
import { readGhostArea } from './ghost-area.ts';
import { BrokenTiff, openTiff, walkDirectories, type TiffFile } from './walk.ts';
import { blocksOf, readImage, type TiffImage } from './image.ts';

export type TiffLayout = Awaited<ReturnType<typeof readTiffLayout>>;
/** An image and how its blocks lie in the file. Offsets are bytes from the start of the file. */
export type TiffDirectory = TiffLayout['directories'][number];

/**
 * Walks the directories of a TIFF or BigTIFF file of either byte order; reads nothing but headers and block tables.
 * @throws {BrokenTiff} when the file is no TIFF, points outside itself, or runs in a loop.
 */
export async function readTiffLayout(file: FileHandle) {
  const tiff = await openTiff(file);
  const ghostArea = await readGhostArea(tiff);
  const directories = await Array.fromAsync(walkDirectories(tiff), async (directory) => {
    const image = await readImage(directory);
    if (image === undefined) throw new BrokenTiff('an image has no size');
    return { offset: directory.offset, ...image, ...(await blockExtent(tiff, image)) };
  });
  return { ...tiff, ghostArea, directories };
}

async function blockExtent(tiff: TiffFile, image: TiffImage) {
  const blocks = image.tables?.count ?? 0;
  let lostBlocks = Math.max(0, image.expectedBlocks - blocks);
  let firstDataOffset: number | undefined;
  let dataEnd = 0;
  for await (const { start, length } of blocksOf(tiff, image)) {
    if (start === 0 || length === 0) {
      // Both are zero for a sparse block; of the only block of an image every reader knows the length.
      if (length > 0 || (start > 0 && blocks > 1)) lostBlocks += 1;
      continue;
    }
    firstDataOffset ??= start;
    dataEnd = Math.max(dataEnd, start + length);
  }
  if (dataEnd > tiff.fileBytes) throw new BrokenTiff('pixel data lies outside the file');
  return {
    /** Tiles or strips whose place and length the file tells; 0 when it has forgotten to. */
    blocks,
    /** Tiles or strips that the image has and whose place or length the file does not tell; GDAL makes zeros of them. */
    lostBlocks,
    /** Place of the first block that holds data; undefined when all blocks are sparse. */
    firstDataOffset,
    /** End of the block that lies last in the file. */
    dataEnd,
  };
}
