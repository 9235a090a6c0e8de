import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isOfUnit } from './by-unit.ts';
import { toDatasetAreas } from './area-answers.ts';
import { areasTable } from './areas-files.ts';
import { unitCsv } from './unit-files.ts';
import type { AreaFigures } from './area-counts.ts';
import type { AreaLevels, Unit } from './areas-schema.ts';
import { balanceOf } from '../landscape/balance/balance.ts';
import { cellTableOf } from '../landscape/balance/land.ts';
import { pairsOfBalance } from '../landscape/comparison/count-change.ts';
import { changeOf, type CountedPairs, pairsOf } from '../landscape/comparison/matrix.ts';
import { writtenLand } from '../landscape/limits/land-by-unit.ts';
import { defaultParams } from '../landscape/model/params.ts';
import { areasSection } from '../landscape/report/land-sections.ts';
import { localeOf } from '../landscape/report/pieces.ts';
import { legendWithHectares } from '../print/sheet-areas.ts';
import { countedOf } from '../print/sheets.ts';
import { statsByUnit } from '../zonal/zonal-answers.ts';

/** Square metres by tuple, from hectares of each. */
const areas = (...hectares: readonly number[]) =>
  hectares.flatMap((ha, tuple): [number, number][] => (ha === 0 ? [] : [[tuple, 10_000 * ha]]));
const unit = (id: string, set: string, own: AreaFigures['raster']) => {
  const inside = own.reduce((sum, [, area]) => sum + area, 0);
  return { id, set, areas: own, area_m2: inside + 50_000, outside_m2: 50_000 };
};

/**
 * A raster of 105 ha. Regions cover 70 ha. Districts cover 90 ha: one with a hole of 2 ha, a town in half of the hole, and two that overlap
 * on 7 ha, the second without its region. Regions and districts each extend 5 ha outside of the raster.
 */
const both: AreaFigures = {
  tuples: [[11], [22], [null]],
  raster: areas(68, 35, 2),
  units: [
    unit('100000000', 'region', areas(40, 0, 2)),
    unit('101000000', 'district', areas(38, 0, 2)),
    unit('102000000', 'district', areas(1)),
    unit('110000000', 'region', areas(28)),
    unit('111000000', 'district', areas(28)),
    unit('121000000', 'district', areas(7, 21)),
  ],
  sets: [
    { set: 'region', outside: areas(0, 35), overlap: [] },
    { set: 'district', outside: areas(1, 14), overlap: areas(7) },
  ],
};
const isDistrict = ({ set }: { readonly set: string }) => set === 'district';
const districts = { ...both, units: both.units.filter(isDistrict), sets: both.sets.filter(isDistrict) };
const codesOf = ({ units }: AreaFigures, set?: string) =>
  units.flatMap((each) => (set === undefined || each.set === set ? [each.id] : []));

const east = {
  kato: '121000000',
  name: 'Восток',
  name_kk: 'Шығыс',
  name_en: null,
  level: 'district',
} as const;
const names: ReadonlyMap<string, Unit> = new Map([[east.kato, east]]);
const wordsOf = () => ({ title: null, color: null });
const areasOf = (figures: AreaFigures, by: AreaLevels) =>
  toDatasetAreas(figures, { datasetId: '', districtsVersion: 1, digest: null, wordsOf, by, names });

/** Codes of the units and hectares outside of them, from each function that assigns land to units. */
function answersOf(figures: AreaFigures, by: AreaLevels) {
  const values = figures.units.map((each) => ({ ...each, values: null }));
  const asked = { by, stats: [], minValidShare: 0, valuesAre: 'density' } as const;
  const table = cellTableOf(figures, names, { by, districtsVersion: 1 });
  const judged = { runId: '', runCase: defaultParams, zoning: defaultParams, language: 'en' } as const;
  const [counted, balance] = [areasOf(figures, by), balanceOf(table, judged)];
  const limits = writtenLand(figures, { by, kato: undefined, names }, () => ({}));
  const pairsIn = (pairs: CountedPairs) => [
    pairs.units.map((each) => each.unit.kato),
    Object.values(changeOf(pairs, pairs.outside)).reduce((sum, ha) => sum + ha, 0),
  ];
  return {
    areas: [counted.rows.map(({ kato }) => kato), counted.outside_units.area_ha],
    balance: [balance.units.map(({ kato }) => kato), balance.outside_units.area_ha],
    limits: [limits.units.map(({ kato }) => kato), limits.outside_units.area_ha],
    pixels: pairsIn(pairsOf(figures, { by, names })),
    cells: pairsIn(pairsOfBalance(table, defaultParams, defaultParams)),
    zonal: [statsByUnit({ ...figures, units: values }, asked).map(({ kato }) => kato), 'none'],
  };
}

describe('land by unit', () => {
  for (const [title, figures, by, units, outside] of [
    ['districts', both, 'district', codesOf(districts), 15],
    ['regions', both, 'region', codesOf(both, 'region'), 35],
    ['both levels, of which regions are the whole', both, 'all', codesOf(both), 35],
    ['regions where there are none', districts, 'region', [], 105],
    ['both levels without regions', districts, 'all', codesOf(districts), 15],
  ] as const)
    test(`is the same for all by ${title}, and adds up to the raster`, () => {
      const same = [units, outside];
      const users = { areas: same, balance: same, limits: same, pixels: same, cells: same };
      assert.deepEqual(answersOf(figures, by), { ...users, zonal: [units, 'none'] });
      const { total, outside_units: none, overlap, raster } = areasOf(figures, by);
      const inside = total.area_ha - total.outside_raster_ha;
      assert.equal(inside + none.area_ha - overlap.area_ha, raster.area_ha);
    });

  test('is the same in the report, with districts whose region is missing', () => {
    const value = { regions: areasOf(both, 'region'), districts: areasOf(both, 'district') };
    const body = String(areasSection({ areas: { isPending: false, value } }, localeOf('en')).body);
    for (const code of codesOf(both)) assert.ok(body.includes(`<small>${code}</small>`), code);
  });

  test('is the same on sheets', () => {
    for (const { kato, area_ha: area } of areasOf(both, 'all').rows) {
      const place = countedOf(both, { kato }, false) ?? assert.fail(kato);
      const { total } = legendWithHectares([], place, { of: '', language: 'en' });
      assert.equal(total.hectares, area.toFixed(1));
    }
  });

  test('has names in the language of the answer', () => {
    const csv = unitCsv(areasTable(areasOf(districts, 'district'), 'kk')).toString();
    assert.ok(csv.includes('\r\n121000000,Шығыс,district,'), csv);
  });
});

test('a unit lies in its region by digits, and a rural district or settlement in all units above it', () => {
  const okrug = { kato: '103230000', level: 'okrug' } as const;
  const village = { kato: '103230100', level: 'settlement' } as const;
  for (const above of ['000000000', '100000000', '103200000']) {
    assert.ok(isOfUnit(okrug, above), above);
    assert.ok(isOfUnit(village, above), above);
  }
  assert.ok(isOfUnit(village, '103230000') && isOfUnit(okrug, okrug.kato));
  for (const other of ['110000000', '103600000', '103235000']) assert.ok(!isOfUnit(okrug, other), other);
  // Two districts, of which one has the code of a city in the other.
  assert.ok(!isOfUnit({ kato: '101010000', level: 'district' }, '101000000'));
});
