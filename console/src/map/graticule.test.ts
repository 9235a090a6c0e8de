import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLonLat } from 'ol/proj.js';
import type { ViewCode } from '../raster/projection.ts';
import { graticuleOf } from './graticule.ts';
import { registerViews } from './views.ts';

registerViews();
const [width, height] = [1000, 700];

function linesAt(view: ViewCode, lon: number, lat: number, metresPerPixel: number) {
  const [x = 0, y = 0] = fromLonLat([lon, lat], view);
  const left = x - (width / 2) * metresPerPixel;
  const top = y + (height / 2) * metresPerPixel;
  const lines = graticuleOf(view, { left, top, metresPerPixel, width, height, ratio: 1 });
  const degreesOf = (kind: string) => lines.filter((line) => line.kind === kind).map((line) => line.degrees);
  return { lines, meridians: degreesOf('meridian'), parallels: degreesOf('parallel') };
}

test('the country has a line each five degrees, named where it leaves the map', () => {
  const { lines, meridians, parallels } = linesAt('KZ:AEA', 67, 48, 3400);
  assert.ok(meridians.includes(65) && meridians.includes(70));
  assert.ok(meridians.every((degrees) => degrees % 5 === 0));
  assert.deepEqual(parallels.slice(0, 3), [40, 45, 50]);
  const middle = lines.find(({ kind, degrees }) => kind === 'meridian' && degrees === 65);
  const [x = Number.NaN, y] = middle?.namedAt ?? [];
  assert.ok(x > 400 && x < 500, `${x}`);
  assert.ok(Math.abs(y ?? Number.NaN) < 1e-6);
  const parallel = lines.find(({ kind, degrees }) => kind === 'parallel' && degrees === 45);
  assert.ok(Math.abs(parallel?.namedAt?.[0] ?? Number.NaN) < 1e-6);
});

test('the equator of Mercator is one line across the map', () => {
  const { lines } = linesAt('EPSG:3857', 0, 0, 20_000);
  const equator = lines.find(({ kind, degrees }) => kind === 'parallel' && degrees === 0);
  assert.ok(equator?.points.every(([, y]) => Math.abs(y - height / 2) < 1e-3));
});

test('the closer the view, the closer the lines, down to a second', () => {
  const stepAt = (metresPerPixel: number) => {
    const [first = 0, second = 0] = linesAt('KZ:AEA', 67, 48, metresPerPixel).meridians;
    return second - first;
  };
  assert.ok(Math.abs(stepAt(100) - 1 / 6) < 1e-6, `${stepAt(100)}`);
  assert.ok(stepAt(0.05) < 1 / 3000);
});

test('far out there are neither lines without an end nor points without a place', () => {
  for (const view of ['KZ:AEA', 'EPSG:3857'] as const) {
    const { lines } = linesAt(view, 67, 48, 100_000);
    assert.ok(lines.length > 0 && lines.length < 200);
    assert.ok(lines.every(({ points }) => points.every((point) => point.every(Number.isFinite))));
  }
});
