import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Listener } from './listener.ts';
import type { Database } from './tables.ts';

const channel = 'listener_check';
const usualTiming = { everyMs: 30_000, withinMs: 2000 };

/**
 * Proves again and again that what one connection announces is heard by the listener: behind a pooler that hands sessions on, it
 * is not, and nothing else would tell.
 * @param onChange told whether the listener hears, each time that this changes from hearing; what is away tells of itself.
 */
export function startListenerCheck(
  db: Database,
  listener: Listener,
  onChange: (hears: boolean) => void,
  { everyMs, withinMs } = usualTiming,
) {
  const closing = new AbortController();
  const { signal } = closing;
  const heard = new Set<string>();
  const subscription = listener.subscribe(channel, (nonce) => heard.add(nonce));
  let hears = true;

  async function check(): Promise<void> {
    const nonce = randomUUID();
    heard.clear();
    await sql`select pg_notify(${channel}, ${nonce})`.execute(db);
    await delay(withinMs, undefined, { signal });
    await listener.check(); // a connection that is away may well hear nothing
    if (hears === heard.has(nonce)) return;
    hears = !hears;
    onChange(hears);
  }

  const checking = (async () => {
    while (!signal.aborted) {
      await check().catch(() => undefined);
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async close(): Promise<void> {
      closing.abort();
      await subscription.close();
      await checking;
    },
  };
}
