import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { UnprocessableFile } from '../../src/geo/engine.ts';
import { openRasterEngineHere } from '../support/geo/raster-conversion.ts';
import { closeAfterTests } from '../support/for-tests.ts';

/** GDAL wraps such longitudes turn by turn, which takes from seconds to for ever. */
const far = [1e300, 1e17, 1e12, 3e8];

const engine = await closeAfterTests(openRasterEngineHere());

// Without the limit, the farthest ones would exceed the limit of processor time, with another message.
describe('coordinates that lie beyond the earth', () => {
  function raster(
    name: string,
    crs: string,
    [width, height]: readonly [number, number],
    transform: number[],
  ) {
    const path = join(engine.folder, `${name}.tif`);
    const dataset = gdal.open(path, 'w', 'GTiff', width, height, 1, gdal.GDT_Byte);
    dataset.srs = gdal.SpatialReference.fromUserInput(crs);
    dataset.geoTransform = transform;
    dataset.close();
    return path;
  }
  const mercator = (left: number, top: number, step: number): string =>
    raster(`mercator-${left}`, 'EPSG:3857', [8, 8], [left, step, 0, top, 0, -step]);
  const convert = (path: string) => engine.run((geo, task) => geo.convertRaster(task), path);

  async function assemble(name: string, crs: string, coordinates: readonly number[]) {
    const path = join(engine.folder, `${name}.geojson`);
    const geometry = { type: 'Point', coordinates };
    const features = [{ type: 'Feature', properties: { a: 1 }, geometry }];
    const member = { type: 'name', properties: { name: crs } };
    await writeFile(path, JSON.stringify({ type: 'FeatureCollection', crs: member, features }));
    return await engine.run((geo, task) => geo.assembleVector(task), path);
  }
  const refused = (reason: RegExp) => (error: unknown) =>
    error instanceof UnprocessableFile && reason.test(error.message);

  for (const at of far) {
    test(`a raster at ${at} in web mercator is refused at once`, async () => {
      await assert.rejects(convert(mercator(at, at, 10)), refused(/^The raster's coordinates do not fit/));
    });

    test(`a point at ${at} in web mercator is refused at once`, async () => {
      const assembling = assemble(`mercator-${at}`, 'EPSG:3857', [at, -at]);
      await assert.rejects(assembling, refused(/^The coordinate \S+, \S+ of feature 1 does not fit/));
    });
  }

  test('those within a turn or two are taken: across the antimeridian, or behind the number of a zone', async () => {
    const { bbox } = await convert(mercator(2e7, 1e6, 1e5));
    assert.ok(bbox[0] > 179 && bbox[2] < -172, String(bbox));
    await assemble('zone', 'EPSG:2500', [13_500_000, 5_500_000]); // Pulkovo 1942, Gauss-Krüger zone 13 in full
  });

  test('a coordinate that is refused is shown as it stands in the file', async () => {
    for (const [x, y] of [
      [500_000, 5_500_000],
      [545, 50],
      [-545, 50],
    ]) {
      const assembling = assemble('metres', 'EPSG:4258', [x ?? 0, y ?? 0]);
      await assert.rejects(assembling, refused(new RegExp(`^The coordinate ${x}, ${y} of feature 1`)));
    }
  });

  test('a global grid whose step was written with few digits has all longitudes', async () => {
    const path = raster('global', 'EPSG:4326', [4320, 4], [0, 0.083_333_333_3, 0, 90, 0, -45]);
    assert.deepEqual((await convert(path)).bbox, [-180, -90, 180, 90]);
  });
});
