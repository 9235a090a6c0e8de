import type { FileHandle } from 'node:fs/promises';
import { BrokenTiff } from './walk.ts';
import { ghostAreaProblems, readTiffLayout, type TiffDirectory, type TiffLayout } from './layout.ts';

/** Larger rasters require overviews. */
export const maxSideWithoutOverview = 512;
/** With larger tiles, a viewer would read too much for one screen. */
const maxTileSide = 2048;

export type CogStructure = Awaited<ReturnType<typeof readCogStructure>>;

/**
 * Returns whether a file is a Cloud-Optimized GeoTIFF by the rules of GDAL's validator: tiles, directories at the
 * start, overviews from large to small, pixel data from the smallest overview to the full resolution, and a correct
 * ghost area. In addition, requires tiles for a small raster, an overview for a large one, and a single image.
 * @throws {BrokenTiff} if the file is not a TIFF, has offsets outside itself, or contains a loop.
 */
export async function readCogStructure(file: FileHandle) {
  const layout = await readTiffLayout(file);
  const [main, ...others] = layout.directories;
  if (main === undefined) throw new BrokenTiff('there is no image');
  const overviews = others.filter((image) => image.reduced && !image.mask);
  const masks = others.filter((image) => image.mask);
  const otherImages = others.length - overviews.length - masks.length;
  const problems = [
    ...headProblems(layout, main),
    ...tileProblems([main, ...overviews, ...masks]),
    ...overviewProblems(main, overviews),
    ...maskProblems([main, ...overviews], masks),
    ...orderProblems([main, ...overviews]),
    ...(otherImages > 0 ? ['there is more than one image'] : []),
    ...(await ghostAreaProblems(layout)),
  ];
  return {
    width: main.width,
    height: main.height,
    /** Number of bands in the file; programs that convert colours report another number. */
    bands: main.bands,
    /** 0 for a raster in strips. */
    tileWidth: main.tile?.width ?? 0,
    tileHeight: main.tile?.height ?? 0,
    bigTiff: layout.bigTiff,
    /** From large to small. */
    overviews: overviews.map(({ width, height }) => ({ width, height })),
    masks: masks.length,
    /** Further images besides the first one, its overviews and masks. */
    otherImages,
    /** True if the file locates all its pixels; GDAL reads others as zeros. */
    hasPixels: [main, ...masks.filter((mask) => hasSizeOf(mask, main))].every(isWhole),
    isCog: problems.length === 0,
    /** Reasons why it is not a COG; empty for a COG. */
    problems,
  };
}

function headProblems(layout: TiffLayout, main: TiffDirectory): string[] {
  const headerBytes = layout.bigTiff ? 16 : 8;
  const behindHeader = headerBytes + layout.ghostArea.bytes;
  // Directories start on even bytes.
  const atHead = main.offset === behindHeader || main.offset === behindHeader + (behindHeader % 2);
  return atHead ? [] : [`the first directory is at byte ${main.offset}, not behind the header`];
}

function tileProblems(images: readonly TiffDirectory[]): string[] {
  return images.flatMap((image, index) => {
    if (image.tile === undefined || image.blocks === 0) return [`image ${index} is not tiled`];
    if (!isWhole(image)) return [`image ${index} lacks ${image.lostBlocks} tiles`];
    const side = Math.max(image.tile.width, image.tile.height);
    return side > maxTileSide ? [`image ${index} has tiles of ${side} pixels`] : [];
  });
}

function overviewProblems(main: TiffDirectory, overviews: readonly TiffDirectory[]): string[] {
  const side = Math.max(main.width, main.height);
  if (side > maxSideWithoutOverview && overviews.length === 0)
    return [`there is no overview for ${side} pixels`];
  return [main, ...overviews].flatMap((image, index, images) => {
    const larger = images[index - 1];
    return larger !== undefined && (image.width > larger.width || image.height > larger.height)
      ? [`overview ${index - 1} is larger than what it gives an overview of`]
      : [];
  });
}

function maskProblems(images: readonly TiffDirectory[], masks: readonly TiffDirectory[]): string[] {
  return masks.flatMap((mask, index) =>
    images.some((image) => hasSizeOf(mask, image)) ? [] : [`mask ${index} has the size of no image`],
  );
}

function orderProblems(images: readonly TiffDirectory[]): string[] {
  const problems: string[] = [];
  images.slice(1).forEach((image, index) => {
    const larger = images[index];
    if (image.offset < (larger?.offset ?? 0))
      problems.push(`the directory of overview ${index} lies too early`);
    if ((larger?.firstDataOffset ?? Infinity) < (image.firstDataOffset ?? 0))
      problems.push(`the pixels of overview ${index} lie behind those of the next larger image`);
  });
  const smallest = images.at(-1);
  if (smallest !== undefined && (smallest.firstDataOffset ?? Infinity) < smallest.offset)
    problems.push('pixel data lies before the directories');
  return problems;
}

function isWhole(image: TiffDirectory): boolean {
  return image.blocks > 0 && image.lostBlocks === 0;
}

function hasSizeOf(a: TiffDirectory, b: TiffDirectory): boolean {
  return a.width === b.width && a.height === b.height;
}
