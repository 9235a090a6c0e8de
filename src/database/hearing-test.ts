import { randomUUID } from 'node:crypto';

export const usualHearingTiming = { everyMs: 30_000, heardWithinMs: 2000, deafEveryMs: 1000 } as const;
export type HearingTiming = Readonly<Record<keyof typeof usualHearingTiming, number>>;

interface HearingOptions {
  readonly timing: HearingTiming;
  /** Says something that should be heard. */
  say(nonce: string): Promise<unknown>;
  isConnected(): boolean;
  onDeaf(isDeaf: boolean): void;
  /** Called when it becomes deaf, every second while it is, and when it hears again. */
  sweep(): void;
}

/**
 * Says something now and then, and tells when it goes unheard although somebody listens: through a pooler in transaction mode
 * everything works but this.
 */
export function createHearingTest({ timing, say, isConnected, onDeaf, sweep }: HearingOptions) {
  let isDeaf = false;
  let expected: string | undefined;
  let unheard: NodeJS.Timeout | undefined;
  let sweeping: NodeJS.Timeout | undefined;

  async function testNow(): Promise<void> {
    if (expected !== undefined || !isConnected()) return;
    const nonce = randomUUID();
    expected = nonce;
    try {
      await say(nonce);
    } catch {
      forget(); // what cannot be said cannot be heard: that is no deafness
      return;
    }
    if (expected === nonce) unheard = setTimeout(missed, timing.heardWithinMs).unref();
  }

  function missed(): void {
    expected = undefined;
    if (isDeaf || !isConnected()) return;
    isDeaf = true;
    onDeaf(true);
    sweep();
    sweeping = setInterval(sweep, timing.deafEveryMs).unref();
  }

  function forget(): void {
    clearTimeout(unheard);
    expected = undefined;
  }

  const testing = setInterval(() => void testNow(), timing.everyMs).unref();
  return {
    testNow,
    /** Takes what was heard; every process says and hears the same channel. */
    heard(nonce: string): void {
      if (nonce !== expected) return;
      forget();
      if (!isDeaf) return;
      isDeaf = false;
      clearInterval(sweeping);
      sweep();
      onDeaf(false);
    },
    close(): void {
      forget();
      clearInterval(testing);
      clearInterval(sweeping);
    },
  };
}
