import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contrast } from '../style/sld-contrast.ts';
import { bandColouringOf } from './band-colour.ts';
import { coloursBeneath, type Curve, curveOf, greysOf, rawCurveOf, shadeOf } from './curves.ts';
import { spreadOf } from './stretch.ts';

const plain = { scale: 1, offset: 0 };
const spread = spreadOf(
  Float64Array.from({ length: 101 }, (_, index) => 200 + 30 * index),
  plain,
);
const wide = { spread, isShade: false };
const bytes = { spread, isShade: true };

/** Returns the red of samples. */
function drawn(curve: Curve | undefined, samples: readonly number[]): number[] {
  const pixels = new Uint32Array(samples.length);
  const bands = [0, 1, 2].map(() => Float64Array.from(samples));
  bandColouringOf({ meaning: 'rgb', curves: [curve, curve, curve], opaque: 255 })(bands, undefined, pixels);
  const parts = new Uint8Array(pixels.buffer);
  return samples.map((_, index) => parts[4 * index] ?? -1);
}

const samples = [0, 200, 260, 1700, 3140, 3200, 9000];
const expected: readonly (readonly [Contrast | undefined, readonly number[]])[] = [
  [undefined, [0, 0, 0, 128, 255, 255, 255]],
  [{ method: 'normalize' }, [0, 0, 5, 128, 250, 255, 255]],
  [{ method: 'stretch', range: [200, 1700] }, [0, 0, 10, 255, 255, 255, 255]],
  [{ method: 'stretch', range: [1700, 200] }, [255, 255, 245, 0, 0, 0, 0]],
  [{ method: 'clip', range: [200, 3200] }, [0, 0, 5, 128, 250, 255, 255]],
  [{ method: 'clip_to_zero', range: [200, 1700] }, [0, 30, 39, 255, 0, 0, 0]],
  [{ method: 'histogram' }, [0, 0, 5, 128, 250, 255, 255]],
  [{ method: 'stretch', range: [200, 3200], gamma: 0.5 }, [0, 0, 36, 180, 252, 255, 255]],
  [{ method: 'normalize', gamma: 2 }, [0, 0, 0, 64, 245, 255, 255]],
];
for (const [contrast, shades] of expected) {
  test(`samples of 16 bits: ${JSON.stringify(contrast ?? 'without contrast')}`, () => {
    const curve = curveOf(contrast, wide);
    const near = drawn(curve, samples).map((shade, index) => Math.abs(shade - (shades[index] ?? 0)) <= 1);
    assert.ok(near.every(Boolean), String(drawn(curve, samples)));
  });
}

test('bytes are shades as they are; clipped, they stay so between the bounds', () => {
  assert.equal(curveOf(undefined, bytes), undefined);
  assert.deepEqual(drawn(undefined, [0, 7, 255]), [0, 7, 255]);
  const some = [0, 32, 33, 100, 227, 228, 255];
  assert.deepEqual(
    drawn(curveOf({ method: 'clip', range: [33, 227] }, bytes), some),
    [33, 33, 33, 100, 227, 227, 227],
  );
  assert.deepEqual(
    drawn(curveOf({ method: 'clip_to_zero', range: [33, 227] }, bytes), some),
    [0, 0, 33, 100, 227, 0, 0],
  );
  assert.deepEqual(
    drawn(curveOf({ method: 'stretch', range: [0, 51] }, bytes), [0, 10, 51, 99]),
    [0, 50, 255, 255],
  );
});

test('equal shares of uneven values have equal shares of the shades', () => {
  const skewed = spreadOf(
    Float64Array.from({ length: 1001 }, (_, index) => (index / 10) ** 3),
    plain,
  );
  const curve = curveOf({ method: 'histogram' }, { spread: skewed, isShade: false }) ?? [];
  for (const part of [0.25, 0.5, 0.75])
    assert.ok(Math.abs(shadeOf(curve, (100 * part) ** 3) - 255 * part) < 3);
});

test('a curve of values turns into one of samples, the other way round where the scale is negative', () => {
  const curve = [
    [0, 0],
    [1, 255],
  ] as const;
  const band = { type: { format: 2, bits: 16 }, scale: -0.0001, offset: 1 };
  assert.deepEqual(rawCurveOf(curve, band), [
    [0, 255],
    [10_000, 0],
  ]);
  assert.deepEqual(drawn(rawCurveOf(curve, band), [-1, 0, 5000, 10_000, 20_000]), [255, 255, 128, 0, 0]);
});

test('greys of a curve, and classes above a stretch', () => {
  assert.deepEqual(greysOf([[5, 127.6]]).stops, [{ value: 5, colour: [128, 128, 128, 255], label: '' }]);
  const stop = (value: number) => ({ value, colour: [1, 2, 3, 255] as const, label: '' });
  const classes = { kind: 'intervals', stops: [stop(0), stop(51), stop(300)] } as const;
  const beneath = coloursBeneath(classes, [
    [100, 0],
    [200, 255],
  ]);
  assert.deepEqual(
    beneath.stops.map(({ value }) => value),
    [120, Infinity],
  );
});
