import assert from 'node:assert/strict';
import { test } from 'node:test';
import gdal from 'gdal-async';
import { createTransformationToWgs84 } from './transformation.ts';

function close(actual: { x: number; y: number }, expected: readonly [lon: number, lat: number]) {
  assert.ok(
    Math.abs(actual.x - expected[0]) < 1e-6 && Math.abs(actual.y - expected[1]) < 1e-6,
    JSON.stringify(actual),
  );
}

test('EPSG:4326, which puts latitude first, is read and written longitude first', () => {
  close(createTransformationToWgs84({ epsg: 4326 }).transformPoint(71.43, 51.13), [71.43, 51.13]);
  const wkt = gdal.SpatialReference.fromEPSG(4326).toWKT();
  assert.match(wkt, /AXIS\["Latitude",NORTH\],AXIS\["Longitude",EAST\]/);
  close(createTransformationToWgs84({ wkt }).transformPoint(71.43, 51.13), [71.43, 51.13]);
});

test('a projected system gives longitude and latitude, also when its own axes are northing first', () => {
  // Central meridian of zone 42 is 69° E: easting 500 km lies on it.
  const { x, y } = createTransformationToWgs84({ epsg: 32642 }).transformPoint(500_000, 5_664_000);
  assert.ok(Math.abs(x - 69) < 1e-9);
  assert.ok(y > 51 && y < 51.2, String(y));
  // Pulkovo 1942 / Gauss-Krüger zone 12 is northing first; the central meridian is 69° E too.
  const gauss = createTransformationToWgs84({ epsg: 28412 }).transformPoint(12_500_000, 5_664_000);
  assert.ok(Math.abs(gauss.x - 69) < 0.01 && Math.abs(gauss.y - 51.1) < 0.1, JSON.stringify(gauss));
});

test('an unknown number is an error', () => {
  assert.throws(() => createTransformationToWgs84({ epsg: 999_999 }));
});

test('the data of the library itself are used: Pulkovo 1942 is moved to WGS 84, not just renamed', () => {
  const { x, y } = createTransformationToWgs84({ epsg: 4284 }).transformPoint(71.43, 51.13);
  // 59 m to the west and 47 m to the north, within the few metres that versions of the EPSG's list differ by.
  assert.ok(Math.abs(x - 71.429145) < 5e-5 && Math.abs(y - 51.130425) < 5e-5, `${x}, ${y}`);
});
