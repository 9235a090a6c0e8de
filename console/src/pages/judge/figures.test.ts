import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contestedIn } from './figures.ts';
import { effectsOf } from './figures.ts';
import type { JudgedLand } from './model.ts';
import { columnOf, sorted, sortingOf } from './model.ts';

const params = {
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
  tie_priority: [1, 2, 3, 4, 5],
};
const method = { area: 'geodesic, WGS 84', border: 'coverage fraction', overviews: false } as const;
const head = { run_id: 'r', unit: 'ha', method, by: 'district', districts_version: 3 } as const;
const unit = {
  kato: '111000000',
  name: 'Кокшетау',
  name_kk: 'Көкшетау',
  name_en: null,
  level: 'district',
} as const;

/** A change that moves hectares from V1 to V2. */
const change = (hectares: number) => ({
  changed_ha: hectares,
  zones: [
    { zone: 1, gained_ha: 0, lost_ha: hectares },
    { zone: 2, gained_ha: hectares, lost_ha: 0 },
    { zone: 3, gained_ha: 0, lost_ha: 0 },
  ] as const,
});

test('changes are in the order of what they move, and those that cannot be tried are left out', () => {
  const threshold = { kind: 'threshold', sectors: null, invalid: null, changed_share: null } as const;
  const sensitivity = {
    ...head,
    params,
    zoned_ha: 1000,
    cases: [
      { ...threshold, param: 'v1_min_s_e3', from: 4, to: 3, params, inert: true, raster: change(0) },
      { ...threshold, param: 'v1_min_s_e3', from: 4, to: 5, params, inert: false, raster: change(100) },
      { ...threshold, param: 'v2_min_s_e4', from: 5, to: 6, params: null, inert: false, raster: null },
      {
        ...threshold,
        kind: 'order',
        param: 'tie_priority',
        from: null,
        to: null,
        sectors: [1, 2] as const,
        params,
        inert: false,
        raster: change(300),
      } as const,
    ],
    units: [{ ...unit, zoned_ha: 50, changes: [change(0), change(20), null, change(5)] }],
  };
  const ofAll = effectsOf(sensitivity, undefined);
  assert.deepEqual(
    ofAll.map(({ hectares, share }) => [hectares, share]),
    [
      [300, 0.3],
      [100, 0.1],
      [0, 0],
    ],
  );
  assert.deepEqual(ofAll[0]?.change, { kind: 'order', sectors: [1, 2] });
  assert.deepEqual(ofAll[1]?.change, { kind: 'threshold', param: 'v1_min_s_e3', from: 4, to: 5 });
  assert.deepEqual(
    ofAll[1]?.zones.map(({ difference }) => difference),
    [-100, 100, 0],
  );
  const ofUnit = effectsOf(sensitivity, unit.kato);
  assert.deepEqual(
    ofUnit.map(({ hectares, share }) => [hectares, share]),
    [
      [20, 0.4],
      [5, 0.1],
      [0, 0],
    ],
  );
});

test('contested land is that of the grid or of a unit, by the sets of the legend', () => {
  const row = { decided_by: 'order', winner: 2 } as const;
  const conflicts = {
    ...head,
    tie_priority: params.tie_priority,
    least_s: 3,
    allocable_ha: 200,
    contested_ha: 106,
    contested_share: 0.53,
    contested_share_of_zones: 0.5,
    chosen_by_order: { share: 0.53, sentence: '' },
    rows: [
      { ...row, sectors: [2, 3], s: 4, ha: 60 },
      { ...row, sectors: [2, 3], s: 5, ha: 40 },
      { ...row, sectors: [2, 5], s: 3, ha: 6 },
    ],
    sets: [
      { sectors: [2, 3], title: '', color: '#111111', ha: 100 },
      { sectors: [1, 4], title: '', color: '#222222', ha: 0 },
      { sectors: null, title: '', color: '#333333', ha: 6 },
    ],
    units: [{ ...unit, allocable_ha: 20, contested_ha: 11, contested_share: 0.55, ha: [0, 5, 6] }],
  };
  const ofAll = contestedIn(conflicts, undefined);
  assert.deepEqual([ofAll.hectares, ofAll.share], [106, 0.53]);
  assert.deepEqual(
    ofAll.contests.map(({ key, hectares }) => [key, hectares]),
    [
      ['2-3', 100],
      ['other', 6],
    ],
  );
  const ofUnit = contestedIn(conflicts, unit.kato);
  assert.deepEqual([ofUnit.hectares, ofUnit.share], [11, 0.55]);
  assert.deepEqual(
    ofUnit.contests.map(({ key, hectares }) => [key, hectares]),
    [
      ['2-3', 5],
      ['other', 6],
    ],
  );
  assert.deepEqual(
    ofUnit.rows.map(({ sectors, ha }) => [sectors.join('-'), ha]),
    [
      ['2-5', 6],
      ['2-3', 5],
    ],
  );
});

function judged(name: string, zones: readonly number[], changed = 0): JudgedLand {
  const land = { area_ha: 0, not_allocable_ha: 0, no_data_ha: 0, ha: [] };
  const zonesBefore = zones;
  return {
    land,
    unit: { ...unit, name, outside_raster_ha: 0, ...land, zones: [0, 0, 0], functional: [] },
    mapped: 1,
    before: new Map(),
    after: new Map(),
    zonesBefore,
    zones,
    changed,
    contested: 0,
    zoned: 1,
  };
}

test('units are sorted by a column and its direction, and those alike by their names', () => {
  const rows = [judged('В', [1, 5, 0], 2), judged('А', [2, 5, 0], 3), judged('Б', [3, 4, 0], 1)];
  const order = (text: string) =>
    sorted(rows, sortingOf(text), 'ru')
      .map((row) => row.unit?.name)
      .join('');
  assert.deepEqual(['', 'v1', '-v1', '-v2', '-changed', 'nonsense', '-name'].map(order), [
    'АБВ',
    'ВАБ',
    'БАВ',
    'АВБ',
    'АВБ',
    'АБВ',
    'ВБА',
  ]);
});

test('a click on a column shows the largest numbers first, and a second one the smallest', () => {
  assert.equal(columnOf('v1', sortingOf('')), '-v1');
  assert.equal(columnOf('v1', sortingOf('-v1')), 'v1');
  assert.equal(columnOf('v2', sortingOf('-v1')), '-v2');
  assert.equal(columnOf('name', sortingOf('')), '-name');
  assert.equal(columnOf('name', sortingOf('v1')), undefined);
});
