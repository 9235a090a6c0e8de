import { spawn } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { EmbeddedTarget, ServerAddress } from './address.ts';
import type { Cluster, PostgresPrograms } from './cluster.ts';
import { commandAs, type PostgresIdentity } from './identity.ts';
import { lastComplaint } from './log.ts';

const pollMilliseconds = 20;

const leastConnections = 100;
/** Small enough for a laptop. Durability stays on. */
const settings = {
  shared_buffers: '128MB',
  max_logical_replication_workers: '0',
  jit: 'off',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
} as const;

export interface PostmasterOptions {
  readonly programs: PostgresPrograms;
  readonly identity: PostgresIdentity;
  readonly cluster: Cluster;
  readonly address: ServerAddress;
  readonly logPath: string;
  /** How many it has to accept; `leastConnections` it always does. */
  readonly connections: number;
  readonly signal: AbortSignal;
}

export interface Postmaster {
  readonly pid: number;
  /** Resolves with the exit code or the signal when it has ended. */
  readonly exited: Promise<number | string>;
}

/**
 * Starts PostgreSQL and waits, through a recovery of any length, until it answers.
 * @throws {Error} with its own words when it ends instead.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { identity, programs, cluster, address, logPath, signal } = options;
  signal.throwIfAborted();
  if (address.socketFolder !== undefined) await mkdir(address.socketFolder, { recursive: true, mode: 0o700 });
  const maxConnections = Math.max(leastConnections, options.connections);
  const all = { ...settings, ...address.settings, max_connections: maxConnections };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, leadingArguments } = commandAs(identity, programs.postgres);
  const args = [...leadingArguments, '-D', cluster.folder, ...flags];
  const log = await open(logPath, 'a', 0o600);
  try {
    const child = spawn(file, args, {
      cwd: cluster.folder,
      stdio: ['ignore', log.fd, log.fd],
      detached: true, // signals to our process group are for us; PostgreSQL goes last
    });
    let ended: number | string | undefined;
    const exited = new Promise<number | string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, name) => resolve(code ?? name ?? 'unknown'));
    }).then((how) => (ended = how));
    while (!(await answers(address.target))) {
      if (ended !== undefined) throw new Error(await reasonOfEnd(ended, logPath));
      await sleep(pollMilliseconds, undefined, { signal });
    }
    if (child.pid === undefined) throw new Error('PostgreSQL has no process id');
    return { pid: child.pid, exited };
  } finally {
    await log.close();
  }
}

async function reasonOfEnd(how: number | string, logPath: string): Promise<string> {
  return `PostgreSQL did not start (${how}): ${await lastComplaint(logPath)}. Its log is ${logPath}`;
}

async function answers(target: EmbeddedTarget): Promise<boolean> {
  const client = new Client({ ...target, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined); // the query below says it too
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false; // not there yet, or still recovering
  } finally {
    await client.end().catch(() => undefined);
  }
}
