import type { RasterFacts, OpenRaster } from '../../geo/raster-reader.ts';
import { type Band, classNoData, floatNoData } from '../model/bands.ts';
import { cleanPixels, takerFor } from './clean-pixels.ts';
import {
  countSampled,
  type SourceCounts,
  type Positions,
  positionsOn,
  windowAround,
  sampleBilinear,
  sampleNearest,
} from './sample.ts';
import type { PixelShift } from './reference-grid.ts';
import type { Tile } from '../model/tiles.ts';
import type { Coordinates } from './transform-block.ts';

/** Limit of source pixels in memory; a tile over a finer source is filled part by part. */
const maxWindowPixels = 2 * 1024 * 1024;

export interface BandSource {
  readonly band: Band;
  readonly raster: OpenRaster;
  /** Returns a buffer for pixels; its previous contents may be overwritten. */
  make(length: number): Float32Array | Uint8Array;
}

/** Pixels of a window of the grid, in row-major order, with counts of their source; valid until the next read. */
export interface AlignedPixels {
  readonly values: Float32Array | Uint8Array;
  readonly counts: SourceCounts;
}

/** Reads a window of a source whose pixels coincide with the grid, and counts the pixels of `own`. @throws {UnreadableRaster} */
export async function readDirect(
  { band, raster, make }: BandSource,
  shift: PixelShift,
  window: Tile,
  own: Tile,
): Promise<AlignedPixels> {
  const values = emptied(make(window.width * window.height));
  const shared = overlap(window, shift, raster.facts);
  if (shared === undefined) return { values, counts: countsOf(band, own, noneSeen) };
  const pixels = await raster.read({ ...shared, x: shared.x + shift.columns, y: shared.y + shift.rows });
  const take = takerFor(pixels, band, values);
  const seen = { valid: 0, invalid: 0 };
  let covered = 0;
  for (let row = 0; row < shared.height; row += 1) {
    const from = row * shared.width;
    const to = (shared.y + row - window.y) * window.width + shared.x - window.x;
    const y = shared.y + row;
    const isOwn = y >= own.y && y < own.y + own.height;
    const begin = isOwn ? Math.max(0, own.x - shared.x) : shared.width;
    const end = isOwn ? Math.max(begin, Math.min(shared.width, own.x + own.width - shared.x)) : shared.width;
    // The halo is read too, but its pixels are counted by the tile that contains them.
    take({ from, to, length: begin });
    const counted = take({ from: from + begin, to: to + begin, length: end - begin });
    take({ from: from + end, to: to + end, length: shared.width - end });
    covered += end - begin;
    seen.valid += counted.valid;
    seen.invalid += counted.invalid;
  }
  return { values, counts: countsOf(band, own, { covered, ...seen }) };
}

/**
 * Samples a source at the pixel centres of a tile, given in the CRS of the source: classes by nearest neighbour, numbers bilinearly.
 * @throws {UnreadableRaster}
 */
export async function readSampled(
  { band, raster, make }: BandSource,
  tile: Tile,
  coordinates: Coordinates,
  makePositions: (length: number) => Positions,
): Promise<AlignedPixels> {
  const values = emptied(make(tile.width * tile.height));
  const { width, height, affine } = raster.facts;
  if (affine === undefined) throw new Error(`the raster of ${band.key} is placed nowhere`);
  const size = { width, height };
  const positions = positionsOn({ ...size, affine }, coordinates, makePositions);
  const tileWidth = tile.width;
  let [covered, valid, invalid] = [0, 0, 0];

  async function fill(part: Tile): Promise<void> {
    const window = windowAround(positions, part, tileWidth, size);
    if (window === undefined) return;
    if (window.width * window.height > maxWindowPixels && part.width * part.height > 1) {
      for (const half of halvesOf(part)) await fill(half);
      return;
    }
    const pixels = cleanPixels(await raster.read(window), band);
    const sampling = { positions, window, pixels, size, part, tileWidth };
    if (values instanceof Float32Array) sampleBilinear(sampling, values);
    else sampleNearest(sampling, values);
    const seen = countSampled(sampling, values, band);
    covered += seen.covered;
    valid += seen.valid;
    invalid += seen.invalid;
  }

  await fill({ x: 0, y: 0, width: tile.width, height: tile.height });
  return { values, counts: countsOf(band, tile, { covered, valid, invalid }) };
}

function emptied(pixels: Float32Array | Uint8Array): Float32Array | Uint8Array {
  return pixels.fill(pixels instanceof Float32Array ? floatNoData : classNoData);
}

const noneSeen: SourceCounts = { covered: 0, valid: 0, invalid: 0 };

/** Returns counts in which every pixel has a value if missing pixels count as class 0. */
function countsOf(band: Band, { width, height }: Tile, seen: SourceCounts): SourceCounts {
  const isZero = band.type === 'uint8' && band.zeroWhereMissing === true;
  return isZero ? { ...seen, valid: width * height } : seen;
}

/** Returns the part of a window of the grid that a raster covers. */
function overlap(window: Tile, shift: PixelShift, { width, height }: RasterFacts): Tile | undefined {
  const x = Math.max(window.x, -shift.columns);
  const y = Math.max(window.y, -shift.rows);
  const right = Math.min(window.x + window.width, width - shift.columns);
  const bottom = Math.min(window.y + window.height, height - shift.rows);
  return x < right && y < bottom ? { x, y, width: right - x, height: bottom - y } : undefined;
}

/** Divides a tile along its longer side. */
function halvesOf({ x, y, width, height }: Tile): readonly [Tile, Tile] {
  if (width >= height) {
    const half = Math.floor(width / 2);
    return [
      { x, y, width: half, height },
      { x: x + half, y, width: width - half, height },
    ];
  }
  const half = Math.floor(height / 2);
  return [
    { x, y, width, height: half },
    { x, y: y + half, width, height: height - half },
  ];
}
