import { once } from 'node:events';
import { z } from 'zod';
import { checkComponents, openComponents, rolesNeedUrls } from '../runtime/components.ts';
import { openEngines } from '../runtime/engines.ts';
import { askForMetrics, openMetrics } from '../runtime/metrics.ts';
import { registry } from '../metrics/instruments.ts';
import { prepareDatabase, startSeeding } from '../runtime/prepare.ts';
import { openTracing } from '../runtime/tracing.ts';
import { openWorker } from '../runtime/worker/worker.ts';
import { EmbeddedTarget } from '../database/embedded/cluster.ts';
import { aborted } from '../lib/concurrency/promises.ts';
import { type CommandContext, defineCommand } from './command.ts';

/** Message of a service to the worker that it starts. */
const StartMessage = z.object({ embedded: EmbeddedTarget.nullable() });

export const worker = defineCommand({
  name: 'worker',
  summary: 'run only a worker; needs the three URLs',
  usage: `Usage: ./steppe worker\n\nRuns a worker alone until it is stopped. ${rolesNeedUrls}`,
  options: {},
  async run(context) {
    checkComponents(context.config, 'worker');
    await runWorker(context, undefined, true);
  },
});

/**
 * Runs the worker of a service, which passes it the database and whose end it shares. Only the service seeds: data that
 * is deleted after its start stays deleted until the next start.
 */
export const workerOfService = defineCommand({
  name: 'worker-of-service',
  serviceRole: 'worker',
  summary: 'what a service starts as its worker',
  usage: 'A service starts this as its worker; ./steppe worker is the one for people.',
  options: {},
  async run(context) {
    const embedded = await hearFromParent(context.shutdown);
    answerForMetrics();
    await runWorker(context, embedded, false);
  },
});

async function runWorker(
  { config, log, shutdown }: CommandContext,
  embedded: EmbeddedTarget | undefined,
  isAlone: boolean,
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  resources.defer((await openTracing(config, 'worker', log)).close);
  const engines = await openEngines(config, log);
  const components = await openComponents(config, embedded, 'worker', log);
  resources.defer(async () => await components.close());
  await prepareDatabase(components, log, shutdown);
  if (isAlone) resources.defer((await startSeeding(components, log, shutdown)).close);
  resources.defer((await openWorker(config, components, engines, log)).close);
  if (isAlone) resources.defer((await openMetrics({ config, components, log })).close);
  await aborted(shutdown);
}

/** The service publishes the metrics of its worker with its own. */
function answerForMetrics(): void {
  process.on('message', (question) => {
    if (question !== askForMetrics) return;
    registry.getMetricsAsJSON().then(
      (metrics) => process.send?.(metrics),
      () => undefined,
    );
  });
}

async function hearFromParent(shutdown: AbortSignal): Promise<EmbeddedTarget | undefined> {
  // A worker without its service does harm: the next service voids its leases when it starts.
  process.once('disconnect', () => process.exit(1));
  const [message] = await once(process, 'message', { signal: shutdown });
  return StartMessage.parse(message).embedded ?? undefined;
}
