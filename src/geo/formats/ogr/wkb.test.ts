import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubles, wkbHead } from '../../../../test/support/geo/geopackages.ts';
import { BrokenWkb, decodeParts } from './wkb.ts';

const positions = (...values: number[]) => Buffer.concat([uint32(values.length / 2), doubles(values)]);
const line = (...values: number[]) => Buffer.concat([wkbHead(2), positions(...values)]);
const arc = (...values: number[]) => Buffer.concat([wkbHead(8), positions(...values)]);
const collect = (kind: number, ...members: readonly Buffer[]) =>
  Buffer.concat([wkbHead(kind, members.length), ...members]);

/** A polygon or triangle of one ring with heights. */
function piece(kind: number, ...values: number[]): Buffer {
  return Buffer.concat([wkbHead(1000 + kind, 1), uint32(values.length / 3), doubles(values)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function decode(wkb: Buffer) {
  const seen = { leftOut: 0, flattened: 0 };
  const parts = decodeParts(wkb, {
    leaveOut: () => (seen.leftOut += 1),
    flatten: () => (seen.flattened += 1),
  });
  return { ...parts, ...seen };
}

const ground = [0, 0, 5, 4, 0, 5, 4, 4, 5, 0, 0, 5];
const wall = [0, 0, 0, 4, 4, 0, 2, 2, 9, 0, 0, 0];

test('big-endian numbers, heights and measures of either time are read', () => {
  const big = Buffer.from('000000000140518000000000004049000000000000', 'hex');
  assert.deepEqual(decode(big).points, [70, 50]);
  for (const [kind, ordinates] of [
    [1001, 3],
    [2001, 3],
    [3001, 4],
    [0x8000_0001, 3],
    [0x4000_0001, 3],
    [0xc000_0001, 4],
  ] as const) {
    const point = Buffer.concat([wkbHead(kind), doubles([70, 50, 1, 2].slice(0, ordinates))]);
    assert.deepEqual(decode(collect(4, point, point)).points, [70, 50, 70, 50], String(kind));
  }
});

test('arcs become lines that stay on their circle, wherever they are', () => {
  const [half = []] = decode(collect(7, arc(0, 0, 1, 1, 2, 0))).lines;
  assert.deepEqual(
    [half.slice(0, 2), half.slice(-2)],
    [
      [0, 0],
      [2, 0],
    ],
  );
  assert.equal(half.length / 2, 47);
  for (let i = 0; i < half.length; i += 2)
    assert.ok(Math.abs(Math.hypot((half[i] ?? 0) - 1, half[i + 1] ?? 0) - 1) < 1e-12);
  assert.ok(half.filter((_, i) => i % 2 === 1).every((y) => y >= 0));
  assert.deepEqual(decode(arc(0, 0, 1, 0, 2, 0)).lines, [[0, 0, 1, 0, 2, 0]]);
  const whole = decode(collect(10, arc(0, 0, 2, 0, 0, 0))).polygons[0]?.[0] ?? [];
  let area = 0;
  for (let i = 0; i + 3 < whole.length; i += 2)
    area += (whole[i] ?? 0) * (whole[i + 3] ?? 0) - (whole[i + 2] ?? 0) * (whole[i + 1] ?? 0);
  assert.ok(Math.abs(Math.abs(area / 2) - Math.PI) < 0.01, String(area));
});

test('curves are put together without repeating where they meet', () => {
  const compound = collect(9, line(0, 0, 1, 0), arc(1, 0, 2, 0, 3, 0), line(3, 0, 3, 1));
  assert.deepEqual(decode(compound).lines, [[0, 0, 1, 0, 2, 0, 3, 0, 3, 1]]);
  assert.equal(decode(collect(11, compound, line(5, 5, 6, 6))).lines.length, 2);
  const surface = collect(12, collect(10, collect(9, line(0, 0, 4, 0, 4, 4), line(4, 4, 0, 0))));
  assert.deepEqual(decode(surface).polygons, [[[0, 0, 4, 0, 4, 4, 0, 0]]]);
});

test('solids are the ground that they cover; their walls are not missed', () => {
  const flat = [[[0, 0, 4, 0, 4, 4, 0, 0]]];
  for (const solid of [
    collect(1015, piece(3, ...ground), piece(3, ...wall)),
    collect(1016, piece(17, ...wall), piece(17, ...ground)),
    piece(17, ...ground),
  ])
    assert.deepEqual(decode(collect(1007, solid)), {
      points: [],
      lines: [],
      polygons: flat,
      leftOut: 0,
      flattened: 1,
    });
});

test('a solid of walls alone is missed once', () => {
  const { polygons, leftOut } = decode(collect(1016, piece(17, ...wall), piece(17, ...wall)));
  assert.deepEqual([polygons, leftOut], [[], 1]);
  assert.deepEqual(decode(collect(1016)).leftOut, 0);
});

test('what is not binary is refused, however much it says there is', () => {
  const point = Buffer.concat([wkbHead(1), doubles([70, 50])]);
  let nested = point;
  for (let depth = 0; depth < 33; depth += 1) nested = collect(7, nested);
  for (const wkb of [
    Buffer.alloc(0),
    wkbHead(1),
    Buffer.concat([Buffer.of(7), point.subarray(1)]),
    wkbHead(2, 0xffff_ffff),
    wkbHead(7, 0xffff_ffff),
    wkbHead(13, 0),
    wkbHead(4711, 0),
    collect(9, point),
    collect(1016, point),
    nested,
  ])
    assert.throws(() => decode(wkb), BrokenWkb);
});
