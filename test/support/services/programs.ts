import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const versitygwVersion = '1.8.0';
const postgresFolder = '/usr/lib/postgresql/15/bin';
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
  const folders = [postgresFolder];
  const line = 'apt-get install postgresql-15';
  return {
    initdb: await find('initdb', folders, line),
    postgres: await find('postgres', folders, line),
  };
}

/** Finds nats-server. @throws {ServerMissing} */
export async function natsProgram(): Promise<string> {
  return await find('nats-server', systemFolders(), 'apt-get install nats-server');
}

/** Finds PgBouncer. @throws {ServerMissing} */
export async function pgbouncerProgram(): Promise<string> {
  return await find('pgbouncer', systemFolders(), 'apt-get install pgbouncer');
}

/** Finds versitygw where `installVersitygw` puts it. @throws {ServerMissing} */
export async function versitygwProgram(): Promise<string> {
  const path = versitygwPath();
  if (await isProgram(path)) return path;
  throw new ServerMissing(`versitygw ${versitygwVersion}`, 'npm run services -- --install');
}

/**
 * Builds versitygw, unless an earlier clone has; it takes some minutes. @throws {ServerMissing} without Go.
 * @param onBuild called before it begins.
 */
export async function installVersitygw(onBuild: () => void, signal: AbortSignal): Promise<void> {
  const path = versitygwPath();
  if (await isProgram(path)) return;
  const go = await find('go', [...systemFolders(), '/usr/local/go/bin'], 'apt-get install golang');
  onBuild();
  const folder = await mkdtemp(join(tmpdir(), 'steppe-versitygw-'));
  try {
    const source = `github.com/versity/versitygw/cmd/versitygw@v${versitygwVersion}`;
    await run(go, ['install', withoutSymbols, source], { env: { ...inherited(), GOBIN: folder }, signal });
    await mkdir(join(path, '..'), { recursive: true });
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

async function find(name: string, folders: readonly string[], line: string): Promise<string> {
  for (const folder of folders) {
    const path = join(folder, name);
    if (folder !== '' && (await isProgram(path))) return path;
  }
  throw new ServerMissing(name, line);
}

async function isProgram(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
