import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Limitation, limitationsOf } from '../graph/kernels/limitations.ts';
import { limitsOf, type LimitsRequest, sectorNode } from './limits.ts';
import type { LandscapeLimits } from './limits-schema.ts';
import { whereOf } from './where.ts';
import type { LandscapeWhere } from './where-schema.ts';
import { graphVersion } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import { rate } from '../model/rating.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { drawnTourism, grid, openGapLandscape } from '../../../test/support/landscape/gap-landscape.ts';
import {
  hectaresByValue,
  pixelsOf,
  redrawn,
  variedLeaves,
} from '../../../test/support/landscape/limit-landscape.ts';
import { eventually } from '../../../test/support/processes.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';
import { sampleOf } from '../../../test/support/tier.ts';

const runs = await closeAfterTests(startRuns());
const landscape = await closeAfterTests(openGapLandscape(runs));
const { db, messageQueue } = runs;
const ids = new Map<string, string>();
for (const { key, group } of leaves) {
  const leaf = variedLeaves[key];
  if (leaf !== undefined) ids.set(key, await landscape.add(leaf, group, key));
}
/** Two districts of one region: one within the grid, one half outside; their borders follow those of pixels. */
const squares = {
  '110000000': [70.1, 70.9, 49.9, 49.6],
  '111000000': [70.1, 70.5, 49.9, 49.6],
  '112000000': [70.5, 70.9, 49.9, 49.6],
  '630000000': [70.96, 71.16, 49.8, 49.7],
} as const;
for (const [code, [west, east, north, south]] of Object.entries(squares)) {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const level = code.endsWith('0000000') ? 'region' : 'district';
  const geometry = JSON.stringify({ type: 'Polygon', coordinates: [ring] });
  await db.insertInto('districts').values({ kato_code: code, level, name: code, geometry }).execute();
}
const run = await runs.execute();
const worker = runs.start();
await closeAfterTests(Promise.resolve({ close: async () => await worker.stop() }));

type Sector = LimitsRequest['sector'];

async function limitsFor(sector: Sector, wanted: Partial<LimitsRequest> = {}): Promise<LandscapeLimits> {
  const request = {
    runId: run.id,
    sector,
    by: 'district',
    kato: undefined,
    relieved: undefined,
    language: 'en',
    ...wanted,
  } as const;
  const found = await eventually('the limits', async () => {
    const answer = await limitsOf({ db, messageQueue }, request);
    return answer.isPending ? undefined : answer;
  });
  return await found.read();
}

async function whereMet(conditions: string, runId = run.id): Promise<LandscapeWhere> {
  const request = { runId, conditions, by: 'region', kato: undefined, language: 'ru' } as const;
  const found = await eventually('the places', async () => {
    const answer = await whereOf({ db, messageQueue }, request);
    return answer.isPending ? undefined : answer;
  });
  return await found.read();
}

async function outputOf({ nodes }: LandscapeRun, code: string) {
  const [ref] = nodes?.find((node) => node.node_code === code)?.outputs ?? [];
  return await pixelsOf(runs, { dataset: ref?.dataset_id ?? '' });
}

const near = (found: number, wanted: number | undefined, what: string) =>
  assert.ok(
    Math.abs(found - (wanted ?? 0)) <= 1e-6 * (wanted ?? 0) + 1e-9,
    `${what}: ${found}, not ${wanted}`,
  );

const isIn =
  ([west, east, north, south]: readonly [number, number, number, number]) =>
  (column: number, row: number) => {
    const [lon, lat] = [grid.left + (column + 0.5) * grid.step, grid.top - (row + 0.5) * grid.step];
    return lon > west && lon < east && lat > south && lat < north;
  };

/** A run with one raster changed, in which the factor is as good as it can be, for each factor. */
const relieving: readonly (readonly [Sector, Limitation['name'], string, number])[] = [
  ['23', 'moisture', 'precipitation', 700],
  ['23', 'salinity', 'soil-salinity', 1],
  ['23', 'topography', 'dem', 300],
  ['24', 'water', 'distance-water', 100],
  ['24', 'growth', 'ndvi', 0.5],
];

