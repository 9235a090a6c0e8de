import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColourMap } from '../style/colour-map.ts';
import { stretchedRamp } from '../style/ramps.ts';
import { legendOf, paintOf } from './paint.ts';

const red = [255, 0, 0, 255] as const;
const none = [0, 0, 0, 0] as const;
const values = { bands: 1, meaning: 'values', palette: undefined, spread: undefined } as const;
const photo = { ...values, bands: 4, meaning: 'rgb' } as const;
const colours: ColourMap = { kind: 'values', stops: [{ value: 1, colour: red, label: 'one' }] };
const plain = { colours: undefined, channels: undefined, band: 1 } as const;

test('colours of the style come first; its band is one that there is', () => {
  assert.deepEqual(paintOf(photo, { ...plain, colours, band: 3 }), { kind: 'values', band: 3, colours });
  assert.deepEqual(paintOf(values, { ...plain, colours, band: 3 }), { kind: 'values', band: 1, colours });
});

test('channels of the style are for pictures, and only where each is there', () => {
  assert.deepEqual(paintOf(photo, { ...plain, channels: [4, 3, 2] }), { kind: 'bands', bands: [4, 3, 2] });
  assert.deepEqual(paintOf(photo, { ...plain, channels: [5, 3, 2] }), { kind: 'bands', bands: [1, 2, 3] });
  assert.equal(paintOf({ ...values, bands: 4 }, { ...plain, channels: [4, 3, 2] }).kind, 'values');
});

test('without a style: a picture as it is, the palette of the file, else a stretch', () => {
  assert.deepEqual(paintOf(photo, undefined), { kind: 'bands', bands: [1, 2, 3] });
  assert.deepEqual(paintOf({ ...values, palette: [none, red] }, undefined), {
    kind: 'values',
    band: 1,
    colours: {
      kind: 'values',
      stops: [
        { value: 0, colour: none, label: '' },
        { value: 1, colour: red, label: '' },
      ],
    },
  });
  const spread = { least: 0, greatest: 100, p2: 2, p98: 98, classes: undefined };
  assert.deepEqual(paintOf({ ...values, spread }, plain), {
    kind: 'values',
    band: 1,
    colours: stretchedRamp('cividis', 2, 98),
  });
});

test('a legend of classes hides what is transparent, and numbers that no pixel has', () => {
  const stops = [
    { value: 0, colour: none, label: 'no data' },
    { value: 1, colour: red, label: '' },
    { value: 2, colour: red, label: '' },
    { value: 3, colour: red, label: 'three' },
  ];
  const shown = (kind: 'values' | 'intervals', present: readonly number[] | undefined) => {
    const legend = legendOf({ kind: 'values', band: 1, colours: { kind, stops } }, present);
    return legend.kind === 'classes'
      ? legend.entries.flatMap(({ isHidden, label }) => (isHidden ? [] : [label]))
      : [];
  };
  assert.deepEqual(shown('values', [2]), [
    { kind: 'range', from: 2, to: 2 },
    { kind: 'text', text: 'three' },
  ]);
  assert.deepEqual(shown('intervals', [2]), [
    { kind: 'range', from: 0, to: 1 },
    { kind: 'range', from: 1, to: 2 },
    { kind: 'text', text: 'three' },
  ]);
  assert.equal(shown('values', undefined).length, 3);
});

test('a legend of a ramp leaves out what is transparent; bands are colours', () => {
  const stops = [
    { value: -9999, colour: none, label: '' },
    { value: 1, colour: red, label: '' },
  ];
  assert.deepEqual(legendOf({ kind: 'values', band: 1, colours: { kind: 'ramp', stops } }, undefined), {
    kind: 'ramp',
    stops: [{ value: 1, colour: red }],
  });
  assert.deepEqual(legendOf({ kind: 'bands', bands: [1, 2, 3] }, undefined), { kind: 'colours' });
});
