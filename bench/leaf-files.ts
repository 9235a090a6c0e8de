import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import { leaves, type Leaf } from '../src/landscape/model/leaves.ts';

const execute = promisify(execFile);
const pixelMetres = 30;
/** CRS of the grid of the runs, and of leaves that must be reprojected. */
const [gridCrs, otherCrs] = [32642, 4326] as const;
/** Number of leaves with a different CRS in the run that is not aligned. */
const foreignLeaves = 6;

/** Paths of rasters by the key of the leaf. */
export type LeafFiles = ReadonlyMap<string, string>;

/** The size of a grid, pixels. */
export interface GridSize {
  readonly width: number;
  readonly height: number;
}

/** Draws all 13 leaves as floats on one grid, with smooth values and some noise over their range or classes. */
export async function drawLeaves(folder: string, size: GridSize): Promise<LeafFiles> {
  await mkdir(folder, { recursive: true });
  return new Map(leaves.map((leaf) => [leaf.key, drawLeaf(join(folder, `${leaf.key}.tif`), leaf, size)]));
}

/** Reprojects six of the leaves, never the elevation, to degrees. */
export async function moveLeaves(files: LeafFiles, folder: string): Promise<LeafFiles> {
  await mkdir(folder, { recursive: true });
  const moved = leaves.filter(({ type, key }) => type === 'float32' && key !== 'dem').slice(0, foreignLeaves);
  const paths = new Map(files);
  for (const { key } of moved) {
    const path = join(folder, `${key}.tif`);
    const options = [
      '-t_srs',
      `EPSG:${otherCrs}`,
      '-r',
      'bilinear',
      '-co',
      'TILED=YES',
      '-co',
      'COMPRESS=DEFLATE',
      '-multi',
      '-wo',
      'NUM_THREADS=ALL_CPUS',
    ];
    await execute('gdalwarp', ['-q', ...options, files.get(key) ?? '', path]);
    paths.set(key, path);
  }
  return paths;
}

/** Draws a leaf as `drawLeaves` does; returns the path. */
export function drawLeaf(path: string, leaf: Leaf, { width, height }: GridSize): string {
  const options = { TILED: 'YES', COMPRESS: 'DEFLATE', ZLEVEL: '1', PREDICTOR: '3', NUM_THREADS: 'ALL_CPUS' };
  const raster = gdal.drivers.get('GTiff').create(path, width, height, 1, 'Float32', options);
  raster.srs = gdal.SpatialReference.fromEPSG(gridCrs);
  raster.geoTransform = [455_000, pixelMetres, 0, 4_591_000, 0, -pixelMetres];
  const band = raster.bands.get(1);
  band.noDataValue = -32_768;
  const [least, most] = leaf.type === 'float32' ? (leaf.range ?? [0, 1000]) : [0, 1];
  const values = new Float32Array(width * 256);
  for (let y0 = 0; y0 < height; y0 += 256) {
    const rows = Math.min(256, height - y0);
    for (let i = 0; i < rows * width; i += 1) {
      const [x, y] = [i % width, y0 + Math.floor(i / width)];
      const share = 0.5 + 0.4 * Math.sin(x / 190) * Math.cos(y / 130) + 0.02 * noise(x, y);
      values[i] =
        leaf.type === 'float32'
          ? least + (most - least) * share * 0.3
          : (leaf.classes[Math.floor(noise(x >> 6, y >> 6) * leaf.classes.length)] ?? 0);
    }
    band.pixels.write(0, y0, width, rows, values.subarray(0, rows * width));
  }
  raster.close();
  return path;
}

/** Returns a number from 0 to 1, always the same for the same pixel. */
export function noise(x: number, y: number): number {
  const mixed = Math.imul(Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663), 2_654_435_761);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
