/** A worker of its own, to be killed: its handler stores an object, waits, and publishes one milestone. */
import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { z } from 'zod';
import { createDatabaseConnection } from '../../src/database/connect.ts';
import { openListener } from '../../src/database/listener.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { createPostgresMessageQueue } from '../../src/message-queue/postgres.ts';
import { createDirectoryObjectStore } from '../../src/object-store/directory.ts';
import { addFiles } from '../../src/datasets/files.ts';
import type { JobHandler } from '../../src/jobs/handler.ts';

const Orders = z.object({
  target: z.object({ host: z.string(), user: z.string(), database: z.string() }),
  storeRoot: z.string(),
  scratchRoot: z.string(),
  leaseSeconds: z.number(),
  concurrency: z.number(),
  /** Each attempt takes one to two times this long. */
  workMs: z.number(),
  /** Makes the handler end when it is aborted. */
  listens: z.boolean(),
});

const { target, storeRoot, workMs, listens, ...rest } = Orders.parse(JSON.parse(process.argv[2] ?? ''));
const log = pino();
const onError = (): void => undefined;
const { db } = createDatabaseConnection(target, {
  maxConnections: 10,
  applicationName: 'worker-program',
  onError,
});
const listener = await openListener(target, { onError });

const handler: JobHandler = {
  async run(attempt) {
    const work = async (): Promise<void> =>
      await delay(randomInt(workMs / 2, workMs + 1), undefined, listens ? { signal: attempt.signal } : {});
    log.info({ jobId: attempt.jobId, attempt: attempt.number }, 'started');
    await writeFile(join(attempt.scratch, 'half'), 'x');
    await work();
    const key = await attempt.store('cog', '.tif', Readable.from([Buffer.from('result')]));
    await work();
    await attempt.publish(async (trx) => {
      await trx.updateTable('datasets').set({ status: 'ready' }).where('id', '=', attempt.refId).execute();
      await addFiles(trx, attempt.refId, [{ kind: 'cog', key }]);
      await trx
        .insertInto('milestones')
        .values({ name: `${attempt.jobId} ${attempt.number}` })
        .execute();
    });
  },
  fail: async () => undefined,
};

const worker = startWorker({
  ...rest,
  db,
  objectStore: createDirectoryObjectStore(storeRoot),
  messageQueue: createPostgresMessageQueue(db, listener, onError),
  handlers: { 'process-dataset': handler, 'extract-observations': handler },
  log,
  timing: { leaseSeconds: rest.leaseSeconds, lookEveryMs: 100 },
});

async function stop(): Promise<void> {
  await worker.stop();
  await listener.close();
  await db.destroy();
}
process.once('SIGTERM', () => void stop());
