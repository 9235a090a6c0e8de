import { randomUUID } from 'node:crypto';

export const usualSelfTestTiming = { everyMs: 30_000, answerWithinMs: 2000, sweepEveryMs: 1000 } as const;
export type SelfTestTiming = Readonly<Record<keyof typeof usualSelfTestTiming, number>>;

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
export function createListenSelfTest({ timing, send, isConnected, onUnhealthy, sweep }: SelfTestOptions) {
  let isUnhealthy = false;
  let expected: string | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let sweeping: NodeJS.Timeout | undefined;

  async function testNow(): Promise<void> {
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
    sweep();
    sweeping = setInterval(sweep, timing.sweepEveryMs).unref();
  }

  function forget(): void {
    clearTimeout(waiting);
    expected = undefined;
  }

  const testing = setInterval(() => void testNow(), timing.everyMs).unref();
  return {
    testNow,
    /** Takes a notification of the test channel, which all processes share. */
    receive(nonce: string): void {
      if (nonce !== expected) return;
      forget();
      if (!isUnhealthy) return;
      isUnhealthy = false;
      clearInterval(sweeping);
      sweep();
      onUnhealthy(false);
    },
    close(): void {
      forget();
      clearInterval(testing);
      clearInterval(sweeping);
    },
  };
}
