import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColourMap, Rgba } from '../style/colour-map.ts';
import { indexingOf } from './colouring.ts';
import { type BandValues, onlyClass, rawColoursOf, sampleOf, stopIndexOf } from './raw-colours.ts';

const red: Rgba = [255, 0, 0, 255];
const green: Rgba = [0, 255, 0, 255];
const blue: Rgba = [0, 0, 255, 255];
const names = new Map([red, green, blue].map((colour, index) => [colour.join(), 'rgb'[index]]));
const stop = (value: number, colour: Rgba = red) => ({ value, colour, label: '' });
const bytes = { type: { format: 1, bits: 8 }, scale: 1, offset: 0 };
const floats = { type: { format: 3, bits: 32 }, scale: 1, offset: 0 };
const tenThousandths = { type: { format: 2, bits: 16 }, scale: 0.0001, offset: 0 };

/** Draws samples; `.` is transparent. */
function drawn(colours: ColourMap, band: BandValues, samples: readonly number[]): string {
  const indexing = indexingOf(rawColoursOf(colours, band));
  assert.ok(indexing !== undefined);
  const indices = new Uint8Array(samples.length);
  indexing.fill(Float64Array.from(samples), indices);
  return Array.from(
    indices,
    (index) => names.get(indexing.palette[index]?.join() ?? '') ?? (index === 0 ? '.' : '?'),
  ).join('');
}

test('a quantity is rounded to floats of 32 bits, and stays as it is between whole samples', () => {
  const map: ColourMap = { kind: 'values', stops: [stop(0.1), stop(0.2, green)] };
  assert.equal(drawn(map, floats, [0.1, 0.2, 0.3].map(Math.fround)), 'rg.');
  const intervals: ColourMap = { kind: 'intervals', stops: [stop(0.1), stop(0.7, green)] };
  assert.equal(drawn(intervals, floats, [0.1, 0.7].map(Math.fround)), 'g.');
  assert.equal(drawn({ kind: 'intervals', stops: [stop(2.5), stop(9, green)] }, bytes, [2, 3]), 'rg');
  assert.equal(drawn({ kind: 'values', stops: [stop(2.5)] }, bytes, [2, 3]), '..');
});

test('quantities are in units: 3000 times 0.0001 is 0.3', () => {
  const intervals: ColourMap = { kind: 'intervals', stops: [stop(0.2), stop(0.4, green), stop(1.1, blue)] };
  assert.equal(drawn(intervals, tenThousandths, [0, 1999, 2000, 3000, 4000, 7000, 11_000]), 'rrggbb.');
  const values: ColourMap = { kind: 'values', stops: [stop(0.3), stop(0.7, green)] };
  assert.equal(drawn(values, tenThousandths, [3000, 7000, 3001]), 'rg.');
  for (let sample = -10_000; sample <= 10_000; sample += 1)
    assert.equal(sampleOf(Number((sample / 10_000).toFixed(4)), tenThousandths), sample);
});

test('a negative scale turns the order, and each bound stays on its side', () => {
  const band = { ...tenThousandths, scale: -0.1, offset: 10 };
  const map: ColourMap = { kind: 'intervals', stops: [stop(2), stop(4, green), stop(6, blue)] };
  // Values 0, 2, 3.9, 4, 5.9, 6, 10.
  const samples = [100, 80, 61, 60, 41, 40, 0];
  assert.equal(drawn(map, band, samples), 'rggbb..');
  assert.equal(drawn({ ...map, upTo: true }, band, samples), 'rrggbb.');
  const ramp: ColourMap = { kind: 'ramp', stops: [stop(2), stop(4, green)] };
  assert.equal(drawn(ramp, band, [200, 80, 60, 0]), 'rrgg');
});

test('bounds that belong to their class, for each type of samples', () => {
  const map: ColourMap = {
    kind: 'intervals',
    upTo: true,
    stops: [stop(50), stop(100, green), stop(Infinity, blue)],
  };
  for (const band of [bytes, floats]) assert.equal(drawn(map, band, [50, 51, 100, 101]), 'rggb');
  const tenths: ColourMap = { kind: 'intervals', upTo: true, stops: [stop(0.1), stop(0.7, green)] };
  assert.equal(drawn(tenths, floats, [0, 0.1, 0.100001, 0.7, 0.700001].map(Math.fround)), 'rrgg.');
  assert.equal(drawn({ ...tenths, stops: [stop(0), stop(-0, green)] }, floats, [0, -1]), 'rr');
});

test('a step of a ramp belongs to its second stop, at the upper end to the first', () => {
  const none: Rgba = [0, 0, 0, 0];
  const map: ColourMap = { kind: 'ramp', stops: [stop(10, none), stop(10), stop(20, green), stop(20, none)] };
  for (const band of [bytes, floats]) assert.equal(drawn(map, band, [9, 10, 20, 21]), '.rg.');
});

test('a scale of 0 makes all values the offset', () => {
  const band = { ...bytes, scale: 0, offset: 3 };
  assert.equal(drawn({ kind: 'intervals', stops: [stop(2), stop(4, green)] }, band, [0, 255]), 'gg');
  assert.equal(drawn({ kind: 'values', stops: [stop(2)] }, band, [0, 255]), '..');
  assert.equal(drawn({ kind: 'ramp', stops: [stop(2), stop(3, green)] }, band, [0, 255]), 'gg');
});

test('the class of a value is that of its pixel', () => {
  const map: ColourMap = { kind: 'values', stops: [stop(0.1), stop(0.2)] };
  assert.equal(stopIndexOf(map, Math.fround(0.2), floats), 1);
  assert.equal(stopIndexOf({ ...map, kind: 'intervals' }, Math.fround(0.1), floats), 1);
  assert.equal(stopIndexOf({ ...map, kind: 'intervals', upTo: true }, Math.fround(0.1), floats), 0);
  assert.equal(stopIndexOf(map, 3, floats), -1);
  assert.equal(
    drawn(onlyClass({ kind: 'values', stops: [stop(1), stop(2, green)] }, 1), bytes, [1, 2]),
    '.g',
  );
});
