import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { ignore, pause } from '../lib/concurrency/promises.ts';
import { withTimeout } from '../lib/concurrency/with-timeout.ts';

const heartbeatEveryMs = 10_000;
const answerWithinMs = 5_000;
const firstBackOffMs = 200;
const lastBackOffMs = 5_000;
const channelName = /^[a-z_]+$/;
/** Channel of the listeners' notifications to themselves. */
const testChannel = 'listener_test';
const usualSelfTest = { everyMs: 30_000, answerWithinMs: 2000, sweepEveryMs: 1000 } as const;
type SelfTestTiming = Readonly<Record<keyof typeof usualSelfTest, number>>;

/** Receives NOTIFY of PostgreSQL over a dedicated connection that reconnects automatically. */
export interface Listener {
  /**
   * Calls `onPayload` for each further notification on `channel`. Calls `onReconnect` whenever the channel is listened to again, including
   * the first time: earlier notifications were missed, so sweep then; and every second while the listener is unhealthy. Neither may throw.
   */
  subscribe(
    channel: string,
    onPayload: (payload: string) => void,
    onReconnect?: () => void,
  ): { close(): Promise<void> };
  /** Resolves if the connection exists and answers; rejects otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Runs one statement on the listening connection, after earlier ones. */
type Ask = (statement: string) => Promise<unknown>;

interface ListenerOptions {
  /** Called for each lost connection and failed attempt. */
  onError(error: unknown): void;
  /** Sends a notification like any other process: not over the listening connection. Without it, the listener does not test itself. */
  notify?(channel: string, payload: string): Promise<unknown>;
  /** Called when the listener stops receiving its own notifications, and when it receives them again. */
  onUnhealthy?(isUnhealthy: boolean): void;
  readonly selfTest?: Partial<SelfTestTiming>;
}

interface Subscriber {
  onPayload(payload: string): void;
  onReconnect(): void;
}

/**
 * Resolves after the first attempt to connect, successful or not: an unreachable database delays notifications, but not
 * the start. Reconnects until `close`.
 */
export async function openListener(
  target: string | ClientConfig,
  { onError, notify, onUnhealthy = ignore, ...options }: ListenerOptions,
): Promise<Listener> {
  const channels = new Map<string, Set<Subscriber>>();
  const closing = new AbortController();
  const firstAttempt = Promise.withResolvers<void>();
  let ask: Ask | undefined; // set while every channel is listened to

  async function session(): Promise<void> {
    const client = new Client({
      ...(typeof target === 'string' ? { connectionString: target } : target),
      application_name: 'steppe-listener',
      connectionTimeoutMillis: answerWithinMs,
      keepAlive: true,
    });
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(ignore);
    client.on('error', broken.reject);
    client.on('end', () => broken.reject(new Error('the listening connection ended')));
    client.on('notification', ({ channel, payload }) => {
      for (const each of channels.get(channel) ?? []) each.onPayload(payload ?? '');
    });
    try {
      await client.connect();
      // This loop also reaches a channel that is added meanwhile.
      for (const channel of channels.keys()) await answer(client.query(`listen ${channel}`));
      const asking = inTurn(client);
      ask = asking;
      firstAttempt.resolve();
      sweep();
      void selfTest?.testNow();
      while (!closing.signal.aborted) {
        await Promise.race([delay(heartbeatEveryMs, undefined, { signal: closing.signal }), broken.promise]);
        await Promise.race([answer(asking('select 1')), broken.promise]);
      }
    } finally {
      ask = undefined;
      // Destroys the socket if a query is unanswered; an unreachable server must not delay this.
      await Promise.race([client.end().catch(ignore), delay(1000, undefined, { ref: false })]);
    }
  }

  function sweep(): void {
    for (const subscribers of channels.values()) for (const each of subscribers) each.onReconnect();
  }

  async function keepListening(): Promise<void> {
    let backOffMs = firstBackOffMs;
    while (!closing.signal.aborted) {
      const startedAt = performance.now();
      try {
        await session();
      } catch (error) {
        if (closing.signal.aborted) break;
        onError(error);
      }
      firstAttempt.resolve();
      if (performance.now() - startedAt > lastBackOffMs * 2) backOffMs = firstBackOffMs;
      await pause(backOffMs, closing.signal);
      backOffMs = Math.min(backOffMs * 2, lastBackOffMs);
    }
  }

  const selfTest =
    notify === undefined
      ? undefined
      : createSelfTest({
          timing: { ...usualSelfTest, ...options.selfTest },
          send: async (nonce) => await notify(testChannel, nonce),
          isConnected: () => ask !== undefined,
          onUnhealthy,
          sweep,
        });
  if (selfTest !== undefined) {
    channels.set(testChannel, new Set([{ onPayload: selfTest.receive, onReconnect: ignore }]));
  }
  const listening = keepListening();
  await firstAttempt.promise;

  return {
    subscribe(channel, onPayload, onReconnect = ignore) {
      if (!channelName.test(channel)) throw new Error(`not a channel name: ${channel}`);
      const subscriber = { onPayload, onReconnect };
      const subscribers = channels.get(channel) ?? new Set();
      channels.set(channel, subscribers.add(subscriber));
      const announce = (): void => {
        if (subscribers.has(subscriber)) onReconnect();
      };
      // If this fails, the connection has failed: the next one listens to every channel.
      ask?.(`listen ${channel}`).then(announce, ignore);
      return {
        async close() {
          subscribers.delete(subscriber);
          if (subscribers.size > 0 || channels.get(channel) !== subscribers) return;
          channels.delete(channel);
          await ask?.(`unlisten ${channel}`).catch(ignore);
        },
      };
    },
    async check() {
      if (ask === undefined) throw new Error('the listening connection is away');
      await answer(ask('select 1'));
    },
    async close() {
      closing.abort();
      selfTest?.close();
      await listening;
    },
  };
}

interface SelfTestOptions {
  readonly timing: SelfTestTiming;
  /** Sends a notification that should come back. */
  send(nonce: string): Promise<unknown>;
  isConnected(): boolean;
  onUnhealthy(isUnhealthy: boolean): void;
  /** Called when the listener becomes unhealthy, every second while it is, and when it recovers. */
  sweep(): void;
}

/**
 * Notifies this process itself now and then, and reports when the notification does not come back although the
 * connection works: through a pooler in transaction mode, everything but LISTEN works.
 */
function createSelfTest({ timing, send, isConnected, onUnhealthy, sweep }: SelfTestOptions) {
  let isUnhealthy = false;
  let expected: string | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let next: NodeJS.Timeout | undefined;

  async function testNow(): Promise<void> {
    clearTimeout(next);
    next = setTimeout(() => void testNow(), isUnhealthy ? timing.sweepEveryMs : timing.everyMs).unref();
    if (isUnhealthy) sweep();
    if (expected !== undefined || !isConnected()) return;
    const nonce = randomUUID();
    expected = nonce;
    try {
      await send(nonce);
    } catch {
      forget(); // an unsent notification proves nothing about the listener
      return;
    }
    if (expected === nonce) waiting = setTimeout(missed, timing.answerWithinMs).unref();
  }

  function missed(): void {
    expected = undefined;
    if (isUnhealthy || !isConnected()) return;
    isUnhealthy = true;
    onUnhealthy(true);
    void testNow();
  }

  function forget(): void {
    clearTimeout(waiting);
    expected = undefined;
  }

  return {
    testNow,
    /** Receives a notification of the test channel, which all processes share. */
    receive(nonce: string): void {
      if (nonce !== expected) return;
      forget();
      if (!isUnhealthy) return;
      isUnhealthy = false;
      sweep();
      onUnhealthy(false);
    },
    close(): void {
      forget();
      clearTimeout(next);
    },
  };
}

function inTurn(client: Client): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return async (statement) => {
    const asked = last.then(async () => await client.query(statement));
    last = asked.catch(ignore);
    return await asked;
  };
}

/** Rejects if PostgreSQL does not answer a short statement: the connection counts as lost. */
async function answer(query: Promise<unknown>): Promise<void> {
  await withTimeout(answerWithinMs, query);
}
