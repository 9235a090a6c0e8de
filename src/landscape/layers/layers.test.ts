import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { deleteDataset } from '../../datasets/deletion/delete.ts';
import { EngineDied } from '../../geo/engine.ts';
import { cells, noCell, notAllocableCell } from '../../../common/landscape/cells.ts';
import { codeOfCell, notAllocableCode, type ZoningCase } from '../../../common/landscape/zoning.ts';
import { nodeByCode } from '../graph/graph.ts';
import { SourceUnreadable } from '../compute/source-errors.ts';
import { createLayerHandler } from './make-layer.ts';
import { layerOf } from './layers.ts';
import { leaves } from '../model/leaves.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { retireObjects } from '../../object-store/ledger.ts';
import { checkStore } from '../../object-store/fsck.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import {
  drawnLeaves,
  drawnTourism,
  openGapLandscape,
} from '../../../test/support/landscape/gap-landscape.ts';
import {
  fillDemonstration,
  madeLayer,
  outputPixels,
  pixelsOf,
} from '../../../test/support/landscape/layer-landscape.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';
import { isLongTier } from '../../../test/support/tier.ts';

const cases: readonly Partial<ZoningCase>[] = [
  { v1_min_s_e12: 2, v1_min_s_e3: 3, v2_min_s_e3: 1, v2_min_s_e4: 2, tie_priority: [5, 4, 3, 2, 1] },
  { v1_min_s_e12: 1, v1_min_s_e3: 5, v2_min_s_e3: 4, v2_min_s_e4: 1, tie_priority: [3, 1, 4, 2, 5] },
];

/** First pixel where the layer of a run and its zoning differ. */
async function disagreement(runs: Awaited<ReturnType<typeof startRuns>>, run: LandscapeRun) {
  const layer = await madeLayer(runs, run.id);
  const [numbers, codes] = [await pixelsOf(runs, layer.cogKey), await outputPixels(runs, run, '34')];
  assert.equal(numbers.length, codes.length);
  const expected = [0, ...cells.map((cell) => codeOfCell(cell, run.params)), notAllocableCode];
  const occurring = new Set(numbers);
  assert.ok(occurring.has(noCell) && occurring.has(notAllocableCell), 'land of every kind');
  assert.ok(occurring.size > 3, `${occurring.size} different cells`);
  const at = codes.findIndex((code, i) => code !== expected[numbers[i] ?? 0]);
  return at < 0 ? undefined : { at, code: codes[at], number: numbers[at] };
}

const demonstration = await closeAfterTests(startRuns());
if (isLongTier) await fillDemonstration(demonstration);
else for (const { key } of leaves) await demonstration.fill(key);
const first = await demonstration.execute();
const drawn = await closeAfterTests(startRuns());
const landscape = await closeAfterTests(openGapLandscape(drawn));
for (const { key, group } of leaves) {
  const leaf = drawnLeaves[key];
  if (leaf !== undefined) await landscape.add(leaf, group, key);
}
const tourism = await landscape.add(drawnTourism);
const { db } = demonstration;

const jobs = async () =>
  await db.selectFrom('jobs').select(['id', 'state', 'ref_id']).where('kind', '=', 'make-layer').execute();
const isSound = async () => assert.deepEqual((await checkStore(db, demonstration.store)).damage, []);
const outputOf = (run: LandscapeRun, code: string): string =>
  run.nodes?.find((node) => node.node_code === code)?.outputs?.[0]?.dataset_id ?? assert.fail(code);
const pins = ['21', '22', '23', '24', '25'].flatMap((code) =>
  ['22', '24'].filter((other) => other !== code).map((other) => [code, other] as const),
);
/** A second run, whose layer is made from other rasters: one suitability replaces another. */
const nextRun = async () => {
  const [code, other] = pins.shift() ?? assert.fail('no pin is left');
  const group = nodeByCode(code)?.output.group ?? '';
  const run = await demonstration.execute({ overrides: { [group]: outputOf(first, other) } });
  assert.equal(run.status, 'succeeded', run.error ?? '');
  return run;
};

