import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SourceUnreadable } from '../compute/source-errors.ts';
import { sumGaps } from '../compute/count-gaps.ts';
import { nodes } from '../graph/graph.ts';
import { LandscapeParams } from '../model/params.ts';
import { type Tile, tilesOf, windowsOf } from '../model/tiles.ts';
import { leaves } from '../model/leaves.ts';
import { estimateGaps } from './gap-estimate.ts';
import { getGapPlace, getGaps } from './gaps.ts';
import type { LandscapeGaps } from './gaps-schema.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import {
  drawnLeaves,
  drawnTourism,
  grid,
  hectaresOfRow,
  missingPixels,
  openGapLandscape,
} from '../../../test/support/landscape/gap-landscape.ts';
import { codesOf, startRuns } from '../../../test/support/landscape/runs.ts';

const runs = await closeAfterTests(startRuns());
const landscape = await closeAfterTests(openGapLandscape(runs));
const { db } = runs;
const { rasterPoints } = landscape;
const { signal } = new AbortController();
for (const { key, group } of leaves) {
  const leaf = drawnLeaves[key];
  if (leaf !== undefined) await landscape.add(leaf, group, key);
}
const first = await runs.execute();

interface Counted {
  readonly group: string;
  /** 1 for each pixel without a value. */
  readonly missing: Uint8Array;
}

const counted: readonly Counted[] = leaves.map((leaf) => {
  const drawn = drawnLeaves[leaf.key];
  assert.ok(drawn !== undefined, leaf.key);
  const kind = leaf.key === 'protected-areas' ? 'void' : leaf.type === 'uint8' ? 'class' : 'float';
  return { group: leaf.group, missing: missingPixels(drawn, kind) };
});

/** Groups without a value in a pixel, and whether the pixel has no zone: water is always zoned. */
function lookAt(inputs: readonly Counted[], column: number, row: number) {
  const missing = inputs
    .filter((input) => input.missing[row * grid.width + column] === 1)
    .map(({ group }) => group);
  const isWater = row < 50;
  return {
    missing,
    isHole: missing.length > 0 && !(isWater && !missing.includes('landscape-in-land-cover')),
  };
}

/** Counts pixel by pixel. */
function bruteForce(inputs: readonly Counted[]) {
  const sums = new Map(inputs.map(({ group }) => [group, { missing: 0, alone: 0 }]));
  let [whole, without] = [0, 0];
  for (let row = 0; row < grid.height; row += 1) {
    const area = hectaresOfRow(row);
    for (let column = 0; column < grid.width; column += 1) {
      const { missing, isHole } = lookAt(inputs, column, row);
      whole += area;
      if (isHole) without += area;
      for (const group of missing) {
        const sum = sums.get(group);
        if (sum === undefined) continue;
        sum.missing += area;
        if (isHole && missing.length === 1) sum.alone += area;
      }
    }
  }
  return { whole, without, sums };
}

function assertEqual(gaps: LandscapeGaps, inputs: readonly Counted[], tolerance = 1e-7): void {
  const { whole, without, sums } = bruteForce(inputs);
  const isNear = (figure: number, expected: number, name: string) =>
    assert.ok(Math.abs(figure - expected) <= tolerance * whole, `${name}: ${figure}, not ${expected}`);
  assert.deepEqual(
    gaps.inputs.map(({ group }) => group),
    inputs.map(({ group }) => group),
  );
  isNear(gaps.grid_ha, whole, 'grid');
  isNear(gaps.without_zone_ha, without, 'without a zone');
  for (const { group, missing_ha: missing, alone_ha: alone } of gaps.inputs) {
    isNear(missing, sums.get(group)?.missing ?? 0, `${group} missing`);
    isNear(alone, sums.get(group)?.alone ?? 0, `${group} alone`);
  }
}

describe('the gaps of a run', () => {
  test('are those that counting its rasters pixel by pixel finds', async () => {
    assert.equal(first.status, 'succeeded', first.error ?? '');
    const gaps = await getGaps(db, first.id);
    assertEqual(gaps, counted);
    assert.equal(gaps.is_estimate, false);
    const alone = gaps.inputs.filter(({ alone_ha: hectares }) => hectares > 0).length;
    assert.ok(alone >= 6, `${alone} inputs leave holes alone`);
  });
});

test('the gaps of a grid have the same bits by whatever windows and batches', async () => {
  const { landscape: engine } = runs.engines;
  const sources = [...landscape.files].map(([key, path]) => ({ key, path }));
  const { grid: reference } = await engine.inspect({ work: { sources }, scratch: landscape.folder, signal });
  assert.ok(reference !== undefined);
  const [left, right] = [...windowsOf(reference, 512)];
  assert.ok(left !== undefined && right !== undefined);
  const keys = leaves.map(({ key }) => key);
  const countBy = async (batches: readonly (readonly Tile[])[]) => {
    const counted = [];
    for (const windows of batches) {
      const folder = await mkdtemp(join(landscape.folder, 'batch-'));
      const params = LandscapeParams.parse({});
      const codes = nodes.map(({ code }) => code);
      const work = {
        grid: reference,
        params,
        nodes: codes,
        sources,
        windows: [...windows],
        folder,
        gaps: keys,
      };
      const { gaps = [] } = await engine.compute({
        files: work,
        batch: Promise.resolve(work),
        scratch: folder,
        signal,
      });
      counted.push(
        ...[...tilesOf(windows)].map((tile, i) => ({ tile, gaps: gaps[i] ?? assert.fail('no gaps') })),
      );
    }
    return sumGaps(counted);
  };
  const whole = await countBy([[...windowsOf(reference, 8192)]]);
  assert.ok(whole.withoutZone > 0);
  assert.deepEqual(await countBy([[right], [left]]), whole);
});