describe('what limits a sector', () => {
  for (const sector of sampleOf(['23', '21', '22', '25', '24'] as const, 3)) {
    test(`${sector}: classes are those of the raster, in all units, and parts add up`, async () => {
      const pixels = await outputOf(run, sector);
      const allocable = await outputOf(run, '05');
      const { units, raster, outside_units: outside, factors } = await limitsFor(sector, { by: 'all' });
      assert.deepEqual(
        units.map(({ kato }) => kato),
        Object.keys(squares),
      );
      const inRegion = [isIn(squares['110000000']), isIn(squares['630000000'])];
      const rows = [
        { land: raster, inside: () => true },
        {
          land: outside,
          inside: (...place: readonly [number, number]) => !inRegion.some((isInside) => isInside(...place)),
        },
        ...units.map((land) => ({ land, inside: isIn(squaresOf(land.kato)) })),
      ];
      for (const { land, inside } of rows) {
        const wanted = hectaresByValue(pixels, inside);
        const notAllocable = hectaresByValue(
          Array.from(allocable, (value) => (value > 1 ? 1 : 0)),
          inside,
        ).get(1);
        near(land.not_allocable_ha, notAllocable, 'not allocable');
        near(land.no_data_ha, (wanted.get(0) ?? 0) - (notAllocable ?? 0), 'no data');
        for (const { class: rating, ha, limits, subclasses } of land.classes) {
          near(ha, wanted.get(rating), `class ${rating}`);
          const sum = subclasses.reduce((all, each) => all + each.ha, 0);
          if (rating < 5) near(sum, ha, `subclasses of ${rating}`);
          else assert.deepEqual([limits, subclasses], [[], []]);
          assert.deepEqual(
            subclasses,
            subclasses.toSorted((one, other) => other.ha - one.ha),
          );
          const alone = limits.reduce((all, each) => all + each.alone_ha, 0);
          const single = subclasses.filter(({ subclass }) => subclass.length === 2);
          near(
            alone,
            single.reduce((all, each) => all + each.ha, 0),
            `alone in ${rating}`,
          );
          for (const { factor, with_others_ha: more } of limits) {
            const letter = factors.find((each) => each.factor === factor)?.letter ?? '';
            const shared = subclasses.filter(
              ({ subclass }) => subclass.length > 2 && subclass.includes(letter),
            );
            near(
              more,
              shared.reduce((all, each) => all + each.ha, 0),
              `${factor} with others`,
            );
          }
        }
      }
      const beside = units.find(({ kato }) => kato === '630000000');
      assert.ok((beside?.outside_raster_ha ?? 0) > 0.4 * (beside?.area_ha ?? 0));
    });
  }

  test('limits by moisture are counted as an own look at rain and all other rasters counts them', async () => {
    const node = sectorNode('23');
    const sources = limitationsOf(node).flatMap(({ name, sources: [source] }) =>
      source === undefined ? [] : [{ name, source }],
    );
    const rasters = await Promise.all(
      sources.map(async ({ name, source }) => ({ name, source, pixels: await alignedOf(source.band.key) })),
    );
    const suitability = await outputOf(run, '23');
    const states = suitability.map((rating: number, i: number) => {
      if (rating === 0) return 0;
      const limiting = rasters.filter(({ source: { table }, pixels }) => {
        const value = pixels[i] ?? 0;
        return (table instanceof Float64Array ? table[value] : rate(table, value)) === rating;
      });
      const isLimited = limiting.some(({ name }) => name === 'moisture');
      return isLimited ? rating * 10 + (limiting.length === 1 ? 1 : 2) : 0;
    });
    const wanted = hectaresByValue(states);
    const { raster } = await limitsFor('23', { by: 'region' });
    for (const { class: rating, limits } of raster.classes.slice(1)) {
      const found = limits.find(({ factor }) => factor === 'moisture');
      near(found?.alone_ha ?? 0, wanted.get(rating * 10 + 1), `alone in class ${rating}`);
      near(found?.with_others_ha ?? 0, wanted.get(rating * 10 + 2), `with others in class ${rating}`);
    }
    assert.ok(wanted.size > 6, 'moisture limits in several classes');
  });

  for (const [sector, relieved, leaf, value] of sampleOf(relieving, 3)) {
    test(`${sector}: ${relieved} relieved has the areas of a run over such a raster`, async () => {
      const pinned = await landscape.add(redrawn(leaf, () => value));
      const other = await runs.execute({ overrides: { [`landscape-in-${leaf}`]: pinned } });
      const { raster } = await limitsFor(sector, { relieved });
      const wanted = hectaresByValue(await outputOf(other, sector));
      let moved = 0;
      for (const { class: rating, ha, relieved_ha: found } of raster.classes) {
        near(found ?? -1, wanted.get(rating), `class ${rating}`);
        moved += Math.abs((found ?? 0) - ha);
      }
      assert.ok(moved > 0, 'it matters');
    });
  }

  test('words are in the language of the client, and letters in all of them', async () => {
    const [english, russian, kazakh] = await Promise.all(
      (['en', 'ru', 'kk'] as const).map(async (language) => await limitsFor('25', { language })),
    );
    const of = (limits: LandscapeLimits | undefined) => limits?.factors.map(({ title }) => title);
    assert.deepEqual(of(english), ['Land cover', 'Distance to road', 'Attraction']);
    assert.deepEqual(of(russian), ['Наземный покров', 'Расстояние до дороги', 'Привлекательность']);
    assert.deepEqual(of(kazakh), ['Жер жамылғысы', 'Жолға дейінгі қашықтық', 'Тартымдылық']);
    assert.equal(english?.factors.map(({ letter }) => letter).join(''), 'vra');
    assert.deepEqual(
      english?.factors.at(-1)?.inputs.map(({ group }) => group),
      ['landscape-in-distance-water', 'landscape-02-ruggedness'],
    );
  });

  test('a factor of another sector, a pinned sector and an unknown unit are refused', async () => {
    await assert.rejects(limitsFor('24', { relieved: 'snow' }), {
      code: 'malformed',
      message: 'relieved: must be one of topography, water, cover, growth',
    });
    await assert.rejects(limitsFor('24', { kato: '999999999' }), { code: 'not_found' });
    const pinned = await landscape.add(drawnTourism);
    const other = await runs.execute({ overrides: { 'landscape-25-tourism': pinned } });
    await assert.rejects(limitsFor('25', { runId: other.id }), { code: 'conflict' });
    assert.equal((await limitsFor('24', { runId: other.id })).sector, '24');
    const setVersion = async (version: number) =>
      await db
        .updateTable('landscape_runs')
        .set({ graph_version: version })
        .where('id', '=', other.id)
        .execute();
    await setVersion(graphVersion + 1);
    await assert.rejects(limitsFor('24', { runId: other.id }), {
      code: 'conflict',
      message: /earlier release/,
    });
    await setVersion(graphVersion);
  });

  test('a unit is had alone, and with the code of a region all that lies in it', async () => {
    const codesOf = async (wanted: Partial<LimitsRequest>) =>
      (await limitsFor('24', wanted)).units.map(({ kato }) => kato);
    assert.deepEqual(await codesOf({ kato: '112000000' }), ['112000000']);
    assert.deepEqual(await codesOf({ kato: '110000000' }), ['111000000', '112000000']);
    assert.deepEqual(await codesOf({ kato: '110000000', by: 'region' }), ['110000000']);
  });
});

