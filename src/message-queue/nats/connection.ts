import { readFile } from 'node:fs/promises';
import {
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { ignore, pause } from '../../lib/concurrency/promises.ts';
import { endsWithin, withTimeout } from '../../lib/concurrency/with-timeout.ts';
import type { NatsAddress } from './address.ts';

const connectWithinMs = 3000;
const pingEveryMs = 5000;
const closeWithinMs = 2000;
const firstBackOffMs = 200;
const lastBackOffMs = 5000;

export type NatsOwner = Awaited<ReturnType<typeof openNatsConnection>>;

interface NatsEvents {
  /** Called after failed attempts to connect, and after lost connections. */
  onError(error: unknown): void;
  /** Called after the first connection and after each reconnect. */
  onConnected(): void;
}

/** Resolves after the first attempt to connect, successful or not. Then reconnects until `close`. */
export async function openNatsConnection(address: NatsAddress, { onError, onConnected }: NatsEvents) {
  const closing = new AbortController();
  const firstAttempt = Promise.withResolvers<void>();
  let connection: NatsConnection | undefined;

  async function live(): Promise<void> {
    const open = await connect(await optionsFor(address));
    try {
      if (closing.signal.aborted) return;
      connection = open;
      firstAttempt.resolve();
      onConnected();
      for await (const { type } of open.status()) {
        if (type === 'disconnect' || type === 'staleConnection') {
          onError(new Error('the connection to NATS broke'));
        }
        if (type === 'reconnect') onConnected();
        if (type === 'close') break;
      }
    } finally {
      connection = undefined;
      await open.close();
    }
  }

  async function keepLiving(): Promise<void> {
    let backOffMs = firstBackOffMs;
    while (!closing.signal.aborted) {
      await live().catch((error: unknown) => {
        if (!closing.signal.aborted) onError(error);
      });
      firstAttempt.resolve();
      await pause(backOffMs, closing.signal);
      backOffMs = Math.min(backOffMs * 2, lastBackOffMs);
    }
  }

  const living = keepLiving();
  await firstAttempt.promise;

  return {
    /** The connection, possibly reconnecting; undefined before the first one. */
    connection: () => connection,
    async close(): Promise<void> {
      closing.abort();
      // Also ends the loop over its status. An absent server must not delay this.
      await endsWithin(closeWithinMs, Promise.resolve(connection?.close())).catch(ignore);
      await endsWithin(closeWithinMs, living);
    },
  };
}

/** Requests the version of a server without changing anything. @throws the error that prevents an answer. */
export async function askNats(address: NatsAddress): Promise<string> {
  const connection = await connect({ ...(await optionsFor(address)), reconnect: false });
  const { version = '' } = connection.info ?? {};
  await connection.close();
  return version;
}

/** Resolves when the server has processed everything that was sent. */
export async function flush(connection: NatsConnection, withinMs: number): Promise<void> {
  await withTimeout(withinMs, connection.flush());
}

/** @throws if the credentials cannot be read. */
async function optionsFor(address: NatsAddress): Promise<NodeConnectionOptions> {
  const { servers, user, password, credsPath, caPath } = address;
  const creds = credsPath === undefined ? undefined : await readFile(credsPath);
  return {
    servers: [...servers],
    name: 'steppe',
    timeout: connectWithinMs,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    pingInterval: pingEveryMs,
    maxPingOut: 2,
    ...(user === undefined ? {} : { user, pass: password ?? '' }),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(creds) }),
    ...(caPath === undefined ? {} : { tls: { caFile: caPath } }),
  };
}
