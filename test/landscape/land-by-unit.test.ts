import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toDatasetAreas } from '../../src/areas/area-answers.ts';
import { areasTable } from '../../src/areas/areas-files.ts';
import { unitCsv } from '../../src/areas/unit-files.ts';
import type { AreaFigures } from '../../src/areas/area-counts.ts';
import type { AreaLevels, Unit } from '../../src/areas/areas-schema.ts';
import { balanceOf } from '../../src/landscape/balance/balance.ts';
import { cellTableOf } from '../../src/landscape/balance/land.ts';
import { pairsOfBalance } from '../../src/landscape/comparison/balance-pairs.ts';
import { changeOf, type CountedPairs, pairsOf } from '../../src/landscape/comparison/matrix.ts';
import { writtenLand } from '../../src/landscape/limits/land-by-unit.ts';
import { areasSection } from '../../src/landscape/report/land-sections.ts';
import { speechOf } from '../../src/landscape/report/pieces.ts';
import { legendWithHectares } from '../../src/print/sheet-areas.ts';
import { countedOf } from '../../src/print/sheets.ts';
import { statsByUnit } from '../../src/zonal/zonal-answers.ts';

/** A unit on a raster of 15 columns and 7 rows, pixels of a hectare, and its hectares beside the raster. */
interface Drawn {
  readonly id: string;
  readonly set: 'region' | 'district';
  readonly beside: number;
  covers(x: number, y: number): boolean;
}
const [width, height] = [15, 7];
const isHole = (x: number, y: number) => y === 3 && (x === 2 || x === 3);

/** 90 ha: a district with a hole, a town in half of the hole, two districts that overlap on 7 ha, the second without its region. */
const districts: readonly Drawn[] = [
  { id: '101000000', set: 'district', beside: 0, covers: (x, y) => x < 6 && !isHole(x, y) },
  { id: '102000000', set: 'district', beside: 0, covers: (x, y) => isHole(x, y) && x === 2 },
  { id: '111000000', set: 'district', beside: 0, covers: (x) => x >= 6 && x < 10 },
  { id: '121000000', set: 'district', beside: 5, covers: (x) => x >= 9 && x < 13 },
];
/** 70 ha. */
const regions: readonly Drawn[] = [
  { id: '100000000', set: 'region', beside: 0, covers: (x) => x < 6 },
  { id: '110000000', set: 'region', beside: 0, covers: (x) => x >= 6 && x < 10 },
];

/** Counts as the engine does. */
function figuresOf(drawn: readonly Drawn[]): AreaFigures {
  const units = drawn.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const values = [11, 22, null];
  const tupleOf = (x: number, y: number) => (y === 6 && x < 2 ? 2 : x < 10 ? 0 : 1);
  const count = (times: (x: number, y: number) => number) => {
    const sums = [0, 0, 0];
    for (let x = 0; x < width; x += 1)
      for (let y = 0; y < height; y += 1) {
        const tuple = tupleOf(x, y);
        sums[tuple] = (sums[tuple] ?? 0) + 10_000 * times(x, y);
      }
    return sums.flatMap((sum, tuple): [number, number][] => (sum === 0 ? [] : [[tuple, sum]]));
  };
  const coversOf = (set: string) => (x: number, y: number) =>
    units.filter((unit) => unit.set === set && unit.covers(x, y)).length;
  return {
    tuples: values.map((value) => [value]),
    raster: count(() => 1),
    units: units.map(({ id, set, beside, covers }) => {
      const areas = count((x, y) => Number(covers(x, y)));
      const inside = areas.reduce((sum, [, area]) => sum + area, 0);
      return { id, set, areas, area_m2: inside + 10_000 * beside, outside_m2: 10_000 * beside };
    }),
    sets: [...new Set(units.map(({ set }) => set))].map((set) => ({
      set,
      outside: count((x, y) => Number(coversOf(set)(x, y) === 0)),
      overlap: count((x, y) => Math.max(0, coversOf(set)(x, y) - 1)),
    })),
  };
}

const names: ReadonlyMap<string, Unit> = new Map([
  [
    '121000000',
    { kato: '121000000', name: 'Восток', name_kk: 'Шығыс', name_en: 'East', level: 'district' as const },
  ],
]);
const zoning = {
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
  tie_priority: [1, 2, 3, 4, 5],
};

