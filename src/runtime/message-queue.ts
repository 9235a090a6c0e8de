import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Listener } from '../database/listener.ts';
import type { Database } from '../database/tables.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { readNatsUrl } from '../message-queue/nats/address.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import { createOutageLog } from './outage-log.ts';

/** Opens the message queue that the configuration names; the database without one. It need not answer yet. */
export async function openMessageQueue(
  { messageQueueUrl }: Pick<Config, 'messageQueueUrl'>,
  { db, listener }: { readonly db: Database; readonly listener: Listener },
  log: Pick<Logger, 'warn'>,
): Promise<MessageQueue> {
  if (messageQueueUrl?.startsWith('nats:') !== true) {
    return createPostgresMessageQueue(db, listener, (error) =>
      log.warn({ error }, 'the message queue could not be notified'),
    );
  }
  const address = readNatsUrl(messageQueueUrl);
  const { openNatsMessageQueue } = await import('../message-queue/nats/queue.ts');
  const place = `MESSAGE_QUEUE_URL at ${address.servers.join(', ')}`;
  return await openNatsMessageQueue(address, createOutageLog(log, place));
}
