import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { EngineDied } from '../../src/geo/engine.ts';
import { nodes } from '../../src/landscape/graph/graph.ts';
import { aborted } from '../../src/lib/concurrency/promises.ts';
import { cancelRun } from '../../src/landscape/runs/run-rows.ts';
import { getGaps } from '../../src/landscape/gaps/gaps.ts';
import { checkStore } from '../../src/object-store/fsck.ts';
import { sweepObjects } from '../../src/object-store/sweeper.ts';
import { until } from '../support/jobs.ts';
import { codesOf, type MakeCluster, type startRuns } from '../support/landscape/runs.ts';
import { isLongTier } from '../support/tier.ts';
import { digestsOf } from '../support/landscape/spread.ts';

type Runs = Awaited<ReturnType<typeof startRuns>>;

export interface OpenedCluster {
  /** Runs with filled slots, over a grid of at least two tiles. */
  readonly runs: Runs;
  readonly makeCluster: MakeCluster | undefined;
}

/** The long tier computes all nodes, the short tier those that take least. */
const stage = isLongTier ? 0 : 3;
const codes = nodes.filter((node) => node.stage >= stage).map(({ code }) => code);
const fromStage = { from_stage: stage };
const dying = async (): Promise<never> => await Promise.reject(new EngineDied('killed by the test'));

/**
 * Describes the contract of every executor of passes.
 * @param expected digests of the outputs of another executor
 */
export function describeComputeCluster(
  name: string,
  { runs, makeCluster }: OpenedCluster,
  expected: ReadonlyMap<string, string>,
): void {
  const { db, store } = runs;
  /** Asserts that only the published outputs of a pass are left. */
  const assertTidy = async (): Promise<void> => {
    await sweepObjects(db, store);
    const { damage, inFlight } = await checkStore(db, store);
    assert.deepEqual([damage, inFlight], [[], []]);
    const { rows } = await sql<{
      passes: number;
      parts: number;
    }>`select (select count(*) from landscape_passes)::int as passes,
      (select count(*) from landscape_parts)::int as parts`.execute(db);
    assert.deepEqual(rows, [{ passes: 0, parts: 0 }]);
  };

  describe(`compute cluster: ${name}`, () => {
    test('computes all nodes, the same bytes as any other, and counts gaps', async () => {
      await db.deleteFrom('landscape_gaps').execute();
      const run = await runs.execute(fromStage, {}, makeCluster);
      assert.deepEqual([run.error, codesOf(run, 'succeeded')], [null, codes]);
      assert.deepEqual(
        await digestsOf(runs, run),
        new Map([...expected].filter(([code]) => codes.includes(code))),
      );
      assert.ok((await getGaps(db, run.id)).grid_ha > 0);
      assert.equal(run.blocks, undefined);
      await assertTidy();
    });

    for (const [what, faults] of [
      ['computes', { landscape: { compute: dying } }],
      ['assembles', { geo: { assembleRasters: dying, composeRasters: dying } }],
    ] as const)
      test(`a child that always dies while it ${what} fails the run`, async () => {
        const run = await runs.execute(fromStage, faults, makeCluster);
        assert.deepEqual([run.status, run.error?.endsWith('internal error')], ['failed', true]);
        await assertTidy();
      });

    test('a full disk fails the run with its sentence', async () => {
      const compute = async (): Promise<never> =>
        await Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
      const run = await runs.execute(fromStage, { landscape: { compute } }, makeCluster);
      assert.deepEqual([run.status, run.error?.endsWith('output could not be stored')], ['failed', true]);
      await assertTidy();
    });

    test('a source without a pixel on the grid fails the run with its sentence', async () => {
      const far = await runs.addRaster('landscape-in-dem', 'raster/dsm_2m.tif', { dg_id: null });
      const pins = { overrides: { 'landscape-in-land-cover': far } };
      const run = await runs.execute({ ...fromStage, ...pins }, {}, makeCluster);
      assert.equal(run.status, 'failed');
      assert.match(run.error ?? '', /^\d\d: .*landscape-in-land-cover/);
      await assertTidy();
    });

    test('a run that is cancelled while it computes leaves nothing', async () => {
      const begun = Promise.withResolvers<AbortSignal>();
      const compute = async ({ signal }: { readonly signal: AbortSignal }): Promise<never> => {
        begun.resolve(signal);
        await aborted(signal);
        throw signal.reason;
      };
      const worker = runs.start({ landscape: { compute } }, makeCluster);
      const { id } = await runs.create(fromStage);
      const signal = await begun.promise;
      await cancelRun(db, id);
      await until(() => signal.aborted);
      assert.equal((await runs.finished(id)).status, 'failed');
      await worker.stop();
      await assertTidy();
    });
  });
}