describe('the layer of cells', () => {
  test('is the zoning of runs, pixel by pixel, by whatever thresholds and order', async () => {
    assert.equal(first.status, 'succeeded', first.error ?? '');
    assert.equal(await disagreement(demonstration, first), undefined);
    for (const params of cases) {
      const run = await demonstration.execute({ params });
      assert.equal(await disagreement(demonstration, run), undefined);
    }
    assert.equal((await jobs()).length, 1, 'runs of equal inputs share it');
    await isSound();
  });

  test('is that of another landscape with holes of all kinds, and with a pinned suitability', async () => {
    for (const body of [{}, { params: cases[0] }, { overrides: { 'landscape-25-tourism': tourism } }]) {
      const run = await drawn.execute(body);
      assert.equal(run.status, 'succeeded', run.error ?? '');
      assert.equal(await disagreement(drawn, run), undefined);
    }
    assert.equal((await drawn.db.selectFrom('landscape_layers').select('id').execute()).length, 2);
  });

  test('has one job, however many ask at once, and is the same bytes when it is made again', async () => {
    const run = await nextRun();
    const asked = await Promise.all(
      [1, 2, 3, 4].map(async () => await layerOf(demonstration, run.id, 'cells')),
    );
    const refs = new Set(asked.map((each) => each.isPending && each.ref));
    assert.equal(refs.size, 1);
    const [own] = (await jobs()).filter((job) => refs.has(job.ref_id));
    assert.equal((await jobs()).filter((job) => refs.has(job.ref_id)).length, 1);
    assert.ok(own !== undefined);
    const made = await madeLayer(demonstration, run.id);
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('landscape_layers').where('id', '=', made.id).execute();
      await retireObjects(trx, [made.cogKey, made.meshKey]);
    });
    const again = await madeLayer(demonstration, run.id);
    assert.notEqual(again.id, made.id);
    assert.equal(again.sha256, made.sha256);
  });

  test('survives children that die, a store that fails, and an attempt that has lost its job', async () => {
    const run = await nextRun();
    let [deaths, failures, stolen] = [0, 0, false];
    const { geo, landscape: computing } = demonstration.engines;
    const layer = await madeLayer(demonstration, run.id, {
      landscape: {
        compute: async (task) => {
          if ((deaths += 1) === 1) throw new EngineDied('killed');
          return await computing.compute(task);
        },
      },
      geo: {
        assembleRasters: async (task) => {
          const made = await geo.assembleRasters(task);
          if (!stolen) {
            stolen = true;
            // Another worker has taken over the job and finished it: this attempt may publish nothing.
            await sql`update jobs set attempt = attempt + 1, state = 'queued', lease_until = null
              where kind = 'make-layer' and state = 'running'`.execute(db);
          }
          return made;
        },
      },
      store: {
        put: async (...args) => {
          if ((failures += 1) === 1) throw new Error('the disk is broken');
          await demonstration.store.put(...args);
        },
      },
    });
    assert.ok(deaths > 1 && failures > 1 && stolen);
    const stored = await db
      .selectFrom('objects')
      .select('key')
      .where('key', 'like', `layer/${layer.id}/%`)
      .where('state', '<>', 'deleting')
      .execute();
    assert.deepEqual(stored.map(({ key }) => key).toSorted(), [layer.cogKey, layer.meshKey ?? ''].toSorted());
    await isSound();
  });

  test('is made once: an attempt that comes later does nothing', async () => {
    const layer = await madeLayer(demonstration, first.id);
    const handler = createLayerHandler({
      db,
      objectStore: demonstration.store,
      engines: demonstration.engines,
      computeWorkers: 1,
      maxPixels: 1e6,
    });
    const fails = async () => assert.fail('nothing is left to do');
    await handler.run({
      jobId: '',
      number: 2,
      refId: layer.id,
      scratch: '',
      signal: new AbortController().signal,
      fenced: fails,
      publish: fails,
      postpone: fails,
      store: fails,
    });
  });

  test('that cannot be made is a conflict for good', async () => {
    const run = await nextRun();
    const unreadable = { compute: async () => await Promise.reject(new SourceUnreadable('21')) };
    await assert.rejects(madeLayer(demonstration, run.id, { landscape: unreadable }), {
      code: 'conflict',
      sentence: { code: 'zoning.layerFailed', facts: [] },
    });
    await isSound();
  });

  test('goes with the first raster that it is made of, and its job with it', async () => {
    const run = await nextRun();
    const layer = await madeLayer(demonstration, run.id);
    const other = await nextRun();
    const pending = await layerOf(demonstration, other.id, 'cells');
    assert.ok(pending.isPending);
    for (const each of [outputOf(run, '31'), outputOf(other, '34')])
      await deleteDataset({ db, objectStore: demonstration.store }, each);
    assert.equal(
      (await layerOf(demonstration, run.id, 'cells')).isPending,
      false,
      'it is made of other rasters',
    );
    await deleteDataset({ db, objectStore: demonstration.store }, outputOf(first, '26'));
    const left = await db.selectFrom('landscape_layers').select('id').execute();
    assert.ok(!left.some(({ id }) => id === layer.id || id === pending.ref));
    const [job] = (await jobs()).filter(({ ref_id: ref }) => ref === pending.ref);
    assert.equal(job?.state, 'cancelled');
    assert.equal(await demonstration.store.size(layer.cogKey), undefined);
    await assert.rejects(layerOf(demonstration, run.id, 'cells'), { code: 'not_found' });
    await isSound();
  });

  test('waits for the end of its run', async () => {
    const queued = await demonstration.create();
    await assert.rejects(layerOf(demonstration, queued.id, 'cells'), { code: 'conflict' });
  });
});
