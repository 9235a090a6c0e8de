import type { FileHandle } from 'node:fs/promises';
import { BrokenTiff } from './walk.ts';
import { ghostAreaProblems } from './ghost-area.ts';
import { readTiffLayout, type TiffDirectory, type TiffLayout } from './layout.ts';

/** Larger rasters need overviews. */
export const maxSideWithoutOverview = 512;
/** Larger tiles would make a viewer read too much for one screen. */
const maxTileSide = 2048;

export interface CogStructure {
  readonly width: number;
  readonly height: number;
  /** 0 for a raster in strips. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly bigTiff: boolean;
  /** From large to small. */
  readonly overviews: readonly { readonly width: number; readonly height: number }[];
  readonly masks: number;
  /** Images of other content than the first and its overviews and masks. */
  readonly otherImages: number;
  /** Whether the file tells where all its pixels are; GDAL takes those that it does not tell of for zeros. */
  readonly hasPixels: boolean;
  readonly isCog: boolean;
  /** Why it is none; empty when it is one. */
  readonly problems: readonly string[];
}

/**
 * Says whether a file is laid out as a Cloud-Optimized GeoTIFF, by the rules of GDAL's validator: tiles, directories at
 * the head, overviews from large to small, pixel data from the smallest overview to the full resolution, and what the
 * file itself says about its layout true. It is stricter in that also a small raster must be tiled, a large one must have an overview, and there is one image only.
 * @throws {BrokenTiff} when the file is no TIFF, points outside itself, or runs in a loop.
 */
export async function readCogStructure(file: FileHandle): Promise<CogStructure> {
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
    ...(await ghostAreaProblems(layout, layout.ghostArea, layout.directories)),
  ];
  return {
    width: main.width,
    height: main.height,
    tileWidth: main.tile?.width ?? 0,
    tileHeight: main.tile?.height ?? 0,
    bigTiff: layout.bigTiff,
    overviews: overviews.map(({ width, height }) => ({ width, height })),
    masks: masks.length,
    otherImages,
    hasPixels: [main, ...masks.filter((mask) => hasSizeOf(mask, main))].every(isWhole),
    isCog: problems.length === 0,
    problems,
  };
}

function headProblems(layout: TiffLayout, main: TiffDirectory): string[] {
  const headerBytes = layout.bigTiff ? 16 : 8;
  const behindHeader = headerBytes + layout.ghostArea.bytes;
  // Directories begin on even bytes.
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
  images.forEach((image, index) => {
    const larger = images[index - 1];
    if (larger === undefined) return;
    if (image.offset < larger.offset) problems.push(`the directory of overview ${index - 1} lies too early`);
    if (
      image.firstDataOffset !== undefined &&
      larger.firstDataOffset !== undefined &&
      larger.firstDataOffset < image.firstDataOffset
    ) {
      problems.push(`the pixels of overview ${index - 1} lie behind those of the next larger image`);
    }
  });
  const smallest = images.at(-1);
  if (smallest?.firstDataOffset !== undefined && smallest.firstDataOffset < smallest.offset) {
    problems.push('pixel data lies before the directories');
  }
  return problems;
}

function isWhole(image: TiffDirectory): boolean {
  return image.blocks > 0 && image.lostBlocks === 0;
}

function hasSizeOf(a: TiffDirectory, b: TiffDirectory): boolean {
  return a.width === b.width && a.height === b.height;
}
