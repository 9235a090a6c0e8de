import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Names the Unix socket that connections from now on lead to. */
  lead(socketPath: string): void;
  /** From now on nothing passes, either way, and nobody is told: a cable that was pulled. */
  freeze(): void;
  /** Whatever comes from now on passes on connections that are new; those that were frozen stay so. */
  thaw(): void;
  /** How many connections were ever made. */
  readonly connections: number;
}

/** Passes bytes on to a server that listens on a Unix socket. */
export async function openTcpProxy(port = 0): Promise<TcpProxy> {
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
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    get connections() {
      return connections;
    },
    lead(socketPath) {
      target = socketPath;
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
