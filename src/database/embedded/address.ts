import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { superuser } from './cluster.ts';

/** The limit of `sockaddr_un` on the strictest system, without the final zero byte. */
const maxSocketPathBytes = 103;
const port = 5432;
const socketFolderPrefix = 'steppe-';

/** Connection fields that `pg` takes as they are, and that one process of the service tells another. */
export const EmbeddedTarget = z.object({
  /** The socket's folder, or a loopback address. */
  host: z.string(),
  port: z.int(),
  user: z.string(),
  database: z.string(),
  /** Only needed over TCP. */
  password: z.string().optional(),
});
export type EmbeddedTarget = z.infer<typeof EmbeddedTarget>;

/** The address on which the embedded PostgreSQL listens. It stays the same when PostgreSQL is started again. */
export type ServerAddress = Awaited<ReturnType<typeof openAddress>>;

/**
 * Makes a socket folder that only we can enter, or takes a free loopback port where none can be made.
 * @param password the superuser's.
 * @param recordPath a file that remembers the socket folder, so that the next start can remove one that was left.
 */
export async function openAddress(password: string, recordPath: string) {
  const account = { user: superuser, database: superuser };
  await removeSocketFolder(await readFile(recordPath, 'utf8').catch(() => ''));
  const socketFolder = await makeSocketFolder();
  if (socketFolder !== undefined) {
    await writeFile(recordPath, socketFolder, { mode: 0o600 });
    return {
      target: { ...account, host: socketFolder, port },
      settings: { listen_addresses: '', unix_socket_directories: `"${socketFolder}"`, port: String(port) },
      socketFolder,
    };
  }
  const freePort = await findFreePort();
  return {
    target: { ...account, host: '127.0.0.1', port: freePort, password },
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(freePort) },
    socketFolder: undefined,
  };
}

/** Removes a socket folder. Touches nothing that does not look like one. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (!basename(folder).startsWith(socketFolderPrefix)) return;
  await rm(folder, { recursive: true, force: true });
}

async function makeSocketFolder(): Promise<string | undefined> {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])) {
    const path = join(parent, `${socketFolderPrefix}XXXXXX`, `.s.PGSQL.${port}`);
    if (Buffer.byteLength(path) > maxSocketPathBytes || path.includes('"')) continue;
    try {
      return await mkdtemp(join(parent, socketFolderPrefix)); // mode 700
    } catch {
      // Read-only or absent: the next one.
    }
  }
  return undefined;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
