import { checkComponents, type Components, openComponents } from '../runtime/components.ts';
import { readEmbeddedTarget, startEmbedded } from '../runtime/embedded.ts';
import { prepareDatabase, requireOwnTables } from '../runtime/prepare.ts';
import { type EmbeddedTarget, hasCluster } from '../database/embedded/cluster.ts';
import { commandFailures } from '../messages/service/english.ts';
import { DataDirInUse, ownDataDir } from '../runtime/data-dir.ts';
import type { CommandContext } from './command.ts';

/**
 * Runs `work` with the components of the service: those of the service that runs on this DATA_DIR, or with a PostgreSQL
 * that the command starts. Tables are not migrated.
 * @throws {Error} if the tables are missing or belong to another version; nothing is created then.
 */
export async function withComponents<T>(
  context: CommandContext,
  work: (components: Components) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = context.config;
  if (databaseUrl === undefined && !(await hasCluster(dataDir))) {
    throw new Error(commandFailures.noData(dataDir));
  }
  return await lend(context, requireOwnTables, work);
}

/** Migrates the database, and creates it if it does not exist. */
export async function migrateDatabase(context: CommandContext): Promise<void> {
  const { log, shutdown } = context;
  const prepare = async (components: Components) => await prepareDatabase(components, log, shutdown, false);
  await lend(context, prepare, async () => undefined);
}

/** Runs `work` with the components as they are. Starts a new PostgreSQL in an empty DATA_DIR, without creating tables. */
export async function withBareComponents<T>(
  context: CommandContext,
  work: (components: Components) => Promise<T>,
): Promise<T> {
  return await lend(context, async () => undefined, work);
}

async function lend<T>(
  context: CommandContext,
  prepare: (components: Components) => Promise<void>,
  work: (components: Components) => Promise<T>,
): Promise<T> {
  const { config, log } = context;
  checkComponents(config, 'serve');
  await using resources = new AsyncDisposableStack();
  const embedded = config.databaseUrl === undefined ? await reachEmbedded(context, resources) : undefined;
  const components = await openComponents(config, embedded, 'tool', log);
  resources.defer(async () => await components.close());
  await prepare(components);
  return await work(components);
}

async function reachEmbedded(
  context: CommandContext,
  resources: AsyncDisposableStack,
): Promise<EmbeddedTarget> {
  const { dataDir: folder } = context.config;
  try {
    const dataDir = await ownDataDir(folder);
    resources.defer(async () => await dataDir.release());
    const embedded = await startEmbedded(dataDir, context);
    resources.defer(async () => await embedded.close());
    return embedded.target;
  } catch (error) {
    // Without a target, the service is starting or stopping, or uses another database.
    const target = error instanceof DataDirInUse ? await readEmbeddedTarget(folder) : undefined;
    if (target === undefined) throw error;
    return target;
  }
}
