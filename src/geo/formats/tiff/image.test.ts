import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MiB } from '../../../lib/units.ts';
import { type DrawableImage, isDrawable } from './image.ts';

const usual: DrawableImage = {
  width: 1000,
  height: 800,
  bitsPerValue: 8,
  blockBytes: { whole: MiB, last: MiB },
  compression: 8,
  photometric: 1,
  sampleFormat: 1,
  reduced: false,
  mask: false,
};
const isDrawn = (change: Partial<DrawableImage>) => isDrawable([{ ...usual, ...change }]);

test('tiles are drawn from blocks that Node.js can decode', () => {
  const drawn = [1, 5, 8, 32_773, 32_946, 50_000];
  // CCITT, old JPEG, JPEG, LZMA, LERC, WebP, JPEG XL.
  const others = [2, 3, 4, 6, 7, 34_925, 34_887, 50_001, 50_002];
  assert.deepEqual(
    [...drawn, ...others].filter((compression) => isDrawn({ compression })),
    drawn,
  );
  assert.equal(isDrawn({ blockBytes: { whole: 16 * MiB, last: 0 } }), true);
  assert.equal(isDrawn({ blockBytes: { whole: 16 * MiB + 1, last: 0 } }), false);
});

test('tiles are drawn of plain colours and of real numbers of usual width', () => {
  const photometrics = [0, 1, 2, 3, 4, 5, 6, 8, 9, 32_844, 32_845];
  assert.deepEqual(
    photometrics.filter((photometric) => isDrawn({ photometric })),
    [0, 1, 2, 3],
  );
  const bits = [1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 64, 128];
  const drawnBits = (sampleFormat: number) =>
    bits.filter((bitsPerValue) => isDrawn({ sampleFormat, bitsPerValue }));
  for (const whole of [1, 2, 4]) assert.deepEqual(drawnBits(whole), [1, 2, 4, 8, 16, 32, 64]);
  assert.deepEqual(drawnBits(3), [32, 64]);
  for (const complex of [5, 6]) assert.deepEqual(drawnBits(complex), []);
});

test('the coarsest level is small, and each level and mask can be read', () => {
  const [wide, small] = [
    { ...usual, width: 5000 },
    { ...usual, width: 1024, reduced: true },
  ];
  const mask = { ...usual, mask: true };
  assert.equal(isDrawable([]), false);
  assert.equal(isDrawable([wide]), false);
  assert.equal(isDrawable([wide, small]), true);
  assert.equal(isDrawable([wide, { ...small, width: 1025 }]), false);
  assert.equal(isDrawable([wide, { ...small, compression: 7 }]), false);
  assert.equal(isDrawable([wide, { ...small, mask: true }]), false);
  assert.equal(isDrawable([usual, mask]), true);
  assert.equal(isDrawable([usual, { ...mask, compression: 34_925 }]), false);
});
