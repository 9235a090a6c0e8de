import { join } from 'node:path';
import type { BandFile } from '../../../src/landscape/compute/landscape-engine.ts';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import { writeRaster } from '../geo/geotiffs.ts';

type RasterToWrite = Parameters<typeof writeRaster>[1];

const pixelMetres = 30;
const left = 455_000;
const top = 4_591_000;
/** Extent of the landscape with a margin, in degrees. */
const degrees = { west: 68.4, north: 41.6, width: 1.2, height: 0.8 };

/**
 * Writes 13 leaves of an invented landscape south of 41.2° N, where PROJ uses another transformation between
 * WGS 84 and Pulkovo 1942: on the grid, shifted on it, and coarser in four CRS, all with gaps.
 */
export function writeLandscape(
  folder: string,
  size: { readonly width: number; readonly height: number },
): BandFile[] {
  const { width, height } = size;
  const onGrid = {
    width,
    height,
    epsg: 32642,
    affine: [left, pixelMetres, 0, top, 0, -pixelMetres],
  } as const;
  const inDegrees = (epsg: number, step: number) =>
    ({
      epsg,
      width: Math.ceil(degrees.width / step),
      height: Math.ceil(degrees.height / step),
      affine: [degrees.west, step, 0, degrees.north, 0, -step],
    }) as const;
  const covers = [10, 20, 30, 40, 40, 30, 50, 60, 70, 80, 90, 100, 0];
  const rasters: Readonly<Record<string, RasterToWrite>> = {
    dem: {
      ...onGrid,
      noData: -32_768,
      value: (x, y) => (isHole(x, y) ? -32_768 : 400 + 300 * waves(x / 90, y / 70) + 40 * noise(x, y)),
    },
    'land-cover': {
      ...onGrid,
      dataType: 'Byte',
      value: (x, y) => covers[Math.floor(noise(x >> 5, y >> 5) * covers.length)] ?? 0,
    },
    'protected-areas': {
      ...onGrid,
      width: Math.floor(width / 2),
      affine: [left + 100 * pixelMetres, pixelMetres, 0, top + 50 * pixelMetres, 0, -pixelMetres],
      dataType: 'Byte',
      noData: 255,
      value: (x, y) => [0, 1, 2, 3, 255][Math.floor(noise(x >> 6, y >> 6) * 5)] ?? 0,
    },
    precipitation: {
      ...inDegrees(4326, 0.01),
      noData: Number.NaN,
      value: (x, y) => (isHole(x * 31, y * 31) ? Number.NaN : 500 + 350 * waves(x / 9, y / 7)),
    },
    pet: { ...inDegrees(4326, 0.025), value: (x, y) => 900 + 300 * waves(x / 5, y / 3) },
    'temperature-sum': {
      width: 150,
      height: 130,
      epsg: 3857,
      affine: [7_610_000, 1000, 0, 5_110_000, 0, -1000],
      dataType: 'Int16',
      noData: -1,
      value: (x, y) => Math.round(2300 + 900 * waves(x / 20, y / 15)),
    },
    'snow-depth': { ...inDegrees(4284, 0.0008), value: (x, y) => 25 + 20 * waves(x / 7, y / 8) },
    'soil-texture': {
      ...inDegrees(4284, 0.0012),
      dataType: 'Byte',
      noData: 0,
      value: (x, y) => Math.floor(noise(x >> 2, y >> 2) * 13),
    },
    'soil-organic-carbon': {
      width: 2200,
      height: 1500,
      epsg: 32642,
      affine: [left - 500, 45, 0, top + 700, 0, -45],
      dataType: 'UInt16',
      noData: 65_535,
      scale: 0.1,
      value: (x, y) => (isHole(x, y) ? 65_535 : Math.round(150 + 140 * waves(x / 30, y / 40))),
    },
    'soil-salinity': { ...inDegrees(4326, 0.003), value: (x, y) => 6 + 6.5 * waves(x / 11, y / 13) },
    ndvi: {
      ...onGrid,
      dataType: 'Int16',
      noData: -32_768,
      scale: 0.0001,
      value: (x, y) =>
        isHole(y, x) ? -32_768 : Math.round(3500 + 3000 * waves(x / 40, y / 30) + 1000 * noise(x, y)),
    },
    'distance-water': { ...onGrid, value: (x, y) => 6000 + 6000 * waves(x / 200, y / 300) },
    'distance-road': { ...inDegrees(4326, 0.004), value: (x, y) => 5000 + 5000 * waves(x / 20, y / 25) },
  };
  return leaves.map(({ key }) => {
    const path = join(folder, `${key}.tif`);
    const raster = rasters[key];
    if (raster === undefined) throw new Error(`no raster is drawn for ${key}`);
    writeRaster(path, raster);
    return { key, path };
  });
}

function waves(x: number, y: number): number {
  return Math.sin(x) * Math.cos(y);
}

/** A number from 0 to 1, reproducible for each pixel. */
export function noise(x: number, y: number): number {
  const mixed = Math.imul(Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663), 2_654_435_761);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

/** Single pixels, and squares of 32 pixels on a hundredth of the land. */
function isHole(x: number, y: number): boolean {
  return noise(x, y) < 0.003 || noise(x >> 5, (y >> 5) + 7) < 0.01;
}
