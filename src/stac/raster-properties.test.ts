import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandsOf, projectionOf, readRasterReport } from './raster-properties.ts';

const report = (said: object) =>
  readRasterReport({
    report: JSON.stringify({ width: 2, height: 1, bands: 1, data_type: 'Int16', crs: 'EPSG:32642', ...said }),
  }) ?? assert.fail();
const counted = { index: 1, valid: 3, nodata: 1, min: -1, max: 3.5, mean: 1.25 };
const bands = (said: object, unit: string | null = null) =>
  bandsOf(report(said), { bands: [counted], unit }, []) ?? assert.fail();

test('statistics are of the samples as they are stored, as nodata and data_type beside them', () => {
  const statisticsBy = (said: object) => bands(said)[0]?.statistics;
  assert.deepEqual(statisticsBy({ scale: 0.1, offset: -4 }), {
    minimum: 30,
    maximum: 75,
    mean: 52.5,
    count: 3,
    valid_percent: 75,
  });
  const turned = statisticsBy({ scale: -0.5, offset: 0, data_type: 'Float32' });
  assert.deepEqual([turned?.minimum, turned?.maximum, turned?.mean], [-7, 2, -2.5]);
  const plain = statisticsBy({ data_type: 'Float32' });
  assert.deepEqual([plain?.minimum, plain?.maximum], [-1, 3.5]);
});

test('bands have the names and units of the file, and a number where it has none or one twice', () => {
  const said = { bands: 4, band_names: ['red', null, 'nir', 'nir'], band_units: ['W/m2', null] };
  assert.deepEqual(
    bands(said, 'index').map(({ name, unit }) => [name, unit]),
    [
      ['red', 'W/m2'],
      ['band_2', 'index'],
      ['band_3', 'index'],
      ['band_4', 'index'],
    ],
  );
  // A unit that a person has set is newer than the file, if there is only one band.
  assert.equal(bands({ band_units: ['dm'] }, 'm')[0]?.unit, 'm');
});

test('a reference system has the names of older and newer readers', () => {
  assert.partialDeepStrictEqual(projectionOf(report({})), { 'proj:code': 'EPSG:32642', 'proj:epsg': 32_642 });
  assert.partialDeepStrictEqual(projectionOf(report({ crs: 'PROJCRS["x"]' })), {
    'proj:code': null,
    'proj:epsg': null,
    'proj:wkt2': 'PROJCRS["x"]',
  });
});
