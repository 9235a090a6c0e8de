import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AreaFigures } from '../../areas/area-counts.ts';
import type { Unit } from '../../areas/areas-schema.ts';
import { onlyUnits } from '../../areas/by-unit.ts';
import { notAllocableCell, numberOfCell } from '../../../common/landscape/cells.ts';
import type { ZoningCase } from '../../../common/landscape/zoning.ts';
import { balanceOf } from './balance.ts';
import { caseOf, refusePinned } from './case-query.ts';
import { conflictsOf } from './conflicts.ts';
import { cellTableOf } from './land.ts';
import { sensitivityOf } from './sensitivity.ts';
import { stabilityOf } from './stability.ts';

/**
 * A pixel of a random landscape: five suitabilities, sensitivity, and its area in square metres in each of three units and outside them.
 */
interface Pixel {
  readonly land: 'hole' | 'water' | 'land';
  readonly suited: readonly number[];
  readonly e: number;
  readonly areas: readonly number[];
}

const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

function landscapeOf(seed: number): readonly Pixel[] {
  const random = seeded(seed);
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  return Array.from({ length: 4000 }, () => {
    const kind = random();
    const place = Math.floor(random() * 4);
    const whole = 800 + 300 * random();
    const share = random() < 0.2 ? random() : 1;
    return {
      land: kind < 0.03 ? 'hole' : kind < 0.08 ? 'water' : 'land',
      // Mostly low suitabilities, so that all kinds of contested land occur.
      suited: Array.from({ length: 5 }, () => Math.min(upTo(5), upTo(5))),
      e: upTo(5),
      areas: [0, 1, 2, 3].map((unit) =>
        unit === place ? whole * share : unit === (place + 1) % 4 ? whole * (1 - share) : 0,
      ),
    } as const;
  });
}

const units: readonly Unit[] = [
  { kato: '110000000', name: 'Север', name_kk: 'Солтүстік', name_en: 'North', level: 'region' },
  { kato: '150000000', name: 'Юг', name_kk: null, name_en: null, level: 'region' },
  { kato: '190000000', name: 'Запад', name_kk: null, name_en: null, level: 'region' },
];
const beyondRaster = 5000;

/** Counts the cells of the landscape. */
function figuresOf(pixels: readonly Pixel[]): AreaFigures {
  const values: (number | null)[] = [];
  const sums = units.map(() => new Map<number, number>());
  const [outside, raster] = [new Map<number, number>(), new Map<number, number>()];
  for (const { land, suited, e, areas } of pixels) {
    const s = Math.max(...suited);
    const mask = suited.reduce((bits, own, sector) => (own === s ? bits | (1 << sector) : bits), 0);
    const value = land === 'hole' ? null : land === 'water' ? notAllocableCell : numberOfCell({ s, e, mask });
    if (!values.includes(value)) values.push(value);
    const tuple = values.indexOf(value);
    for (const [index, area] of areas.entries()) {
      const sum = sums[index] ?? outside;
      if (area > 0) sum.set(tuple, (sum.get(tuple) ?? 0) + area);
      raster.set(tuple, (raster.get(tuple) ?? 0) + area);
    }
  }
  return {
    tuples: values.map((value) => [value]),
    raster: [...raster],
    units: units.map(({ kato }, index) => {
      const areas = [...(sums[index] ?? [])];
      const inside = areas.reduce((sum, [, area]) => sum + area, 0);
      return { id: kato, set: 'region', area_m2: inside + beyondRaster, areas, outside_m2: beyondRaster };
    }),
    sets: [{ set: 'region', outside: [...outside], overlap: [] }],
  };
}

/** Computes the code of a pixel independently, by the rules of nodes 31 to 34. */
function codeOf({ land, suited, e }: Pixel, zoning: ZoningCase): number {
  if (land !== 'land') return land === 'water' ? 40 : 0;
  const s = Math.max(...suited);
  const leader = zoning.tie_priority.find((sector) => suited[sector - 1] === s) ?? 0;
  const isFirst = (e < 3 && s >= zoning.v1_min_s_e12) || (e === 3 && s >= zoning.v1_min_s_e3);
  if (isFirst) return 10 + leader;
  if ((e === 3 && s >= zoning.v2_min_s_e3) || (e === 4 && s >= zoning.v2_min_s_e4)) return 20 + leader;
  return e > 3 ? 31 : 32;
}

