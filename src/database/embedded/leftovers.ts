import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedFailures } from '../../messages/service.ts';

const checkEveryMilliseconds = 25;

export interface StopBudget {
  /** Granted to a fast shutdown: sessions are ended, everything is written. */
  readonly fastMilliseconds: number;
  /** Granted to an immediate one: the next start replays the log. */
  readonly immediateMilliseconds: number;
}

/**
 * Ends whatever PostgreSQL still runs on `cluster`: a postmaster whose service was killed, and the sessions of a
 * postmaster that was killed. Call it only while holding the lock of DATA_DIR. Returns whether there was any.
 */
export async function stopPostgres(cluster: string, budget: StopBudget): Promise<boolean> {
  const found = (await processesOf(cluster)).length > 0;
  if (found) {
    const postmaster = await postmasterOf(cluster);
    const gentle = { SIGINT: budget.fastMilliseconds, SIGQUIT: budget.immediateMilliseconds } as const;
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      if (postmaster !== undefined) sendSignal(postmaster, signal);
      // Without a postmaster its sessions end by themselves, unless they are in the middle of something long.
      const patience = postmaster === undefined ? budget.immediateMilliseconds : gentle[signal];
      if (await allEnd(cluster, patience)) break;
    }
    for (const pid of await processesOf(cluster)) sendSignal(pid, 'SIGKILL');
    if (!(await allEnd(cluster, budget.fastMilliseconds))) {
      throw new Error(embeddedFailures.notEnded(cluster, await processesOf(cluster)));
    }
  }
  // Its process id may be somebody else's by now, which would keep PostgreSQL from starting.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  return found;
}

async function allEnd(cluster: string, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while ((await processesOf(cluster)).length > 0) {
    if (Date.now() > deadline) return false;
    await sleep(checkEveryMilliseconds);
  }
  return true;
}

/** The process ids of the postmaster and all of its children, orphans included. */
async function processesOf(cluster: string): Promise<number[]> {
  const folder = await realpath(cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const ours = await Promise.all(pids.map(async (pid) => await isPostgresIn(pid, folder)));
  return pids.filter((_, index) => ours[index]);
}

/** All processes of a PostgreSQL work in its data directory. */
async function isPostgresIn(pid: number, folder: string): Promise<boolean> {
  try {
    if ((await readlink(`/proc/${pid}/cwd`)) !== folder) return false;
    return basename(await readlink(`/proc/${pid}/exe`)).startsWith('postgres');
  } catch {
    return false; // ended meanwhile, or not ours to look at
  }
}

async function postmasterOf(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (Number.isNaN(pid)) return undefined;
  return (await isPostgresIn(pid, await realpath(cluster))) ? pid : undefined;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile, which is what was wanted; if not, the wait that follows tells.
  }
}
