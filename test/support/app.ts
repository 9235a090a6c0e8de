import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { createDatabaseConnection } from '../../src/database/connect.ts';
import { openMaps } from '../../src/runtime/maps.ts';
import { createRecentDatasets } from '../../src/datasets/recent-datasets.ts';
import { createTileBudget } from '../../src/http/limits/tile-budget.ts';
import { createDrawnAnswers } from '../../src/http/answer/drawn.ts';
import { openListener } from '../../src/database/listener.ts';
import type { Database, Transaction } from '../../src/database/tables/tables.ts';
import type { AccessPolicy } from '../../src/http/access/access-policy.ts';
import { createApp } from '../../src/runtime/api/app.ts';
import { checkUploaded, createUploaded } from '../../src/landscape/groups/slots.ts';
import { withSourceFiles } from '../../src/source-files/source-files.ts';
import type { Parts } from '../../src/runtime/api/parts.ts';
import { createEventListeners } from '../../src/events/event-listeners.ts';
import { createResultWaiters } from '../../src/http/long-poll/result-waiters.ts';
import { createStatusWaiters } from '../../src/http/long-poll/status-waiters.ts';
import { createZonedRuns } from '../../src/landscape/balance/zoned-runs.ts';
import { seedLandscape } from '../../src/landscape/groups/seed.ts';
import type { MessageQueue } from '../../src/message-queue/message-queue.ts';
import { createDirectoryObjectStore } from '../../src/object-store/directory.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { createRemoteFiles, type RemoteFiles } from '../../src/remote/remote-files.ts';
import { createSpool, type SpoolOptions } from '../../src/spool/spool.ts';
import { createWebhookSender } from '../../src/webhooks/send.ts';
import { GiB } from '../../src/lib/units.ts';
import { checkAnswers } from './answers.ts';
import { openTestDatabase } from './database.ts';
import { makeMemoryFolder } from './memory-folder.ts';

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

export interface TestAppOptions {
  readonly maxUploadBytes?: number;
  readonly uploadLimits?: Partial<Parts['uploadLimits']>;
  readonly maxWaiters?: number;
  readonly spool?: Partial<SpoolOptions>;
  /** Private networks whose addresses webhooks may have. */
  readonly webhookNetworks?: readonly string[];
  /** Files of other servers; by default none may be read. */
  readonly remoteFiles?: RemoteFiles;
  /** Tiles that one client may request per second. */
  readonly tileRate?: number;
  readonly baseMap?: Parts['baseMap'];
  readonly publisher?: Parts['publisher'];
  readonly hasMcp?: boolean;
  readonly accessLog?: Parts['accessLog'];
  /** Creates the category and the groups of the Landscape Program, as a service does when it starts. */
  readonly landscape?: boolean;
  readonly checks?: Partial<Parts['checks']>;
  /** Folder of the object store; by default a temporary one. */
  readonly storeFolder?: string;
  /** Wraps the object store of the api. */
  readonly aroundStore?: (store: ObjectStore) => ObjectStore;
  /** By default a queue that records notifications in `notified`. */
  readonly messageQueue?: MessageQueue;
  /** By default every scope is open. */
  readonly access?: (db: Database) => Partial<AccessPolicy>;
  /** By default readiness of the database. */
  readonly isPrepared?: () => boolean;
  /** Database to connect to; by default a new one. */
  readonly databaseTarget?: pg.ClientConfig;
}

const openAccess: AccessPolicy = {
  authentication: { mode: 'off' },
  hosts: { answered: 'any' },
  corsOrigins: [],
  trustedProxies: [],
  publicUrl: undefined,
};
const absent = { maxConnections: 1, applicationName: 'steppe-test', onError: () => undefined };

