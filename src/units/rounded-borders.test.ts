import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { type Borders, roundBorders } from './rounded-borders.ts';

type Ring = Borders[number][number];

const square: Ring = [
  [70, 50],
  [71, 50],
  [71, 51],
  [70, 51],
  [70, 50],
];

/** Returns a counter-clockwise square with its south-west corner at `west`, `south`. */
function boxAt(west: number, south: number, side: number): number[][] {
  const [east, north] = [west + side, south + side];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function unitsOf(text: string): Borders[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { geometry }: { geometry: { type: string; coordinates: Borders & Borders[number] } } =
        JSON.parse(line);
      return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    });
}

function doubleArea(ring: Ring): number {
  return ring.slice(1).reduce((sum, [x = 0, y = 0], index) => {
    const [x0 = 0, y0 = 0] = ring[index] ?? [];
    return sum + x0 * y - x * y0;
  }, 0);
}

/** Shifts every number by less than half a step. */
function jitter(ring: Ring): number[][] {
  return ring.map(([x = 0, y = 0], index) => [x + 0.0004 * (index % 3), y - 0.0004 * (index % 2)]);
}

describe('borders that are rounded', () => {
  test('lose decimals and the points that then coincide', () => {
    const ring = jitter(square).flatMap(([x = 0, y = 0]) => [
      [x, y],
      [x + 0.001, y + 0.001],
    ]);
    assert.deepEqual(roundBorders([[[...ring, ring[0] ?? []]]], 2), [[square]]);
    assert.deepEqual(
      roundBorders([[boxAt(70.123_456_7, 50.987_654_3, 1)]], 3)[0]?.[0]?.[0],
      [70.123, 50.988],
    );
  });

  test('lose lines there and back, wherever the ring begins', () => {
    const spike = [
      [71.5, 50],
      [72.001, 50.001],
      [71.7, 50],
      [71.7, 50.2],
      [71.7, 50.001],
    ];
    const corners = [square[0] ?? [], ...spike, ...square.slice(1, -1)];
    for (const start of corners.keys()) {
      const ring = [...corners.slice(start), ...corners.slice(0, start)];
      const [[rounded = []] = []] = roundBorders([[[...ring, ring[0] ?? []]]], 2);
      assert.deepEqual(new Set(rounded.map(String)), new Set(square.map(String)), `from ${start}`);
      assert.deepEqual(rounded[0], rounded.at(-1));
      assert.equal(doubleArea(rounded), 2);
    }
  });

  test('lose islands and holes without extent, and keep the others', () => {
    const hole = (side: number) => boxAt(70.5, 50.5, side).toReversed();
    const island = boxAt(75, 45, 0.004);
    const rounded = roundBorders([[square, hole(0.2), hole(0.003)], [island]], 2);
    assert.deepEqual(rounded, [[square, boxAt(70.5, 50.5, 0.2).toReversed()]]);
  });

  test('keep what can be seen of a unit that would vanish, and nothing of one without extent', () => {
    assert.deepEqual(roundBorders([[boxAt(75, 45, 0.004)]], 2), [[boxAt(75, 45, 0.004)]]);
    assert.deepEqual(roundBorders([[boxAt(75, 45, 0.000_002)]], 2), [[boxAt(75, 45, 0.000_002)]]);
    const line = [
      [70, 50],
      [71, 50],
      [70.5, 50],
      [70, 50],
    ];
    for (const borders of [[], [[]], [[[]]], [[line]], [[[[70, 50]]]]]) {
      assert.deepEqual(roundBorders(borders, 2), []);
    }
  });

  test('run counter-clockwise outside and clockwise around holes', () => {
    const hole = boxAt(70.25, 50.25, 0.5);
    for (const outer of [square, square.toReversed()]) {
      for (const inner of [hole, hole.toReversed()]) {
        const [[first = [], second = []] = []] = roundBorders([[outer, inner]], 2);
        assert.ok(doubleArea(first) > 0 && doubleArea(second) < 0);
      }
    }
  });

  test('take no longer than their points need', () => {
    const there = Array.from({ length: 200_000 }, (_, index) => [60 + index / 10_000, 50]);
    const ring = [...there, ...there.toReversed(), [70, 51], [60, 50]];
    const before = process.cpuUsage();
    roundBorders([[ring]], 3);
    const { user } = process.cpuUsage(before);
    // Processor time; comparing all pairs of points would take minutes.
    assert.ok(user < 10e6, `${user} µs`);
  });
});

const seeds = ['regions', 'districts'].map(
  async (name) => await readFile(new URL(`../../seeds/districts/${name}.geojsonl`, import.meta.url), 'utf8'),
);

/**
 * Counts how much more often each shortest step of a grid is passed in one direction than in the other. Opposite passes
 * of neighbours cancel out, and so do lines there and back: the result is the outline of all units together.
 */
function outlineOf(units: readonly Borders[], stepsPerDegree: number): Map<string, number> {
  const passes = new Map<string, number>();
  const step = (degrees = 0): number => Math.round(degrees * stepsPerDegree);
  for (const ring of units.flat(2)) {
    for (const [index, [x1, y1]] of ring.slice(1).entries()) {
      const [x0, y0] = [step(ring[index]?.[0]), step(ring[index]?.[1])];
      const [dx, dy] = [step(x1) - x0, step(y1) - y0];
      const steps = commonDivisor(Math.abs(dx), Math.abs(dy));
      const [right, up] = [dx / steps, dy / steps];
      const isForward = right > 0 || (right === 0 && up > 0);
      for (let at = 0; at < steps; at += 1) {
        const from = isForward ? at : at + 1;
        const key = `${x0 + from * right},${y0 + from * up} ${Math.abs(right)},${isForward ? up : -up}`;
        const count = (passes.get(key) ?? 0) + (isForward ? 1 : -1);
        if (count === 0) passes.delete(key);
        else passes.set(key, count);
      }
    }
  }
  return passes;
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}

describe('the units of Kazakhstan', () => {
  for (const decimals of [2, 3]) {
    test(`are all there with ${decimals} decimals, and no gap opens between them`, async () => {
      for (const text of await Promise.all(seeds)) {
        const units = unitsOf(text);
        const rounded = units.map((unit) => roundBorders(unit, decimals));
        assert.ok(rounded.every((unit) => unit.length > 0));
        const outline = outlineOf(rounded, 10 ** decimals);
        assert.ok(outline.size > 1000);
        const expected = outlineOf(units, 10 ** decimals);
        const steps = [...new Set([...outline.keys(), ...expected.keys()])];
        const differing = steps.filter((step) => outline.get(step) !== expected.get(step));
        assert.equal(differing.length, 0, differing.slice(0, 5).join('; '));
      }
    });
  }
});
