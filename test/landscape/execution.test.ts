import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import type { Engines } from '../../src/runtime/engines.ts';
import { createLandscapeEngine } from '../../src/landscape/compute/driver.ts';
import { openListener } from '../../src/database/listener.ts';
import { EngineDied } from '../../src/geo/engine.ts';
import { openGdalChildren } from '../../src/geo/parent/children.ts';
import { createGdalEngine } from '../../src/geo/parent/gdal-engine.ts';
import { startWorker, type Worker } from '../../src/jobs/worker.ts';
import { nodes } from '../../src/landscape/graph/graph.ts';
import { leaves } from '../../src/landscape/model/leaves.ts';
import { createRun, getRun } from '../../src/landscape/runs/run-rows.ts';
import { createRunHandler } from '../../src/landscape/runs/execute-run.ts';
import type { LandscapeRun } from '../../src/landscape/runs/schema.ts';
import { seedLandscape } from '../../src/landscape/groups/seed.ts';
import { createPostgresMessageQueue } from '../../src/message-queue/postgres.ts';
import { checkStore } from '../../src/object-store/fsck.ts';
import { publishObject, writeDraft } from '../../src/object-store/ledger.ts';
import { ResourceError } from '../../src/lib/resource-error.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { fixture } from '../support/geo.ts';
import { eventually } from '../support/processes.ts';
import { groupId, insertRaster } from '../support/rasters.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

const log = pino({ level: process.env['STEPPE_TEST_LOG'] ?? 'silent' });
const engineDied = new EngineDied('killed by the test');

/** Faulty functions that take the place of the real ones. */
interface Faults {
  readonly store?: Partial<ObjectStore>;
  readonly geo?: Partial<Engines['geo']>;
  readonly landscape?: Partial<Engines['landscape']>;
}

const children = await openGdalChildren({ deadlineSeconds: 120, log });
const engines: Engines = {
  geo: createGdalEngine(children),
  landscape: createLandscapeEngine(children),
};

let database: TestDatabase;
let store: TestStore;
let scratchRoot: string;
let messageQueue: ReturnType<typeof createPostgresMessageQueue>;
let close: () => Promise<void>;

beforeEach(async () => {
  database = await openTestDatabase();
  store = await openTestStore();
  scratchRoot = await mkdtemp(join(tmpdir(), 'steppe-runs-'));
  const listener = await openListener(database.target, { onError: () => undefined });
  messageQueue = createPostgresMessageQueue(database.db, listener, () => undefined);
  await seedLandscape({ db: database.db, objectStore: store });
  for (const leaf of leaves) await addRaster(leaf.group, `landscape/golden/${leaf.key}.tif`);
  close = async () => {
    await messageQueue.close();
    await listener.close();
    await database.close();
    await store.close();
    await rm(scratchRoot, { recursive: true });
  };
});
afterEach(async () => await close());

async function addRaster(group: string, file: string): Promise<void> {
  const { db } = database;
  const key = `test/${randomUUID()}`;
  await using draft = await writeDraft(db, store, key, createReadStream(fixture(file)));
  await db.transaction().execute(async (trx) => await publishObject(trx, draft.key));
  const size_bytes = (await store.size(key)) ?? 0;
  await insertRaster(db, { dg_id: await groupId(db, group), size_bytes }, key);
}

function start(faults: Faults = {}): Worker {
  const { db } = database;
  // A store that takes no files over is given all by `put`, where faults are planted.
  const adopt = faults.store?.put === undefined ? store.adopt : async () => await Promise.resolve(false);
  const objectStore: ObjectStore = { ...store, adopt, ...faults.store };
  const parts = {
    db,
    objectStore,
    engines: {
      geo: { ...engines.geo, ...faults.geo },
      landscape: { ...engines.landscape, ...faults.landscape },
    },
  };
  return startWorker({
    db,
    objectStore,
    messageQueue,
    handlers: { 'run-landscape': createRunHandler({ ...parts, computeWorkers: 2, maxPixels: 1e6 }) },
    concurrency: 2,
    scratchRoot,
    log,
    timing: { lookEveryMs: 100 },
  });
}

async function finished(id: string): Promise<LandscapeRun> {
  return await eventually('end of the run', async () => {
    const run = await getRun(database.db, id);
    return run.finished_at === null ? undefined : run;
  });
}

/** A new run to its end, by a worker of its own. */
async function execute(faults: Faults = {}, body?: unknown): Promise<LandscapeRun> {
  const worker = start(faults);
  try {
    const { id } = await createRun({ db: database.db, messageQueue }, body);
    return await finished(id);
  } finally {
    await worker.stop();
  }
}

function codesOf(run: LandscapeRun, status: string): string[] {
  return (run.nodes ?? []).filter((node) => node.status === status).map((node) => node.node_code);
}

