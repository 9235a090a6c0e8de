import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import {
  type EmbeddedTarget,
  openAddress,
  removeSocketFolder,
  findPostgresPrograms,
  openCluster,
} from './cluster.ts';
import { choosePostgresIdentity } from './identity.ts';
import {
  type StopBudget,
  stopPostgres,
  keepLogSmall,
  type Postmaster,
  startPostmaster,
} from './postmaster.ts';

const stopBudget: StopBudget = { fastMilliseconds: 3000, immediateMilliseconds: 500 };
/** Time for processes that another service left behind: only this start waits for them. */
const leftoverBudget: StopBudget = { fastMilliseconds: 20_000, immediateMilliseconds: 5000 };
const restartDelaysMilliseconds = [0, 250, 500, 1000, 2000, 5000] as const;
/** After this uptime, a crash counts as the first one again. */
const stableMilliseconds = 60_000;
const logCheckMilliseconds = 600_000;

interface EmbeddedDatabaseOptions {
  /** An existing folder whose lock the caller holds. */
  readonly dataDir: string;
  /** Connections to accept; at least 100 are accepted in any case. */
  readonly connections?: number;
  readonly log: Logger;
  /** Cancels the start. */
  readonly signal: AbortSignal;
  /** Called after each start of PostgreSQL, to record its address for other commands. */
  onStart(place: {
    readonly postgresPid: number;
    readonly target: EmbeddedTarget;
    readonly socketFolder: string;
  }): Promise<void>;
}

/**
 * Starts PostgreSQL under DATA_DIR, and restarts it when it crashes. It ends with this process, even if that is killed.
 * @throws {Error} with a readable reason if the first start fails.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions) {
  const { dataDir, connections = 0, log, signal } = options;
  const programs = findPostgresPrograms();
  const identity = await choosePostgresIdentity(programs.postgres, dataDir);
  const cluster = await openCluster({ dataDir, programs, identity, signal });
  if (await stopPostgres(cluster.folder, leftoverBudget))
    log.warn('stopped a PostgreSQL that was left running');
  const address = await openAddress(join(dataDir, 'postgres'));
  const logPath = join(dataDir, 'logs', 'postgres.log');
  const closing = new AbortController();
  const stop = AbortSignal.any([signal, closing.signal]);

  const start = async () => {
    await keepLogSmall(logPath);
    const places = { programs, cluster, address, logPath };
    const postmaster = await startPostmaster({ ...places, identity, connections, signal: stop });
    const { pid: postgresPid } = postmaster;
    await options.onStart({ postgresPid, target: address.target, socketFolder: address.socketFolder });
    const { description } = identity;
    log.info({ postgresPid, identity: description, created: cluster.created }, 'PostgreSQL is running');
    return postmaster;
  };
  const end = async (budget: StopBudget) => {
    await stopPostgres(cluster.folder, budget);
    if (address.socketFolder !== undefined) await removeSocketFolder(address.socketFolder);
  };

  const first = await start().catch(async (error: unknown) => {
    await end(stopBudget);
    throw error;
  });
  const restart = async (): Promise<Postmaster> => {
    await stopPostgres(cluster.folder, leftoverBudget);
    return await start();
  };
  const supervision = superviseUntil(closing.signal, first, restart, log);
  const logCheck = setInterval(() => {
    keepLogSmall(logPath).catch((error: unknown) => log.warn({ error }, 'the log of PostgreSQL stays large'));
  }, logCheckMilliseconds).unref();

  return {
    /** Connection fields; they do not change when PostgreSQL restarts. */
    target: address.target,
    /** Stops PostgreSQL within four seconds. */
    async close(): Promise<void> {
      clearInterval(logCheck);
      closing.abort();
      await end(stopBudget);
      await supervision;
    },
  };
}

/** Starts nothing. @throws {Error} with a readable reason if PostgreSQL could not be started under a folder. */
export async function checkEmbeddedDatabase(folder: string): Promise<void> {
  await choosePostgresIdentity(findPostgresPrograms().postgres, folder);
}

async function superviseUntil(
  closing: AbortSignal,
  first: Postmaster,
  restart: () => Promise<Postmaster>,
  log: Logger,
): Promise<void> {
  let postmaster: Postmaster | undefined = first;
  let deaths = 0;
  while (!closing.aborted) {
    if (postmaster !== undefined) {
      const startedAt = performance.now();
      const how = await postmaster.exited;
      if (closing.aborted) return;
      if (performance.now() - startedAt > stableMilliseconds) deaths = 0;
      log.error({ how }, 'PostgreSQL ended; it is started again');
    }
    const delay = restartDelaysMilliseconds[Math.min(deaths, restartDelaysMilliseconds.length - 1)];
    deaths += 1;
    try {
      await sleep(delay, undefined, { signal: closing });
      postmaster = await restart();
    } catch (error) {
      if (closing.aborted) return;
      postmaster = undefined;
      log.error({ error }, 'PostgreSQL did not start; it is tried again');
    }
  }
}
