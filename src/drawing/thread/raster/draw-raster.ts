import { colourBands } from '../../../portrayal/raster/colour.ts';
import type { Lattice } from '../../../portrayal/raster/lattice.ts';
import { encodeIndexedPng } from '../../png/indexed-png.ts';
import { encodeRgbaPng } from '../../png/rgba-png.ts';
import type { PreparedPaint } from './prepare-paint.ts';
import { type DrawnRaster, readSquare } from './read-square.ts';

/**
 * Draws a square of a raster as PNG of `size` by `size` pixels; undefined when nothing of the raster is in it.
 * @throws {Problem} as `readSquare` does.
 */
export async function drawRaster(
  raster: DrawnRaster,
  paint: PreparedPaint,
  lattices: readonly Lattice[],
  size: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { alphaBand } = raster.head;
  const alpha = alphaBand === undefined ? [] : [alphaBand];
  const bands = paint.kind === 'bands' ? [...paint.bands, ...alpha] : [paint.band, ...alpha];
  const values = await readSquare(raster, lattices, { size, bands });
  const [first] = values ?? [];
  if (values === undefined || first === undefined) return undefined;
  const picture = { width: size, height: size };
  if (paint.kind === 'bands') {
    const pixels = new Uint32Array(size * size);
    colourBands(values, paint.colours, pixels);
    return encodeRgbaPng({ ...picture, pixels: dimmed(pixels, paint.opacity) });
  }
  const [, opacity] = values;
  if (opacity !== undefined) hideTransparent(first, opacity);
  if (first.every(Number.isNaN)) return undefined;
  if (paint.kind === 'indexed') {
    const indices = new Uint8Array(size * size);
    paint.indexing.fill(first, indices);
    return encodeIndexedPng({ ...picture, indices, palette: paint.indexing.palette });
  }
  const pixels = new Uint32Array(size * size);
  paint.colouring(first, pixels);
  return encodeRgbaPng({ ...picture, pixels: dimmed(pixels, paint.opacity) });
}

/** Takes away values whose pixels the band of opacity hides. */
function hideTransparent(values: Float64Array, opacity: Float64Array): void {
  for (let at = 0; at < values.length; at += 1) if (!((opacity[at] ?? 0) > 0)) values[at] = Number.NaN;
}

/** The bytes of pixels, with an opacity of 0 to 1 on top of their own. */
function dimmed(pixels: Uint32Array<ArrayBuffer>, opacity: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pixels.buffer);
  if (opacity < 1)
    for (let at = 3; at < bytes.length; at += 4) bytes[at] = Math.round((bytes[at] ?? 0) * opacity);
  return bytes;
}
