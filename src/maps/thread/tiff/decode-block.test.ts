import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import type { BlockFormat } from './cog-head.ts';
import { BrokenBlock, decodeBlock } from './decode-block.ts';

const plain: BlockFormat = {
  bits: 8,
  format: 1,
  compression: 1,
  predictor: 1,
  littleEndian: true,
  tileWidth: 4,
  tileHeight: 2,
  samplesPerPixel: 1,
};
const pixels = [7, 7, 7, 7, 1, 2, 3, 4];

const decode = (bytes: ArrayLike<number>, given: Partial<BlockFormat>, expected = 8) => {
  const format = { ...plain, ...given };
  const block = decodeBlock(Uint8Array.from(bytes), format, expected);
  return Array.from(block.samples(0, format.tileHeight - 1), Number);
};

/** Packs codes of `bits` each, the highest bit first. */
function packed(codes: readonly number[], bits: number): number[] {
  const text = codes.map((code) => code.toString(2).padStart(bits, '0')).join('');
  return (text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}

test('blocks are decoded by each compression', () => {
  assert.deepEqual(decode(pixels, {}), pixels);
  assert.deepEqual(decode(deflateSync(Uint8Array.from(pixels)), { compression: 8 }), pixels);
  assert.deepEqual(decode(deflateSync(Uint8Array.from(pixels)), { compression: 32_946 }), pixels);
  assert.deepEqual(decode(zstdCompressSync(Uint8Array.from(pixels)), { compression: 50_000 }), pixels);
  assert.deepEqual(decode([253, 7, 3, 1, 2, 3, 4], { compression: 32_773 }), pixels);
  // A clear code; 7; 258 is 7 7, not yet complete when it is read; 7; …; the end.
  assert.deepEqual(decode(packed([256, 7, 258, 7, 1, 2, 3, 4, 257], 9), { compression: 5 }), pixels);
});

test('LZW goes on to longer codes one code early, and begins again after a clear code', () => {
  const bytes = Array.from({ length: 600 }, (_, i) => (i * 31) % 256);
  // After 253 codes the next one has 10 bits: 258 + 253 is 511.
  const codes = [
    ...bytes.slice(0, 254).map((byte) => byte.toString(2).padStart(9, '0')),
    ...bytes.slice(254, 400).map((byte) => byte.toString(2).padStart(10, '0')),
  ];
  const again = bytes.slice(400, 600).map((byte) => byte.toString(2).padStart(9, '0'));
  const text = [
    (256).toString(2).padStart(9, '0'),
    ...codes,
    (256).toString(2).padStart(10, '0'),
    ...again,
    (257).toString(2).padStart(9, '0'),
  ].join('');
  const stream = (text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  assert.deepEqual(decode(stream, { compression: 5, tileWidth: 600, tileHeight: 1 }, 600), bytes);
});

test('differences are added up along rows, by whole numbers of the width of the samples', () => {
  assert.deepEqual(
    decode([10, 1, 1, 1, 20, 255, 255, 255], { predictor: 2 }),
    [10, 11, 12, 13, 20, 19, 18, 17],
  );
  const two = { predictor: 2, bits: 16, tileWidth: 2 };
  assert.deepEqual(decode([255, 0, 1, 0, 1, 2, 0, 1], two), [255, 256, 513, 769]);
  assert.deepEqual(decode([0, 255, 0, 1, 2, 1, 1, 0], { ...two, littleEndian: false }), [255, 256, 513, 769]);
  const floats = new Uint32Array(Float32Array.from([1.5, 2.5]).buffer);
  const differences = Uint32Array.from([floats[0] ?? 0, (floats[1] ?? 0) - (floats[0] ?? 0)]);
  const format = { predictor: 2, bits: 32, format: 3, tileWidth: 2, tileHeight: 1 };
  assert.deepEqual(decode(new Uint8Array(differences.buffer), format), [1.5, 2.5]);
  const doubles = new BigUint64Array(Float64Array.from([-1, 4]).buffer);
  const wide = BigUint64Array.from([doubles[0] ?? 0n, (doubles[1] ?? 0n) - (doubles[0] ?? 0n)]);
  assert.deepEqual(decode(new Uint8Array(wide.buffer), { ...format, bits: 64 }, 16), [-1, 4]);
});

test('whole numbers of 64 bits become the nearest doubles, with and without sign, in either order of bytes', () => {
  const wide = { bits: 64, tileWidth: 3, tileHeight: 1 };
  const numbers = [110_000_000n, -9_223_372_036_854_775_808n, 9_007_199_254_740_993n];
  const bytes = (values: readonly bigint[]) => new Uint8Array(BigInt64Array.from(values).buffer);
  const doubles = [110_000_000, -(2 ** 63), 2 ** 53];
  assert.deepEqual(decode(bytes(numbers), { ...wide, format: 2 }, 24), doubles);
  assert.deepEqual(decode(bytes([1n, -1n, 0n]), { ...wide, format: 1 }, 24), [1, 2 ** 64, 0]);
  const foreign = bytes(numbers.toReversed()).toReversed();
  assert.deepEqual(decode(foreign, { ...wide, format: 2, littleEndian: false }, 24), doubles);
  const differences = [numbers[0] ?? 0n, 1n, -3n];
  const summed = [110_000_000, 110_000_001, 109_999_998];
  assert.deepEqual(decode(bytes(differences), { ...wide, format: 2, predictor: 2 }, 24), summed);
});

test('the bytes of floats that stand apart by their weight come together', () => {
  // 1 is 3f 80 00 00, 2 is 40 00 00 00: separated by significance, then as differences.
  const format = { predictor: 3, bits: 32, format: 3, tileWidth: 2, tileHeight: 1 };
  assert.deepEqual(decode([0x3f, 1, 0x40, 0x80, 0, 0, 0, 0], format), [1, 2]);
});

test('rows are finished once each, in whatever order they are needed', () => {
  const random = (seed: number) => (seed * 2_654_435_761) >>> 24;
  const bytes = Uint8Array.from({ length: 8 * 16 * 8 }, (_, at) => random(at));
  for (const format of [
    { predictor: 2, bits: 16, littleEndian: false },
    { predictor: 2, bits: 64, format: 3 },
    { predictor: 3, bits: 32, format: 3 },
    { predictor: 3, bits: 64, format: 3 },
    { predictor: 1, bits: 32, littleEndian: false },
  ]) {
    const whole = { ...plain, tileWidth: 8, tileHeight: 16, ...format };
    const expected = (8 * 16 * format.bits) / 8;
    const make = () => decodeBlock(bytes.slice(0, expected), whole, expected);
    const atOnce = make().samples(0, 15);
    const block = make();
    for (const [first, last] of [
      [5, 6],
      [9, 9],
      [4, 10],
      [4, 10],
      [0, 15],
    ] as const) {
      const rows = block.samples(first, last).slice(first * 8, (last + 1) * 8);
      assert.deepEqual(rows, atOnce.slice(first * 8, (last + 1) * 8), JSON.stringify(format));
    }
  }
});

test('samples of less than a byte get one each', () => {
  assert.deepEqual(decode([0b1010_0000, 0b0110_0000], { bits: 1 }, 2), [1, 0, 1, 0, 0, 1, 1, 0]);
  assert.deepEqual(decode([0b0001_1011, 0b1110_0100], { bits: 2 }, 2), [0, 1, 2, 3, 3, 2, 1, 0]);
  assert.deepEqual(decode([0x12, 0x34, 0x56, 0x78], { bits: 4 }, 4), [1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a block that has another length than its pixels, or is none, is refused before it takes memory', () => {
  const isBroken = (error: unknown) => error instanceof BrokenBlock;
  const bomb = deflateSync(new Uint8Array(10_000_000));
  for (const [bytes, format] of [
    [bomb, { compression: 8 }],
    [zstdCompressSync(new Uint8Array(10_000_000)), { compression: 50_000 }],
    [deflateSync(Uint8Array.of(1, 2)), { compression: 8 }],
    [Uint8Array.of(1, 2, 3), { compression: 8 }],
    [Uint8Array.of(1, 2, 3), { compression: 1 }],
    [Uint8Array.of(1), { compression: 7 }],
    [Uint8Array.of(100, 1, 2), { compression: 32_773 }],
    [Uint8Array.of(129, 1), { compression: 32_773 }],
    [Uint8Array.of(253), { compression: 32_773 }],
    [Uint8Array.from(packed([256, 300], 9)), { compression: 5 }],
    [Uint8Array.from(packed([258, 1], 9)), { compression: 5 }],
    [Uint8Array.from(packed([256, 1, 2, 257], 9)), { compression: 5 }],
    [Uint8Array.from(packed([256, 1, 2, 3, 4, 5, 6, 7, 8, 9], 9)), { compression: 5 }],
    [Uint8Array.from(packed([256, 1], 9)), { compression: 5 }],
  ] as const) {
    assert.throws(() => decode(bytes, format), isBroken, JSON.stringify(format));
  }
});