const names = new Map(units.map((unit) => [unit.kato, unit]));
const runCase: ZoningCase = {
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
  tie_priority: [1, 2, 3, 4, 5],
};
const otherCase: ZoningCase = {
  v1_min_s_e12: 4,
  v1_min_s_e3: 3,
  v2_min_s_e3: 3,
  v2_min_s_e4: 2,
  tie_priority: [4, 3, 5, 1, 2],
};

const swap = (order: readonly number[], at: number) =>
  order.map((sector, index) => order[index === at ? at + 1 : index === at + 1 ? at : index] ?? sector);

for (const seed of [1, 2]) {
  const pixels = landscapeOf(seed);
  const table = cellTableOf(figuresOf(pixels), names, { by: 'region', districtsVersion: 3 });
  /** Sums the hectares of the pixels that match, in a unit or in the whole raster. */
  const haOf = (isWanted: (pixel: Pixel) => boolean, unit?: number) =>
    pixels.reduce((sum, pixel) => {
      const own =
        unit === undefined ? pixel.areas.reduce((all, area) => all + area, 0) : (pixel.areas[unit] ?? 0);
      return isWanted(pixel) ? sum + own / 10_000 : sum;
    }, 0);
  const isNear = (actual: number | null | undefined, expected: number, name: string) =>
    assert.ok(
      Math.abs((actual ?? Number.NaN) - expected) < 1e-8,
      `${name}: ${String(actual)}, not ${expected}`,
    );
  const isZoned = (pixel: Pixel) => pixel.land === 'land';

  describe(`landscape ${seed}, judged from its cells`, () => {
    for (const zoning of [runCase, otherCase]) {
      const judged = {
        runId: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
        runCase,
        zoning,
        language: 'en',
      } as const;

      it(`has the areas of zones and codes that counting pixels finds, order ${zoning.tie_priority.join()}`, () => {
        const balance = balanceOf(table, judged);
        for (const [index, row] of [...balance.units, balance.outside_units, balance.raster].entries()) {
          const unit = index === 4 ? undefined : index;
          for (const [place, code] of balance.codes.entries())
            isNear(
              row.functional[place],
              haOf((pixel) => codeOf(pixel, zoning) === code, unit),
              `code ${code}`,
            );
          for (const zone of [1, 2, 3])
            isNear(
              row.zones[zone - 1],
              haOf((pixel) => isZoned(pixel) && Math.floor(codeOf(pixel, zoning) / 10) === zone, unit),
              `V${zone}`,
            );
          isNear(
            row.not_allocable_ha,
            haOf(({ land }) => land === 'water', unit),
            'water',
          );
          isNear(
            row.no_data_ha,
            haOf(({ land }) => land === 'hole', unit),
            'holes',
          );
          const beyond = index < 3 ? beyondRaster / 10_000 : 0;
          const sum = row.ha.reduce((all, ha) => all + ha, 0);
          isNear(sum + row.not_allocable_ha + row.no_data_ha + beyond, row.area_ha, 'the unit');
        }
      });

      it('loses and gains what a count after each change finds, and names what cannot be tried', () => {
        const { cases, units: rows, zoned_ha: zoned } = sensitivityOf(table, judged);
        isNear(zoned, haOf(isZoned), 'zoned');
        assert.equal(cases.length, 12);
        for (const [index, each] of cases.entries()) {
          const to = each.to ?? 0;
          const after =
            each.kind === 'order'
              ? { ...zoning, tie_priority: swap(zoning.tie_priority, index - 8) }
              : { ...zoning, [each.param]: to };
          assert.equal(each.invalid === null, each.kind === 'order' || (to >= 1 && to <= 5), each.param);
          if (each.invalid !== null) {
            assert.deepEqual([each.raster, each.params, each.inert], [null, null, false]);
            continue;
          }
          assert.deepEqual(each.params, after);
          const zoneBy = (pixel: Pixel, own: ZoningCase) => Math.floor(codeOf(pixel, own) / 10);
          const isChanged = (pixel: Pixel) => codeOf(pixel, zoning) !== codeOf(pixel, after);
          isNear(each.raster?.changed_ha, haOf(isChanged), each.param);
          isNear(each.changed_share, haOf(isChanged) / zoned, each.param);
          assert.equal(each.inert, haOf(isChanged) === 0);
          for (const [unit, row] of rows.entries())
            isNear(row.changes[index]?.changed_ha, haOf(isChanged, unit), `${each.param} in ${row.kato}`);
          for (const { zone, gained_ha: gained, lost_ha: lost } of each.raster?.zones ?? []) {
            const [was, is] = [zoning, after].map((own) => (pixel: Pixel) => zoneBy(pixel, own) === zone);
            isNear(
              gained,
              haOf((pixel) => is?.(pixel) === true && was?.(pixel) === false),
              `V${zone} gains`,
            );
            isNear(
              lost,
              haOf((pixel) => was?.(pixel) === true && is?.(pixel) === false),
              `V${zone} loses`,
            );
          }
        }
      });

      it('is contested where two sectors suit best alike from S of 3 on', () => {
        const conflicts = conflictsOf(table, judged);
        const best = ({ suited }: Pixel) => {
          const s = Math.max(...suited);
          return { s, sectors: [1, 2, 3, 4, 5].filter((sector) => suited[sector - 1] === s) };
        };
        const isContested = (pixel: Pixel) =>
          isZoned(pixel) && best(pixel).s >= 3 && best(pixel).sectors.length > 1;
        isNear(conflicts.contested_ha, haOf(isContested), 'contested');
        isNear(conflicts.contested_share, haOf(isContested) / haOf(isZoned), 'share');
        assert.equal(conflicts.chosen_by_order.share, conflicts.contested_share);
        const isDeveloped = (pixel: Pixel) => isZoned(pixel) && codeOf(pixel, zoning) < 30;
        isNear(
          conflicts.contested_share_of_zones,
          haOf((pixel) => isDeveloped(pixel) && isContested(pixel)) / haOf(isDeveloped),
          'share of V1 and V2',
        );
        for (const [place, { sectors, s, ha, winner }] of conflicts.rows.entries()) {
          const isOwn = (pixel: Pixel) =>
            isContested(pixel) && best(pixel).s === s && best(pixel).sectors.join() === sectors.join();
          isNear(ha, haOf(isOwn), `${sectors.join()} at ${s}`);
          for (const [unit, row] of conflicts.units.entries())
            isNear(row.ha[place], haOf(isOwn, unit), `${sectors.join()} in ${row.kato}`);
          assert.equal(
            winner,
            zoning.tie_priority.find((sector) => sectors.includes(sector)),
          );
        }
        const sum = (of: readonly { readonly ha: number }[]) => of.reduce((all, { ha }) => all + ha, 0);
        isNear(sum(conflicts.rows), conflicts.contested_ha, 'all rows');
        isNear(sum(conflicts.sets), conflicts.contested_ha, 'all sets');
        assert.equal(conflicts.sets.length, 9);
        assert.equal(new Set(conflicts.sets.map(({ color }) => color)).size, 9);
        assert.ok(
          conflicts.sets.every(
            ({ ha }, at) => at === 0 || at === 8 || ha <= (conflicts.sets[at - 1]?.ha ?? 0),
          ),
        );
      });

      it('keeps its codes where every case has them', () => {
        const stability = stabilityOf(table, judged);
        const moved = (['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'] as const).flatMap(
          (name) =>
            [zoning[name] - 1, zoning[name] + 1]
              .filter((value) => value >= 1 && value <= 5)
              .map((value) => ({ ...zoning, [name]: value })),
        );
        const swapped = [0, 1, 2, 3].map((at) => ({
          ...zoning,
          tie_priority: swap(zoning.tie_priority, at),
        }));
        assert.deepEqual(stability.cases, { thresholds: moved.length, order: 4 });
        const keeps = (cases: readonly ZoningCase[]) => (pixel: Pixel) =>
          isZoned(pixel) && cases.every((each) => codeOf(pixel, each) === codeOf(pixel, zoning));
        for (const [name, cases] of [
          ['thresholds', moved],
          ['order', swapped],
          ['both', [...moved, ...swapped]],
        ] as const) {
          isNear(stability[name].ha, haOf(keeps(cases)), name);
          isNear(stability[name].share, haOf(keeps(cases)) / haOf(isZoned), name);
          for (const [unit, row] of stability.units.entries())
            isNear(row[name].ha, haOf(keeps(cases), unit), `${name} in ${row.kato}`);
          for (const row of stability.codes)
            isNear(
              row[name].ha,
              haOf((pixel) => codeOf(pixel, zoning) === row.code && keeps(cases)(pixel)),
              name,
            );
        }
        const [kept] = stability.legend;
        isNear(kept?.ha, stability.both.ha, 'the legend');
        isNear(
          stability.legend.reduce((all, { ha }) => all + ha, 0),
          stability.zoned_ha,
          'the whole legend',
        );
      });
    }
  });
}

