import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Listener } from '../database/listener.ts';
import type { Database } from '../database/tables/tables.ts';

const atMostEveryMs = 100;

/**
 * Enqueues jobs for webhooks soon after an event, if there are webhooks. Notifications of the database may be lost: the leading worker
 * orders events every few seconds.
 */
export function enqueueDeliveries(
  { db, listener }: { readonly db: Database; readonly listener: Listener },
  log: Pick<Logger, 'warn'>,
) {
  let waiting: NodeJS.Timeout | undefined;
  const order = async (): Promise<void> => {
    await sql`select order_events() where exists (select from webhooks where state = 'on')`.execute(db);
  };
  const orderSoon = (): void => {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      order().catch((err: unknown) => log.warn({ err }, 'events could not be ordered, to be tried again'));
    }, atMostEveryMs);
  };
  const subscription = listener.subscribe('event_news', orderSoon, orderSoon);
  return {
    async close(): Promise<void> {
      clearTimeout(waiting);
      await subscription.close();
    },
  };
}
