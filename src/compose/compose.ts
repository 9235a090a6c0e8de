import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Components } from './components.ts';
import type { Engines } from './engines.ts';
import { createLandscapeEngine } from '../landscape/compute/driver.ts';
import { createOutageLog, databasePlace } from './outage-log.ts';
import { endsWithin } from '../common/with-timeout.ts';
import type { Config } from '../config.ts';
import { createDatabaseConnection } from '../database/connect.ts';
import {
  checkEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  hasEmbeddedDatabase,
  openEmbeddedDatabase,
} from '../database/embedded/embedded.ts';
import { openListener } from '../database/listener.ts';
import type { GeoEngine } from '../geo/engine.ts';
import { type GdalChildren, openGdalChildren } from '../geo/parent/children.ts';
import { type CompareRasters, createRasterComparison } from '../geo/parent/compare-rasters.ts';
import { createGdalEngine } from '../geo/parent/gdal-engine.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import { createDirectoryObjectStore } from '../object-store/directory.ts';
import type { ObjectStore } from '../object-store/object-store.ts';

const closeMilliseconds = 1000;

/** How to reach the embedded PostgreSQL, as one process of the service tells another. */
export const EmbeddedTarget = z.object({
  host: z.string(),
  port: z.int(),
  user: z.string(),
  database: z.string(),
  password: z.string().optional(),
});
export type EmbeddedTarget = z.infer<typeof EmbeddedTarget>;

export interface ComponentsOptions {
  readonly config: Config;
  /** The embedded database; without it DATABASE_URL says where the database is. */
  readonly embedded: EmbeddedTarget | undefined;
  /** Shown in the database's list of sessions. */
  readonly role: string;
  readonly maxConnections: number;
  readonly log: Logger;
}

/** Starts the embedded PostgreSQL under DATA_DIR. */
export async function openEmbedded(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  return await openEmbeddedDatabase(options);
}

/** Whether the embedded PostgreSQL could be started under a folder. @throws {Error} with a readable reason when not. */
export async function checkEmbedded(folder: string): Promise<void> {
  await checkEmbeddedDatabase(folder);
}

/** Whether a folder, which need not exist, holds the data of an embedded PostgreSQL. @throws {Error} when this account can not look. */
export async function hasEmbedded(folder: string): Promise<boolean> {
  return await hasEmbeddedDatabase(folder);
}

/**
 * Refuses a configuration that a role can not work with.
 * @throws {Error} with one readable line that names the variables.
 */
export function checkComponents(config: Config, role: 'serve' | 'api' | 'worker'): void {
  const urls = {
    DATABASE_URL: config.databaseUrl,
    OBJECT_STORE_URL: config.objectStoreUrl,
    MESSAGE_QUEUE_URL: config.messageQueueUrl,
  };
  const missing = Object.entries(urls).filter(([, url]) => url === undefined);
  if (role !== 'serve' && missing.length > 0) {
    const names = missing.map(([name]) => name).join(', ');
    throw new Error(
      `${names}: not set. \`${role}\` alone needs all three URLs, because the embedded parts belong to one service; \`serve\` needs none.`,
    );
  }
  if (config.databaseUrl !== undefined) requireScheme('DATABASE_URL', config.databaseUrl, postgresSchemes);
  if (config.objectStoreUrl !== undefined)
    requireScheme('OBJECT_STORE_URL', config.objectStoreUrl, ['file:']);
  if (config.messageQueueUrl !== undefined) {
    requireScheme('MESSAGE_QUEUE_URL', config.messageQueueUrl, postgresSchemes);
    if (config.messageQueueUrl !== config.databaseUrl) {
      throw new Error('MESSAGE_QUEUE_URL: a database that is the queue must be the one of DATABASE_URL.');
    }
  }
}

/** Opens the components that the configuration names. None of them needs to answer yet. */
export async function openComponents(options: ComponentsOptions): Promise<Components> {
  const { config, role, maxConnections, log } = options;
  const target = databaseTarget(options);
  const connection = createDatabaseConnection(target, {
    maxConnections,
    applicationName: `steppe-${role}`,
    onError: (error) => log.warn({ error }, 'a database connection broke'),
  });
  const listener = await openListener(target, {
    onError: createOutageLog(
      log,
      config.databaseUrl === undefined ? 'the embedded database' : databasePlace(config.databaseUrl),
    ),
  });
  const messageQueue = createPostgresMessageQueue({
    db: connection.db,
    listener,
    onError: (error) => log.warn({ error }, 'the message queue could not be notified'),
  });
  return {
    ...connection,
    listener,
    objectStore: openObjectStore(config),
    messageQueue,
    async close() {
      await messageQueue.close();
      await listener.close();
      // It waits for statements that run; the database ends those of a process that is gone.
      await endsWithin(closeMilliseconds, connection.close());
    },
  };
}

/** Opens the geo engine. @throws when GDAL can not be loaded. */
export async function openEngine(config: Config, log: Logger): Promise<GeoEngine> {
  return createGdalEngine(await openEngineChildren(config, log));
}

/**
 * Opens both engines, which start children in one way; warns of an isolation that could be stronger.
 * @throws when GDAL can not be loaded.
 */
export async function openEngines(config: Config, log: Logger): Promise<Engines> {
  const children = await openEngineChildren(config, log);
  if (config.engineIsolation === 'auto') warnOfWeakness(children, log);
  return { geo: createGdalEngine(children), landscape: createLandscapeEngine(children) };
}

/** Opens what compares rasters with their COGs until `signal` aborts. @throws as `openEngineChildren` does. */
export async function openRasterComparison(
  config: Config,
  log: Logger,
  signal: AbortSignal,
): Promise<CompareRasters> {
  return createRasterComparison(await openEngineChildren(config, log), signal);
}

/**
 * Finds out in which isolation the engines' children can work here.
 * @throws {Error} with one readable line when the one that ENGINE_ISOLATION names can not, or GDAL can not be loaded.
 */
export async function openEngineChildren(config: Config, log: Logger): Promise<GdalChildren> {
  const { engineDeadlineSeconds: deadlineSeconds, engineMemoryBytes: memoryBytes, engineIsolation } = config;
  const isolation = engineIsolation === 'auto' ? undefined : engineIsolation;
  return await openGdalChildren({ deadlineSeconds, memoryBytes, isolation, log });
}

function warnOfWeakness({ isolation, advice }: GdalChildren, log: Logger): void {
  if (advice === undefined) return;
  const remedy = advice.remedy === undefined ? '' : `; this strengthens it: ${advice.remedy}`;
  log.warn({ isolation }, `uploads could be read in a stronger isolation, but ${advice.obstacle}${remedy}`);
}

function openObjectStore({ objectStoreUrl, dataDir }: Config): ObjectStore {
  return createDirectoryObjectStore(
    objectStoreUrl === undefined ? join(dataDir, 'objects') : fileURLToPath(objectStoreUrl),
  );
}

function databaseTarget({ config, embedded }: ComponentsOptions): string | ClientConfig {
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  if (embedded === undefined) throw new Error('DATABASE_URL: not set, and there is no embedded database.');
  return embedded;
}

const postgresSchemes = ['postgres:', 'postgresql:'] as const;

function requireScheme(variable: string, url: string, known: readonly string[]): void {
  const { protocol } = new URL(url);
  if (known.includes(protocol)) return;
  throw new Error(
    `${variable}: ${protocol}// is not supported; use ${known.map((name) => `${name}//`).join(' or ')}`,
  );
}
