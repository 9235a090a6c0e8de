/** Figures of two landscapes, counted pixel by pixel over the rasters of their runs, with ratings from docs/landscape.md. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { caseOf } from './case-query.ts';
import { conflictsOf } from './conflicts.ts';
import { createZonedRuns } from './zoned-runs.ts';
import { limitsOf, type LimitsRequest } from '../limits/limits.ts';
import { leaves } from '../model/leaves.ts';
import { getGaps } from '../gaps/gaps.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { openGapLandscape } from '../../../test/support/landscape/gap-landscape.ts';
import { fillDemonstration } from '../../../test/support/landscape/layer-landscape.ts';
import { eventually } from '../../../test/support/processes.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';
import { degreesFrame, variedGrid, variedLeaves } from '../../../test/support/landscape/varied-landscape.ts';

/** A rating from 1 to 5; 0 for none. */
type Rating = (value: number) => number;
type Sector = LimitsRequest['sector'];
type Factor = readonly [name: string, letter: string, ...(readonly [band: string, rating: Rating])[]];

/** @param ratings one more than breaks */
const steps =
  (breaks: readonly number[], ratings: readonly number[]): Rating =>
  (value) => {
    let k = 0;
    while (k < breaks.length && value >= Math.fround(breaks[k] ?? Infinity)) k += 1;
    return Number.isNaN(value) ? 0 : (ratings[k] ?? 0);
  };
const covers = [10, 20, 30, 40, 60, 90, 95, 100];
const cover =
  (...ratings: readonly number[]): Rating =>
  (value) =>
    ratings[covers.indexOf(value)] ?? 0;
const texture =
  (...ratings: readonly number[]): Rating =>
  (value) =>
    ratings[value - 1] ?? 0;
const thermal = steps([1200, 1600, 1800, 2000], [1, 2, 3, 4, 5]);
const dryness = steps([0.5, 0.65, 0.75, 1], [5, 4, 3, 2, 1]);
const far = steps([500, 1000, 5000, 10_000], [5, 4, 3, 2, 1]);

const sectors: Readonly<Record<Sector, readonly Factor[]>> = {
  '21': [
    ['topography', 't', ['01', steps([2, 4, 6, 16], [5, 4, 3, 2, 1])]],
    ['moisture', 'm', ['03', dryness]],
    ['warmth', 'c', ['temperature-sum', thermal]],
    ['texture', 's', ['soil-texture', texture(5, 4, 5, 5, 5, 5, 5, 5, 5, 4, 4, 2)]],
    ['salinity', 'n', ['soil-salinity', steps([2, 4, 8, 16], [5, 4, 3, 2, 1])]],
    ['water', 'w', ['distance-water', steps([1000, 3000, 5000, 10_000], [5, 4, 3, 2, 1])]],
    ['cover', 'v', ['land-cover', cover(2, 3, 4, 5, 3, 1, 1, 1)]],
  ],
  '22': [
    ['topography', 't', ['01', steps([2, 5, 8, 16], [5, 4, 3, 2, 1])]],
    ['moisture', 'm', ['03', dryness]],
    ['snow', 'h', ['snow-depth', steps([5, 10, 16, 25], [1, 2, 3, 4, 5])]],
    ['cover', 'v', ['land-cover', cover(2, 3, 4, 5, 2, 1, 1, 1)]],
  ],
  '23': [
    ['topography', 't', ['01', steps([4, 8, 16, 30], [5, 4, 3, 2, 1])]],
    [
      'moisture',
      'm',
      ['precipitation', steps([200, 250, 350, 500, 950, 1000, 1200], [1, 2, 3, 4, 5, 4, 3, 2])],
    ],
    ['warmth', 'c', ['temperature-sum', thermal]],
    ['texture', 's', ['soil-texture', texture(4, 4, 4, 5, 4, 5, 5, 5, 4, 4, 4, 2)]],
    ['carbon', 'o', ['soil-organic-carbon', steps([2, 5, 7.5], [2, 3, 4, 5])]],
    ['salinity', 'n', ['soil-salinity', steps([3, 5, 6, 20], [5, 4, 3, 2, 1])]],
    ['cover', 'v', ['land-cover', cover(2, 3, 4, 5, 2, 1, 1, 1)]],
  ],
  '24': [
    ['topography', 't', ['01', steps([10, 30, 60], [5, 4, 2, 1])]],
    ['water', 'w', ['distance-water', steps([1600, 3200, 6400], [5, 3, 2, 1])]],
    ['cover', 'v', ['land-cover', cover(2, 4, 5, 3, 2, 3, 1, 2)]],
    ['growth', 'g', ['04', steps([10, 20, 40, 60], [1, 2, 3, 4, 5])]],
  ],
  '25': [
    ['cover', 'v', ['land-cover', cover(5, 4, 4, 2, 3, 4, 4, 4)]],
    ['road', 'r', ['distance-road', far]],
    ['attraction', 'a', ['distance-water', far], ['02', steps([81, 117, 162, 240, 959], [1, 2, 3, 4, 5, 3])]],
  ],
};

