import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type gdal from 'gdal-async';
import { prepareGdal } from '../../../test/support/geo/engine-here.ts';
import type { datumShiftOf } from './datum-shift.ts';

const astana = [
  [71.4, 51.1],
  [71.5, 51.2],
] as const;
let shiftAt: typeof datumShiftOf;
let SpatialReference: typeof gdal.SpatialReference;

before(async () => {
  await prepareGdal('vector');
  ({ datumShiftOf: shiftAt } = await import('./datum-shift.ts'));
  ({ SpatialReference } = (await import('gdal-async')).default);
});

const wktOf = (epsg: number) => SpatialReference.fromEPSG(epsg).toWKT();

test('The operation by which GDAL leaves a datum is found by its result, with what a grid would improve', () => {
  assert.deepEqual(shiftAt(wktOf(28_412), astana), {
    operation: 'EPSG:5044',
    name: 'Pulkovo 1942 to WGS 84 (20)',
    accuracy_m: 3,
    better: {
      operation: 'EPSG:10964',
      name: 'Pulkovo 1942 to QazTRF-23 (1)',
      accuracy_m: 0.1,
      grid: 'qazgrid_kz.gsb',
    },
  });
  assert.deepEqual(shiftAt(wktOf(10_946), astana), {
    operation: 'EPSG:10965',
    name: 'QazTRF-23 to WGS 84 (1)',
    accuracy_m: 1,
    better: null,
  });
  // Seven parameters whose rotations are those of the coordinate frame.
  assert.equal(shiftAt(wktOf(5514), [[15, 50]])?.operation, 'EPSG:5239');
});

test('A system on WGS 84 has no shift, and parameters in the file itself have no name', () => {
  assert.equal(shiftAt(wktOf(32_642), astana), undefined);
  const own = SpatialReference.fromProj4(
    '+proj=longlat +ellps=krass +towgs84=25,-141,-78.5,0,0.35,0.736,0 +no_defs',
  );
  assert.deepEqual(shiftAt(own.toWKT(), astana), {
    operation: null,
    name: null,
    accuracy_m: null,
    better: null,
  });
  // Of an unknown datum, no operation is known.
  assert.equal(
    shiftAt(SpatialReference.fromProj4('+proj=longlat +ellps=krass +no_defs').toWKT(), astana),
    undefined,
  );
});
