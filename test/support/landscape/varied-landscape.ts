import type { Affine } from '../../../src/geo/raster-reader.ts';

interface VariedLeaf {
  readonly width: number;
  readonly height: number;
  readonly affine: Affine;
  readonly epsg: number;
  readonly dataType?: string;
  readonly noData?: number;
  value(column: number, row: number): number;
}

/** Size of the grids of landscapes in pixels. */
export const variedGrid = { width: 160, height: 120 };

interface Frame {
  readonly epsg: number;
  readonly left: number;
  readonly top: number;
  /** Side of a pixel in units of the CRS. */
  readonly step: number;
  readonly seed: number;
}

/** Grids in degrees and in metres. */
export const degreesFrame: Frame = { epsg: 4326, left: 70, top: 50, step: 0.002, seed: 1 };
export const metresFrame: Frame = { epsg: 32642, left: 455_000, top: 4_591_000, step: 90, seed: 7 };

const floats = { noData: -9999 } as const;
const classes = { dataType: 'Byte', noData: 0 } as const;

/** A number from 0 to 1, reproducible for the same arguments. */
export function noiseAt(x: number, y: number, seed: number): number {
  const mixed = Math.imul(
    Math.imul(x + 17 * seed, 73_856_093) ^ Math.imul(y + seed, 19_349_663),
    2_654_435_761,
  );
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

/**
 * Draws the leaves of a landscape with all classes, ratings and rules: on the grid, shifted on it, and coarser in the same CRS, with gaps.
 */
export function variedLeaves({ epsg, left, top, step, seed }: Frame): Readonly<Record<string, VariedLeaf>> {
  const onGrid = { ...variedGrid, affine: [left, step, 0, top, 0, -step], epsg } as const;
  const coarser = (times: number) =>
    ({
      width: Math.ceil(variedGrid.width / times) + 2,
      height: Math.ceil(variedGrid.height / times) + 2,
      affine: [left - step, step * times, 0, top + step, 0, -step * times],
      epsg,
    }) as const;
  const between = (low: number, high: number, key: number) => (x: number, y: number) => {
    const wave = (Math.sin(x / 9 + key) + Math.sin(y / 7 + 2 * key)) / 4 + 0.5;
    return low + (high - low) * Math.min(1, Math.max(0, 0.8 * wave + 0.3 * noiseAt(x, y, key + seed) - 0.05));
  };
  const holed = (value: (x: number, y: number) => number, key: number) => (x: number, y: number) =>
    noiseAt(x >> 2, y >> 2, 31 * key + seed) < 0.02 ? -9999 : value(x, y);
  const oneOf = (list: readonly number[], size: number, key: number) => (x: number, y: number) =>
    list[Math.floor(noiseAt(Math.floor(x / size), Math.floor(y / size), key + seed) * list.length)] ?? 0;
  const relief = (x: number, y: number) => 400 + 30 * Math.sin(x / 25) * Math.cos(y / 18);
  return {
    dem: { ...onGrid, ...floats, value: (x, y) => relief(x, y) + (x > 80 ? 6 : 0.7) * noiseAt(x, y, seed) },
    'land-cover': {
      ...onGrid,
      ...classes,
      value: oneOf([10, 20, 30, 30, 40, 40, 60, 90, 100, 80, 50, 70, 0], 6, 3),
    },
    'protected-areas': { ...onGrid, ...classes, noData: 255, value: oneOf([0, 0, 0, 0, 1, 2, 255], 14, 5) },
    precipitation: { ...coarser(3), ...floats, value: holed(between(120, 1100, 11), 1) },
    pet: { ...coarser(5), ...floats, value: between(500, 1300, 12) },
    'temperature-sum': { ...onGrid, ...floats, value: between(1100, 3200, 13) },
    'snow-depth': { ...coarser(2), ...floats, value: between(3, 40, 14) },
    'soil-texture': { ...onGrid, ...classes, value: oneOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 5, 15) },
    'soil-organic-carbon': { ...coarser(4), ...floats, value: between(1, 40, 16) },
    'soil-salinity': { ...onGrid, ...floats, value: holed(between(0, 12, 17), 2) },
    ndvi: {
      ...onGrid,
      width: variedGrid.width - 10,
      affine: [left + 5 * step, step, 0, top, 0, -step],
      ...floats,
      value: between(0, 0.8, 18),
    },
    'distance-water': { ...onGrid, ...floats, value: between(0, 7000, 19) },
    'distance-road': { ...coarser(2), ...floats, value: between(0, 9000, 20) },
  };
}
