import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { deleteDatasetGroup } from '../../catalogue/dataset-groups.ts';
import { EngineDied } from '../../geo/engine.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { StoreUnavailable } from '../../object-store/object-store.ts';
import { checkStore } from '../../object-store/fsck.ts';
import { ResourceError } from '../../lib/errors.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';
import { groupId } from '../../../test/support/geo/rasters.ts';
import { codesOf, type Faults, startRuns } from '../../../test/support/landscape/runs.ts';

const engineDied = new EngineDied('killed by the test');
const runs = await closeAfterTests(startRuns());
const { db, store, engines, start, read, finished } = runs;
for (const { key } of leaves) await runs.fill(key);

/** A run that reuses nothing. */
const fromStart = { from_stage: 0 };
const execute = async (faults?: Faults, body: object = fromStart) => await runs.execute(body, faults);

/** An engine that dies this many times before it computes. */
function dying(times: number): Faults {
  let left = times;
  return {
    landscape: {
      async compute(task) {
        left -= 1;
        if (left >= 0) throw engineDied;
        return await engines.landscape.compute(task);
      },
    },
  };
}

describe('the execution of runs when something goes wrong', () => {
  test('the category and a group of an output that were deleted are made again', async () => {
    const group = 'landscape-05-allocable';
    await deleteDatasetGroup(db, await groupId(db, group));
    await db.deleteFrom('categories').where('code', '=', 'landscape').execute();
    const run = await execute();
    assert.equal(run.status, 'succeeded');
    const filed = await db
      .selectFrom('datasets')
      .innerJoin('categories', 'categories.id', 'datasets.category_id')
      .select('categories.code')
      .where('dg_id', '=', await groupId(db, group))
      .execute();
    assert.deepEqual(filed, [{ code: 'landscape' }]);
  });

  test('a batch whose child died twice is computed again', async () => {
    const run = await execute(dying(2));
    assert.deepEqual([run.status, codesOf(run, 'succeeded').length], ['succeeded', 19]);
  });

  test('a batch whose child always dies is an internal error of the lowest node', async () => {
    const run = await execute(dying(3));
    assert.deepEqual([run.status, run.error], ['failed', '01: node 01: internal error']);
    assert.deepEqual([codesOf(run, 'failed'), codesOf(run, 'pending').length], [['01'], 18]);
    assert.deepEqual((await checkStore(db, store)).damage, []);
  });

  test('what a run has made is counted with it where it is small, else once the run has ended, also when it fails', async () => {
    const outputsOf = (state: 'running' | 'failed') =>
      sql<{ made: number; counted: number }>`
        select count(n.id)::integer as made, count(s.dataset_id)::integer as counted
        from landscape_run_nodes n left join raster_statistics s on s.dataset_id = n.output_id
        where n.status = 'succeeded' and n.run_id = (select id from landscape_runs order by created_at desc limit 1)
          and exists (select from landscape_runs r where r.id = n.run_id and r.status = ${state})`
        .execute(db)
        .then(({ rows }) => rows[0] ?? assert.fail('there is no count'));
    let first: number | undefined;
    const seen: number[] = [];
    const run = await execute({
      geo: {
        async assembleRasters(task) {
          if (first === undefined) {
            first = task.rasters.length;
            const [small, ...large] = await engines.geo.assembleRasters(task);
            assert.ok(small?.counts !== undefined && large.length > 0);
            return [small, ...large.map((each) => ({ ...each, counts: undefined }))];
          }
          const { counted } = await eventually('the first outputs', async () => {
            const outputs = await outputsOf('running');
            return outputs.made === first && outputs;
          });
          seen.push(counted);
          throw engineDied;
        },
      },
    });
    assert.equal(run.status, 'failed');
    assert.ok(seen.length > 0 && seen.every((counted) => counted === 1));
    const { made, counted } = await outputsOf('failed');
    assert.ok(made > 0 && made === counted, `${counted} of ${made}`);
  });

  test('assembling that dies is tried three times, and no more', async () => {
    let tries = 0;
    const run = await execute({
      geo: {
        async assembleRasters() {
          tries += 1;
          throw engineDied;
        },
      },
    });
    assert.deepEqual([run.status, run.error], ['failed', '01: node 01: internal error']);
    assert.ok(tries >= 3 && tries <= 6, `${tries} tries`); // at most two groups of nodes per attempt
  });

  test('a node says how much of it is computed while it runs, from nothing on when it runs again', async () => {
    const shown: number[] = [];
    const newest = db.selectFrom('landscape_runs').select('id').orderBy('created_at', 'desc').limit(1);
    /** Waits until all running nodes show a new progress. */
    const look = async (): Promise<void> => {
      const { id } = await newest.executeTakeFirstOrThrow();
      const progress = await eventually('another progress', async () => {
        const all = (await read(id)).nodes?.flatMap((node) => node.progress ?? []) ?? [];
        assert.equal(new Set(all).size, 1, all.join());
        return all[0] === shown.at(-1) ? undefined : { share: all[0] ?? Number.NaN };
      });
      shown.push(progress.share);
    };
    let firstBatch: Promise<void> | undefined;
    const run = await execute(
      {
        landscape: {
          async inspect(task) {
            const { grid, ...rest } = await engines.landscape.inspect(task);
            // Two windows make two parallel batches.
            return { ...rest, grid: grid && { ...grid, width: 1024, height: 256 } };
          },
          async compute({ batch }) {
            const work = await batch;
            if (firstBatch === undefined) await (firstBatch = look());
            else await firstBatch.then(look);
            const counts = { covered: 1, valid: 1, invalid: 0 };
            const sources = Object.fromEntries(work.sources.map(({ key }) => [key, counts]));
            return { sources, parts: [], seconds: {} };
          },
        },
        geo: {
          async assembleRasters() {
            if (firstBatch === undefined) throw engineDied; // from the other group of nodes
            firstBatch = undefined;
            await look();
            throw engineDied;
          },
        },
      },
      { ...fromStart, params: { window_size: 512 } },
    );
    assert.equal(run.status, 'failed');
    assert.deepEqual(shown, [0, 0.5, 1, 0, 0.5, 1, 0, 0.5, 1]);
    assert.ok(run.nodes?.every((node) => !('progress' in node)));
  });

  for (const [title, error, sentence] of [
    ['what the text of an error gives away stays in the log', new TypeError('secret'), 'internal error'],
    [
      'a full disk is said to be one',
      new ResourceError('the geo engine lacks resources: no space left on device'),
      'output could not be stored',
    ],
  ] as const)
    test(title, async () => {
      const run = await execute({ landscape: { inspect: async () => await Promise.reject(error) } });
      assert.equal(run.error, `01: node 01: ${sentence}`);
    });

  test('an output that cannot be stored fails its node; those published stay, for the next run to use', async () => {
    await runs.fill('dem'); // no node has been computed from it
    let refused: string | undefined;
    let stored = 0;
    const run = await execute({
      store: {
        async put(key, body) {
          if (key.startsWith('cog/')) {
            stored += 1;
            if (stored > 3) refused ??= key.split('/').slice(0, 2).join('/');
            if (refused !== undefined && key.startsWith(refused)) {
              body.destroy();
              throw new Error('the store refuses');
            }
          }
          await store.put(key, body);
        },
      },
    });
    assert.equal(run.status, 'failed');
    const [failed = ''] = codesOf(run, 'failed');
    assert.equal(run.error, `${failed}: node ${failed}: output could not be stored`);
    const published = codesOf(run, 'succeeded');
    assert.ok(published.length >= 3, published.join());
    assert.equal(published.length + codesOf(run, 'pending').length, 18);
    const next = await execute({}, {});
    assert.equal(next.status, 'succeeded');
    // The fingerprint of a node names its inputs: where an input was not published, nothing after it can be
    // reused.
    const reusable = new Set<string>();
    for (const { code, inputs } of nodes) {
      const made = inputs.map(({ key }) => key).filter((key) => nodes.some((node) => node.code === key));
      if (published.includes(code) && made.every((key) => reusable.has(key))) reusable.add(code);
    }
    assert.ok(reusable.size > 0);
    assert.deepEqual(codesOf(next, 'skipped'), [...reusable]);
    assert.deepEqual((await checkStore(db, store)).damage, []);
  });

  test('a run waits while the store is away, whether sources are read or outputs are stored', async () => {
    let isAway = true;
    let refusals = 0;
    const away = () => new StoreUnavailable({ cause: new Error('no answer') });
    const run = await execute({
      store: {
        async read(key, range, options) {
          if (!isAway) return await store.read(key, range, options);
          isAway = false;
          throw away();
        },
        async put(key, body) {
          refusals += 1;
          // One failure more than a store may answer with a refusal.
          if (refusals > 3) return await store.put(key, body);
          body.destroy();
          throw away();
        },
      },
    });
    assert.deepEqual([run.error, codesOf(run, 'succeeded').length, isAway], [null, 19, false]);
  });

  test('a worker that goes on with a run computes what is not published, and nothing else', async () => {
    const published = Promise.withResolvers<void>();
    const hang = Promise.withResolvers<void>();
    let stored = 0;
    const first = start({
      store: {
        async put(key, body) {
          if (key.startsWith('cog/') && (stored += 1) > 5) {
            published.resolve();
            await hang.promise;
          }
          await store.put(key, body);
        },
      },
    });
    const { id } = await runs.create(fromStart);
    await published.promise;
    await eventually('five outputs', async () => codesOf(await read(id), 'succeeded').length === 5);
    await first.stop();
    const before = await read(id);
    const done = codesOf(before, 'succeeded');
    assert.equal(before.status, 'running');
    const asked: (readonly string[])[] = [];
    const second = start({
      landscape: {
        async compute(task) {
          asked.push((await task.batch).nodes);
          return await engines.landscape.compute(task);
        },
      },
    });
    const run = await finished(id);
    await second.stop();
    hang.resolve();
    assert.equal(run.status, 'succeeded');
    const left = (run.nodes ?? []).map((node) => node.node_code).filter((code) => !done.includes(code));
    assert.deepEqual(asked, [left]);
    const outputsOf = ({ nodes }: LandscapeRun) =>
      (nodes ?? []).flatMap((node) => node.outputs ?? []).map((ref) => ref.dataset_id);
    const outputs = outputsOf(run);
    assert.ok(outputsOf(before).every((id) => outputs.includes(id)));
    const rows = await db
      .selectFrom('datasets')
      .select('id')
      .where(sql<string>`meta::json ->> 'run_id'`, '=', id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map((row) => row.id),
      outputs.toSorted(),
    );
  });

  test('an attempt that has lost its job says nothing of its progress any more', async () => {
    let lost = 0;
    const worker = start({
      landscape: {
        async compute(task) {
          const result = await engines.landscape.compute(task);
          lost += 1;
          await db
            .updateTable('jobs')
            .set((eb) => ({ attempt: eb('attempt', '+', 1) }))
            .where('state', '=', 'running')
            .execute();
          return result;
        },
      },
    });
    const { id } = await runs.create(fromStart);
    await eventually('the end of the attempt', async () => {
      return lost > 0 && (await readdir(runs.scratchRoot)).length === 0;
    });
    const { nodes: left } = await read(id);
    await worker.stop();
    assert.deepEqual(
      left?.map((node) => [node.status, node.progress]),
      nodes.map(() => ['running', 0]),
    );
  });
});
