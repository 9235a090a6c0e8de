import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMultiPatch } from './multi-patches.ts';

type Part = readonly [kind: number, ...points: readonly number[]];

/** Contents of a record with heights of zero. */
function content(...parts: readonly Part[]): Buffer {
  const points = parts.flatMap(([, ...values]) => values);
  const bytes = Buffer.alloc(44 + 8 * parts.length + 8 * points.length);
  bytes.writeInt32LE(31, 0);
  bytes.writeUInt32LE(parts.length, 36);
  bytes.writeUInt32LE(points.length / 2, 40);
  let begin = 0;
  for (const [index, [kind, ...values]] of parts.entries()) {
    bytes.writeUInt32LE(begin, 44 + 4 * index);
    bytes.writeUInt32LE(kind, 44 + 4 * (parts.length + index));
    begin += values.length / 2;
  }
  points.forEach((value, index) => bytes.writeDoubleLE(value, 44 + 8 * parts.length + 8 * index));
  return bytes;
}

const square = [0, 0, 4, 0, 4, 4, 0, 4, 0, 0];
const inside = [1, 1, 2, 1, 2, 2, 1, 1];
const beside = [9, 9, 10, 9, 10, 10, 9, 9];

test('strips and fans are triangles', () => {
  assert.deepEqual(decodeMultiPatch(content([0, 0, 0, 1, 0, 1, 1, 2, 1]))?.parts.polygons, [
    [[0, 0, 1, 0, 1, 1, 0, 0]],
    [[1, 0, 1, 1, 2, 1, 1, 0]],
  ]);
  assert.deepEqual(decodeMultiPatch(content([1, 0, 0, 1, 0, 1, 1, 0, 1]))?.parts.polygons, [
    [[0, 0, 1, 0, 1, 1, 0, 0]],
    [[0, 0, 1, 1, 0, 1, 0, 0]],
  ]);
});

test('rings have their holes, and those that only follow stand by themselves', () => {
  const holes = decodeMultiPatch(content([2, ...square], [3, ...inside]))?.parts.polygons;
  assert.deepEqual(holes, [[square, inside]]);
  const rings = content([4, ...square], [5, ...inside], [5, ...beside], [2, ...beside]);
  assert.deepEqual(decodeMultiPatch(rings)?.parts.polygons, [[square, inside], [beside], [beside]]);
});

test('walls cover no ground', () => {
  const wall = [0, 0, 4, 4, 4, 4, 0, 0, 0, 0];
  const building = decodeMultiPatch(content([2, ...wall], [2, ...square]));
  assert.deepEqual([building?.parts.polygons, building?.leftOut], [[[square]], 0]);
  assert.equal(decodeMultiPatch(content([2, ...wall]))?.leftOut, 1);
});

test('a record that is empty or contradicts itself has no geometry', () => {
  assert.equal(decodeMultiPatch(Buffer.alloc(4)), undefined);
  const whole = content([2, ...square], [3, ...inside]);
  assert.equal(decodeMultiPatch(whole.subarray(0, -1)), undefined);
  for (const at of [36, 40, 48]) {
    const wrong = Buffer.from(whole);
    wrong.writeUInt32LE(0xffff_ffff, at);
    assert.equal(decodeMultiPatch(wrong), undefined, String(at));
  }
});