describe('a case', () => {
  const params = { window_size: 2048, ...runCase, tie_priority: [...runCase.tie_priority] };

  it('is that of the run, with what is asked for in its place; sectors not named follow as the run has them', () => {
    assert.deepEqual(caseOf(params, {}), runCase);
    assert.deepEqual(caseOf(params, { v1_min_s_e3: '5', tie_priority: '4,2,4' }), {
      ...runCase,
      v1_min_s_e3: 5,
      tie_priority: [4, 2, 1, 3, 5],
    });
  });

  it('is refused for a run that has pinned what cells and parameters decide, and for no other', () => {
    for (const group of [
      'landscape-31-max-suitability',
      'landscape-32-leading-sector',
      'landscape-33-use-zone',
    ])
      assert.throws(() => refusePinned({ overrides: { [group]: 'id' } }), {
        code: 'conflict',
        message: new RegExp(group),
      });
    refusePinned({ overrides: { 'landscape-26-sensitivity': 'id', 'landscape-05-allocable': 'id' } });
  });
});

describe('the sentence on the order', () => {
  const pixel = (suited: readonly number[], area: number): Pixel => ({
    land: 'land',
    suited,
    e: 1,
    areas: [area],
  });
  const contested = [3, 3, 1, 1, 1];
  const clear = [3, 1, 1, 1, 1];
  const sentenceOf = (pixels: readonly Pixel[], language: 'en' | 'ru' | 'kk') => {
    const table = cellTableOf(figuresOf(pixels), names, { by: 'region', districtsVersion: 3 });
    return balanceOf(table, { runId: '', runCase, zoning: runCase, language }).chosen_by_order;
  };

  it('says the share in three languages', () => {
    const half = [pixel(contested, 530), pixel(clear, 470)];
    assert.match(sentenceOf(half, 'en').sentence ?? '', /^On 53 % of the allocable land/);
    assert.match(sentenceOf(half, 'ru').sentence ?? '', /^На 53 % распределяемых земель/);
    assert.match(sentenceOf(half, 'kk').sentence ?? '', /жердің 53 %-ында/);
  });

  it('never rounds something to nothing, or nearly all to all', () => {
    assert.match(sentenceOf([pixel(contested, 1), pixel(clear, 999)], 'en').sentence ?? '', /less than 1 %/);
    assert.match(sentenceOf([pixel(contested, 999), pixel(clear, 1)], 'ru').sentence ?? '', /более чем 99 %/);
    assert.match(sentenceOf([pixel(clear, 999)], 'en').sentence ?? '', /On 0 % /);
    assert.match(sentenceOf([pixel(contested, 999)], 'kk').sentence ?? '', /100 %-ында /);
    assert.deepEqual(sentenceOf([{ ...pixel(clear, 5), land: 'water' }], 'en'), {
      share: null,
      sentence: null,
    });
  });
});

describe('units of a balance', () => {
  const table = cellTableOf(figuresOf(landscapeOf(3)), names, { by: 'region', districtsVersion: 3 });

  it('are those of a region with its code, else the one with that code', () => {
    assert.deepEqual(
      onlyUnits(table.units, '150000000').map(({ unit }) => unit.kato),
      ['150000000'],
    );
    const [first = assert.fail('no unit')] = table.units;
    const unit = { ...first.unit, kato: '113600000', level: 'district' } as const;
    const withDistrict = [...table.units, { ...first, unit }];
    assert.deepEqual(
      onlyUnits(withDistrict, '110000000').map(({ unit }) => unit.kato),
      ['110000000', '113600000'],
    );
    assert.throws(() => onlyUnits(table.units, '113600000'), { code: 'not_found' });
  });
});
