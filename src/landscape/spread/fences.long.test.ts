import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Attempt, LeaseLost } from '../../jobs/handler.ts';
import { cancelRun, recordRunSuccess } from '../runs/run-rows.ts';
import { endAbandoned } from './passes.ts';
import { PassGone } from './failures.ts';
import { workflowId } from './stamp.ts';
import { lastStage, openFencedRuns } from '../../../test/support/landscape/fenced-runs.ts';
import { eventually } from '../../../test/support/processes.ts';
import { codesOf, type MakeCluster } from '../../../test/support/landscape/runs.ts';

const { runs, fake, spreading, partsOf, passOf, begin, serve, assertTidy } = await openFencedRuns();
const { db } = runs;
const call = { signal: new AbortController().signal };

describe('fences of a run that is spread over workers', () => {
  test('an end that comes late, of an attempt that has lost the job, is refused', async () => {
    const held = Promise.withResolvers<Attempt>();
    const gate = Promise.withResolvers<void>();
    const cluster = spreading.cluster('own');
    let isFirst = true;
    const late: MakeCluster = (dependencies) => {
      const inner = cluster(dependencies);
      return {
        async execute(attempt, begun) {
          await inner.execute(attempt, begun);
          if (!isFirst) return;
          isFirst = false;
          held.resolve(attempt);
          await gate.promise;
        },
      };
    };
    await using begun = await begin({ cluster: late });
    const { id, worker } = begun;
    await using _taking = serve('own');
    const attempt = await held.promise;
    await using other = runs.start({}, cluster);
    // Its worker renews the lease until the job is queued again.
    await eventually('another attempt', async () => {
      const expired = sql`update jobs set lease_until = '-infinity'
        where ref_id = ${id} and attempt = ${attempt.number} and state = 'running'`;
      return (await expired.execute(db)).numAffectedRows === 0n;
    });
    const ended = await runs.finished(id);
    assert.equal(ended.status, 'succeeded');
    await assert.rejects(
      attempt.publish(async (trx) => await recordRunSuccess(trx, id)),
      LeaseLost,
    );
    gate.resolve();
    await Promise.all([worker.stop(), other.stop()]);
    assert.deepEqual(await runs.read(id), ended);
    const jobs = sql<{
      state: string;
      attempt: number;
    }>`select state, attempt from jobs where ref_id = ${id}`;
    assert.deepEqual((await jobs.execute(db)).rows, [{ state: 'done', attempt: attempt.number + 1 }]);
    await assertTidy();
  });

  test('an output that another worker has published stays as it is', async () => {
    await using begun = await begin();
    const { id } = begun;
    const steps = spreading.steps('own');
    for (const place of [0, 1]) await steps.computeBlock({ runId: id, place }, call);
    const group = { runId: id, codes: ['34'] };
    await Promise.all([steps.publishOutputs(group, call), steps.publishOutputs(group, call)]);
    assert.deepEqual(codesOf(await runs.read(id), 'succeeded'), ['34']);
    assert.equal((await begun.finish()).status, 'succeeded');
    await assertTidy();
  });

  test('a worker of another stamp does nothing, and takes nothing from the queue', async () => {
    await using begun = await begin();
    const { id } = begun;
    const other = spreading.steps('other');
    await assert.rejects(other.computeBlock({ runId: id, place: 0 }, call), PassGone);
    await assert.rejects(other.publishOutputs({ runId: id, codes: ['34'] }, call), PassGone);
    const before = fake.begun.length;
    await using _taking = serve('other');
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(fake.begun.length, before);
    assert.equal((await begun.finish()).status, 'succeeded');
    await assertTidy();
  });

  test('an attempt of another stamp begins the pass again; one of the same keeps the parts', async () => {
    await using begun = await begin({ stamp: 'old' });
    const { id, worker } = begun;
    await spreading.steps('old').computeBlock({ runId: id, place: 0 }, call);
    const [old] = await partsOf(id);
    await worker.stop();
    await using again = runs.start({}, spreading.cluster('new'));
    await eventually('another pass', async () => (await passOf(id))?.stamp === 'new');
    assert.deepEqual(await partsOf(id), []);
    // The row of the pass exists before its workflow begins.
    await eventually('another workflow', async () => fake.states().at(-1) === 'open');
    assert.equal(fake.states().at(-2), 'ended');
    await spreading.steps('new').computeBlock({ runId: id, place: 0 }, call);
    const [kept] = await partsOf(id);
    assert.notEqual(kept?.part_key, old?.part_key);
    await again.stop();
    await db.updateTable('landscape_passes').set({ queue: 'steppe-landscape-before' }).execute();
    await using last = runs.start({}, spreading.cluster('new'));
    await eventually('its queue', async () => (await passOf(id))?.queue !== 'steppe-landscape-before');
    assert.deepEqual(await partsOf(id), [kept]);
    await using _taking = serve('new');
    assert.equal((await runs.finished(id)).status, 'succeeded');
    await last.stop();
    await assertTidy();
  });
});

describe('a workflow engine', () => {
  test('that is away keeps a run waiting, which says so and ends well', async () => {
    fake.setAway(true);
    await using begun = await begin();
    const { id } = begun;
    const away = async () => (await runs.read(id)).blocks?.engine_away_since ?? undefined;
    assert.match(await eventually('an engine that is away', away), /^\d{4}-/);
    fake.setAway(false);
    await eventually('an engine that is back', async () => (await away()) === undefined);
    assert.equal((await begun.finish()).status, 'succeeded');
    await assertTidy();
  });

  test('may forget all: the run goes on with the parts that are there', async () => {
    await using begun = await begin();
    const { id } = begun;
    await spreading.steps('own').computeBlock({ runId: id, place: 1 }, call);
    const before = await partsOf(id);
    fake.forget();
    await using _taking = serve('own');
    await eventually(
      'all parts',
      async () => (await partsOf(id)).length === 2 || (await passOf(id)) === undefined,
    );
    const run = await begun.finish();
    assert.deepEqual([run.status, before.length], ['succeeded', 1]);
    await assertTidy();
  });

  test('that was away when a run was cancelled has its workflow ended later', async () => {
    await using begun = await begin();
    const { id, worker } = begun;
    const open = workflowId(spreading.installation, id, spreading.placeOf('own').queue);
    await eventually('a workflow', async () => (await fake.engine.stateOf(open)).state === 'open');
    fake.setAway(true);
    await cancelRun(db, id);
    await worker.stop();
    fake.setAway(false);
    assert.equal(await endAbandoned(db, fake.engine, spreading.installation), 1);
    assert.deepEqual(await fake.engine.stateOf(open), { state: 'ended' });
    assert.equal(await endAbandoned(db, fake.engine, spreading.installation), 0);
    await assertTidy();
  });

  test('a grid of fewer pixels stays on this machine', async () => {
    const before = fake.begun.length;
    const run = await runs.execute(lastStage, {}, spreading.cluster('own', { spreadPixels: 600 * 48 + 1 }));
    assert.deepEqual([run.status, fake.begun.length], ['succeeded', before]);
  });
});
