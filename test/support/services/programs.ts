import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const versitygwVersion = '1.8.0';
/** That of its go.mod. */
const goMinor = 25;
const postgresFolder = '/usr/lib/postgresql/15/bin';
/** Programs, and the Debian package that brings each. */
const packages = {
  initdb: 'postgresql-15',
  postgres: 'postgresql-15',
  pgbouncer: 'pgbouncer',
  'nats-server': 'nats-server',
  ip: 'iproute2',
} as const;
/** A debug build of it would be three times the size. */
const withoutSymbols = '-ldflags=-s -w';

/** A server that the tests need is not installed; the message ends with the line to type. */
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

/** Finds versitygw where `installServices` puts it. @throws {ServerMissing} */
export async function versitygwProgram(): Promise<string> {
  const path = versitygwPath();
  if (await isProgram(path)) return path;
  throw new ServerMissing(`versitygw ${versitygwVersion}`, 'npm run services -- --install');
}

/**
 * Installs what is missing: as root the packages of Debian, without starting their servers; versitygw is built, unless an
 * earlier clone has, which takes some minutes.
 * @param say told of what takes long. @throws {ServerMissing}
 */
export async function installServices(say: (what: string) => void, signal: AbortSignal): Promise<void> {
  for (const program of ['postgres', 'pgbouncer', 'nats-server', 'ip'] as const) {
    const isThere = await find(program).then(Boolean, () => false);
    if (isThere || process.getuid?.() !== 0) continue;
    const packageName = packages[program];
    say(`${packageName} is installed …`);
    const env = { ...inherited(), DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    await run('apt-get', ['install', '-y', '--no-install-recommends', packageName], { env, signal });
  }
  await Promise.all([postgresPrograms(), pgbouncerProgram(), natsProgram()]);
  if (await isProgram(versitygwPath())) return;
  say('versitygw is built, once, which takes some minutes …');
  await buildVersitygw(await findGo(), signal);
}

async function findGo(): Promise<string> {
  for (const folder of ['/usr/local/go/bin', ...systemFolders()]) {
    const go = join(folder, 'go');
    if (folder === '' || !(await isProgram(go))) continue;
    const { stdout } = await run(go, ['env', 'GOVERSION']);
    const [, minor = '0'] = /^go1\.(\d+)/.exec(stdout) ?? [];
    if (Number(minor) >= goMinor) return go;
  }
  const place = 'https://go.dev/dl/';
  throw new Error(`Go 1.${goMinor} or newer, which builds versitygw, is not installed. Get it from ${place}`);
}

async function buildVersitygw(go: string, signal: AbortSignal): Promise<void> {
  const path = versitygwPath();
  const folder = await mkdtemp(join(tmpdir(), 'steppe-versitygw-'));
  try {
    const source = `github.com/versity/versitygw/cmd/versitygw@v${versitygwVersion}`;
    const env = { ...inherited(), GOBIN: folder };
    await run(go, ['install', withoutSymbols, source], { env, signal });
    await mkdir(dirname(path), { recursive: true });
    const partial = `${path}.${process.pid}`; // whole or not at all, whoever else does the same
    await copyFile(join(folder, 'versitygw'), partial);
    await rename(partial, path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function versitygwPath(): string {
  const folder = inherited()['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(folder, 'steppe', `versitygw-${versitygwVersion}-${process.platform}-${process.arch}`);
}

function systemFolders(): readonly string[] {
  // An ordinary user's PATH may lack the folders of servers.
  return [...(inherited()['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
}

function inherited(): NodeJS.ProcessEnv {
  return process.env;
}

async function find(program: keyof typeof packages): Promise<string> {
  for (const folder of [postgresFolder, ...systemFolders()]) {
    const path = join(folder, program);
    if (folder !== '' && (await isProgram(path))) return path;
  }
  throw new ServerMissing(program, `apt-get install ${packages[program]}`);
}

async function isProgram(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
