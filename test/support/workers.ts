import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach } from 'node:test';
import { openListener } from '../../src/database/listener.ts';
import type { JobKind } from '../../src/jobs/enqueue.ts';
import type { Attempt, JobHandler } from '../../src/jobs/handler.ts';
import { startWorker, type Worker, type WorkerTiming } from '../../src/jobs/worker.ts';
import type { MessageQueue } from '../../src/message-queue/message-queue.ts';
import { createPostgresMessageQueue } from '../../src/message-queue/postgres.ts';
import { emptyTables, type TestDatabase } from './database.ts';
import { closeAfterTests, temporaryFolder } from './for-tests.ts';
import { createRecordingLog, readJob, until } from './jobs.ts';
import { openTestStore } from './store.ts';

interface WorkerOptions extends Partial<WorkerTiming> {
  /** Kinds of jobs; by default the processing of datasets alone. */
  readonly kinds?: readonly JobKind[];
  readonly fail?: JobHandler['fail'];
  readonly concurrency?: number;
}

/**
 * Workers in this process, on a database that is closed after the tests of a file. After each test they stop,
 * and jobs, rows, objects and scratch are removed.
 * @param givenQueue is closed by the caller; by default the queue of the database
 */
export async function openTestWorkers(database: TestDatabase, givenQueue?: MessageQueue) {
  const { db, target } = database;
  const listener = await openListener(target, { onError: () => undefined });
  const queue = givenQueue ?? createPostgresMessageQueue(db, listener, () => undefined);
  const store = await closeAfterTests(openTestStore());
  const scratchRoot = join(await temporaryFolder(), 'scratch');
  const workers: Worker[] = [];
  after(async () => {
    await listener.close();
    await database.close();
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop();
    await emptyTables(db);
    await store.empty();
    await rm(scratchRoot, { recursive: true, force: true });
  });
  const stateOf = async (jobId: string): Promise<string> => (await readJob(db, jobId)).state;
  return {
    db,
    queue,
    store,
    scratchRoot,
    start(
      run: (attempt: Attempt) => Promise<void>,
      {
        kinds = ['process-dataset'],
        fail = async () => undefined,
        concurrency = 1,
        ...timing
      }: WorkerOptions = {},
    ) {
      const { log, events } = createRecordingLog();
      const worker = startWorker({
        db,
        objectStore: store,
        messageQueue: queue,
        handlers: Object.fromEntries(kinds.map((kind) => [kind, { run, fail }])),
        concurrency,
        scratchRoot,
        log,
        timing: { pollEveryMs: 50, stopWithinMs: 1000, ...timing },
      });
      workers.push(worker);
      return { worker, events };
    },
    stateOf,
    async inState(jobId: string, state: string): Promise<void> {
      await until(async () => (await stateOf(jobId)) === state);
    },
  };
}
