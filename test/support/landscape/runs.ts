import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Insertable } from 'kysely';
import { pino } from 'pino';
import { openListener } from '../../../src/database/listener.ts';
import type { Tables } from '../../../src/database/tables/tables.ts';
import { startWorker, type Worker } from '../../../src/jobs/worker.ts';
import { createMoveInputsHandler } from '../../../src/landscape/input-moves/move-inputs-job.ts';
import { createLayerHandler } from '../../../src/landscape/layers/make-layer.ts';
import type { ComputeCluster } from '../../../src/landscape/execution/compute-cluster.ts';
import type { RunDependencies } from '../../../src/landscape/execution/compute-pass.ts';
import { createRunHandler } from '../../../src/landscape/execution/execute-run.ts';
import { createRun, getRun } from '../../../src/landscape/runs/run-rows.ts';
import type { LandscapeRun } from '../../../src/landscape/runs/schema.ts';
import { seedLandscape } from '../../../src/landscape/groups/seed.ts';
import { createPostgresMessageQueue } from '../../../src/message-queue/postgres.ts';
import { createJobHandlers } from '../../../src/runtime/worker/handlers.ts';
import { publishObject, writeDraft } from '../../../src/object-store/ledger.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import type { Engines } from '../../../src/runtime/engines.ts';
import { openTestDatabase } from '../database.ts';
import { fixture } from '../geo/engine.ts';
import { eventually } from '../processes.ts';
import { openRasterEnginesHere } from '../geo/raster-engine-here.ts';
import { groupId, insertRaster } from '../geo/rasters.ts';
import { openTestStore } from '../store.ts';

/** Faulty functions that replace the real ones. */
export interface Faults {
  readonly store?: Partial<ObjectStore>;
  readonly geo?: Partial<Engines['geo']>;
  readonly landscape?: Partial<Engines['landscape']>;
}

interface RunsOptions {
  readonly maxPixels?: number;
  readonly districts?: boolean;
}

/** Creates the executor of passes; by default the worker executes them itself. */
export type MakeCluster = (dependencies: RunDependencies) => ComputeCluster;

/** Everything that executes runs, with engines in this process: a database with the groups of the program, and a store. */
export async function startRuns({ maxPixels = 1e6, districts = false }: RunsOptions = {}) {
  const engines = await openRasterEnginesHere();
  const log = pino({ level: process.env['STEPPE_TEST_LOG'] ?? 'silent' });
  const database = await openTestDatabase(districts ? 'with_districts' : 'migrated');
  const { db, pool } = database;
  const store = await openTestStore();
  const scratchRoot = await mkdtemp(join(tmpdir(), 'steppe-runs-'));
  const listener = await openListener(database.target, { onError: () => undefined });
  const messageQueue = createPostgresMessageQueue(db, listener, () => undefined);
  await seedLandscape({ db, objectStore: store });

  const runs = {
    db,
    /** Connection settings of the database for an app. */
    target: database.target,
    store,
    scratchRoot,
    messageQueue,
    engines,
    /** Puts a ready raster into a group without converting it. */
    async addRaster(
      group: string,
      file: string,
      columns: Partial<Insertable<Tables['datasets']>> = {},
    ): Promise<string> {
      return await runs.addBytes(group, createReadStream(fixture(file)), columns);
    },
    /** Puts a ready raster with these bytes into a group. */
    async addBytes(
      group: string,
      bytes: Readable,
      columns: Partial<Insertable<Tables['datasets']>> = {},
    ): Promise<string> {
      const key = `test/${randomUUID()}`;
      await using draft = await writeDraft(db, store, key, bytes);
      await db.transaction().execute(async (trx) => await publishObject(trx, draft.key));
      const size_bytes = (await store.size(key)) ?? 0;
      return await insertRaster(db, { dg_id: await groupId(db, group), size_bytes, ...columns }, key);
    },
    /** Fills a slot with its golden raster. */
    fill: async (leaf: string, columns?: Partial<Insertable<Tables['datasets']>>) =>
      await runs.addRaster(`landscape-in-${leaf}`, `landscape/golden/${leaf}.tif`, columns),
    /** Starts a worker, which stops at the latest at the end of its block. */
    start(faults: Faults = {}, makeCluster?: MakeCluster): Worker & AsyncDisposable {
      // A store that adopts no files receives all of them through `put`, where faults are injected.
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
      const all = { ...parts, computeWorkers: 2, maxPixels };
      const { 'count-areas': countAreas } = createJobHandlers({ ...parts, pool, engine: parts.engines.geo });
      const worker = startWorker({
        db,
        objectStore,
        messageQueue,
        handlers: {
          'run-landscape': createRunHandler(all, makeCluster?.(all)),
          'move-inputs': createMoveInputsHandler({ ...parts, computeWorkers: 2 }),
          'count-areas': countAreas,
          'make-layer': createLayerHandler(all),
        },
        concurrency: 2,
        scratchRoot,
        log,
        timing: { pollEveryMs: 100 },
      });
      return { ...worker, [Symbol.asyncDispose]: async () => await worker.stop() };
    },
    create: async (body?: unknown) => await createRun({ db, messageQueue }, body),
    read: async (id: string) => await getRun(db, id),
    async finished(id: string): Promise<LandscapeRun> {
      return await eventually(
        'end of the run',
        async () => {
          const run = await getRun(db, id);
          return run.finished_at === null ? undefined : run;
        },
        120,
      );
    },
    /** Executes a new run to its end with its own worker. */
    async execute(body?: unknown, faults: Faults = {}, makeCluster?: MakeCluster): Promise<LandscapeRun> {
      const worker = runs.start(faults, makeCluster);
      try {
        return await runs.finished((await runs.create(body)).id);
      } finally {
        await worker.stop();
      }
    },
    async close(): Promise<void> {
      await messageQueue.close();
      await listener.close();
      await database.close();
      await store.close();
      await rm(scratchRoot, { recursive: true });
    },
  };
  return runs;
}

/** Codes of the nodes of a run in a state. */
export function codesOf(run: LandscapeRun, status: string): string[] {
  return (run.nodes ?? []).filter((node) => node.status === status).map((node) => node.node_code);
}