interface Landscape {
  readonly runs: Awaited<ReturnType<typeof startRuns>>;
  readonly run: LandscapeRun;
  readonly grid: {
    readonly width: number;
    readonly height: number;
    readonly top: number;
    readonly step: number;
  };
}

/** Draws all leaves of a varied landscape on its grid, with gaps. */
async function drawnLandscape(): Promise<Landscape> {
  const runs = await closeAfterTests(startRuns());
  const landscape = await closeAfterTests(openGapLandscape(runs));
  const { left, top, step, epsg } = degreesFrame;
  for (const [key, leaf] of Object.entries(variedLeaves(degreesFrame))) {
    const group = leaves.find((each) => each.key === key)?.group ?? assert.fail(key);
    await landscape.add({ ...leaf, ...variedGrid, affine: [left, step, 0, top, 0, -step], epsg }, group);
  }
  return { runs, run: await runs.execute(), grid: { ...variedGrid, top, step } };
}

async function demonstration(): Promise<Landscape> {
  const runs = await closeAfterTests(startRuns());
  await fillDemonstration(runs);
  return { runs, run: await runs.execute(), grid: { width: 900, height: 660, top: 52.8, step: 1 / 600 } };
}

/** Hectares of a pixel in each row, integrated over the radii of curvature of the ellipsoid. */
function hectaresOfRows({ height, top, step }: Landscape['grid']): readonly number[] {
  const [a, squared] = [6_378_137, 0.00669437999014];
  const at = (latitude: number) => {
    const [sine, cosine] = [Math.sin((latitude * Math.PI) / 180), Math.cos((latitude * Math.PI) / 180)];
    return (a ** 2 * (1 - squared) * cosine) / (1 - squared * sine ** 2) ** 2;
  };
  return Array.from({ length: height }, (_, row) => {
    const north = top - row * step;
    const mean = (at(north) + 4 * at(north - step / 2) + at(north - step)) / 6;
    return (mean * ((step * Math.PI) / 180) ** 2) / 10_000;
  });
}

/** Reads rasters of a run on its grid: of a slot or of a node; NaN for no value. */
function readerOf({ runs: { db, store }, run, grid }: Landscape) {
  const known = new Map<string, Promise<Float32Array>>();
  const read = async (key: string): Promise<Float32Array> => {
    const leaf = leaves.find((each) => each.key === key);
    const node = run.nodes?.find(({ node_code: code }) => code === key);
    const refs = (run.nodes ?? []).flatMap(({ inputs }) => inputs ?? []);
    const ref = leaf === undefined ? node?.outputs?.[0] : refs.find(({ group }) => group === leaf.group);
    const { object_key: path } = await db
      .selectFrom('dataset_files')
      .select('object_key')
      .where('dataset_id', '=', ref?.dataset_id ?? assert.fail(key))
      .where('kind', '=', 'cog')
      .executeTakeFirstOrThrow();
    // Imported after the engine in this process, which prepares GDAL.
    const { default: gdal } = await import('gdal-async');
    const raster = gdal.open(join(store.root, path));
    const band = raster.bands.get(1);
    const stored = new Float64Array(grid.width * grid.height);
    assert.deepEqual(raster.rasterSize, { x: grid.width, y: grid.height });
    band.pixels.read(0, 0, grid.width, grid.height, stored);
    const [none, scale, offset] = [band.noDataValue, band.scale ?? 1, band.offset ?? 0];
    raster.close();
    const isIn = (value: number): boolean => {
      if (leaf === undefined) return true;
      if (leaf.type === 'uint8') return leaf.classes.includes(value);
      const [least, greatest] = leaf.range ?? [-Infinity, Infinity];
      return value >= least && value <= greatest;
    };
    return Float32Array.from(stored, (value) => {
      const number = Math.fround(value * scale + offset);
      return value === none || !isIn(number) ? Number.NaN : number;
    });
  };
  return async (key: string): Promise<Float32Array> => {
    const values = known.get(key) ?? read(key);
    known.set(key, values);
    return await values;
  };
}

