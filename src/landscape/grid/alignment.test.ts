import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { createGdalRasterReader } from '../../geo/child/raster/raster-reader.ts';
import type { Affine } from '../../geo/raster-reader.ts';
import type { Band } from '../model/bands.ts';
import { openSources } from '../compute/sources.ts';
import { coordinatesOf, newCoordinates } from './transform-block.ts';
import { crsOf, referenceGridOf } from './reference-grid.ts';
import { landCover, precipitation } from '../model/leaves.ts';
import { writeRaster } from '../../../test/support/geo/geotiffs.ts';
import { temporaryFolder } from '../../../test/support/for-tests.ts';

type RasterToWrite = Parameters<typeof writeRaster>[1];

const reader = createGdalRasterReader();
const width = 90;
const height = 80;
const tile = { x: 0, y: 0, width, height };
/** Grids of one place south of Kokshetau. */
const places = {
  32642: [500_000, 300, 0, 5_830_000, 0, -300],
  4326: [69, 0.004, 0, 52.6, 0, -0.003],
} as const satisfies Record<number, Affine>;

const folder = await temporaryFolder();

/** Aligns a source with the tile of a grid. */
async function aligned(band: Band, source: RasterToWrite, epsg: keyof typeof places = 32642) {
  const path = join(folder, 'source.tif');
  writeRaster(path, source);
  const grid = await gridIn(epsg);
  using sources = await openSources(reader, grid, [{ band, path }]);
  const read = (await sources.readTile(tile, 'dem')).get(band.key);
  assert.ok(read !== undefined);
  return { ...read, grid };
}

async function gridIn(epsg: keyof typeof places) {
  const path = join(folder, 'grid.tif');
  writeRaster(path, { width, height, epsg, affine: places[epsg], value: () => 0 });
  using raster = await reader.open(path);
  const grid = referenceGridOf(raster.facts);
  assert.ok(typeof grid === 'object');
  return grid;
}

/** Positions of the pixels of the grid in another CRS, transformed one by one. */
function pointsIn(epsg: number, from: keyof typeof places): readonly { x: number; y: number }[] {
  const [left, resX, , top, , minusResY] = places[from];
  const transformation = new gdal.CoordinateTransformation(
    gdal.SpatialReference.fromEPSG(from),
    gdal.SpatialReference.fromEPSG(epsg),
  );
  return Array.from({ length: width * height }, (_, i) => {
    const x = left + ((i % width) + 0.5) * resX;
    const y = top + (Math.floor(i / width) + 0.5) * minusResY;
    return transformation.transformPoint(x, y);
  });
}

describe('A source in another CRS', () => {
  const sources: Readonly<
    Record<number, { size: readonly [number, number]; affine: Affine; from: keyof typeof places }>
  > = {
    4326: { size: [60, 50], affine: [68.9, 0.01, 0, 52.7, 0, -0.01], from: 32642 },
    4284: { size: [600, 500], affine: [68.9, 0.001, 0, 52.7, 0, -0.001], from: 32642 },
    3857: { size: [200, 200], affine: [7_670_000, 400, 0, 6_920_000, 0, -400], from: 32642 },
    32642: { size: [300, 300], affine: [490_000, 150, 0, 5_835_000, 0, -150], from: 4326 },
    28412: { size: [100, 100], affine: [12_490_000, 450, 0, 5_840_000, 0, -450], from: 4326 },
  };

  for (const [code, { size, affine, from }] of Object.entries(sources)) {
    const epsg = Number(code);
    test(`EPSG:${epsg} is interpolated where the pixels of a grid in EPSG:${from} lie in it`, async () => {
      // Interpolation between points of a plane returns points of the plane.
      const [left, resX, , top, , minusResY] = affine;
      const plane = (x: number, y: number) => 1000 + (3 * (x - left)) / resX + (4 * (y - top)) / minusResY;
      const value = (column: number, row: number) =>
        plane(left + (column + 0.5) * resX, top + (row + 0.5) * minusResY);
      const raster = { width: size[0], height: size[1], epsg, affine, value };
      const { values, counts } = await aligned(precipitation, raster, from);
      assert.deepEqual(counts, { covered: width * height, valid: width * height, invalid: 0 });
      for (const [i, { x, y }] of pointsIn(epsg, from).entries()) {
        const expected = plane(x, y);
        assert.ok(Math.abs((values[i] ?? 0) - expected) < 1e-3, `pixel ${i}: ${values[i]}, not ${expected}`);
      }
    });
  }

  test('is looked at where each point is transformed to, to a millionth of a pixel', async () => {
    const grid = await gridIn(32642);
    for (const epsg of [4326, 4284, 3857]) {
      const path = join(folder, 'other.tif');
      writeRaster(path, { width: 1, height: 1, epsg, affine: places[4326], value: () => 0 });
      using other = await reader.open(path);
      assert.ok(other.facts.crs !== undefined);
      const transform = reader.transformation(crsOf(grid), other.facts.crs);
      const { xs, ys } = coordinatesOf(grid, tile, transform, newCoordinates);
      const points = pointsIn(epsg, 32642);
      const pixel = Math.abs((points[1]?.x ?? 0) - (points[0]?.x ?? 0));
      for (const [i, { x, y }] of points.entries()) {
        const off = Math.hypot((xs[i] ?? 0) - x, (ys[i] ?? 0) - y);
        assert.ok(off < 1e-6 * pixel, `EPSG:${epsg}, pixel ${i}: ${off / pixel}`);
      }
    }
  });

  test('gives classes of the pixels in which those of the grid lie', async () => {
    const affine = [68.9, 0.01, 0, 52.7, 0, -0.01] as const;
    const { classes } = landCover;
    const classAt = (column: number, row: number) => classes[(column * 3 + row) % classes.length] ?? 0;
    const raster = { width: 60, height: 50, epsg: 4326, dataType: 'Byte', affine, value: classAt };
    const { values } = await aligned(landCover, raster);
    for (const [i, { x, y }] of pointsIn(4326, 32642).entries()) {
      assert.equal(
        values[i],
        classAt(Math.floor((x - 68.9) / 0.01), Math.floor((52.7 - y) / 0.01)),
        `pixel ${i}`,
      );
    }
  });
});