describe('where conditions are met', () => {
  test('is counted as an own look at the rasters counts it, holes too', async () => {
    const { raster, conditions, parts } = await whereMet('slope<8; S23 >= 3;soil-salinity!=2.5;dem>299');
    assert.equal(conditions, '01<8;23>=3;dem>299;soil-salinity!=2.5');
    assert.deepEqual(
      parts.map(({ group, comparison, value }) => [group, comparison, value]),
      [
        ['landscape-01-slope', '<', 8],
        ['landscape-23-crop', '>=', 3],
        ['landscape-in-dem', '>', 299],
        ['landscape-in-soil-salinity', '!=', 2.5],
      ],
    );
    assert.equal(parts[2]?.unit, 'м');
    const [slope, crop, dem, salt] = [
      await outputOf(run, '01'),
      await outputOf(run, '23'),
      await alignedOf('dem'),
      await alignedOf('soil-salinity'),
    ];
    const states = Array.from(slope, (percent: number, i) => {
      const tests = [
        percent === -9999 ? undefined : percent < 8,
        crop[i] === 0 ? undefined : (crop[i] ?? 0) >= 3,
        dem[i] === -9999 ? undefined : (dem[i] ?? 0) > 299,
        salt[i] === 500 ? undefined : salt[i] !== 2.5,
      ];
      return tests.includes(false) ? 1 : tests.includes(undefined) ? 0 : 2;
    });
    const wanted = hectaresByValue(states);
    near(raster.meets_ha, wanted.get(2), 'met');
    near(raster.fails_ha, wanted.get(1), 'not met');
    near(raster.no_data_ha, wanted.get(0), 'no data');
    for (const value of [0, 1, 2]) assert.ok((wanted.get(value) ?? 0) > 0, `${value} occurs`);
  });

  test('the same conditions in another form are the same layer', async () => {
    const before = await layerCount();
    await whereMet('S23>=3;01<8;  landscape-in-dem > 299 ;soil-salinity!=2.50;slope<8');
    assert.equal(await layerCount(), before);
    await whereMet('34=40');
    assert.equal(await layerCount(), before + 1);
  });

  test('layers of conditions that are not asked for any more go when there are too many', async () => {
    const [oldest] = await db
      .updateTable('landscape_layers')
      .set({ used_at: new Date(0) })
      .where('layer', 'like', 'where %01<8%')
      .returning('cog_key')
      .execute();
    const { id } = await db
      .selectFrom('landscape_runs')
      .select('id')
      .where('id', '=', run.id)
      .executeTakeFirstOrThrow();
    for (let i = 0; i < 62; i += 1) {
      const [key, layer] = [`key ${i}`, `where 01<${100 + i}`];
      await db
        .insertInto('landscape_layers')
        .values({ id: crypto.randomUUID(), key, layer, run_id: id, state: 'failed' })
        .execute();
    }
    await whereMet('01<99');
    const left = await db
      .selectFrom('landscape_layers')
      .select('layer')
      .where('layer', 'like', 'where %')
      .execute();
    assert.equal(left.length, 64);
    assert.equal(
      left.some(({ layer }) => layer.includes('01<8;')),
      false,
    );
    const { state } = await db
      .selectFrom('objects')
      .select('state')
      .where('key', '=', oldest?.cog_key ?? '')
      .executeTakeFirstOrThrow();
    assert.equal(state, 'deleting', 'the sweeper removes its raster');
  });

  test('other conditions are refused while too many wait, and known ones are answered', async () => {
    const wait = async (state: 'pending' | 'failed') =>
      await db
        .updateTable('landscape_layers')
        .set({ state })
        .where(
          'layer',
          'in',
          Array.from({ length: 16 }, (_, i) => `where 01<${100 + i + 40}`),
        )
        .execute();
    await wait('pending');
    await assert.rejects(whereMet('01<97'), { code: 'too_many' });
    assert.equal((await whereMet('01<99')).conditions, '01<99');
    await wait('failed');
    assert.equal((await whereMet('01<97')).conditions, '01<97');
  });
});

