import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Insertable } from 'kysely';
import { pino } from 'pino';
import { openListener } from '../../src/database/listener.ts';
import { enqueueJob } from '../../src/jobs/enqueue.ts';
import type {
  Database,
  DatasetFileKind,
  DatasetStatus,
  FileType,
  Tables,
} from '../../src/database/tables/tables.ts';
import { submitMapping } from '../../src/tables/mapping.ts';
import { listObservations, type Observation } from '../../src/tables/observations.ts';
import { getDataset } from '../../src/datasets/queries.ts';
import { type Dataset, toDataset } from '../../src/datasets/schema.ts';
import type { GeoEngine } from '../../src/geo/engine.ts';
import { createResultHandler, type ResultMaker } from '../../src/jobs/result-kinds.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import type { MessageQueue } from '../../src/message-queue/message-queue.ts';
import { createPostgresMessageQueue } from '../../src/message-queue/postgres.ts';
import { createDirectoryObjectStore } from '../../src/object-store/directory.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { addFiles, findFile, replaceFiles } from '../../src/datasets/files.ts';
import { writeDraft } from '../../src/object-store/ledger.ts';
import { startTidying } from '../../src/runtime/worker/tidying.ts';
import { createJobHandlers } from '../../src/runtime/worker/handlers.ts';
import { openTestDatabase } from './database.ts';
import { openGdalEngine } from './geo/engine.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { eventually } from './processes.ts';

/** Starts everything that processes datasets in this process: database, store, worker, sweeper and, unless given, an engine. */
export async function startProcessing(
  given: {
    readonly engine?: GeoEngine;
    readonly aroundStore?: (store: ObjectStore, db: Database) => ObjectStore;
    /** Makers of results in the table `results`. */
    readonly makers?: (parts: {
      readonly db: Database;
      readonly objectStore: ObjectStore;
      readonly messageQueue: MessageQueue;
    }) => readonly ResultMaker[];
  } = {},
) {
  const database = await openTestDatabase('with_districts');
  const { db, pool } = database;
  const folder = await makeMemoryFolder('steppe-test-');
  const directory = createDirectoryObjectStore(join(folder, 'objects'));
  const objectStore = given.aroundStore?.(directory, db) ?? directory;
  const log = pino({ level: process.env['STEPPE_TEST_LOG'] ?? 'silent' });
  const listener = await openListener(database.target, { onError: () => undefined });
  const messageQueue = createPostgresMessageQueue(db, listener, () => undefined);
  const engine = given.engine ?? (await openGdalEngine({ deadlineSeconds: 120, log }));
  const start = () =>
    startWorker({
      db,
      objectStore,
      messageQueue,
      handlers: {
        ...createJobHandlers({ db, pool, objectStore, engine }),
        'make-result': createResultHandler(db, given.makers?.({ db, objectStore, messageQueue }) ?? []),
      },
      concurrency: 2,
      scratchRoot: join(folder, 'scratch'),
      log,
      timing: { pollEveryMs: 100 },
    });
  let worker = start();
  const tidying = startTidying(
    { db, objectStore, uploadLimits: { expirySeconds: 60 }, resultMakers: [] },
    log,
    100,
  );
  const categoryId = randomUUID();
  await db
    .insertInto('categories')
    .values({ id: categoryId, code: 'tests', name: 'Tests', description: '' })
    .execute();

  return {
    db,
    pool,
    /** Connection settings of the database for an app. */
    target: database.target,
    /** The objects as they are stored. */
    objects: directory,
    objectStore,
    messageQueue,
    engine,
    folder,
    /** Stores a file as a dataset and queues its processing, like an upload. */
    async upload(
      path: string,
      fileType: FileType,
      columns: Partial<Insertable<Tables['datasets']>> = {},
    ): Promise<string> {
      const id = randomUUID();
      await using draft = await writeDraft(db, objectStore, `original/${id}`, createReadStream(path));
      const { size } = await stat(path);
      const jobId = await db.transaction().execute(async (trx) => {
        const row = {
          id,
          category_id: categoryId,
          name: basename(path),
          filename: basename(path),
          file_type: fileType,
          size_bytes: size,
          content_type: 'application/octet-stream',
          ...columns,
        };
        await trx.insertInto('datasets').values(row).execute();
        await addFiles(trx, id, [{ kind: 'original', key: draft.key }]);
        return await enqueueJob(trx, 'process-dataset', id);
      });
      await messageQueue.notify(jobId, 'datasets');
      return id;
    },
    async map(id: string, mapping: unknown): Promise<Dataset> {
      return toDataset(await submitMapping({ db, messageQueue }, id, mapping));
    },
    /** Waits until a dataset has a status; rejects if it fails instead. */
    async untilStatus(id: string, status: DatasetStatus): Promise<Dataset> {
      return await eventually(`dataset ${status}`, async () => {
        const row = await getDataset(db, id);
        if (row.status === status) return toDataset(row);
        if (row.status === 'failed') throw new Error(`dataset failed: ${row.parse_error ?? ''}`);
        return undefined;
      });
    },
    async observations(id: string): Promise<Observation[]> {
      const { rows, total } = await listObservations(db, id, {}, { limit: 1_000_000, offset: 0 });
      if (rows.length !== total) throw new Error(`${rows.length} observations of ${total}`);
      return rows;
    },
    /** Stored GeoJSON of a dataset. */
    async geoJson(id: string): Promise<string> {
      const key = await keyOf(db, id, 'geojson');
      if (key === null) throw new Error('the dataset has no GeoJSON');
      return await text(await objectStore.read(key));
    },
    /** Stops the worker as a shutdown does, and starts another one. */
    async restartWorker(): Promise<void> {
      await worker.stop();
      worker = start();
    },
    async close(): Promise<void> {
      await worker.stop();
      await tidying.close();
      await messageQueue.close();
      await listener.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Removes the stored rows of a table, so that its mapping reads the file again, as for tables of earlier releases. */
export async function forgetRows(db: Database, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => await replaceFiles(trx, id, [], ['rows']));
}

/** Key of a file of a dataset; null when it has none. */
export async function keyOf(db: Database, id: string, kind: DatasetFileKind): Promise<string | null> {
  return findFile((await getDataset(db, id)).files, kind);
}
