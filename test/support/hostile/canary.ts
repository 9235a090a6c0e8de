import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenOn } from '../ports.ts';

/**
 * Creates a secret file, whose text no hostile file may disclose, and a port that counts connections, which
 * no hostile file may open. `address` is an address of this machine, by default the loopback address.
 */
export async function openCanary(address = '127.0.0.1') {
  const text = `canary-${randomUUID()}`;
  const folder = await mkdtemp(join(tmpdir(), 'steppe-canary-'));
  const csvPath = join(folder, 'canary.csv');
  await writeFile(csvPath, `id,secret,x,y,WKT\n1,${text},70.5,50.5,POINT (70.5 50.5)\n`);

  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    // A valid answer, so that the client returns.
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: ${text.length}\r\n`;
    socket.end(`${head}Connection: close\r\n\r\n${text}`);
    socket.resume();
  });
  const port = await listenOn(server, { address });

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), 'close');
    await rm(folder, { recursive: true, force: true });
  }
  return {
    /** Folder that holds only the secret file. */
    folder,
    /** A CSV table with points, as GDAL would read one; its cells hold `text`. */
    csvPath,
    /** A text that occurs nowhere else. */
    text,
    port,
    /** An address with an IP, so that no name must be resolved, such as `http://127.0.0.1:4711`. */
    url: `http://${address}:${port}`,
    /** Number of TCP connections to the port, whatever was sent on them. */
    connections: () => connections,
    close,
    [Symbol.asyncDispose]: close,
  };
}