/** Inputs with the raster of one group replaced. */
function replaced(group: string, missing: Uint8Array): readonly Counted[] {
  return counted.map((input) => (input.group === group ? { group, missing } : input));
}

describe('the gaps of a run that uses earlier outputs again', () => {
  test('are those of the earlier run when it has the same inputs', async () => {
    const run = await runs.execute({ params: { v1_min_s_e3: 5 } });
    assert.ok(codesOf(run, 'skipped').length >= 17);
    assert.deepEqual(await getGaps(db, run.id), await getGaps(db, first.id));
  });

  test('are counted when none are known, although nothing is computed', async () => {
    const before = await getGaps(db, first.id);
    await db.deleteFrom('landscape_gaps').execute();
    await assert.rejects(getGaps(db, first.id), /were not counted/);
    const run = await runs.execute();
    assert.equal(codesOf(run, 'skipped').length, 19);
    assert.deepEqual(await getGaps(db, run.id), before);
  });

  test('are those of all inputs when only some nodes are computed', async () => {
    const salinity = {
      ...(drawnLeaves['soil-salinity'] ?? assert.fail()),
      value: (x: number, y: number) => (x > 450 && y > 150 ? 500 : 1),
    };
    const group = 'landscape-in-soil-salinity';
    const id = await landscape.add(salinity);
    const run = await runs.execute({ overrides: { [group]: id } });
    assert.ok(codesOf(run, 'skipped').includes('25'));
    assertEqual(await getGaps(db, run.id), replaced(group, missingPixels(salinity, 'float')));
  });

  test('count a pinned output in the place of what it is made of', async () => {
    const group = 'landscape-25-tourism';
    const id = await landscape.add(drawnTourism);
    const run = await runs.execute({ overrides: { [group]: id } });
    const pinned = { group, missing: missingPixels(drawnTourism, 'class') };
    assertEqual(await getGaps(db, run.id), [
      ...counted.filter((input) => input.group !== 'landscape-in-distance-road'),
      pinned,
    ]);
  });

  test('are not counted, and the run succeeds, where an input that it does not need cannot be read', async () => {
    const ndvi = await landscape.add(drawnLeaves['ndvi'] ?? assert.fail());
    const unreadable: typeof runs.engines.landscape.compute = async (task) => {
      if ((await task.batch).gaps !== undefined) throw new SourceUnreadable('snow-depth');
      return await runs.engines.landscape.compute(task);
    };
    const overrides = { 'landscape-in-ndvi': ndvi };
    const run = await runs.execute({ overrides }, { landscape: { compute: unreadable } });
    assert.equal(run.status, 'succeeded', run.error ?? '');
    await assert.rejects(getGaps(db, run.id), /were not counted/);
  });
});

describe('the gaps at a place', () => {
  const placeOf = async (column: number, row: number) =>
    await getGapPlace(
      { db, rasterPoints },
      {
        runId: first.id,
        lon: grid.left + (column + 0.5) * grid.step,
        lat: grid.top - (row + 0.5) * grid.step,
      },
      signal,
    );

  test('name what the rasters lack there', async () => {
    const places = [
      [30, 150],
      [5, 42],
      [5, 140],
      [310, 145],
      [345, 145],
      [345, 20],
      [160, 190],
      [500, 100],
      [445, 230],
      [214, 184],
      [300, 200],
      [100, 150],
      ...Array.from({ length: 30 }, (_, i) => [(i * 197) % grid.width, (i * 311) % grid.height] as const),
    ] as const;
    for (const [column, row] of places) {
      const place = await placeOf(column, row);
      const { missing, isHole } = lookAt(counted, column, row);
      assert.deepEqual([place.is_on_grid, place.zone === null], [true, isHole], `${column}, ${row}`);
      assert.deepEqual(place.missing, missing, `${column}, ${row}`);
    }
  });

  test('do not exist outside of the grid', async () => {
    const { is_on_grid: isOn, zone, missing } = await placeOf(-20, 10);
    assert.deepEqual([isOn, zone, missing], [false, null, []]);
  });
});

describe('the estimate', () => {
  test('is near to what a run counts', async () => {
    const spend = async <T>(work: () => Promise<T>) => await work();
    const estimate = await estimateGaps({ db, rasterPoints, spend }, {}, signal);
    assert.equal(estimate.is_estimate, true);
    assertEqual(estimate, counted, 0.01);
    const exact = await getGaps(db, first.id);
    assert.ok(
      Math.abs(estimate.grid_ha / exact.grid_ha - 1) < 1e-4,
      `${estimate.grid_ha} of ${exact.grid_ha}`,
    );
  });
});
