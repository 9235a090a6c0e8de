import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { readFile } from 'node:fs/promises';
import { colourName } from '../../support/browser/screenshots.ts';

/**
 * Runs a program of gdal-bin with a cache of tiles in `folder` only.
 * @returns its output
 */
export function runGdal(
  folder: string,
  [program, ...args]: readonly [string, ...string[]],
  input = '',
): string {
  const env = { PATH: process.env['PATH'] ?? '', GDAL_DEFAULT_WMS_CACHE_PATH: join(folder, 'cache') };
  return execFileSync(program, args, {
    cwd: folder,
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
}

/** A point in the CRS of a raster. */
export type Point = readonly [x: number, y: number];

/** Middles of every `step`th pixel of a raster that GDAL opens, by row and column, and the EPSG code of its CRS. */
export function pixelCentres(folder: string, raster: string, step: number) {
  const {
    size,
    geoTransform,
    stac,
  }: {
    readonly size: readonly [number, number];
    readonly geoTransform: readonly [number, number, number, number, number, number];
    readonly stac: { readonly 'proj:epsg': number };
  } = JSON.parse(runGdal(folder, ['gdalinfo', '-json', raster]));
  const [x0, dx, , y0, , dy] = geoTransform;
  const points: Point[] = [];
  for (let row = step >> 1; row < size[1]; row += step) {
    for (let column = step >> 1; column < size[0]; column += step) {
      points.push([x0 + (column + 0.5) * dx, y0 + (row + 0.5) * dy]);
    }
  }
  return { points, epsg: stac['proj:epsg'] };
}

/** Points in the CRS with this EPSG code. */
interface Points {
  readonly points: readonly Point[];
  readonly epsg: number;
}

/** Returns longitude and latitude of points. */
export function toLonLat(folder: string, { points, epsg }: Points): readonly Point[] {
  const args = ['-output_xy', '-s_srs', `EPSG:${epsg}`, '-t_srs', 'OGC:CRS84'] as const;
  const lines = runGdal(folder, ['gdaltransform', ...args], linesOf(points))
    .trim()
    .split('\n');
  return lines.map((line): Point => {
    const [lon = Number.NaN, lat = Number.NaN] = line.split(' ').map(Number);
    return [lon, lat];
  });
}

/** Reads the values of all bands at points. */
export function valuesAt(
  folder: string,
  raster: string,
  { points, epsg }: Points,
): readonly (readonly number[])[] {
  const args = ['gdallocationinfo', '-valonly', '-l_srs', `EPSG:${epsg}`, raster] as const;
  const lines = runGdal(folder, [...args], linesOf(points))
    .trim()
    .split('\n');
  const bands = lines.length / points.length;
  return points.map((_, index) => lines.slice(index * bands, (index + 1) * bands).map(Number));
}

const linesOf = (points: readonly Point[]) => points.map((point) => `${point.join(' ')}\n`).join('');

/** Colours of the pixels of a PNG that are not transparent, and whether all of these are opaque. */
export async function coloursOfPng(
  path: string,
): Promise<{ readonly colours: Set<string>; readonly isOpaque: boolean }> {
  const { data, channels } = decode(await readFile(path));
  const colours = new Set<string>();
  let isOpaque = true;
  for (let at = 0; at < data.length; at += channels) {
    const [red, green, blue, alpha = 255] = data.slice(at, at + channels);
    if (alpha === 0) continue;
    isOpaque &&= alpha === 255;
    colours.add(colourName([red, green, blue]));
  }
  return { colours, isOpaque };
}