/** Starts the whole HTTP edge on its own socket, over a new database and a folder as object store, without a worker. */
export async function startTestApp(options: TestAppOptions = {}) {
  const database =
    options.databaseTarget === undefined
      ? await openTestDatabase()
      : { ...createDatabaseConnection(options.databaseTarget, absent), target: options.databaseTarget };
  const folder = await makeMemoryFolder('steppe-test-');
  const directory = createDirectoryObjectStore(options.storeFolder ?? join(folder, 'objects'));
  const objectStore = options.aroundStore?.(directory) ?? directory;
  if (options.landscape === true) await seedLandscape({ db: database.db, objectStore });
  const listener = await openListener(database.target, { onError: () => undefined });
  const draining = new AbortController();
  const statusWaiters = createStatusWaiters({
    db: database.db,
    listener,
    draining: draining.signal,
    ...(options.maxWaiters === undefined ? {} : { maxWaiters: options.maxWaiters }),
  });
  const resultWaiters = createResultWaiters({ listener, draining: draining.signal });
  const eventListeners = createEventListeners({
    db: database.db,
    listener,
    draining: draining.signal,
    ...(options.maxWaiters === undefined ? {} : { maxListeners: options.maxWaiters }),
  });
  const recentDatasets = createRecentDatasets({ db: database.db, listener });
  const log = pino({ level: process.env['STEPPE_TEST_LOG'] ?? 'silent' });
  const notified: string[] = [];
  const messageQueue = options.messageQueue ?? {
    notify: async (jobId: string) => void notified.push(jobId),
    subscribe: async () => ({ close: async () => undefined }),
    check: async () => undefined,
    close: async () => undefined,
  };
  const zonedRuns = createZonedRuns({ db: database.db, messageQueue });
  const { close: closeMaps, ...drawing } = openMaps({
    db: database.db,
    listener,
    recentDatasets,
    objectStore,
    messageQueue,
    zonedRuns,
    threads: 1,
    log,
  });
  const exportFolder = join(folder, 'exports');
  const spool = createSpool({ folder: exportFolder, ...options.spool });
  const services: Parts & { readonly pool: pg.Pool; readonly exportFolder: string } = {
    db: database.db,
    pool: database.pool,
    objectStore,
    messageQueue,
    zonedRuns,
    statusWaiters,
    ...withSourceFiles({ checkUploaded, createUploaded }),
    resultWaiters,
    eventListeners,
    remoteFiles: options.remoteFiles ?? createRemoteFiles({ hosts: [] }),
    webhookSender: createWebhookSender(options.webhookNetworks ?? []),
    recentDatasets,
    scratchFolder: join(folder, 'scratch'),
    spool,
    exportFolder,
    ...drawing,
    tileBudget: createTileBudget({ tilesPerSecond: options.tileRate ?? 200, calls: 4 }),
    drawnAnswers: createDrawnAnswers(),
    isPrepared: options.isPrepared ?? (() => true),
    checks: {
      database: database.check,
      object_store: objectStore.check,
      message_queue: async () => undefined,
      ...options.checks,
    },
    maxUploadBytes: options.maxUploadBytes ?? 2 * GiB,
    uploadLimits: {
      maxBytes: options.maxUploadBytes ?? 64 * GiB,
      maxHeldBytes: 128 * GiB,
      maxUnfinished: 500,
      expirySeconds: 86_400,
      ...options.uploadLimits,
    },
    hasMcp: options.hasMcp ?? false,
    publisher: options.publisher ?? { organisation: undefined, email: undefined, licence: undefined },
    baseMap: options.baseMap,
    draining: draining.signal,
    access: { ...openAccess, ...options.access?.(database.db) },
    accessLog: options.accessLog,
    log,
  };
  const app = await createApp(services);
  checkAnswers(app);
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  // Files of a batch are loaded a minute before their tests run, and the clock of `fetch` lags in a busy process: the server
  // would close an idle connection in the moment in which it is used again (ECONNRESET). Now `fetch` closes it after 4 s.
  app.server.keepAliveTimeout = 0;
  async function close(): Promise<void> {
    draining.abort();
    await app.close();
    await spool.close();
    await statusWaiters.close();
    await resultWaiters.close();
    await eventListeners.close();
    await recentDatasets.close();
    await closeMaps();
    await listener.close();
    await database.close();
    await rm(folder, { recursive: true });
  }
  return {
    /** Such as `http://127.0.0.1:41234`. */
    baseUrl,
    port: Number(new URL(baseUrl).port),
    app,
    services,
    databaseTarget: database.target,
    /** Ids of jobs of which the message queue was notified. */
    notified,
    /** Begins the shutdown, as SIGTERM would. */
    drain: () => draining.abort(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Sends a request while a transaction is open, which commits once the request waits for it. */
export async function whileUncommitted<T>(
  { db, pool }: TestApp['services'],
  work: (trx: Transaction) => Promise<unknown>,
  request: () => Promise<T>,
): Promise<T> {
  const isWaitedFor = async (): Promise<boolean> => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  };
  const { answer } = await db.transaction().execute(async (trx) => {
    await work(trx);
    const requested = request();
    while (!(await isWaitedFor())) await new Promise((resolve) => setTimeout(resolve, 10));
    return { answer: requested };
  });
  return await answer;
}

/** Sends a request while a row is being deleted: the checks of the request still see the row, and its write finds it gone. */
export async function deleteUnderway<T>(
  services: TestApp['services'],
  { table, id }: { readonly table: 'categories' | 'dataset_groups' | 'datasets'; readonly id: string },
  request: () => Promise<T>,
): Promise<T> {
  return await whileUncommitted(
    services,
    async (trx) => await trx.deleteFrom(table).where('id', '=', id).execute(),
    request,
  );
}
