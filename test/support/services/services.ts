import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thisMachine } from './network.ts';
import { startNats } from './nats.ts';
import { startPostgres } from './postgres.ts';
import { startS3 } from './s3.ts';

const here = { database: thisMachine, store: thisMachine, queue: thisMachine };

/** Starts PostgreSQL, an S3 store and NATS on free ports, with a temporary folder that is removed with them. */
export async function startServices(places = here) {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'steppe-services-'));
  opening.defer(async () => await rm(folder, { recursive: true, force: true }));
  const [postgres, s3, nats] = [
    opening.use(await startPostgres(folder, places.database)),
    opening.use(await startS3(folder, places.store)),
    opening.use(await startNats({ place: places.queue })),
  ];
  const pooler = await postgres.startPooler();
  opening.use(pooler.process);
  const opened = opening.move();
  return {
    folder,
    postgres,
    pooler,
    s3,
    nats,
    /** Variables for a service on all of them; its role may change the schema. */
    env: {
      DATABASE_URL: postgres.ownerUrl,
      OBJECT_STORE_URL: s3.url,
      MESSAGE_QUEUE_URL: nats.url,
      ...s3.env,
    },
    /** The same with PgBouncer for all connections but the one that listens. */
    pooledEnv: {
      DATABASE_URL: pooler.ownerUrl,
      DATABASE_DIRECT_URL: postgres.ownerUrl,
      OBJECT_STORE_URL: s3.url,
      MESSAGE_QUEUE_URL: nats.url,
      ...s3.env,
    },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}
