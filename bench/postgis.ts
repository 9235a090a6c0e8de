import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../test/support/ports.ts';
import { postgresFolder } from './peers.ts';

const run = promisify(execFile);

/** Starts an empty PostgreSQL in a temporary folder, with PostGIS available; it accepts local connections only. */
export async function startPostgis() {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-bench-'));
  const cluster = join(folder, 'cluster');
  const port = await freePort();
  await chmod(folder, 0o755);
  await mkdir(cluster);
  // PostgreSQL refuses to run as root.
  const [prefix, ...asUser] =
    userInfo().uid === 0 ? (['runuser', '-u', 'postgres', '--'] as const) : (['env'] as const);
  if (userInfo().uid === 0) await run('chown', ['postgres', cluster]);
  const call = async (program: string, ...args: string[]): Promise<string> => {
    return (await run(prefix, [...asUser, join(postgresFolder, program), ...args], { cwd: cluster })).stdout;
  };
  await call('initdb', '-D', cluster, '-A', 'trust', '-U', 'bench', '--no-sync');
  const postgres = [...asUser, join(postgresFolder, 'postgres'), '-D', cluster, '-k', cluster];
  const settings = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'shared_buffers=512MB'];
  const server = spawn(prefix, [...postgres, ...settings], { cwd: cluster, stdio: 'ignore' });
  const target = ['-h', cluster, '-p', String(port), '-U', 'bench'];
  await run('sh', [
    '-c',
    `for i in $(seq 100); do ${join(postgresFolder, 'pg_isready')} -q -h ${cluster} -p ${port} && exit; sleep 0.1; done; exit 1`,
  ]);
  return {
    folder,
    port,
    /** Runs a client program of PostgreSQL as a superuser; returns its output. */
    ask: async (program: 'psql' | 'pgbench', ...args: string[]) => await call(program, ...target, ...args),
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      await call('pg_ctl', 'stop', '-D', cluster, '-m', 'immediate');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