/** Computing dies this often before it works. */
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
  test('a batch whose child died twice is computed again', async () => {
    const run = await execute(dying(2));
    assert.deepEqual([run.status, codesOf(run, 'succeeded').length], ['succeeded', 19]);
  });

  test('a batch whose child always dies is an internal error of the lowest node', async () => {
    const run = await execute(dying(3));
    assert.deepEqual([run.status, run.error], ['failed', '01: node 01: internal error']);
    assert.deepEqual([codesOf(run, 'failed'), codesOf(run, 'pending').length], [['01'], 18]);
    assert.deepEqual((await checkStore(database.db, store)).damage, []);
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
    assert.ok(tries >= 3 && tries <= 6, `${tries} tries`); // two groups of nodes an attempt, at most
  });

  test('a node says how much of it is computed while it runs, from nothing on when it runs again', async () => {
    const shown: number[] = [];
    /** Waits until all running nodes show a progress that was not seen last. */
    const look = async (): Promise<void> => {
      const { id } = await database.db.selectFrom('landscape_runs').select('id').executeTakeFirstOrThrow();
      const progress = await eventually('another progress', async () => {
        const all = (await getRun(database.db, id)).nodes?.flatMap((node) => node.progress ?? []) ?? [];
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
            // Two windows, which are two batches at once.
            return { ...rest, grid: grid && { ...grid, width: 1024, height: 256 } };
          },
          async compute({ work }) {
            if (firstBatch === undefined) await (firstBatch = look());
            else await firstBatch.then(look);
            const counts = { covered: 1, valid: 1, invalid: 0 };
            const sources = Object.fromEntries(work.sources.map(({ key }) => [key, counts]));
            return { sources, parts: [], seconds: {} };
          },
        },
        geo: {
          async assembleRasters() {
            if (firstBatch === undefined) throw engineDied; // of the other group of nodes
            firstBatch = undefined;
            await look();
            throw engineDied;
          },
        },
      },
      { params: { window_size: 512 } },
    );
    assert.equal(run.status, 'failed');
    assert.deepEqual(shown, [0, 0.5, 1, 0, 0.5, 1, 0, 0.5, 1]);
    assert.ok(run.nodes?.every((node) => !('progress' in node)));
  });

  test('an attempt that has lost its job says nothing of its progress any more', async () => {
    let lost = 0;
    const worker = start({
      landscape: {
        async compute(task) {
          const result = await engines.landscape.compute(task);
          lost += 1;
          await database.db
            .updateTable('jobs')
            .set((eb) => ({ attempt: eb('attempt', '+', 1) }))
            .execute();
          return result;
        },
      },
    });
    const { id } = await createRun({ db: database.db, messageQueue }, undefined);
    await eventually('the end of the attempt', async () => {
      return lost > 0 && (await readdir(scratchRoot)).length === 0;
    });
    const { nodes: left } = await getRun(database.db, id);
    await worker.stop();
    assert.deepEqual(
      left?.map((node) => [node.status, node.progress]),
      nodes.map(() => ['running', 0]),
    );
  });

  test('what the text of an error gives away stays in the log', async () => {
    const run = await execute({
      landscape: {
        async inspect() {
          throw new TypeError('secret');
        },
      },
    });
    assert.equal(run.error, '01: node 01: internal error');
  });

  test('a full disk is said to be one', async () => {
    const run = await execute({
      landscape: {
        async compute() {
          throw new ResourceError('the geo engine lacks resources: no space left on device');
        },
      },
    });
    assert.equal(run.error, '01: node 01: output could not be stored');
  });

  test('an output that cannot be stored fails its node; those published stay, for the next run to use', async () => {
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
    const next = await execute();
    assert.equal(next.status, 'succeeded');
    // The fingerprint of a node names its inputs: where one was not published, there is nothing to reuse behind it.
    const reusable = new Set<string>();
    for (const { code, inputs } of nodes) {
      const made = inputs.map(({ key }) => key).filter((key) => nodes.some((node) => node.code === key));
      if (published.includes(code) && made.every((key) => reusable.has(key))) reusable.add(code);
    }
    assert.ok(reusable.size > 0);
    assert.deepEqual(codesOf(next, 'skipped'), [...reusable]);
    assert.deepEqual((await checkStore(database.db, store)).damage, []);
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
    const { id } = await createRun({ db: database.db, messageQueue }, undefined);
    await published.promise;
    await first.stop();
    const before = await getRun(database.db, id);
    const done = codesOf(before, 'succeeded');
    assert.ok(before.status === 'running' && done.length >= 4, done.join());
    const asked: (readonly string[])[] = [];
    const second = start({
      landscape: {
        async compute(task) {
          asked.push(task.work.nodes);
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
    const rows = await database.db
      .selectFrom('datasets')
      .select('id')
      .where('automated', '=', true)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map((row) => row.id),
      outputs.toSorted(),
    );
  });

  test('the category and a group of an output that were deleted are made again', async () => {
    const { db } = database;
    const group = 'landscape-05-allocable';
    await db.deleteFrom('dataset_groups').where('code', '=', group).execute();
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
});
