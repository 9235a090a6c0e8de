import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

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

/** Passes bytes on to a server that listens on a Unix socket. */
export async function openTcpProxy(port = 0) {
  const sockets = new Set<Socket>();
  let target = '/nowhere';
  let isFrozen = false;
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (isFrozen) from.pause();
      from.on('error', () => to.destroy());
      from.on('data', (chunk) => to.write(chunk));
      from.on('close', () => to.destroy());
    }
  });
  const bound = await listenOn(server, { port });
  return {
    port: bound,
    /** How many connections were ever made. */
    get connections(): number {
      return connections;
    },
    /** Names the Unix socket that connections from now on lead to. */
    lead(socketPath: string): void {
      target = socketPath;
    },
    /** From now on nothing passes, either way, and no peer is told: a cable that was pulled. */
    freeze(): void {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    /** Whatever comes from now on passes on connections that are new; those that were frozen stay so. */
    thaw(): void {
      isFrozen = false;
    },
    /** Everything goes on where it was, as with a server that was stopped for a while. */
    resume(): void {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}
