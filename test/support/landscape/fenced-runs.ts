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

/** Input of a run that computes only the last stage and reuses the rest. */
export const lastStage = { from_stage: 3 };

/** Runs over two blocks. The test performs their steps itself, or has workers of a fake engine perform them. */
export async function openFencedRuns() {
  const runs = await closeAfterTests(startRuns());
  await fillWide(runs);
  const expected = await digestsOf(runs, await runs.execute({ from_stage: 0 }));
  const { db, store } = runs;
  const fake = createFakeEngine();
  const spreading = await closeAfterTests(openSpreading(runs, fake.engine));
  const fenced = {
    runs,
    /** Digests of the outputs computed on this machine, in the form of `digestsOf`. */
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
    /** Serves steps as a worker of a stamp. */
    serve(stamp: string): AsyncDisposable {
      const taking = spreading.serve(stamp);
      return { [Symbol.asyncDispose]: async () => await taking.close() };
    },
    /** Begins the pass of a run, whose steps no worker takes; a worker holds the job of the run. */
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
