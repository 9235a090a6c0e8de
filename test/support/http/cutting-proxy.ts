import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import { ignore } from '../../../src/lib/concurrency/promises.ts';
import { withTimeout } from '../../../src/lib/concurrency/with-timeout.ts';
import { listenOn } from '../ports.ts';

/** Opens a proxy in front of a service that acts as a faulty network: it can break off, stall and be slow. */
export async function openCuttingProxy(serviceUrl: string) {
  const { hostname, port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let frozen = new WeakSet<Socket>();
  let isDown = false;
  let sentBytes = 0;
  let bytesPerSecond = Infinity;
  let next: { readonly at: number; readonly reached: () => void } | undefined;

  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', ignore).on('close', () => sockets.delete(client));
    if (isDown) {
      client.resetAndDestroy();
      return;
    }
    const service = connect(Number(port), hostname);
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sentBytes += chunk.length;
        if (next !== undefined && sentBytes >= next.at) {
          const { reached } = next;
          next = undefined;
          reached();
        }
        if (frozen.has(client) || client.destroyed) return; // stop the stream
        if (bytesPerSecond === Infinity) done(null, chunk);
        else setTimeout(() => done(null, chunk), (chunk.length / bytesPerSecond) * 1000);
      },
    });
    pipeline(client, counted, service, ignore);
    pipeline(service, client, ignore);
  });
  const bound = await listenOn(server);

  /** Resolves once clients have sent this many further bytes. */
  async function sent(bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    next = { at: sentBytes + bytes, reached: resolve };
    await withTimeout(60_000, promise);
  }

  function cut(): void {
    isDown = true;
    for (const socket of sockets) socket.resetAndDestroy();
  }

  function freeze(): void {
    frozen = new WeakSet(sockets);
  }

  return {
    baseUrl: `http://127.0.0.1:${bound}`,
    /** Bytes that clients have sent so far. */
    sentBytes: () => sentBytes,
    /** Breaks every connection after this many further bytes from clients, and refuses new ones until `mend`. */
    async cutAfter(bytes: number): Promise<void> {
      await sent(bytes).then(cut);
    },
    /** Stalls the open connections after this many further bytes from clients without telling either peer, as a pulled cable does. */
    async freezeAfter(bytes: number): Promise<void> {
      await sent(bytes).then(freeze);
    },
    mend: () => void (isDown = false),
    /** Limits each connection to this many bytes per second from now on. */
    slowTo: (bytes: number) => void (bytesPerSecond = bytes),
    async [Symbol.asyncDispose]() {
      cut();
      await once(server.close(), 'close');
    },
  };
}