/** Sums of hectares by name; a name to which nothing was added is absent. */
function sums() {
  const found = new Map<string, number>();
  return {
    add: (name: string, hectares: number) => void found.set(name, (found.get(name) ?? 0) + hectares),
    of: (name: string) => found.get(name) ?? 0,
    names: (prefix: string) => [...found.keys()].filter((name) => name.startsWith(prefix)),
  };
}

const landscapes = [await drawnLandscape(), await demonstration()];
const sectorCodes = ['21', '22', '23', '24', '25'] as const;

for (const [index, landscape] of landscapes.entries()) {
  describe(['a drawn landscape', 'the demonstration'][index] ?? '', () => {
    const { runs, run, grid } = landscape;
    const { db, messageQueue } = runs;
    const valuesOf = readerOf(landscape);
    const hectares = hectaresOfRows(grid);
    const areaOf = (pixel: number) => hectares[Math.floor(pixel / grid.width)] ?? 0;
    const pixels = grid.width * grid.height;
    let [figures, worst] = [0, 0];
    const near = (found: number | null | undefined, wanted: number, what: string) => {
      const difference = Math.abs((found ?? Number.NaN) - wanted) / Math.max(wanted, 1e-3);
      assert.ok(difference <= 1e-7, `${what}: ${found}, not ${wanted}`);
      [figures, worst] = [figures + 1, Math.max(worst, difference)];
    };
    const whileWorking = async <T>(work: () => Promise<T>): Promise<T> => {
      const worker = runs.start();
      try {
        return await work();
      } finally {
        await worker.stop();
      }
    };

    test('its run has succeeded', () => {
      assert.equal(run.status, 'succeeded', run.error ?? '');
    });

    for (const sector of sectorCodes) {
      const factors = sectors[sector];
      test(`what limits sector ${sector}, and what relief of each factor brings`, async (context) => {
        const counted = sums();
        const landCover = await valuesOf('land-cover');
        const rated = await Promise.all(
          factors.map(async ([, , ...sources]) =>
            Promise.all(sources.map(async ([band, rating]) => ({ values: await valuesOf(band), rating }))),
          ),
        );
        const letters = factors.map(([, letter]) => letter);
        for (let pixel = 0; pixel < pixels; pixel += 1) {
          const area = areaOf(pixel);
          const ratings = rated.map((sources) => {
            const own = sources.map(({ values, rating }) => rating(values[pixel] ?? Number.NaN));
            return own.includes(0) ? 0 : Math.max(...own);
          });
          if ([50, 70, 80].includes(landCover[pixel] ?? 0)) {
            counted.add('not allocable', area);
            continue;
          }
          const least = Math.min(...ratings);
          counted.add(least === 0 ? 'no data' : `class ${least}`, area);
          if (least === 0) continue;
          const limiting = ratings.flatMap((rating, factor) => (rating === least ? [factor] : []));
          if (least < 5) {
            counted.add(`subclass ${least}${limiting.map((factor) => letters[factor]).join('')}`, area);
            const how = limiting.length === 1 ? 'alone' : 'together';
            for (const factor of limiting) counted.add(`${how} ${least} ${factor}`, area);
          }
          for (const factor of ratings.keys())
            counted.add(`relieved ${factor} ${Math.min(...ratings.with(factor, 5))}`, area);
        }
        await whileWorking(async () => {
          const answerFor = async (relieved: LimitsRequest['relieved']) => {
            const request = {
              runId: run.id,
              sector,
              by: 'region',
              kato: undefined,
              relieved,
              language: 'en',
            } as const;
            const found = await eventually('the limits', async () => {
              const answer = await limitsOf({ db, messageQueue }, request);
              return answer.isPending ? undefined : answer;
            });
            return await found.read();
          };
          const { raster, factors: named } = await answerFor(undefined);
          assert.deepEqual(
            named.map(({ factor, letter }) => [factor, letter]),
            factors.map(([factor, letter]) => [factor, letter]),
          );
          near(raster.not_allocable_ha, counted.of('not allocable'), 'not allocable');
          near(raster.no_data_ha, counted.of('no data'), 'no data');
          for (const { class: rating, ha, limits, subclasses } of raster.classes) {
            near(ha, counted.of(`class ${rating}`), `class ${rating}`);
            const wanted = counted.names(`subclass ${rating}`);
            assert.equal(subclasses.length, wanted.length);
            for (const { subclass, ha: own } of subclasses)
              near(own, counted.of(`subclass ${subclass}`), subclass);
            for (const [factor, [its]] of factors.entries()) {
              const limit = limits.find((each) => each.factor === its);
              near(
                limit?.alone_ha ?? 0,
                counted.of(`alone ${rating} ${factor}`),
                `${its} alone in ${rating}`,
              );
              near(
                limit?.with_others_ha ?? 0,
                counted.of(`together ${rating} ${factor}`),
                `${its} in ${rating}`,
              );
            }
          }
          for (const [factor, { factor: relieved }] of named.entries()) {
            const { raster: after } = await answerFor(relieved);
            for (const { class: rating, relieved_ha: own } of after.classes)
              near(own, counted.of(`relieved ${factor} ${rating}`), `${relieved} relieved, class ${rating}`);
          }
        });
        context.diagnostic(`${figures} figures so far, worst ${worst.toExponential(1)}`);
      });
    }

    test('land that several sectors contest', async () => {
      const suited = await Promise.all(sectorCodes.map(valuesOf));
      const codes = await valuesOf('34');
      const counted = sums();
      for (let pixel = 0; pixel < pixels; pixel += 1) {
        const code = codes[pixel] ?? Number.NaN;
        if (Number.isNaN(code) || code === 0 || code === 40) continue;
        const own = suited.map((values) => values[pixel] ?? 0);
        const s = Math.max(...own);
        const equal = own.flatMap((value, index) => (value === s ? [index + 1] : []));
        const [area, isZoned] = [areaOf(pixel), code < 30];
        counted.add('allocable', area);
        if (isZoned) counted.add('zones', area);
        if (equal.length < 2 || s < 3) continue;
        counted.add('contested', area);
        counted.add(`row ${s} ${equal.join()}`, area);
        counted.add(`set ${equal.join()}`, area);
        if (isZoned) counted.add('contested zones', area);
      }
      const found = await whileWorking(async () => {
        const zoned = createZonedRuns({ db, messageQueue });
        return await eventually('the cells', async () => {
          const land = await zoned.land(run.id, 'region');
          return land.isPending ? undefined : await land.read();
        });
      });
      const conflicts = conflictsOf(found, { runId: run.id, zoning: caseOf(run.params, {}), language: 'en' });
      near(conflicts.allocable_ha, counted.of('allocable'), 'allocable');
      near(conflicts.contested_ha, counted.of('contested'), 'contested');
      near(conflicts.contested_share, counted.of('contested') / counted.of('allocable'), 'share');
      near(
        conflicts.contested_share_of_zones,
        counted.of('contested zones') / counted.of('zones'),
        'share of V1 and V2',
      );
      assert.equal(conflicts.rows.length, counted.names('row').length);
      for (const { s, sectors: sharing, ha } of conflicts.rows)
        near(ha, counted.of(`row ${s} ${sharing.join()}`), `${sharing.join()} at ${s}`);
      for (const { sectors: sharing, ha } of conflicts.sets)
        if (sharing !== null) near(ha, counted.of(`set ${sharing.join()}`), sharing.join());
      assert.ok(counted.of('contested') > 0.1 * counted.of('allocable'));
    });

    test('gaps, and which input leaves them alone', async () => {
      const counted = sums();
      const inputs = await Promise.all(
        leaves.map(async ({ key, group }) => ({ key, group, values: await valuesOf(key) })),
      );
      const landCover = await valuesOf('land-cover');
      for (let pixel = 0; pixel < pixels; pixel += 1) {
        const area = areaOf(pixel);
        counted.add('grid', area);
        const missing = inputs.filter(
          ({ key, values }) => key !== 'protected-areas' && Number.isNaN(values[pixel] ?? Number.NaN),
        );
        for (const { group } of missing) counted.add(`missing ${group}`, area);
        if (missing.length === 0 || [50, 70, 80].includes(landCover[pixel] ?? 0)) continue;
        counted.add('without', area);
        if (missing.length === 1) counted.add(`alone ${missing[0]?.group}`, area);
      }
      const gaps = await getGaps(db, run.id);
      near(gaps.grid_ha, counted.of('grid'), 'grid');
      near(gaps.without_zone_ha, counted.of('without'), 'without a zone');
      assert.ok(gaps.without_zone_ha > 0);
      assert.equal(gaps.inputs.length, leaves.length);
      for (const { group, missing_ha: missing, alone_ha: alone } of gaps.inputs) {
        near(missing, counted.of(`missing ${group}`), `${group} missing`);
        near(alone, counted.of(`alone ${group}`), `${group} alone`);
      }
      assert.ok(figures > 300, `${figures} figures`);
    });
  });
}
