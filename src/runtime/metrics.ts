import type { Logger } from 'pino';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { Config } from '../config.ts';
import { loadOfLanes } from '../jobs/lanes.ts';
import { loadOfPasses } from '../landscape/runs/spread-rows.ts';
import { addGauge, type Sample } from '../metrics/gauges.ts';
import { registry } from '../metrics/instruments.ts';
import { openMetricsServer } from '../metrics/server.ts';
import { createCache } from '../../common/cache.ts';
import { CannotListen } from './cannot-listen.ts';
import type { Components } from './components.ts';

/** Counting jobs costs a query, which many who ask share. */
const keepLoadMs = 15_000;

export type MetricsOfProcess = MetricObjectWithValues<MetricValue<string>>[];

interface MetricsOptions {
  readonly config: Config;
  readonly components: Components;
  readonly log: Pick<Logger, 'info'>;
  /** An api counts the jobs and those who wait; with every worker asking as well, the database would answer little else. */
  readonly countWaiters?: () => number;
  /** What another process counts that has no port of its own; undefined while it does not answer. */
  readonly ofOther?: () => Promise<MetricsOfProcess | undefined>;
}

/** The question of a service to its worker, which answers with its figures. */
export const askForMetrics = 'metrics';

/** Reads the answer to that question. */
export function readMetrics(answer: unknown): MetricsOfProcess | undefined {
  return isMetrics(answer) ? answer : undefined;
}

/** It comes from our own worker; all that may be wrong with it is that there is none. */
function isMetrics(answer: unknown): answer is MetricsOfProcess {
  return Array.isArray(answer);
}

/** Answers for the figures of this process on METRICS_PORT; does nothing without one. @throws {CannotListen} */
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
