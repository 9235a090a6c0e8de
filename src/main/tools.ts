import type { Logger } from 'pino';
import { z } from 'zod';
import type { Components } from '../compose/components.ts';
import { prepareDatabase } from '../compose/prepare.ts';
import {
  checkComponents,
  checkStore,
  describeReport,
  EmbeddedTarget,
  openComponents,
  openEmbedded,
} from '../compose.ts';
import type { Config } from '../config.ts';
import { commandConnections } from './connections.ts';
import { DataDirInUse, ownDataDir, readNote } from './data-dir.ts';

const DatabaseNote = z.object({ target: EmbeddedTarget });

/**
 * Lends a command the components of the service: of the one that runs on this DATA_DIR, or with a PostgreSQL of the
 * command's own when none does. The database is migrated.
 */
export async function withComponents<T>(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  work: (components: Components) => Promise<T>,
): Promise<T> {
  checkComponents(config, 'serve');
  await using parts = new AsyncDisposableStack();
  const embedded =
    config.databaseUrl === undefined ? await reachEmbedded(config, log, signal, parts) : undefined;
  const components = await openComponents({
    config,
    embedded,
    role: 'tool',
    maxConnections: commandConnections,
    log,
  });
  parts.defer(async () => await components.close());
  await prepareDatabase(components, log, signal);
  return await work(components);
}

async function reachEmbedded(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  parts: AsyncDisposableStack,
): Promise<EmbeddedTarget> {
  try {
    const dataDir = await ownDataDir(config.dataDir);
    parts.defer(async () => await dataDir.release());
    const onStart = async (database: unknown) => await dataDir.writeNote({ pid: process.pid, database });
    const started = await openEmbedded({ dataDir: config.dataDir, log, signal, onStart });
    parts.defer(async () => await started.close());
    return EmbeddedTarget.parse(started.target);
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    const target = await readTarget(config.dataDir);
    if (target === undefined) throw error; // it is starting or stopping, or works with another database
    return target;
  }
}

/** Where the owner of DATA_DIR says that its PostgreSQL is. */
export async function readTarget(dataDir: string): Promise<EmbeddedTarget | undefined> {
  return DatabaseNote.safeParse((await readNote(dataDir))?.database).data?.target;
}

/** Brings the database up to date. */
export async function migrateOnly(config: Config, log: Logger, signal: AbortSignal): Promise<void> {
  await withComponents(config, log, signal, async () => {
    process.stdout.write('The database is up to date.\n');
  });
}

/** Prints whether store, ledger and rows agree; 1 when something is damaged. */
export async function fsck(config: Config, log: Logger, signal: AbortSignal): Promise<number> {
  return await withComponents(config, log, signal, async ({ db, objectStore }) => {
    const report = await checkStore(db, objectStore);
    process.stdout.write(describeReport(report));
    return report.damage.length === 0 ? 0 : 1;
  });
}
