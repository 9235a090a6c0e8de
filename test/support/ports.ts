import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Makes a server listen, by default on a free port of this machine; returns the port. */
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

/** Forwards connections to a server on a Unix socket. */
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
    /** Number of connections so far. */
    get connections(): number {
      return connections;
    },
    /** Sets the Unix socket for new connections. */
    lead(socketPath: string): void {
      target = socketPath;
    },
    /** Stops all traffic in both directions without telling any peer, like a pulled cable. */
    freeze(): void {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    /** Forwards new connections again; frozen ones stay frozen. */
    thaw(): void {
      isFrozen = false;
    },
    /** Continues all connections, as after a pause of the server. */
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
