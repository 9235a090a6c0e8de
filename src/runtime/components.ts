import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { codeOf } from '../lib/error-facts.ts';
import { endsWithin } from '../lib/concurrency/with-timeout.ts';
import { type Config, disableCloudMetadata } from '../config.ts';
import { createDatabaseConnection, type DatabaseConnection } from '../database/connect.ts';
import type { EmbeddedTarget } from '../database/embedded/cluster.ts';
import { type Listener, openListener } from '../database/listener.ts';
import { settingFailures } from '../messages/service/english.ts';
import { listenerUnhealthy } from '../metrics/instruments.ts';
import {
  type MessageQueue,
  withDeadlines as queueWithDeadlines,
  withMetrics as queueWithMetrics,
} from '../message-queue/message-queue.ts';
import { readNatsUrl } from '../message-queue/nats/address.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import { withDeadlines } from '../object-store/deadlines.ts';
import { createDirectoryObjectStore } from '../object-store/directory.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { withMetrics as storeWithMetrics } from '../object-store/object-store.ts';
import { createRemoteFiles, type RemoteFiles } from '../remote/remote-files.ts';
import { withReferences } from '../remote/referenced-objects.ts';
import { recordFault } from '../datasets/reference/check-references.ts';
import { readReferenceBucket, readS3Url } from '../object-store/s3/location.ts';
import { filesOf, readWorkflowEngineUrl } from '../workflow-engine/address.ts';
import { maxConnectionsOf, type Role } from './connections.ts';
import { createOutageLog, databasePlace } from './logger.ts';

const closeMilliseconds = 1000;
const postgresSchemes = ['postgres:', 'postgresql:'] as const;

export const rolesNeedUrls = 'DATABASE_URL, OBJECT_STORE_URL and MESSAGE_QUEUE_URL say what it works with.';

export interface Components extends DatabaseConnection {
  /** The only connection of the process that listens to notifications of the database. */
  readonly listener: Listener;
  /** With the files of other servers to which datasets refer. */
  readonly objectStore: ObjectStore;
  /** The objects as they are stored; for backups. */
  readonly storedObjects: ObjectStore;
  readonly remoteFiles: RemoteFiles;
  readonly messageQueue: MessageQueue;
}

/** Checks the configuration of a role. @throws {Error} with one readable line that names the missing variables. */
export function checkComponents(config: Config, role: 'serve' | 'api' | 'worker'): void {
  const { databaseUrl, databaseDirectUrl, objectStoreUrl, messageQueueUrl } = config;
  const urls = [
    ['DATABASE_URL', databaseUrl, postgresSchemes],
    ['OBJECT_STORE_URL', objectStoreUrl, ['file:', 's3:']],
    ['MESSAGE_QUEUE_URL', messageQueueUrl, [...postgresSchemes, 'nats:']],
  ] as const;
  const missing = urls.flatMap(([name, url]) => (url === undefined ? [name] : []));
  if (role !== 'serve' && missing.length > 0) throw new Error(settingFailures.missingUrls(missing, role));
  for (const [name, url, schemes] of urls) if (url !== undefined) requireScheme(name, url, schemes);
  if (databaseDirectUrl !== undefined) {
    if (databaseUrl === undefined) throw new Error(settingFailures.directAlone);
    requireScheme('DATABASE_DIRECT_URL', databaseDirectUrl, postgresSchemes);
    requireCertificates('DATABASE_DIRECT_URL', databaseDirectUrl);
  }
  if (databaseUrl !== undefined) requireCertificates('DATABASE_URL', databaseUrl);
  if (objectStoreUrl?.startsWith('s3:') === true) readS3Url(objectStoreUrl);
  config.referenceBuckets.forEach(readReferenceBucket);
  if (messageQueueUrl?.startsWith('nats:') === true) readNatsUrl(messageQueueUrl);
  else if (messageQueueUrl !== undefined && messageQueueUrl !== databaseUrl) {
    throw new Error(settingFailures.otherQueue);
  }
  checkWorkflowEngine(config);
}

function checkWorkflowEngine({ workflowEngineUrl, workerRoles }: Config): void {
  if (workflowEngineUrl === undefined) {
    if (workerRoles.every((role) => role === 'blocks')) throw new Error(settingFailures.noBlocksAlone);
    return;
  }
  for (const [parameter, path] of filesOf(readWorkflowEngineUrl(workflowEngineUrl))) {
    requireFile('WORKFLOW_ENGINE_URL', parameter, path);
  }
}

/**
 * Opens the configured components. None of them has to be available yet.
 * @param embedded the embedded database, for a configuration without DATABASE_URL.
 */