async function layerCount(): Promise<number> {
  const rows = await db
    .selectFrom('landscape_layers')
    .select('id')
    .where('layer', 'like', 'where %')
    .execute();
  return rows.length;
}

function squaresOf(kato: string) {
  const [, square] = Object.entries(squares).find(([code]) => code === kato) ?? [];
  assert.ok(square !== undefined);
  return square;
}

/** Pixels of a band on the grid: of an output unchanged, of a leaf found by a condition for each of its values. */
async function alignedOf(key: string): Promise<ArrayLike<number>> {
  if (/^\d\d$/.test(key)) return await outputOf(run, key);
  const leaf = variedLeaves[key];
  assert.ok(leaf !== undefined);
  if (leaf.affine[0] === grid.left && leaf.affine[1] === grid.step)
    return await pixelsOf(runs, { dataset: ids.get(key) ?? '' });
  // Outside of the grid: in a run that pins a raster for aridity's demand of 1 mm, node 03 is the rain
  // itself.
  if (key !== 'precipitation')
    return Float32Array.from({ length: grid.width * grid.height }, () => leaf.value(0, 0));
  const one = await landscape.add(redrawn('pet', () => 1));
  return await outputOf(await runs.execute({ overrides: { 'landscape-in-pet': one } }), '03');
}
