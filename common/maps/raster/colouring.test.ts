import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColourMap, Rgba } from '../style/colour-map.ts';
import { indexingOf } from './colouring.ts';

const [red, green, blue]: Rgba[] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
];

function coloursOf(
  map: ColourMap,
  values: readonly number[],
  opacity?: number,
): readonly (Rgba | undefined)[] {
  const indexing = indexingOf(map, opacity);
  assert.ok(indexing !== undefined && indexing.palette.length <= 256);
  const indices = new Uint8Array(values.length);
  indexing.fill(Float64Array.from(values), indices);
  return Array.from(indices, (index) => indexing.palette[index]);
}

const stop = (value: number, colour: Rgba = [0, 0, 0, 255]) => ({ value, colour, label: '' });
const none: Rgba = [0, 0, 0, 0];

test('values have their own colour, others none', () => {
  const map: ColourMap = {
    kind: 'values',
    stops: [stop(-1.5, blue), stop(1, red), stop(40_000, green), stop(1e9, blue)],
  };
  assert.deepEqual(coloursOf(map, [1, 2, Number.NaN, 40_000, 1e9, -1.5, 1.5]), [
    red,
    none,
    none,
    green,
    blue,
    blue,
    none,
  ]);
});

test('intervals reach up to their value, and nothing is above the last', () => {
  const map: ColourMap = { kind: 'intervals', stops: [stop(10, red), stop(20, green)] };
  assert.deepEqual(coloursOf(map, [-5, 9.99, 10, 20, Number.NaN]), [red, red, green, none, none]);
});

test('a ramp has the colours of its stops at their values, mixtures between, and those of the ends beyond', () => {
  const map: ColourMap = { kind: 'ramp', stops: [stop(0, red), stop(10, green), stop(1000, blue)] };
  const [below, first, second, third, above, missing] = coloursOf(map, [-1, 0, 10, 1000, 5000, Number.NaN]);
  assert.deepEqual([below, first, second, third, above, missing], [red, red, green, blue, blue, none]);
  const [middle] = coloursOf(map, [5]);
  assert.ok(middle !== undefined && Math.abs(middle[0] - 128) <= 2 && Math.abs(middle[1] - 128) <= 2);
});

test('opacity is that of all colours, and what cannot be seen needs no place', () => {
  const map: ColourMap = { kind: 'values', stops: [stop(1, red), stop(2, [9, 9, 9, 0])] };
  assert.deepEqual(coloursOf(map, [1, 2], 0.5), [[255, 0, 0, 128], none]);
  assert.equal(indexingOf(map)?.palette.length, 2);
});

test('256 different colours beside the transparent one are too many, equal ones count once', () => {
  const shades = (count: number) =>
    Array.from({ length: count }, (_, i) => stop(i, [i % 256, Math.floor(i / 256), 0, 255]));
  assert.equal(indexingOf({ kind: 'values', stops: shades(255) })?.palette.length, 256);
  assert.equal(indexingOf({ kind: 'values', stops: shades(256) }), undefined);
  assert.equal(indexingOf({ kind: 'ramp', stops: shades(200) }), undefined);
  assert.equal(
    indexingOf({ kind: 'values', stops: Array.from({ length: 1000 }, (_, i) => stop(i)) })?.palette.length,
    2,
  );
});
