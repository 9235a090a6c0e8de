import { setTimeout as delay } from 'node:timers/promises';
import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { NatsAddress } from './address.ts';
import { natsOptions } from './options.ts';
import { ensureStream } from './stream.ts';

const answerWithinMs = 2000;
const firstBackOffMs = 200;
const lastBackOffMs = 5000;

/** A connection whose stream is there. */
export interface NatsSession {
  readonly jetStream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Aborts when the connection breaks, even though it comes back by itself. */
  readonly signal: AbortSignal;
}

export type NatsOwner = Awaited<ReturnType<typeof openNatsConnection>>;

/**
 * Resolves once the first attempt to connect has ended, well or not; until `close` it then connects again, for ever.
 * @param onError hears of failed attempts and lost connections.
 */
export async function openNatsConnection(address: NatsAddress, onError: (error: unknown) => void) {
  const closing = new AbortController();
  const firstAttempt = Promise.withResolvers<void>();
  let session: NatsSession | undefined;
  let connection: NatsConnection | undefined;

  /** Makes the stream, and a session that lasts until the connection breaks. */
  async function beginSession(open: NatsConnection): Promise<AbortController> {
    const manager = await jetstreamManager(open, { timeout: answerWithinMs, checkAPI: false });
    await ensureStream(manager, address.replicas);
    const broken = new AbortController();
    session = { manager, jetStream: jetstream(open, { timeout: answerWithinMs }), signal: broken.signal };
    return broken;
  }

  async function live(): Promise<void> {
    const open = await connect(await natsOptions(address));
    connection = open;
    let broken: AbortController | undefined;
    try {
      if (closing.signal.aborted) return;
      broken = await beginSession(open);
      firstAttempt.resolve();
      for await (const { type } of open.status()) {
        if (type === 'disconnect' || type === 'staleConnection') {
          broken?.abort();
          session = undefined;
          onError(new Error('the connection to NATS broke'));
        }
        if (type === 'reconnect') broken = await beginSession(open); // its folder may be new
        if (type === 'close') break;
      }
    } finally {
      session = undefined;
      broken?.abort();
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
      await delay(backOffMs, undefined, { signal: closing.signal }).catch(() => undefined);
      backOffMs = Math.min(backOffMs * 2, lastBackOffMs);
    }
  }

  const living = keepLiving();
  await firstAttempt.promise;

  return {
    /** The session that is there now. */
    session: () => session,
    /** Makes what the stream lacks; for calls that have found it missing. */
    async repair(): Promise<void> {
      if (session !== undefined) await ensureStream(session.manager, address.replicas);
    },
    /** Aborts when this is closed. */
    closing: closing.signal,
    async close(): Promise<void> {
      closing.abort();
      session = undefined;
      // Ends the loop over its status, too; a server that is gone must not hold us up.
      await withTimeout(answerWithinMs, Promise.resolve(connection?.close())).catch(() => undefined);
      await withTimeout(answerWithinMs, living).catch(() => undefined);
    },
  };
}
