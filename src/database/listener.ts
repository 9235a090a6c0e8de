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
/** On this channel listeners hear themselves. */
const testChannel = 'listener_test';
const usualSelfTest = { everyMs: 30_000, answerWithinMs: 2000, sweepEveryMs: 1000 } as const;
type SelfTestTiming = Readonly<Record<keyof typeof usualSelfTest, number>>;

/** Hears what PostgreSQL's NOTIFY says, over one connection of its own that comes back by itself. */
export interface Listener {
  /**
   * Calls `onPayload` for every notification on `channel` from now on. `onReconnect` is called each time the channel
   * begins to be heard, the first time included: whatever was said before went by unheard, so sweep then; and every second
   * while the listener is unhealthy. Neither may throw.
   */
  subscribe(
    channel: string,
    onPayload: (payload: string) => void,
    onReconnect?: () => void,
  ): { close(): Promise<void> };
  /** Resolves when the connection is there and answers; rejects otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Runs one statement on the listening connection, after those before it. */
type Ask = (statement: string) => Promise<unknown>;

interface ListenerOptions {
  /** Told of each lost connection and failed attempt. */
  onError(error: unknown): void;
  /** Notifies as others do: over another connection than the listening one. Without it the listening one is not tested. */
  notify?(channel: string, payload: string): Promise<unknown>;
  /** Called when the listener does not receive its own notifications, and when it does again. */
  onUnhealthy?(isUnhealthy: boolean): void;
  readonly selfTest?: Partial<SelfTestTiming>;
}

interface Subscriber {
  onPayload(payload: string): void;
  onReconnect(): void;
}

/**
 * Resolves once the first attempt to connect has ended, well or not: a database that is away delays the news, never the
 * start. Until `close` it then connects again, for ever.
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
      // A channel that is added meanwhile is met by this very loop.
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
      // Destroys the socket when a query is still unanswered; a server that is gone does not hold us up.
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
      // When this fails the connection has failed: the next one listens to every channel.
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
  /** Called when the listener becomes unhealthy, every second while it is, and when it is healthy again. */
  sweep(): void;
}

/**
 * Notifies the process itself now and then, and reports when the notification does not come back although the connection is
 * there: through a pooler in transaction mode everything works but LISTEN.
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
      forget(); // what was not sent cannot come back: that proves nothing about the listener
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
    /** Takes a notification of the test channel, which all processes share. */
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

/** Rejects when PostgreSQL leaves a short statement unanswered: the connection is as good as gone. */
async function answer(query: Promise<unknown>): Promise<void> {
  await withTimeout(answerWithinMs, query);
}
