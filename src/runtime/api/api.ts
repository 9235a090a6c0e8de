import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { join } from 'node:path';
import { createOidcAuthenticator } from '../../access/oidc.ts';
import { createTokenAuthenticator } from '../../access/tokens.ts';
import { isLoopbackOnly } from '../../lib/addresses.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/tables/tables.ts';
import { createRecentDatasets } from '../../datasets/recent-datasets.ts';
import { startFinishing } from '../../datasets/resumable/finish.ts';
import { checkUploaded, createUploaded } from '../../landscape/groups/slots.ts';
import { withSourceFiles } from '../../source-files/source-files.ts';
import { maxCallsPerThread } from '../../maps/service/pool.ts';
import { createZonedRuns } from '../../landscape/balance/zoned-runs.ts';
import { createTileBudget } from '../../http/limits/tile-budget.ts';
import { createDrawnAnswers } from '../../http/answer/drawn.ts';
import type { AccessPolicy, AuthenticationPolicy, HostPolicy } from '../../http/access/access-policy.ts';
import { createApp } from './app.ts';
import { createEventListeners } from '../../events/event-listeners.ts';
import { createResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { createStatusWaiters } from '../../http/long-poll/status-waiters.ts';
import { createSpool } from '../../spool/spool.ts';
import { createWebhookSender } from '../../webhooks/send.ts';
import { CannotListen } from '../cannot-listen.ts';
import { createAccessLog } from '../logger.ts';
import type { Components } from '../components.ts';
import { type MetricsOfProcess, openMetrics } from '../metrics.ts';
import { openMaps } from '../maps.ts';
import { prepareDatabase, type SeedingState, startSeeding } from '../prepare.ts';

/** Queue of connections to accept: after a restart all clients return at once, and a refused client retries only after seconds. */
const connectionBacklog = 4096;
const notSeeded = 'the landscape groups are not seeded yet';

export interface Api {
  /** Its address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Answers waiting clients, lets requests in progress finish within the configured time, and releases the port. */
  close(): Promise<void>;
}

/** Settings with different defaults in each role; in seconds. */
const roleDefaults = {
  /** No other process serves during shutdown, and a user may wait at the terminal. */
  serve: { drainDelaySeconds: 0, drainSeconds: 4, accessLog: 'off' },
  /** Other processes serve during shutdown, and a load balancer sends requests until it detects it. */
  api: { drainDelaySeconds: 5, drainSeconds: 25, accessLog: 'on' },
} as const;

/** Returns the time that an api has for its shutdown, in seconds. */
export function drainSecondsOf(role: keyof typeof roleDefaults, config: Config): number {
  const { delaySeconds, seconds } = drainOf(role, config);
  return delaySeconds + seconds;
}

function drainOf(role: keyof typeof roleDefaults, config: Config) {
  const defaults = roleDefaults[role];
  return {
    delaySeconds: config.drainDelaySeconds ?? defaults.drainDelaySeconds,
    seconds: config.drainSeconds ?? defaults.drainSeconds,
  };
}

interface ApiOptions {
  readonly role: keyof typeof roleDefaults;
  readonly config: Config;
  readonly components: Components;
  readonly log: Logger;
  readonly shutdown: AbortSignal;
  /** The metrics of a worker without its own port. */
  readonly ofWorker?: () => Promise<MetricsOfProcess | undefined>;
  /** True when the database is already prepared. */
  readonly isPrepared: boolean;
}

/** Uploads in pieces become datasets or source files. */
const uploads = withSourceFiles({ checkUploaded, createUploaded });

/**
 * Opens the api. Its readiness probe fails until the database is prepared and the landscape groups are seeded; this resolves when the
 * database is prepared. Resources to close are added to `resources`.
 * @throws {CannotListen} when the port is unavailable.
 */
export async function startApi(options: ApiOptions, resources: AsyncDisposableStack): Promise<Api> {
  const { components, log, shutdown } = options;
  let { isPrepared } = options;
  let seedingState = (): SeedingState => 'under way';
  const api = await openApi(options, { isPrepared: () => isPrepared, seedingState: () => seedingState() });
  resources.defer(api.close);
  // An external database may be unavailable for a while; the readiness probe reports this.
  if (!isPrepared) await prepareDatabase(components, log, shutdown);
  isPrepared = true;
  const seeding = await startSeeding(components, log, shutdown);
  resources.defer(seeding.close);
  seedingState = seeding.state;
  resources.defer(startFinishing({ ...components, ...uploads }, log).close);
  return api;
}

async function openApi(
  { role, config, components, log, shutdown, ofWorker }: ApiOptions,
  { isPrepared, seedingState }: { isPrepared(): boolean; seedingState(): SeedingState },
): Promise<Api> {
  const { db, listener, objectStore, messageQueue, remoteFiles } = components;
  const { httpHost: host, httpPort: port } = config;
  const drain = drainOf(role, config);
  const accessLog =
    (config.accessLog ?? roleDefaults[role].accessLog) === 'on'
      ? createAccessLog(config.logLevel, role)
      : undefined;
  const isLocal = await isLoopbackOnly(host).catch((cause: unknown) => {
    throw new CannotListen('HTTP', { host, port }, cause);
  });
  if (!isLocal && config.authentication.mode === 'off') {
    log.warn({ host }, 'anyone who can reach this address may read and write; see AUTH_MODE');
  }
  const draining = new AbortController();
  const statusWaiters = createStatusWaiters({ db, listener, draining: draining.signal });
  const resultWaiters = createResultWaiters({ listener, draining: draining.signal });
  const eventListeners = createEventListeners({ db, listener, draining: draining.signal });
  const recentDatasets = createRecentDatasets({ db, listener });
  const zonedRuns = createZonedRuns({ db, messageQueue });
  const { close: closeMaps, ...drawing } = openMaps({
    ...components,
    recentDatasets,
    zonedRuns,
    threads: config.tileThreads,
    log,
  });
  const spool = createSpool({
    folder: join(config.dataDir, 'scratch', 'exports'),
    maxBytes: config.exportSpoolBytes,
  });
  const app = await createApp({
    db,
    objectStore,
    messageQueue,
    statusWaiters,
    resultWaiters,
    eventListeners,
    remoteFiles,
    webhookSender: createWebhookSender(config.webhookNetworks),
    recentDatasets,
    scratchFolder: join(config.dataDir, 'scratch', 'packages'),
    spool,
    zonedRuns,
    ...drawing,
    tileBudget: createTileBudget({
      tilesPerSecond: config.tileRate,
      calls: config.tileThreads * maxCallsPerThread,
    }),
    drawnAnswers: createDrawnAnswers(),
    isPrepared,
    checks: {
      async database() {
        if (!isPrepared()) throw new Error('the database is not migrated yet');
        await components.check();
        if (seedingState() === 'database') throw new Error(notSeeded);
      },
      async object_store() {
        await objectStore.check();
        if (isPrepared() && ['under way', 'object_store'].includes(seedingState()))
          throw new Error(notSeeded);
      },
      message_queue: messageQueue.check,
    },
    maxUploadBytes: config.maxUploadBytes,
    uploadLimits: config.uploadLimits,
    ...uploads,
    hasMcp: config.hasMcp,
    publisher: config.publisher,
    baseMap: config.baseMap,
    filesLocation: config.filesLocation,
    draining: draining.signal,
    access: createAccessPolicy(config, db, isLocal),
    log,
    accessLog,
  });
  let metrics: Awaited<ReturnType<typeof openMetrics>> | undefined;
  const close = async (): Promise<void> => {
    draining.abort();
    if (shutdown.aborted) await delay(drain.delaySeconds * 1000);
    const late = setTimeout(() => app.server.closeAllConnections(), drain.seconds * 1000);
    await app.close();
    clearTimeout(late);
    await spool.close();
    await metrics?.close();
    await statusWaiters.close();
    await resultWaiters.close();
    await eventListeners.close();
    await recentDatasets.close();
    await closeMaps();
    accessLog?.flush();
  };
  try {
    await app.listen({ host, port, backlog: connectionBacklog }).catch((cause: unknown) => {
      throw new CannotListen('HTTP', { host, port }, cause);
    });
    metrics = await openMetrics({
      config,
      components,
      log,
      countWaiters: statusWaiters.count,
      ...(ofWorker === undefined ? {} : { ofOther: ofWorker }),
    });
  } catch (error) {
    await close();
    throw error;
  }
  const address = app.server.address();
  const openPort = address !== null && typeof address === 'object' ? address.port : port;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${openPort}`, close };
}

function createAccessPolicy(config: Config, db: Database, isLoopbackOnly: boolean): AccessPolicy {
  const { authentication, corsAllowedOrigins, publicUrl, allowedHosts, trustedProxies } = config;
  // Without authentication and a public URL, host names are checked, which protects a local service from web pages in the user's browser.
  const isOpen = authentication.mode === 'off' && publicUrl === undefined;
  const unlisted: HostPolicy = { answered: isOpen && isLoopbackOnly ? 'loopback' : 'any' };
  return {
    authentication: createAuthenticationPolicy(authentication, db),
    hosts: allowedHosts === undefined ? unlisted : { answered: 'listed', names: allowedHosts },
    corsOrigins: corsAllowedOrigins,
    trustedProxies,
    publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl),
  };
}

function createAuthenticationPolicy(wanted: Config['authentication'], db: Database): AuthenticationPolicy {
  if (wanted.mode === 'off') return wanted;
  if (wanted.mode === 'token') return { ...wanted, authenticator: createTokenAuthenticator(db) };
  const { mode, issuer } = wanted;
  return { mode, issuer, authenticator: createOidcAuthenticator(wanted) };
}
