import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLonLat } from 'ol/proj.js';
import type { ViewCode } from '../../raster/projection.ts';
import { graticuleOf, isWhole } from './graticule.ts';
import { registerViews } from '../place/views.ts';

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

test('the meridian in the middle of the projection has its name, although it ends at the edge', () => {
  const { lines } = linesAt('KZ:AEA', 68.1, 52, 620);
  const middle = lines.find(({ kind, degrees }) => kind === 'meridian' && degrees === 67);
  assert.ok(middle?.namedAt !== undefined);
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

test('names tell the lines apart, and none is cut by an edge or by the buttons', () => {
  for (const metresPerPixel of [3400, 100, 8, 1, 0.05]) {
    const { lines } = linesAt('KZ:AEA', 67, 48, metresPerPixel);
    const names = lines.map(({ kind, degrees, digits }) => `${kind} ${degrees.toFixed(digits)}`);
    assert.equal(new Set(names).size, names.length, names.join(', '));
  }
  const pixels = { left: 0, top: 0, metresPerPixel: 1, width, height, ratio: 1, text: 40 };
  const isMeridianWhole = (x: number) => isWhole('meridian', [x, 0], pixels);
  assert.deepEqual([10, 20, 930, 960, 990].map(isMeridianWhole), [false, true, true, false, false]);
  assert.deepEqual(
    [3, 24, 690, 697].map((y) => isWhole('parallel', [0, y], pixels)),
    [false, true, true, false],
  );
});

test('far out there are neither lines without an end nor points without a place', () => {
  for (const view of ['KZ:AEA', 'EPSG:3857'] as const) {
    const { lines } = linesAt(view, 67, 48, 100_000);
    assert.ok(lines.length > 0 && lines.length < 200);
    assert.ok(lines.every(({ points }) => points.every((point) => point.every(Number.isFinite))));
  }
});
