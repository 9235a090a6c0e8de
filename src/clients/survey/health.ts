import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceClient } from '../client/service-client.ts';

const pauseMs = 1000;

export interface HealthWatch extends AsyncDisposable {
  /** Asks a last time; gives in words each time that the service did not say that it is well. */
  finish(): Promise<readonly string[]>;
}

/** Asks the service once a second whether it is well, until it is disposed. */
export function watchHealth(client: ServiceClient): HealthWatch {
  const outages: string[] = [];
  const ended = new AbortController();
  const look = async (): Promise<void> => {
    const ailment = await client.ailment();
    if (ailment !== undefined) outages.push(`${new Date().toISOString()}: ${ailment}`);
  };
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await look();
      await sleep(pauseMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const watching = watch();
  const stop = async (): Promise<void> => {
    ended.abort();
    await watching;
  };
  return {
    async finish() {
      await stop();
      await look();
      return outages;
    },
    [Symbol.asyncDispose]: stop,
  };
}