export async function openComponents(
  config: Config,
  embedded: EmbeddedTarget | undefined,
  role: Role,
  log: Logger,
): Promise<Components> {
  const { databaseUrl, databaseDirectUrl } = config;
  const target = databaseUrl ?? embedded;
  if (target === undefined) throw new Error(settingFailures.noDatabase);
  const connection = createDatabaseConnection(target, {
    maxConnections: maxConnectionsOf(role, config),
    applicationName: `steppe-${role}`,
    onError: (error) => log.warn({ error }, 'a database connection broke'),
    onSilence: (isSilent) =>
      isSilent ? log.error('the database does not answer') : log.info('the database answers again'),
  });
  const listener = await openListener(databaseDirectUrl ?? target, {
    onError: createOutageLog(log, listeningPlace(config)),
    notify: async (channel, payload) =>
      await sql`select pg_notify(${channel}, ${payload})`.execute(connection.db),
    onUnhealthy(isUnhealthy) {
      listenerUnhealthy.set(isUnhealthy ? 1 : 0);
      if (isUnhealthy) log.warn(settingFailures.unhealthyListener);
      else log.info('the listening connection receives notifications again');
    },
  });
  const objectStore = await openObjectStore(config, log);
  const storedObjects = storeWithMetrics(objectStore);
  const remoteFiles = createRemoteFiles({
    hosts: config.referenceHosts,
    buckets: readReferenceBuckets(config),
    onRefusal: createRefusalLog(log),
    maxFileBytes: config.uploadLimits.maxBytes,
  });
  const messageQueue = await openMessageQueue(config, { db: connection.db, listener }, log);
  return {
    ...connection,
    listener,
    objectStore: withReferences(storedObjects, remoteFiles, {
      async onFault(key, fault) {
        await recordFault(connection.db, key, fault).catch((error: unknown) => {
          log.warn({ error, key }, 'the state of a reference could not be recorded');
        });
      },
    }),
    storedObjects,
    remoteFiles,
    messageQueue: queueWithMetrics(queueWithDeadlines(messageQueue)),
    async close() {
      await messageQueue.close();
      await listener.close();
      objectStore.close?.();
      remoteFiles.close();
      // It waits for running statements; the database ends those of a process that no longer exists.
      await endsWithin(closeMilliseconds, connection.close());
    },
  };
}

function listeningPlace({ databaseUrl, databaseDirectUrl }: Config): string {
  if (databaseDirectUrl !== undefined) return databasePlace(databaseDirectUrl, 'DATABASE_DIRECT_URL');
  return databaseUrl === undefined ? 'the embedded database' : databasePlace(databaseUrl);
}

function requireScheme(variable: string, url: string, known: readonly string[]): void {
  const protocol = url.slice(0, url.indexOf(':') + 1).toLowerCase(); // also for a list of servers, which is not a URL
  if (!known.includes(protocol)) throw new Error(settingFailures.unknownScheme(variable, protocol, known));
}

/**
 * Checks that certificate files can be read: the driver reads them for each new connection, so that the service would wait forever
 * otherwise.
 */
function requireCertificates(variable: string, url: string): void {
  const parameters = URL.parse(url)?.searchParams;
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = parameters?.get(name) ?? '';
    if (path !== '') requireFile(variable, name, path);
  }
}

function requireFile(variable: string, parameter: string, path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw new Error(settingFailures.unreadable(variable, parameter, path, codeOf(cause) ?? ''), { cause });
  }
}

function readReferenceBuckets({ referenceBuckets }: Config) {
  const locations = referenceBuckets.map(readReferenceBucket);
  // Of servers other than AWS, no credentials come from the metadata address of AWS.
  if (locations.length > 0 && locations.every(({ endpoint }) => endpoint !== undefined))
    disableCloudMetadata();
  return locations;
}

/** Creates a log of the reasons why a bucket cannot be read; a client only learns that it cannot. */
function createRefusalLog(log: Pick<Logger, 'warn'>) {
  const tell = createOutageLog(log, 'a bucket of REFERENCE_BUCKETS');
  return (bucket: string, error: unknown): void =>
    tell(new Error(`${bucket}: ${error instanceof Error ? error.message : String(error)}`));
}

/** Opens the configured object store; by default a folder of DATA_DIR. It does not have to be available yet. */
export async function openObjectStore(
  { objectStoreUrl, dataDir }: Pick<Config, 'objectStoreUrl' | 'dataDir'>,
  log: Pick<Logger, 'warn'>,
): Promise<ObjectStore> {
  if (objectStoreUrl === undefined) return folderStore(join(dataDir, 'objects'));
  if (!objectStoreUrl.startsWith('s3:')) return folderStore(fileURLToPath(objectStoreUrl));
  const location = readS3Url(objectStoreUrl);
  if (location.endpoint !== undefined) disableCloudMetadata();
  // The AWS SDK is slow to load, so it is loaded only on demand.
  const { createS3ObjectStore } = await import('../object-store/s3/store.ts');
  const tell = createOutageLog(log, 'OBJECT_STORE_URL');
  return createS3ObjectStore(location, { onRefusal: (sentence) => tell(new Error(sentence)) });
}

/** Adds deadlines to the store in a folder; the S3 driver has its own, which depend on the size of the data. */
function folderStore(folder: string): ObjectStore {
  return withDeadlines(createDirectoryObjectStore(folder));
}

/** Opens the configured message queue; by default the database. It does not have to be available yet. */
async function openMessageQueue(
  { messageQueueUrl }: Pick<Config, 'messageQueueUrl'>,
  { db, listener }: Pick<Components, 'db' | 'listener'>,
  log: Pick<Logger, 'warn'>,
): Promise<MessageQueue> {
  if (messageQueueUrl?.startsWith('nats:') !== true) {
    return createPostgresMessageQueue(db, listener, (error) =>
      log.warn({ error }, 'the message queue could not be notified'),
    );
  }
  const address = readNatsUrl(messageQueueUrl);
  const { openNatsMessageQueue } = await import('../message-queue/nats/queue.ts');
  const place = `MESSAGE_QUEUE_URL at ${address.servers.join(', ')}`;
  return await openNatsMessageQueue(address, createOutageLog(log, place));
}
