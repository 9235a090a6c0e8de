import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { seedLandscape } from '../landscape/groups/seed.ts';
import type { Components } from './components.ts';
import { endsWithin } from '../common/with-timeout.ts';

const retryMilliseconds = 1000;
/** What a start waits for an object store that hangs, and what an end does. */
const patienceMilliseconds = 5000;
const closeMilliseconds = 1000;

export interface Seeding {
  isDone(): boolean;
  /** Call it once the signal has aborted. */
  close(): Promise<void>;
}

/**
 * Makes what the Landscape Program needs in a database that is migrated. Waits for the first try only, which mostly does
 * it; an object store that is away must not keep the service from what needs none, so further tries are made beside it
 * until `signal` aborts.
 */
export async function startSeeding(
  components: Pick<Components, 'db' | 'objectStore'>,
  log: Pick<Logger, 'warn'>,
  signal: AbortSignal,
): Promise<Seeding> {
  let isDone = false;
  async function tryOnce(): Promise<void> {
    try {
      await seedLandscape(components);
      isDone = true;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the landscape groups can not be seeded yet');
    }
  }
  const firstTry = tryOnce();
  async function goOn(): Promise<void> {
    await firstTry;
    while (!isDone && !signal.aborted) {
      await sleep(retryMilliseconds, undefined, { signal }).catch(() => undefined); // aborting ends the loop
      if (!signal.aborted) await tryOnce();
    }
  }
  const ended = goOn();
  await endsWithin(patienceMilliseconds, firstTry);
  return {
    isDone: () => isDone,
    async close() {
      await endsWithin(closeMilliseconds, ended);
    },
  };
}
