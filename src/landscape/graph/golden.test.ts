import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { floatNoData } from '../model/bands.ts';
import { nodeByCode, nodes } from './graph.ts';
import { leadingSector, maxSuitability, useZone } from './nodes.ts';
import { leaves } from '../model/leaves.ts';
import cases from '../../../test/fixtures/landscape/cases.json' with { type: 'json' };
import expected from '../../../test/fixtures/landscape/expected.json' with { type: 'json' };
import inputs from '../../../test/fixtures/landscape/inputs.json' with { type: 'json' };
import {
  evaluateGraph,
  evaluateNode,
  gridOf,
  leavesOf,
  type Rasters,
} from '../../../test/support/landscape/graph.ts';

type Expected = Readonly<Record<string, readonly (readonly (number | null)[])[]>>;

const golden = leavesOf(
  Object.fromEntries(Object.entries(inputs.leaves).map(([key, rows]) => [key, rows.flat()])),
);
const parameterSets: Readonly<Record<string, object>> = expected.params;
const goldenValues: Readonly<Record<string, Expected>> = expected.values;

test('the golden 4 × 4 pixels give every output, all of them with default parameters', () => {
  assert.deepEqual(
    Object.keys(expected.values.default).toSorted(),
    nodes.map(({ code }) => code),
  );
  assertRasters(evaluateGraph(gridOf(inputs.grid), golden), expected.values.default);
});

for (const [name, values] of Object.entries(goldenValues)) {
  test(`the golden 4 × 4 pixels give the zoning of the parameters "${name}"`, () => {
    const params = parameterSets[name];
    assert.ok(params);
    assert.ok(['32', '33', '34'].every((code) => code in values));
    assertRasters(evaluateGraph(gridOf(inputs.grid), golden, { params }), values);
  });
}

for (const [name, profile] of Object.entries(cases.profiles)) {
  test(`the profile "${name}" gives what was found plausible`, () => {
    assert.equal(profile.in.length, leaves.length);
    const pixel = leavesOf(Object.fromEntries(leaves.map(({ key }, at) => [key, [profile.in[at] ?? null]])));
    const grid = gridOf({ ...inputs.grid, rows: 1, cols: 1 });
    const values = Object.fromEntries(Object.entries(profile.out).map(([code, value]) => [code, [[value]]]));
    assert.equal(Object.keys(values).length, nodes.length);
    assertRasters(evaluateGraph(grid, pixel), values);
  });
}

test('slope and ruggedness know the size of a pixel in degrees', () => {
  const { grid, dem, slope_percent, tri } = cases.geographic_slope;
  const rasters = leavesOf({
    ...Object.fromEntries(leaves.map(({ key }) => [key, dem.flat().map(() => null)])),
    dem: dem.flat(),
  });
  assertRasters(evaluateGraph(gridOf(grid), rasters), { '01': slope_percent, '02': tri });
});

test('every tie is broken as the table says', () => {
  const [, ...lines] = readTable('ties.csv');
  assert.equal(lines.length, 21);
  for (const [priority = '', suitabilities = '', most, leader] of lines) {
    const sectors = new Map(
      suitabilities.split('-').map((value, at) => [`2${at + 1}`, Uint8Array.of(Number(value))]),
    );
    const [greatest] = evaluateNode(maxSuitability, sectors);
    const [leading] = evaluateNode(leadingSector, sectors, { tie_priority: priority.split('-').map(Number) });
    assert.deepEqual([greatest, leading], [Number(most), Number(leader)], `${priority} ${suitabilities}`);
  }
});

test('all 25 zones are those of the truth table', () => {
  const [, ...lines] = readTable('zones_truth.csv');
  const rows = lines.map((line) => line.map(Number));
  assert.equal(rows.length, 5);
  for (const [suitability = 0, ...zones] of rows) {
    const assessment = new Map([
      ['31', new Uint8Array(5).fill(suitability)],
      ['26', Uint8Array.of(1, 2, 3, 4, 5)],
    ]);
    const found = evaluateNode(useZone, assessment);
    assert.deepEqual([...found], zones, `S = ${suitability}`);
  }
});

/** Asserts that classes agree exactly, and numbers to a relative 1e-5. */
function assertRasters(rasters: Rasters, values: Expected): void {
  for (const [code, rows] of Object.entries(values)) {
    const isClass = nodeByCode(code)?.output.type === 'uint8';
    const raster = [...(rasters.get(code) ?? [])];
    const wanted = rows.flat().map((value) => value ?? (isClass ? 0 : floatNoData));
    assert.equal(raster.length, wanted.length, code);
    for (const [at, value] of wanted.entries()) {
      const found = raster[at] ?? NaN;
      const isClose = isClass ? found === value : Math.abs(found - value) <= 1e-5 * Math.abs(value);
      assert.ok(isClose, `node ${code}, pixel ${at}: ${found} is not ${value}`);
    }
  }
}

function readTable(name: string): string[][] {
  const text = readFileSync(new URL(`../../../test/fixtures/landscape/${name}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
}
