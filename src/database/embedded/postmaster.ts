import { spawn } from 'node:child_process';
import {
  copyFile,
  mkdir,
  open,
  readFile,
  stat,
  truncate,
  readdir,
  readlink,
  realpath,
  rm,
} from 'node:fs/promises';
import { dirname, basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { MiB } from '../../lib/units.ts';
import { embeddedFailures } from '../../messages/service/english.ts';
import type { EmbeddedTarget, ServerAddress, Cluster, PostgresPrograms } from './cluster.ts';
import { commandAs, type PostgresIdentity } from './identity.ts';

const pollMilliseconds = 20;
const maxLogBytes = 16 * MiB;
const logTailBytes = 4096;
const leastConnections = 100;
/** Suits a laptop. Durability stays on. */
const settings = {
  shared_buffers: '128MB',
  max_logical_replication_workers: '0',
  jit: 'off',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
} as const;

interface PostmasterOptions {
  readonly programs: PostgresPrograms;
  readonly identity: PostgresIdentity;
  readonly cluster: Cluster;
  readonly address: ServerAddress;
  readonly logPath: string;
  /** Connections to accept; at least `leastConnections` in any case. */
  readonly connections: number;
  readonly signal: AbortSignal;
}

export type Postmaster = Awaited<ReturnType<typeof startPostmaster>>;

/** Creates the log's folder, and rotates a large log (one old file is kept). PostgreSQL may still be writing: it appends. */
export async function keepLogSmall(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size <= maxLogBytes) return;
  await copyFile(path, `${path}.old`);
  await truncate(path);
}

/**
 * Starts PostgreSQL and waits until it answers, even after a long recovery. `exited` resolves with the exit code or the
 * signal. @throws {Error} with PostgreSQL's own words if it exits instead.
 */
export async function startPostmaster(options: PostmasterOptions) {
  const { identity, programs, cluster, address, logPath, signal } = options;
  signal.throwIfAborted();
  await mkdir(address.socketFolder, { recursive: true, mode: 0o700 });
  const maxConnections = Math.max(leastConnections, options.connections);
  const all = { ...settings, ...address.settings, max_connections: maxConnections };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, leadingArguments } = commandAs(identity, programs.postgres);
  const args = [...leadingArguments, '-D', cluster.folder, ...flags];
  await using log = await open(logPath, 'a', 0o600);
  // Detached: signals to our process group are for us only; PostgreSQL stops last.
  const child = spawn(file, args, { cwd: cluster.folder, stdio: ['ignore', log.fd, log.fd], detached: true });
  let ended: number | string | undefined;
  const exited = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, name) => resolve(code ?? name ?? 'unknown'));
  }).then((how) => (ended = how));
  while (!(await answers(address.target))) {
    if (ended !== undefined) {
      throw new Error(embeddedFailures.notStarted(ended, await lastComplaint(logPath), logPath));
    }
    await sleep(pollMilliseconds, undefined, { signal });
  }
  if (child.pid === undefined) throw new Error('PostgreSQL has no process id');
  return { pid: child.pid, exited };
}

async function answers(target: EmbeddedTarget): Promise<boolean> {
  const client = new Client({ ...target, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined); // the query below reports the same failure
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false; // not started yet, or in recovery
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the last error in PostgreSQL's log; for the operator, never for a client. */
async function lastComplaint(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.slice(-logTailBytes).split('\n');
  const complaint = lines.findLast((line) => /(FATAL|PANIC|ERROR):/.test(line));
  return complaint?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '') ?? 'it gave no reason';
}

const checkEveryMilliseconds = 25;

export interface StopBudget {
  /** Time for a fast shutdown: sessions end, everything is written. */
  readonly fastMilliseconds: number;
  /** Time for an immediate shutdown: the next start replays the log. */
  readonly immediateMilliseconds: number;
}

/**
 * Stops all remaining PostgreSQL processes of `cluster`: a postmaster whose service was killed, and the sessions of a
 * killed postmaster. Call it only while holding the lock of DATA_DIR. Returns whether there were any.
 */
export async function stopPostgres(cluster: string, budget: StopBudget): Promise<boolean> {
  const found = (await processesOf(cluster)).length > 0;
  if (found) {
    const postmaster = await postmasterOf(cluster);
    const gentle = { SIGINT: budget.fastMilliseconds, SIGQUIT: budget.immediateMilliseconds } as const;
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      if (postmaster !== undefined) sendSignal(postmaster, signal);
      // Without a postmaster, sessions end by themselves unless they run something long.
      const patience = postmaster === undefined ? budget.immediateMilliseconds : gentle[signal];
      if (await allEnd(cluster, patience)) break;
    }
    for (const pid of await processesOf(cluster)) sendSignal(pid, 'SIGKILL');
    if (!(await allEnd(cluster, budget.fastMilliseconds))) {
      throw new Error(embeddedFailures.notEnded(cluster, await processesOf(cluster)));
    }
  }
  // Its process id may belong to another process by now, which would prevent a start of PostgreSQL.
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

/** Returns the process ids of the postmaster and all of its children, including orphans. */
async function processesOf(cluster: string): Promise<number[]> {
  const folder = await realpath(cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const ours = await Promise.all(pids.map(async (pid) => await isPostgresIn(pid, folder)));
  return pids.filter((_, index) => ours[index]);
}

/** Every PostgreSQL process has its data directory as working directory. */
async function isPostgresIn(pid: number, folder: string): Promise<boolean> {
  try {
    if ((await readlink(`/proc/${pid}/cwd`)) !== folder) return false;
    return basename(await readlink(`/proc/${pid}/exe`)).startsWith('postgres');
  } catch {
    return false; // has exited, or belongs to another user
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
    // It has exited, as intended; otherwise the wait below notices.
  }
}
