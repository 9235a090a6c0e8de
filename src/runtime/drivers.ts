import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { type Config, disableCloudMetadata } from '../config.ts';
import type { Listener } from '../database/listener.ts';
import type { Database } from '../database/tables.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { readNatsUrl } from '../message-queue/nats/address.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import { withDeadlines } from '../object-store/deadlines.ts';
import { createDirectoryObjectStore } from '../object-store/directory.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { readS3Url } from '../object-store/s3/location.ts';
import { createOutageLog } from './outage-log.ts';

type Settings = Pick<Config, 'objectStoreUrl' | 'dataDir'>;

/** Opens the object store that the configuration names; a folder of DATA_DIR without one. It need not answer yet. */
export async function openObjectStore(
  { objectStoreUrl, dataDir }: Settings,
  log: Pick<Logger, 'warn'>,
): Promise<ObjectStore> {
  if (objectStoreUrl === undefined) return folderStore(join(dataDir, 'objects'));
  if (!objectStoreUrl.startsWith('s3:')) return folderStore(fileURLToPath(objectStoreUrl));
  const location = readS3Url(objectStoreUrl);
  if (location.endpoint !== undefined) disableCloudMetadata();
  // The AWS SDK takes a while to load, which only those who use it should wait for.
  const { createS3ObjectStore } = await import('../object-store/s3/store.ts');
  const tell = createOutageLog(log, 'OBJECT_STORE_URL');
  return createS3ObjectStore(location, { onRefusal: (sentence) => tell(new Error(sentence)) });
}

/** A file system has no deadlines of its own; the driver of S3 has, by the size of what is on its way. */
function folderStore(folder: string): ObjectStore {
  return withDeadlines(createDirectoryObjectStore(folder));
}

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
