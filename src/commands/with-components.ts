import { z } from 'zod';
import type { Components } from '../compose/components.ts';
import { prepareDatabase } from '../compose/prepare.ts';
import {
  checkComponents,
  EmbeddedTarget,
  hasEmbedded,
  openComponents,
  openEmbedded,
} from '../compose/compose.ts';
import type { CommandContext } from './command.ts';
import { commandConnections } from '../process/connections.ts';
import { DataDirInUse, ownDataDir, readNote } from '../process/data-dir.ts';

const DatabaseNote = z.object({ target: EmbeddedTarget });

/**
 * Lends a command the components of the service: of the one that runs on this DATA_DIR, or with a PostgreSQL of the
 * command's own when none does. The database is migrated, and made where there is none.
 */
export async function withComponents<T>(
  { config, log, shutdown }: CommandContext,
  work: (components: Components) => Promise<T>,
): Promise<T> {
  checkComponents(config, 'serve');
  await using parts = new AsyncDisposableStack();
  const embedded =
    config.databaseUrl === undefined ? await reachEmbedded({ config, log, shutdown }, parts) : undefined;
  const components = await openComponents({
    config,
    embedded,
    role: 'tool',
    maxConnections: commandConnections,
    log,
  });
  parts.defer(async () => await components.close());
  await prepareDatabase(components, log, shutdown);
  return await work(components);
}

/**
 * The same for a command that only makes sense where a service has been before.
 * @throws {Error} when DATA_DIR has to hold the database and holds none; nothing is made then.
 */
export async function withExistingComponents<T>(
  context: CommandContext,
  work: (components: Components) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = context.config;
  if (databaseUrl === undefined && !(await hasEmbedded(dataDir))) {
    throw new Error(`there is no data in ${dataDir}; is DATA_DIR right?`);
  }
  return await withComponents(context, work);
}

async function reachEmbedded(
  { config, log, shutdown }: CommandContext,
  parts: AsyncDisposableStack,
): Promise<EmbeddedTarget> {
  try {
    const dataDir = await ownDataDir(config.dataDir);
    parts.defer(async () => await dataDir.release());
    const onStart = async (database: unknown) => await dataDir.writeNote({ pid: process.pid, database });
    const started = await openEmbedded({ dataDir: config.dataDir, log, signal: shutdown, onStart });
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
