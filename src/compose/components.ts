import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { endsWithin } from '../common/with-timeout.ts';
import type { Config } from '../config.ts';
import { createDatabaseConnection, type DatabaseConnection } from '../database/connect.ts';
import type { EmbeddedTarget } from '../database/embedded/address.ts';
import { type Listener, openListener } from '../database/listener.ts';
import { settingFailures } from '../messages/service.ts';
import { withDeadlines as queueWithDeadlines } from '../message-queue/deadlines.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import { withDeadlines as storeWithDeadlines } from '../object-store/deadlines.ts';
import { createDirectoryObjectStore } from '../object-store/directory.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { maxConnectionsOf, type Role } from './connections.ts';
import { createOutageLog, databasePlace } from './outage-log.ts';

const closeMilliseconds = 1000;
const postgresSchemes = ['postgres:', 'postgresql:'] as const;

export const rolesNeedUrls = 'DATABASE_URL, OBJECT_STORE_URL and MESSAGE_QUEUE_URL say what it works with.';

export interface Components extends DatabaseConnection {
  /** The process's one connection that hears what the database announces. */
  readonly listener: Listener;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
}

/** @throws {Error} with one readable line that names the variables with which a role cannot work. */
export function checkComponents(config: Config, role: 'serve' | 'api' | 'worker'): void {
  const { databaseUrl, objectStoreUrl, messageQueueUrl } = config;
  const urls = [
    ['DATABASE_URL', databaseUrl, postgresSchemes],
    ['OBJECT_STORE_URL', objectStoreUrl, ['file:']],
    ['MESSAGE_QUEUE_URL', messageQueueUrl, postgresSchemes],
  ] as const;
  const missing = urls.flatMap(([name, url]) => (url === undefined ? [name] : []));
  if (role !== 'serve' && missing.length > 0) throw new Error(settingFailures.missingUrls(missing, role));
  for (const [name, url, schemes] of urls) if (url !== undefined) requireScheme(name, url, schemes);
  if (messageQueueUrl !== undefined && messageQueueUrl !== databaseUrl) {
    throw new Error(settingFailures.otherQueue);
  }
}

/**
 * Opens the components that the configuration names. None of them needs to answer yet.
 * @param embedded the embedded database, for a configuration without DATABASE_URL.
 */
export async function openComponents(
  config: Config,
  embedded: EmbeddedTarget | undefined,
  role: Role,
  log: Logger,
): Promise<Components> {
  const { databaseUrl, objectStoreUrl, dataDir } = config;
  const target = databaseUrl ?? embedded;
  if (target === undefined) throw new Error(settingFailures.noDatabase);
  const connection = createDatabaseConnection(target, {
    maxConnections: maxConnectionsOf(role, config),
    applicationName: `steppe-${role}`,
    onError: (error) => log.warn({ error }, 'a database connection broke'),
    onSilence: (isSilent) =>
      isSilent ? log.error('the database does not answer') : log.info('the database answers again'),
  });
  const place = databaseUrl === undefined ? 'the embedded database' : databasePlace(databaseUrl);
  const listener = await openListener(target, {
    onError: createOutageLog(log, place),
    notify: async (channel, payload) =>
      await sql`select pg_notify(${channel}, ${payload})`.execute(connection.db),
    onDeaf: (isDeaf) =>
      isDeaf
        ? log.warn('the listening connection does not hear, as behind a pooler in transaction mode')
        : log.info('the listening connection hears again'),
  });
  const messageQueue = createPostgresMessageQueue(connection.db, listener, (error) =>
    log.warn({ error }, 'the message queue could not be notified'),
  );
  const folder = objectStoreUrl === undefined ? join(dataDir, 'objects') : fileURLToPath(objectStoreUrl);
  return {
    ...connection,
    listener,
    objectStore: storeWithDeadlines(createDirectoryObjectStore(folder)),
    messageQueue: queueWithDeadlines(messageQueue),
    async close() {
      await messageQueue.close();
      await listener.close();
      // It waits for statements that run; the database ends those of a process that is gone.
      await endsWithin(closeMilliseconds, connection.close());
    },
  };
}

function requireScheme(variable: string, url: string, known: readonly string[]): void {
  const { protocol } = new URL(url);
  if (!known.includes(protocol)) throw new Error(settingFailures.unknownScheme(variable, protocol, known));
}
