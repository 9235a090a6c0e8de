import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { decode } from 'fast-png';
import type { Rgba } from '../../../common/maps/style/colour-map.ts';
import { emptyPng, encodeIndexedPng, encodeRgbaPng } from './png.ts';

/** Returns the chunks of a PNG after checking its signature, lengths and checksums. */
function chunksOf(png: Uint8Array) {
  const buffer = Buffer.from(png);
  assert.deepEqual([...buffer.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks: { type: string; data: Buffer }[] = [];
  let at = 8;
  while (at < buffer.length) {
    const end = at + 8 + buffer.readUInt32BE(at);
    assert.equal(buffer.readUInt32BE(end), crc32(buffer.subarray(at + 4, end)));
    chunks.push({
      type: buffer.toString('latin1', at + 4, at + 8),
      data: buffer.subarray(at + 8, end),
    });
    at = end + 4;
  }
  assert.equal(at, buffer.length);
  return chunks;
}

const typesOf = (png: Uint8Array) => chunksOf(png).map(({ type }) => type);
const chunkOf = (png: Uint8Array, type: string) => chunksOf(png).find((chunk) => chunk.type === type)?.data;

/** Returns the pixels of an indexed PNG as red, green, blue and opacity. */
function pixelsOfIndexed(png: Uint8Array): number[][] {
  const { width, height, data, depth, palette = [] } = decode(png);
  const rowBytes = Math.ceil((width * depth) / 8);
  return Array.from({ length: width * height }, (_, pixel) => {
    const bit = (pixel % width) * depth;
    const byte = data[Math.floor(pixel / width) * rowBytes + (bit >> 3)] ?? 0;
    const place = (byte >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
    const colour = palette[place];
    assert.ok(colour !== undefined);
    return colour.length === 3 ? [...colour, 255] : [...colour];
  });
}

/** Returns reproducible noise below `below`. */
function noise(length: number, below: number): Uint8Array {
  let state = 12_345;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  });
}

const greens = (colours: number): Rgba[] =>
  Array.from({ length: colours }, (_, place) => [0, place, 255 - place, 255]);

for (const [colours, depth] of [
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 2],
  [5, 4],
  [16, 4],
  [17, 8],
  [256, 8],
] as const) {
  test(`${colours} colours take ${depth} bits a pixel, and each pixel keeps its colour`, () => {
    // A width that ends within a byte.
    const [width, height, palette] = [61, 37, greens(colours)];
    const indices = noise(width * height, colours);
    const png = encodeIndexedPng({ width, height, indices, palette });
    assert.deepEqual(typesOf(png), ['IHDR', 'PLTE', 'IDAT', 'IEND']);
    assert.deepEqual([...(chunkOf(png, 'IHDR') ?? [])], [0, 0, 0, 61, 0, 0, 0, 37, depth, 3, 0, 0, 0]);
    assert.deepEqual(
      pixelsOfIndexed(png),
      Array.from(indices, (place) => [...(palette[place] ?? [])]),
    );
  });
}

test('only colours in use are written, and opacities up to the last that is not opaque', () => {
  const palette: readonly Rgba[] = [
    [1, 1, 1, 255],
    [2, 2, 2, 128],
    [3, 3, 3, 255],
    [4, 4, 4, 0],
    [5, 5, 5, 64],
  ];
  const indices = Uint8Array.of(0, 1, 2, 3);
  const png = encodeIndexedPng({ width: 2, height: 2, indices, palette });
  assert.deepEqual(typesOf(png), ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
  assert.deepEqual([...(chunkOf(png, 'PLTE') ?? [])], [2, 2, 2, 4, 4, 4, 1, 1, 1, 3, 3, 3]);
  assert.deepEqual([...(chunkOf(png, 'tRNS') ?? [])], [128, 0]);
  assert.deepEqual(pixelsOfIndexed(png), [
    [1, 1, 1, 255],
    [2, 2, 2, 128],
    [3, 3, 3, 255],
    [4, 4, 4, 0],
  ]);
});

test('a picture of another size than its indices, and a pixel without a colour, are refused', () => {
  const palette = greens(3);
  assert.throws(
    () => encodeIndexedPng({ width: 2, height: 2, indices: new Uint8Array(3), palette }),
    RangeError,
  );
  assert.throws(
    () => encodeIndexedPng({ width: 1, height: 2, indices: Uint8Array.of(2, 3), palette }),
    RangeError,
  );
});

test('an empty tile is transparent, and a copy that is given away leaves the next one whole', () => {
  const first = emptyPng(256);
  assert.ok(first.length < 150, `${first.length} bytes`);
  assert.deepEqual(
    new Set(pixelsOfIndexed(first).map((colour) => colour.join())),
    new Set([[0, 0, 0, 0].join()]),
  );
  structuredClone(first, { transfer: [first.buffer] });
  assert.deepEqual(decode(emptyPng(256)).width, 256);
  assert.deepEqual(decode(emptyPng(512)).height, 512);
});

test('a photograph keeps each byte; it has opacity only where it needs it', () => {
  const [width, height] = [33, 29];
  const colours = noise(width * height * 4, 256);
  const opaque = colours.map((byte, at) => (at % 4 === 3 ? 255 : byte));
  const rgb = decode(encodeRgbaPng({ width, height, pixels: opaque }));
  assert.equal(rgb.channels, 3);
  assert.deepEqual(
    [...rgb.data],
    [...opaque].filter((_, at) => at % 4 < 3),
  );
  const rgba = decode(encodeRgbaPng({ width, height, pixels: new Uint32Array(colours.buffer) }));
  assert.equal(rgba.channels, 4);
  assert.deepEqual([...rgba.data], [...colours]);
});

test('letters are not filtered, in either kind of picture', () => {
  const [width, height, palette] = [31, 17, greens(200)];
  const indices = noise(width * height, 200);
  const indexed = encodeIndexedPng({ width, height, indices, palette }, 'letters');
  assert.deepEqual(
    pixelsOfIndexed(indexed),
    Array.from(indices, (place) => [...(palette[place] ?? [])]),
  );
  const pixels = noise(width * height * 4, 256);
  const full = encodeRgbaPng({ width, height, pixels }, 'letters');
  assert.deepEqual([...decode(full).data], [...pixels]);
  for (const [png, rowBytes] of [
    [indexed, width],
    [full, width * 4],
  ] as const) {
    const rows = inflateSync(chunkOf(png, 'IDAT') ?? '');
    assert.ok(rows.every((byte, at) => at % (rowBytes + 1) > 0 || byte === 0));
  }
});

test('each row has the filter that leaves less of it', () => {
  const pixelsFrom = (red: (x: number, y: number) => number) =>
    Uint8Array.from({ length: 64 * 4 }, (_, at) =>
      at % 4 === 0 ? red((at >> 2) % 8, at >> 5) : at % 4 === 3 ? 255 : 0,
    );
  const filtersOf = (pixels: Uint8Array) => {
    const rows = inflateSync(chunkOf(encodeRgbaPng({ width: 8, height: 8, pixels }), 'IDAT') ?? '');
    return Array.from({ length: 8 }, (_, y) => rows[y * 25]);
  };
  assert.deepEqual(filtersOf(pixelsFrom((x) => x * 30)), [1, 2, 2, 2, 2, 2, 2, 2]);
  assert.deepEqual(filtersOf(pixelsFrom((_, y) => y * 30)), [1, 1, 1, 1, 1, 1, 1, 1]);
});
