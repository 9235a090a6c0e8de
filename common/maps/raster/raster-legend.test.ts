import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedStops } from '../legend/model.ts';
import type { ColourMap, Rgba } from '../style/colour-map.ts';
import { legendOf } from './raster-legend.ts';
import { spreadOf } from './stretch.ts';

const red: Rgba = [255, 0, 0, 255];
const none: Rgba = [0, 0, 0, 0];
const band = { type: { format: 2, bits: 16 }, scale: 1, offset: 0 };
const spreadFrom = (...samples: readonly number[]) => spreadOf(Float64Array.from(samples), band);

test('a legend of classes hides what is transparent, and numbers that no pixel has', () => {
  const stops = [
    { value: 0, colour: none, label: 'no data' },
    { value: 1, colour: red, label: '' },
    { value: 2, colour: red, label: '' },
    { value: 3, colour: red, label: 'three' },
  ];
  const shown = (kind: 'values' | 'intervals', ...samples: readonly number[]) => {
    const paint = { kind: 'values', band: 1, colours: { kind, stops } } as const;
    const legend = legendOf(paint, { spread: spreadFrom(...samples), band, opacity: 1 });
    return legend.kind === 'classes'
      ? legend.entries.flatMap(({ isHidden, label }) => (isHidden ? [] : [label]))
      : [];
  };
  assert.deepEqual(shown('values', 2), [
    { kind: 'range', from: 2, to: 2 },
    { kind: 'text', text: 'three' },
  ]);
  assert.deepEqual(shown('intervals', 2), [
    { kind: 'range', from: 0, to: 1 },
    { kind: 'range', from: 1, to: 2 },
    { kind: 'text', text: 'three' },
  ]);
  assert.equal(shown('values').length, 3);
});

test('classes in units are those of samples', () => {
  const scaled = { ...band, scale: 0.0001 };
  const stops = [0.3, 0.5].map((value) => ({ value, colour: red, label: '' }));
  const paint = { kind: 'values', band: 1, colours: { kind: 'values', stops } } as const;
  const legend = legendOf(paint, { spread: spreadFrom(3000), band: scaled, opacity: 0.5 });
  assert.ok(legend.kind === 'classes');
  assert.deepEqual(
    legend.entries.map(({ isHidden, colour }) => [isHidden, colour[3]]),
    [
      [false, 128],
      [true, 128],
    ],
  );
});

test('a ramp fades to a transparent end as far as there are values', () => {
  const map = (clear: number): ColourMap => ({
    kind: 'ramp',
    stops: [
      { value: clear, colour: [0, 0, 255, 0], label: '' },
      { value: 100, colour: [0, 0, 255, 255], label: '' },
      { value: 200, colour: red, label: '' },
    ],
  });
  const legend = (clear: number, least: number, opacity = 1) => {
    const drawn = legendOf(
      { kind: 'values', band: 1, colours: map(clear) },
      { spread: spreadFrom(least, 250), band, opacity },
    );
    return drawn.kind === 'ramp' ? drawn.stops.map(({ value, colour }) => [value, ...colour]) : [];
  };
  const rest = [
    [100, 0, 0, 255, 255],
    [200, 255, 0, 0, 255],
  ];
  assert.deepEqual(legend(0, 0), [[0, 0, 0, 255, 0], ...rest]);
  assert.deepEqual(legend(0, 50), [[50, 0, 0, 255, 128], ...rest]);
  assert.deepEqual(legend(-9999, 100), rest);
  assert.deepEqual(legend(0, 0, 0.5), [
    [0, 0, 0, 255, 0],
    [100, 0, 0, 255, 128],
    [200, 255, 0, 0, 128],
  ]);
  assert.deepEqual(
    legendOf(
      { kind: 'bands', bands: [1, 2, 3], curves: [undefined, undefined, undefined] },
      { spread: undefined, band, opacity: 1 },
    ),
    { kind: 'colours' },
  );
});

test('a ramp has the names of its stops, but for those that say its number again', () => {
  const named = [
    [-500, '-500 m'],
    [0, '0'],
    [0.1234, '0,12'],
    [1234, '1 234'],
    [5000, 'высокая'],
    [9999, '5'],
    [20_000, ' '],
  ] as const;
  const stops = named.map(([value, label]) => ({ value, colour: red, label }));
  const paint = { kind: 'values', band: 1, colours: { kind: 'ramp', stops } } as const;
  const legend = legendOf(paint, { spread: undefined, band, opacity: 1 });
  assert.ok(legend.kind === 'ramp');
  assert.deepEqual(
    legend.stops.map(({ label }) => label),
    ['-500 m', undefined, undefined, undefined, 'высокая', '5', undefined],
  );
  assert.deepEqual(
    namedStops(legend.stops).map(({ label }) => label),
    ['-500 m', 'высокая', '5'],
  );
  const many = Array.from({ length: 40 }, (_, value) => ({ value, colour: red, label: `n${value}` }));
  const listed = namedStops(many);
  assert.deepEqual([listed.length, listed[0]?.label, listed.at(-1)?.label], [12, 'n0', 'n39']);
});

test('a ramp that ends where values end has no name there', () => {
  const stops = [
    { value: 0, colour: none, label: 'nothing' },
    { value: 100, colour: red, label: 'much' },
  ];
  const paint = { kind: 'values', band: 1, colours: { kind: 'ramp', stops } } as const;
  const legend = legendOf(paint, { spread: spreadFrom(40, 100), band, opacity: 1 });
  assert.ok(legend.kind === 'ramp');
  assert.deepEqual(
    legend.stops.map(({ value, label }) => [value, label]),
    [
      [40, undefined],
      [100, 'much'],
    ],
  );
});
