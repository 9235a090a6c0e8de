import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkStore } from '../../../src/object-store/fsck.ts';
import { sweepObjects } from '../../../src/object-store/sweeper.ts';
import { createFakeEngine } from './fake-workflow-engine.ts';
import { closeAfterTests } from '../for-tests.ts';
import { eventually } from '../processes.ts';
import { type MakeCluster, startRuns } from './runs.ts';
import { digestsOf, fillWide, openSpreading } from './spread.ts';

/** Only the last stage of the runs is computed; what it reads is there. */
export const lastStage = { from_stage: 3 };

/** Runs over two blocks whose steps a test does itself, or lets workers of a fake engine do. */
export async function openFencedRuns() {
  const runs = await closeAfterTests(startRuns());
  await fillWide(runs);
  const expected = await digestsOf(runs, await runs.execute({ from_stage: 0 }));
  const { db, store } = runs;
  const fake = createFakeEngine();
  const spreading = await closeAfterTests(openSpreading(runs, fake.engine));
  const fenced = {
    runs,
    /** Of what this machine has computed, which later runs read, as `digestsOf` gives them. */
    expected,
    fake,
    spreading,
    partsOf: async (runId: string) =>
      await db
        .selectFrom('landscape_parts')
        .select(['place', 'part_key'])
        .where('run_id', '=', runId)
        .orderBy('place')
        .execute(),
    passOf: async (runId: string) =>
      await db.selectFrom('landscape_passes').selectAll().where('run_id', '=', runId).executeTakeFirst(),
    async assertTidy(): Promise<void> {
      await sweepObjects(db, store);
      const { damage, inFlight } = await checkStore(db, store);
      assert.deepEqual([damage, inFlight], [[], []]);
      assert.deepEqual(await db.selectFrom('landscape_passes').select('run_id').execute(), []);
      const [own = ''] = await readdir(join(runs.scratchRoot, 'spread'));
      assert.deepEqual(await readdir(join(runs.scratchRoot, 'spread', own)), []);
    },
    /** A worker of a stamp that takes steps. */
    serve(stamp: string): AsyncDisposable {
      const taking = spreading.serve(stamp);
      return { [Symbol.asyncDispose]: async () => await taking.close() };
    },
    /** A run whose pass has begun, and whose steps no worker takes; a worker holds its job. */
    async begin({
      stamp = 'own',
      cluster = spreading.cluster(stamp),
    }: { readonly stamp?: string; readonly cluster?: MakeCluster } = {}) {
      const worker = runs.start({}, cluster);
      const { id } = await runs.create(lastStage);
      await eventually('a pass', async () => await fenced.passOf(id));
      return {
        id,
        worker,
        [Symbol.asyncDispose]: async () => await worker.stop(),
        async finish() {
          await using _taking = fenced.serve(stamp);
          const run = await runs.finished(id);
          await worker.stop();
          return run;
        },
      };
    },
  };
  return fenced;
}
