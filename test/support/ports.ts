import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Makes a server listen, on a free port of this machine unless given; returns the port. */
export async function listenOn(server: Server, { address = '127.0.0.1', port = 0 } = {}): Promise<number> {
  await once(server.listen(port, address), 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  return bound.port;
}

/** Finds a port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOn(server);
  await once(server.close(), 'close');
  return port;
}
