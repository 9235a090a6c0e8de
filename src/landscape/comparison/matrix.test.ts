import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AreaCounts } from '../../geo/engine.ts';
import { changeOf, matrixOf, pairsOf, type Side } from './matrix.ts';

/** Creates a generator of pseudo-random numbers that are the same in each run. */
function createNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}

interface Pixel {
  readonly a: Side;
  readonly b: Side;
  readonly area: number;
  /** -1 outside all units. */
  readonly unit: number;
}

const classes = [11, 12, 31, 40];
const units = ['111000000', '112000000', '113000000'];

function drawPixels(): readonly Pixel[] {
  const noise = createNoise(7);
  const side = (): Side => {
    const at = Math.floor(noise() * 5);
    return at === 4 ? null : (classes[at] ?? null);
  };
  return Array.from({ length: 5000 }, () => {
    // Class 12 does not occur in the first raster, and 40 not in the second.
    const [a, b] = [side(), side()];
    const unit = Math.floor(noise() * 4) - 1;
    return { a: a === 12 ? 11 : a, b: b === 40 ? null : b, area: 800 + 200 * noise(), unit };
  });
}

const pixels = drawPixels();
const outside = [0, 10_000, 0];

/** Counts pixels as the engine does, in the same form. */
function countPixels(): AreaCounts {
  const names = [...new Set(pixels.map(({ a, b }) => JSON.stringify([a, b])))];
  const tuples: readonly (readonly (number | null)[])[] = names.map((name) => JSON.parse(name));
  const areasWhere = (isWanted: (pixel: Pixel) => boolean) =>
    names.flatMap((name, index) => {
      const found = pixels.filter((pixel) => isWanted(pixel) && JSON.stringify([pixel.a, pixel.b]) === name);
      return found.length === 0 ? [] : [[index, found.reduce((sum, { area }) => sum + area, 0)] as const];
    });
  return {
    tuples,
    raster: areasWhere(() => true),
    units: units.map((id, index) => {
      const areas = areasWhere(({ unit }) => unit === index);
      const inRaster = areas.reduce((sum, [, area]) => sum + area, 0);
      const beside = outside[index] ?? 0;
      return { id, set: 'district', area_m2: inRaster + beside, areas, outside_m2: beside };
    }),
    sets: [{ set: 'district', outside: areasWhere(({ unit }) => unit === -1), overlap: [] }],
  };
}

const counted = pairsOf(countPixels(), { by: 'district', names: new Map() });
const near = (actual: number, expected: number, what: string) =>
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(1, expected),
    `${what}: ${actual}, not ${expected}`,
  );
const hectaresWhere = (isWanted: (pixel: Pixel) => boolean) =>
  pixels.reduce((sum, pixel) => sum + (isWanted(pixel) ? pixel.area : 0), 0) / 10_000;

test('the matrix is that of a count of single pixels, over the union of the classes', () => {
  const { sides, ha } = matrixOf(counted, [40, 31, 12, 11]);
  assert.deepEqual(sides, [40, 31, 12, 11, null]);
  for (const [i, from] of sides.entries())
    for (const [j, to] of sides.entries())
      near(
        ha[i]?.[j] ?? Number.NaN,
        hectaresWhere(({ a, b }) => a === from && b === to),
        `${from} to ${to}`,
      );
});

test('rows add up to the areas of the first run, columns to those of the second', () => {
  const { sides, ha } = matrixOf(counted, classes);
  for (const [i, side] of sides.entries()) {
    const [row, column] = [ha[i] ?? [], ha.map((each) => each[i] ?? Number.NaN)];
    const sumOf = (areas: readonly number[]) => areas.reduce((sum, area) => sum + area, 0);
    near(
      sumOf(row),
      hectaresWhere(({ a }) => a === side),
      `row ${side}`,
    );
    near(
      sumOf(column),
      hectaresWhere(({ b }) => b === side),
      `column ${side}`,
    );
  }
});

test('what has become of land adds up in each unit, and over all of them', () => {
  const whole = changeOf(counted, counted.raster);
  const parts = [...counted.units, counted.outside].map((part) => changeOf(counted, part));
  for (const key of ['changed_ha', 'unchanged_ha', 'only_a_ha', 'only_b_ha', 'no_data_ha'] as const)
    near(
      parts.reduce((sum, part) => sum + part[key], 0),
      whole[key],
      key,
    );
  near(
    whole.changed_ha,
    hectaresWhere(({ a, b }) => a !== null && b !== null && a !== b),
    'changed',
  );
  near(
    whole.only_a_ha,
    hectaresWhere(({ a, b }) => a !== null && b === null),
    'only a',
  );
  for (const unit of counted.units) {
    const sums = Object.values(changeOf(counted, unit)).reduce((sum, area) => sum + area, 0);
    near(sums + unit.outside_raster_ha, unit.area_ha, unit.unit.kato);
  }
});

test('a class that the legend lacks has its place behind the others, and none is left out', () => {
  const { sides } = matrixOf(counted, [31]);
  assert.deepEqual(sides, [31, 11, 12, 40, null]);
});
