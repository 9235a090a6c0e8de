import type { FileHandle } from 'node:fs/promises';
import { tags } from './image.ts';
import { BrokenTiff, openTiff, walkDirectories, type Directory } from './walk.ts';

/** Tags that georeference an image of a GeoTIFF: pixel scale and tie points, or a transformation. */
const [pixelScale, tiePoints, transformation] = [33_550, 33_922, 34_264];
/** Flags of a smaller version of another image, and of a mask. */
const [reduced, mask] = [1, 4];

/** An image of a TIFF: its directory, and its one-based number for GDAL. */
export interface PlacedImage {
  readonly number: number;
  readonly directory: Directory;
}

/** Returns whether an image is georeferenced. */
function isPlaced({ entries }: Directory): boolean {
  return (
    entries.has(transformation) ||
    (entries.has(tiePoints) && (entries.has(pixelScale) || hasControlPoints(entries)))
  );
}

/** A tie point has six numbers; several are control points, which require no scale. */
function hasControlPoints(entries: Directory['entries']): boolean {
  return (entries.get(tiePoints)?.count ?? 0) > 6;
}

/**
 * Finds the image to read if it is not the first: some programs put a preview without georeference before the
 * georeferenced raster. Undefined if the first image is georeferenced, or none is.
 */
export async function findPlacedImage(file: FileHandle): Promise<PlacedImage | undefined> {
  let number = 0;
  try {
    for await (const directory of walkDirectories(await openTiff(file))) {
      number += 1;
      if (!isPlaced(directory)) continue;
      const kind = (await directory.number(tags.newSubfileType)) ?? 0;
      if (number === 1) return undefined;
      if ((kind & (reduced | mask)) === 0) return { number, directory };
    }
  } catch (error) {
    // Unreadable directories are refused elsewhere, or read as far as GDAL can.
    if (!(error instanceof BrokenTiff)) throw error;
  }
  return undefined;
}
