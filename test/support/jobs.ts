import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sql } from 'kysely';
import { enqueueJob, type JobKind } from '../../src/jobs/enqueue.ts';
import type { Database, DatasetStatus } from '../../src/database/tables/tables.ts';
import { addFiles } from '../../src/datasets/files.ts';
import { writeDraft } from '../../src/object-store/ledger.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';

/** Inserts a dataset with a stored original, and its job, as an upload does. */
export async function addDataset(
  db: Database,
  store: ObjectStore,
  { kind = 'process-dataset', status = 'pending' }: { kind?: JobKind; status?: DatasetStatus } = {},
): Promise<{ datasetId: string; jobId: string; key: string }> {
  const datasetId = randomUUID();
  const categoryId = randomUUID();
  const key = `originals/${datasetId}/file.tif`;
  await using _draft = await writeDraft(db, store, key, Readable.from([Buffer.from('bytes')]));
  const jobId = await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('categories')
      .values({ id: categoryId, code: categoryId, name: 'Test', description: '' })
      .execute();
    await trx
      .insertInto('datasets')
      .values({
        id: datasetId,
        category_id: categoryId,
        name: 'test',
        filename: 'file.tif',
        file_type: 'raster',
        size_bytes: 5,
        content_type: 'image/tiff',
        status,
      })
      .execute();
    await addFiles(trx, datasetId, [{ kind: 'original', key }]);
    return await enqueueJob(trx, kind, datasetId);
  });
  return { datasetId, jobId, key };
}

export interface JobRow {
  readonly state: string;
  readonly attempt: number;
  readonly engine_deaths: number;
  readonly worker_deaths: number;
  readonly last_error: string | null;
  readonly leased: boolean;
  readonly waits_seconds: number;
}

export async function readJob(db: Database, jobId: string): Promise<JobRow> {
  const { rows } = await sql<JobRow>`select state, attempt, engine_deaths, worker_deaths, last_error,
    lease_until is not null as leased, extract(epoch from run_after - now())::float8 as waits_seconds
    from jobs where id = ${jobId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`no job ${jobId}`);
  return row;
}

/** Waits until `claim` is true; fails after a generous time. */
export async function until(claim: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await claim())) {
    if (performance.now() > deadline) throw new Error(`still not: ${claim.toString()}`);
    await delay(10);
  }
}

export interface RecordedEvent {
  readonly message: string;
  readonly fields: unknown;
}

/** A log that records its events. */
export function createRecordingLog(): { log: Pick<Logger, 'info' | 'warn'>; events: RecordedEvent[] } {
  const events: RecordedEvent[] = [];
  const record = (fields: unknown, message?: string): void => {
    events.push({ fields, message: message ?? '' });
  };
  return { log: { info: record, warn: record }, events };
}

/** Moves the end of the jobs of a resource a minute into the past. */
export async function endRest(db: Database, refId: string): Promise<void> {
  await sql`update jobs set finished_at = finished_at - interval '61 seconds' where ref_id = ${refId}`.execute(
    db,
  );
}