const head = {
  datasetId: '',
  districtsVersion: 1,
  digest: null,
  wordsOf: () => ({ title: null, color: null }),
};
const both = [...regions, ...districts];
const areasOf = (drawn: readonly Drawn[], by: AreaLevels) =>
  toDatasetAreas(figuresOf(drawn), { ...head, by, names });

/** Codes of the units, and hectares of what is outside of them, by each of those that put land into units. */
function answersOf(units: readonly Drawn[], by: AreaLevels) {
  const figures = figuresOf(units);
  const areas = areasOf(units, by);
  const table = cellTableOf(figures, names, { by, districtsVersion: 1 });
  const balance = balanceOf(table, { runId: '', runCase: zoning, zoning, language: 'en' });
  const limits = writtenLand(figures, { by, kato: undefined, names }, () => ({}));
  const pairs = (counted: CountedPairs) => ({
    units: counted.units.map(({ unit }) => unit.kato),
    outside: Object.values(changeOf(counted, counted.outside)).reduce((sum, ha) => sum + ha, 0),
  });
  const zonal = statsByUnit(
    { ...figures, units: figures.units.map((unit) => ({ ...unit, values: null })) },
    { by, stats: ['mean'], minValidShare: 0, valuesAre: 'density' },
  );
  return {
    areas: { units: areas.rows.map(({ kato }) => kato), outside: areas.outside_units.area_ha },
    balance: { units: balance.units.map(({ kato }) => kato), outside: balance.outside_units.area_ha },
    limits: { units: limits.units.map(({ kato }) => kato), outside: limits.outside_units.area_ha },
    pixels: pairs(pairsOf(figures, { by, names })),
    cells: pairs(pairsOfBalance(table, zoning, zoning)),
    zonal: { units: zonal.map(({ kato }) => kato), outside: undefined },
  };
}

const codes = {
  district: districts.map(({ id }) => id),
  region: regions.map(({ id }) => id),
  all: [...districts, ...regions].map(({ id }) => id).toSorted(),
};

describe('land by unit', () => {
  for (const { title, drawn, by, outside, units } of [
    { title: 'districts', drawn: both, by: 'district', outside: 15, units: codes.district },
    { title: 'regions', drawn: both, by: 'region', outside: 35, units: codes.region },
    {
      title: 'both levels, of which regions are the whole',
      drawn: both,
      by: 'all',
      outside: 35,
      units: codes.all,
    },
    { title: 'regions where there are none', drawn: districts, by: 'region', outside: 105, units: [] },
    { title: 'both levels without regions', drawn: districts, by: 'all', outside: 15, units: codes.district },
  ] as const)
    test(`is the same for all by ${title}`, () => {
      const same = { units, outside };
      const users = { areas: same, balance: same, limits: same, pixels: same, cells: same };
      assert.deepEqual(answersOf(drawn, by), { ...users, zonal: { units, outside: undefined } });
    });

  test('adds up to the raster', () => {
    for (const [drawn, by] of [
      [both, 'district'],
      [both, 'region'],
      [both, 'all'],
      [districts, 'all'],
      [districts, 'region'],
    ] as const) {
      const areas = areasOf(drawn, by);
      const { total, outside_units: outside, overlap, raster } = areas;
      assert.equal(
        total.area_ha - total.outside_raster_ha + outside.area_ha - overlap.area_ha,
        raster.area_ha,
        by,
      );
    }
  });

  test('is the same in the report, with districts whose region is missing', () => {
    const value = { regions: areasOf(both, 'region'), districts: areasOf(both, 'district') };
    const { body } = areasSection({ areas: { isPending: false, value } }, speechOf('en'));
    assert.deepEqual(
      codes.all.filter((code) => !String(body).includes(code)),
      [],
    );
  });

  test('is the same on sheets', () => {
    const figures = figuresOf(both);
    const legend = { of: '', title: '', language: 'en' } as const;
    for (const row of areasOf(both, 'all').rows) {
      const place = countedOf(figures, { kato: row.kato }, false) ?? assert.fail(row.kato);
      const { total } = legendWithHectares([], place, legend);
      assert.equal(total.hectares, row.area_ha.toFixed(1));
    }
  });

  test('has names in the language of the answer', () => {
    const csv = unitCsv(areasTable(areasOf(districts, 'district'), 'kk')).toString();
    assert.ok(csv.includes('\r\n121000000,Шығыс,district,'), csv);
  });
});
