import { MiB } from '../../../common/units.ts';

export interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Values of all bands in one window. */
export const maxWindowValues = 4 * MiB;

/**
 * Covers a raster once with windows of bounded size that follow its blocks, so that no block is decoded twice; the
 * windows at the right and lower edge are smaller.
 */
export function* windowsOf(raster: {
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly bands: { readonly length: number };
}): Generator<Window> {
  const maxPixels = Math.max(1, Math.floor(maxWindowValues / raster.bands.length));
  const blockHeight = Math.min(raster.blockHeight, raster.height, maxPixels);
  const blockWidth = Math.min(raster.blockWidth, raster.width, Math.floor(maxPixels / blockHeight));
  const width = Math.min(
    raster.width,
    blockWidth * Math.max(1, Math.floor(maxPixels / blockHeight / blockWidth)),
  );
  // Only windows as wide as the raster may be higher than one row of blocks without splitting blocks.
  const rows = width === raster.width ? Math.max(1, Math.floor(maxPixels / width / blockHeight)) : 1;
  const height = Math.min(raster.height, rows * blockHeight);
  for (let y = 0; y < raster.height; y += height) {
    for (let x = 0; x < raster.width; x += width) {
      yield { x, y, width: Math.min(width, raster.width - x), height: Math.min(height, raster.height - y) };
    }
  }
}
