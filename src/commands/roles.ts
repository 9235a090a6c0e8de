import { once } from 'node:events';
import { z } from 'zod';
import { openApi } from '../compose/api.ts';
import { prepareDatabase } from '../compose/prepare.ts';
import { startSeeding } from '../compose/seeding.ts';
import { openWorker } from '../compose/worker.ts';
import { checkComponents, EmbeddedTarget, openComponents, openEngines } from '../compose/compose.ts';
import type { CommandContext } from './command.ts';
import { apiConnections, workerConnections } from '../process/connections.ts';
import { aborted } from '../process/shutdown.ts';

/** What the worker of a service is told by its parent. */
const StartMessage = z.object({ embedded: EmbeddedTarget.nullable() });

/** Runs an api alone until `shutdown` aborts. */
export async function serveApi({ config, log, shutdown }: CommandContext): Promise<void> {
  checkComponents(config, 'api');
  await using parts = new AsyncDisposableStack();
  const role = { role: 'api', maxConnections: apiConnections };
  const components = await openComponents({ config, embedded: undefined, log, ...role });
  parts.defer(async () => await components.close());
  let isPrepared = false;
  let isSeeded = () => false;
  const readiness = { isPrepared: () => isPrepared, isSeeded: () => isSeeded() };
  const api = await openApi({ config, components, log, ...readiness });
  parts.defer(async () => await api.close());
  await prepareDatabase(components, log, shutdown);
  isPrepared = true;
  const seeding = await startSeeding(components, log, shutdown);
  parts.defer(seeding.close);
  isSeeded = seeding.isDone;
  process.stdout.write(`Steppe's api is ready: ${api.url}\n`);
  await aborted(shutdown);
}

/** Runs a worker alone until `shutdown` aborts. */
export async function work(context: CommandContext): Promise<void> {
  const { config, log, shutdown } = context;
  checkComponents(config, 'worker');
  await using parts = new AsyncDisposableStack();
  const { engines, components } = await prepareWorker(context, undefined, parts);
  parts.defer((await startSeeding(components, log, shutdown)).close);
  const worker = openWorker({ config, components, engines, log });
  parts.defer(async () => await worker.close());
  await aborted(shutdown);
}

/**
 * Runs the worker of a service until `shutdown` aborts: it gets its database from its parent, and ends with it. It leaves
 * seeding to it as well: what is deleted once that is ready stays away until the next start.
 */
export async function workOfService(context: CommandContext): Promise<void> {
  const { config, log, shutdown } = context;
  const embedded = await hearFromParent(shutdown);
  await using parts = new AsyncDisposableStack();
  const { engines, components } = await prepareWorker(context, embedded, parts);
  const worker = openWorker({ config, components, engines, log });
  parts.defer(async () => await worker.close());
  await aborted(shutdown);
}

async function prepareWorker(
  { config, log, shutdown }: CommandContext,
  embedded: EmbeddedTarget | undefined,
  parts: AsyncDisposableStack,
) {
  const engines = await openEngines(config, log);
  const maxConnections = workerConnections(config);
  const components = await openComponents({ config, embedded, role: 'worker', maxConnections, log });
  parts.defer(async () => await components.close());
  await prepareDatabase(components, log, shutdown);
  return { engines, components };
}

async function hearFromParent(shutdown: AbortSignal): Promise<EmbeddedTarget | undefined> {
  // A worker without its service could only do harm: its leases are void as soon as the next service starts.
  process.once('disconnect', () => process.exit(1));
  const [message] = await once(process, 'message', { signal: shutdown });
  return StartMessage.parse(message).embedded ?? undefined;
}
