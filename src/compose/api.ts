import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createApp } from '../http/app.ts';
import { createStatusWaiters } from '../http/long-poll/status-waiters.ts';
import { isLoopbackOnly } from '../common/loopback.ts';
import { createAccessPolicy } from './access.ts';
import type { Components } from './components.ts';
import { CanNotListen } from './listening.ts';

/** For requests that are under way when the service is asked to end. */
const drainMilliseconds = 4000;

export interface Api {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Answers those who wait, lets the requests under way end (for four seconds), and frees the port. */
  close(): Promise<void>;
}

export interface ApiOptions {
  readonly config: Config;
  readonly components: Components;
  readonly log: Logger;
  /** Whether the database is ready for requests; until then the readiness probe says no. */
  isPrepared(): boolean;
  /** Whether the landscape groups are there; until then the readiness probe says no. */
  isSeeded(): boolean;
}

/** Listens on HTTP_HOST and HTTP_PORT. @throws {CanNotListen} when the port can not be had. */
export async function openApi(options: ApiOptions): Promise<Api> {
  const { config, components, log, isPrepared, isSeeded } = options;
  const { db, pool, listener, objectStore, messageQueue } = components;
  const isLocal = await isLoopbackOnly(config.httpHost).catch((cause: unknown) => {
    throw new CanNotListen(config, cause);
  });
  if (!isLocal && config.authentication.mode === 'off') {
    log.warn(
      { host: config.httpHost },
      'everybody who can reach this address may read and write; see AUTH_MODE',
    );
  }
  const draining = new AbortController();
  const statusWaiters = createStatusWaiters({ db, listener, draining: draining.signal });
  const app = await createApp({
    db,
    pool,
    objectStore,
    messageQueue,
    statusWaiters,
    isPrepared,
    checks: {
      async database() {
        if (!isPrepared()) throw new Error('the database is not migrated yet');
        await components.check();
      },
      async object_store() {
        await objectStore.check();
        if (!isSeeded()) throw new Error('the landscape groups are not seeded yet');
      },
      message_queue: async () => await messageQueue.check(),
    },
    maxUploadBytes: config.maxUploadBytes,
    draining: draining.signal,
    access: createAccessPolicy(config, { db, isLoopbackOnly: isLocal }),
    log,
  });
  const close = async (): Promise<void> => {
    draining.abort();
    const late = setTimeout(() => app.server.closeAllConnections(), drainMilliseconds);
    await app.close();
    clearTimeout(late);
    await statusWaiters.close();
  };
  try {
    await app.listen({ host: config.httpHost, port: config.httpPort });
  } catch (cause) {
    await close();
    throw new CanNotListen(config, cause);
  }
  const address = app.server.address();
  const port = address !== null && typeof address === 'object' ? address.port : config.httpPort;
  const host = config.httpHost.includes(':') ? `[${config.httpHost}]` : config.httpHost;
  return { url: `http://${host}:${port}`, close };
}
