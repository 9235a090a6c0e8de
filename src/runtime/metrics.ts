import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { Config } from '../config.ts';
import { loadOfLanes } from '../jobs/lanes.ts';
import { loadOfPasses } from '../landscape/runs/spread-rows.ts';
import { addGauge, type Sample } from '../metrics/gauges.ts';
import { registry } from '../metrics/instruments.ts';
import { createCache } from '../../common/cache.ts';
import { CannotListen } from './cannot-listen.ts';
import type { Components } from './components.ts';

/** Cache time: counting jobs costs a query, which several requests share. */
const keepLoadMs = 15_000;

export type MetricsOfProcess = MetricObjectWithValues<MetricValue<string>>[];

interface MetricsOptions {
  readonly config: Config;
  readonly components: Components;
  readonly log: Pick<Logger, 'info'>;
  /**
   * Given in an api, which counts jobs and waiting clients: if every worker counted jobs too, the load on the database would be too high.
   */
  readonly countWaiters?: () => number;
  /** The metrics of another process without its own port; undefined while it does not answer. */
  readonly ofOther?: () => Promise<MetricsOfProcess | undefined>;
}

/** The message by which a service requests the metrics of its worker. */
export const askForMetrics = 'metrics';

/** Parses the answer to this message. */
export function readMetrics(answer: unknown): MetricsOfProcess | undefined {
  return isMetrics(answer) ? answer : undefined;
}

/** The answer comes from our own worker; it is invalid only when there is none. */
function isMetrics(answer: unknown): answer is MetricsOfProcess {
  return Array.isArray(answer);
}

/** Serves the metrics of this process on METRICS_PORT; does nothing without it. @throws {CannotListen} */
export async function openMetrics({ config, components, log, countWaiters, ofOther }: MetricsOptions) {
  const { metricsPort: port, metricsHost: host } = config;
  if (port === undefined) return { close: async () => undefined };
  const removals = [addGauge('steppe_pool', () => poolSamples(components))];
  if (countWaiters !== undefined) {
    const kept = createCache<Awaited<ReturnType<typeof loadOfLanes>>>({ max: 1, ttlMs: keepLoadMs });
    const load = async () => await kept.get('', async () => await loadOfLanes(components.db));
    const keptPasses = createCache<Awaited<ReturnType<typeof loadOfPasses>>>({ max: 1, ttlMs: keepLoadMs });
    const passes = async () => await keptPasses.get('', async () => await loadOfPasses(components.db));
    removals.push(
      addGauge('steppe_waiters', () => [{ value: countWaiters() }]),
      addGauge('steppe_jobs', async () => jobSamples(await load())),
      addGauge('steppe_job_age_seconds', async () =>
        (await load()).map(({ lane, oldestSeconds }) => ({ labels: { lane }, value: oldestSeconds })),
      ),
      addGauge('steppe_run_blocks', async () => {
        const { done, left } = await passes();
        return Object.entries({ done, left }).map(([state, value]) => ({ labels: { state }, value }));
      }),
      addGauge('steppe_workflow_engine_away_seconds', async () => [{ value: (await passes()).awaySeconds }]),
    );
  }
  const server = await openMetricsServer({ host, port }, registry.contentType, async () => {
    const other = await ofOther?.();
    if (other === undefined) return await registry.metrics();
    const all = [await registry.getMetricsAsJSON(), other];
    return await AggregatorRegistry.aggregate(all).metrics();
  }).catch((cause: unknown) => {
    for (const remove of removals) remove();
    throw new CannotListen('METRICS', { host, port }, cause);
  });
  log.info({ host, port: server.port }, 'answering for metrics');
  return {
    async close(): Promise<void> {
      await server.close();
      for (const remove of removals) remove();
    },
  };
}

function poolSamples({ pool }: Components): readonly Sample[] {
  return [
    { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'waiting' }, value: pool.waitingCount },
  ];
}

function jobSamples(load: Awaited<ReturnType<typeof loadOfLanes>>): readonly Sample[] {
  return load.flatMap(({ lane, queued, running }) => [
    { labels: { lane, state: 'queued' }, value: queued },
    { labels: { lane, state: 'running' }, value: running },
  ]);
}

interface MetricsServer {
  /** The actual port if any free one was requested. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` in the text format of Prometheus on a port of its own: metrics are for operators, not for clients.
 * @param read returns the text. @throws if the port is not available.
 */
async function openMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  contentType: string,
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.requestTimeout = 10_000;
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : port,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
