import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installEnginePackage } from '../../../scripts/setup/engine-package.mjs';
import {
  buildGoProgram,
  type GoProgram,
  goProgramPath,
  isProgram,
  systemFolders,
} from '../tools/go-programs.ts';

const run = promisify(execFile);
const versitygw: GoProgram = {
  name: 'versitygw',
  version: '1.8.0',
  source: 'github.com/versity/versitygw/cmd/versitygw',
  goMinor: 25,
};
const temporalServer: GoProgram = {
  name: 'temporal-server',
  version: '1.32.1',
  source: 'go.temporal.io/server/cmd/server',
  goMinor: 26,
};
/** Creates the tables of a Temporal server in PostgreSQL. */
const temporalSqlTool: GoProgram = {
  ...temporalServer,
  name: 'temporal-sql-tool',
  source: 'go.temporal.io/server/cmd/tools/sql',
};
const postgresFolder = '/usr/lib/postgresql/15/bin';
/** Programs and their Debian packages. */
const packages = {
  initdb: 'postgresql-15',
  postgres: 'postgresql-15',
  pgbouncer: 'pgbouncer',
  'nats-server': 'nats-server',
  ip: 'iproute2',
} as const;

/** A server that the tests need is not installed; the message ends with the command that installs it. */
class ServerMissing extends Error {
  override readonly name = 'ServerMissing';
  constructor(program: string, line: string) {
    super(`${program} is not installed. Type: ${line}`);
  }
}

/** Finds the programs of Debian's PostgreSQL 15. @throws {ServerMissing} */
export async function postgresPrograms() {
  return { initdb: await find('initdb'), postgres: await find('postgres') };
}

/** Finds nats-server. @throws {ServerMissing} */
export async function natsProgram(): Promise<string> {
  return await find('nats-server');
}

/** Finds PgBouncer. @throws {ServerMissing} */
export async function pgbouncerProgram(): Promise<string> {
  return await find('pgbouncer');
}

/**
 * Finds versitygw in the folder of `installServices`.
 * @throws {ServerMissing}
 */
export async function versitygwProgram(): Promise<string> {
  return await findBuilt(versitygw);
}

/**
 * Finds the server of Temporal in the folder of `installServices`.
 * @throws {ServerMissing}
 */
export async function temporalProgram(): Promise<string> {
  return await findBuilt(temporalServer);
}

/**
 * Finds the tool that creates Temporal's tables in the folder of `installServices`.
 * @throws {ServerMissing}
 */
export async function temporalSqlProgram(): Promise<string> {
  return await findBuilt(temporalSqlTool);
}

/**
 * Installs what is missing: as root the Debian packages, without starting their servers; versitygw and Temporal are built unless another
 * clone has built them, which takes some minutes. It also installs the package that works with Temporal.
 * @param say receives what takes long
 * @throws {ServerMissing}
 */
export async function installServices(say: (what: string) => void, signal: AbortSignal): Promise<void> {
  for (const program of ['postgres', 'pgbouncer', 'nats-server', 'ip'] as const) {
    const isThere = await find(program).then(Boolean, () => false);
    if (isThere || process.getuid?.() !== 0) continue;
    const packageName = packages[program];
    say(`${packageName} is installed …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    await run('apt-get', ['install', '-y', '--no-install-recommends', packageName], { env, signal });
  }
  await Promise.all([postgresPrograms(), pgbouncerProgram(), natsProgram()]);
  for (const program of [versitygw, temporalServer, temporalSqlTool])
    await buildGoProgram(program, say, signal);
  await installEnginePackage();
}

async function findBuilt(program: GoProgram): Promise<string> {
  const path = goProgramPath(program);
  if (await isProgram(path)) return path;
  throw new ServerMissing(`${program.name} ${program.version}`, 'npm run services -- --install');
}

async function find(program: keyof typeof packages): Promise<string> {
  for (const folder of [postgresFolder, ...systemFolders()]) {
    const path = join(folder, program);
    if (await isProgram(path)) return path;
  }
  throw new ServerMissing(program, `apt-get install ${packages[program]}`);
}
