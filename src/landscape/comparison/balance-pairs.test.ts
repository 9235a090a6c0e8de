import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellTableOf } from '../balance/land.ts';
import { lastCell, notAllocableCell } from '../../../common/landscape/cells.ts';
import { functionalZoning, useZone } from '../graph/nodes.ts';
import { LandscapeParams } from '../model/params.ts';
import { isFromSameLand, pairsOfBalance } from './count-change.ts';
import { changeOf, matrixOf, pairsOf, type Side } from './matrix.ts';

/** Computes the zoning by its formula, independently of the service. */
function zoneOf(number: number, params: LandscapeParams): Side {
  if (number === 0) return null;
  if (number > lastCell) return 40;
  const place = Math.floor((number - 1) / 31);
  const [s, e, mask] = [Math.floor(place / 5) + 1, (place % 5) + 1, ((number - 1) % 31) + 1];
  const sector = params.tie_priority.find((one) => Math.floor(mask / 2 ** (one - 1)) % 2 === 1) ?? 0;
  if ((e <= 2 && s >= params.v1_min_s_e12) || (e === 3 && s >= params.v1_min_s_e3)) return 10 + sector;
  if ((e === 3 && s >= params.v2_min_s_e3) || (e === 4 && s >= params.v2_min_s_e4)) return 20 + sector;
  return e >= 4 ? 31 : 32;
}

/** Pixels of every cell, of land not allocable and of no data, in two units and outside them. */
const pixels = Array.from({ length: 3 * (notAllocableCell + 1) }, (_, at) => ({
  cell: at % (notAllocableCell + 1),
  area: 500 + ((at * 7919) % 1000),
  unit: at % 7 === 0 ? undefined : at % 2 === 0 ? '111000000' : '112000000',
}));

/** Counts pixels by tuple of values, as the engine does. */
function count(tupleOf: (cell: number) => readonly Side[]) {
  const names = [...new Set(pixels.map(({ cell }) => JSON.stringify(tupleOf(cell))))];
  const areasOf = (wanted: typeof pixels) => {
    const sums = new Map<number, number>();
    for (const { cell, area } of wanted) {
      const index = names.indexOf(JSON.stringify(tupleOf(cell)));
      sums.set(index, (sums.get(index) ?? 0) + area);
    }
    return [...sums]
      .toSorted(([one], [other]) => one - other)
      .map(([index, area]): [number, number] => [index, area]);
  };
  const tuples: (number | null)[][] = names.map((name) => JSON.parse(name));
  const units = ['111000000', '112000000'].map((id) => {
    const areas = areasOf(pixels.filter(({ unit }) => unit === id));
    return {
      id,
      set: 'district',
      area_m2: areas.reduce((sum, [, area]) => sum + area, 3),
      areas,
      outside_m2: 3,
    };
  });
  const outside = areasOf(pixels.filter(({ unit }) => unit === undefined));
  return { tuples, raster: areasOf(pixels), units, sets: [{ set: 'district', outside, overlap: [] }] };
}

const table = cellTableOf(
  count((cell) => [cell === 0 ? null : cell]),
  new Map(),
  { by: 'district', districtsVersion: 1 },
);

for (const [title, changes] of [
  ['other thresholds', { v1_min_s_e12: 4, v2_min_s_e4: 3 }],
  ['another order', { tie_priority: [5, 3, 1, 4, 2] }],
  ['both', { v1_min_s_e3: 2, v2_min_s_e3: 5, tie_priority: [2, 1, 5, 3, 4] }],
] as const)
  test(`the balance has the same changes as the pixels of both zonings: ${title}`, () => {
    const a = LandscapeParams.parse({});
    const b = LandscapeParams.parse(changes);
    const fromBalance = pairsOfBalance(table, a, b);
    const fromPixels = pairsOf(
      count((cell) => [zoneOf(cell, a), zoneOf(cell, b)]),
      { by: 'district', names: new Map() },
    );
    const order = functionalZoning.legend.entries.map(({ value }) => value);
    const [one, other] = [matrixOf(fromBalance, order), matrixOf(fromPixels, order)];
    assert.deepEqual(one.sides, other.sides);
    for (const [i, row] of one.ha.entries())
      for (const [j, area] of row.entries()) assertNear(area, other.ha[i]?.[j]);
    for (const [i, unit] of fromBalance.units.entries()) {
      const same = fromPixels.units[i] ?? assert.fail();
      assert.equal(unit.unit.kato, same.unit.kato);
      assertNear(unit.area_ha, same.area_ha);
      assertNear(unit.outside_raster_ha, same.outside_raster_ha);
      const [change, counted] = [changeOf(fromBalance, unit), changeOf(fromPixels, same)];
      assert.ok(change.changed_ha > 0);
      for (const key of ['changed_ha', 'unchanged_ha', 'only_a_ha', 'no_data_ha'] as const)
        assertNear(change[key], counted[key]);
    }
    assertNear(
      changeOf(fromBalance, fromBalance.outside).changed_ha,
      changeOf(fromPixels, fromPixels.outside).changed_ha,
    );
  });

function assertNear(actual: number, expected = Number.NaN): void {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, expected), `${actual}, not ${expected}`);
}

test('zonings follow from one land while only parameters differ, and other maps never do', () => {
  const run = (params: object, group?: string, overrides: Record<string, string> = {}) => ({
    id: '1',
    status: 'succeeded' as const,
    params: LandscapeParams.parse(params),
    overrides,
    from_stage: null,
    error: null,
    created_at: '2026-01-01T00:00:00.000Z',
    started_at: null,
    finished_at: null,
    nodes: [
      {
        id: '2',
        run_id: '1',
        node_code: '01',
        stage: 0,
        status: 'succeeded' as const,
        fingerprint: '',
        inputs: [
          { group: 'landscape-in-ndvi', dataset_id: group ?? 'x' },
          ...Object.entries(overrides).map(([code, dataset_id]) => ({ group: code, dataset_id })),
        ],
        outputs: null,
        error: null,
        started_at: null,
        finished_at: null,
      },
    ],
  });
  const [a, strict] = [run({}), run({ v1_min_s_e3: 5 })];
  assert.equal(isFromSameLand(functionalZoning, a, strict), true);
  assert.equal(isFromSameLand(useZone, a, strict), false);
  assert.equal(isFromSameLand(functionalZoning, a, run({}, 'y')), false);
  assert.equal(isFromSameLand(functionalZoning, a, run({}, 'x', { 'landscape-33-use-zone': 'z' })), false);
});
