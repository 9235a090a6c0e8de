import { pause } from '../../lib/promises.ts';
import type { ServiceClient } from '../client/service-client.ts';

const pauseMs = 1000;

/** Asks the service once a second whether it is well, until it is disposed. */
export function watchHealth(client: ServiceClient) {
  const outages: string[] = [];
  const ended = new AbortController();
  const look = async (): Promise<void> => {
    const ailment = await client.ailment();
    if (ailment !== undefined) outages.push(`${new Date().toISOString()}: ${ailment}`);
  };
  const watching = (async () => {
    while (!ended.signal.aborted) {
      await look();
      await pause(pauseMs, ended.signal);
    }
  })();
  const stop = async (): Promise<void> => {
    ended.abort();
    await watching;
  };
  return {
    /** Asks a last time; returns in words each time that the service did not say that it is well. */
    async finish(): Promise<readonly string[]> {
      await stop();
      await look();
      return outages;
    },
    [Symbol.asyncDispose]: stop,
  };
}
