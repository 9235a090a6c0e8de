import { drainSecondsOf, startApi } from '../runtime/api/api.ts';
import { askForMetrics, readMetrics } from '../runtime/metrics.ts';
import { checkComponents, openComponents } from '../runtime/components.ts';
import { startEmbedded } from '../runtime/embedded.ts';
import { openEngineChildren } from '../runtime/engines.ts';
import { prepareDatabase } from '../runtime/prepare.ts';
import { openTracing } from '../runtime/tracing.ts';
import { voidJobLeases, voidLeases } from '../jobs/ledger.ts';
import { ownDataDir } from '../runtime/data-dir.ts';
import { aborted } from '../lib/concurrency/promises.ts';
import { startWorkerProcess, type WorkerProcess } from '../runtime/worker/worker-process.ts';
import { type CommandContext, defineCommand } from './command.ts';

/** Runs the whole service until it is stopped: PostgreSQL unless one is configured, the api in this process, the worker as a child. */
export const serve = defineCommand({
  name: 'serve',
  summary: 'run the whole service, as npm start does; what runs without a command',
  usage: `Usage: ./steppe serve

Runs the whole service until it is stopped, as npm start does: the api, a worker, and a PostgreSQL of its own unless
DATABASE_URL names another. Settings are environment variables, which docs/operations.md lists: HTTP_PORT=8555 npm start`,
  options: {},
  drainSeconds: (config) => drainSecondsOf('serve', config),
  run: runService,
});

async function runService({ config, log, shutdown }: CommandContext): Promise<void> {
  checkComponents(config, 'serve');
  await using resources = new AsyncDisposableStack(); // closed in reverse order: PostgreSQL last but one
  const tracing = await openTracing(config, 'serve', log);
  resources.defer(tracing.close);
  const dataDir = resources.adopt(await ownDataDir(config.dataDir), async (each) => await each.release());
  // Without this check, the worker would exit and be restarted in a loop.
  if (config.engineIsolation !== 'auto') await openEngineChildren(config, log);

  const embedded =
    config.databaseUrl === undefined ? await startEmbedded(dataDir, { config, log, shutdown }) : undefined;
  resources.defer(async () => await embedded?.close());
  const target = embedded?.target;
  const components = await openComponents(config, target, 'api', log);
  resources.defer(async () => await components.close());

  if (embedded !== undefined) {
    await prepareDatabase(components, log, shutdown);
    // The lock of DATA_DIR proves that all earlier workers are dead: their jobs and drafts are free.
    await voidLeases(components.db);
  }
  const isPrepared = embedded !== undefined;
  const running: { worker?: WorkerProcess } = {};
  const ofWorker = async () => readMetrics(await running.worker?.ask(askForMetrics));
  const api = await startApi(
    { role: 'serve', config, components, log, shutdown, isPrepared, ofWorker },
    resources,
  );

  shutdown.throwIfAborted();
  const worker = await startWorkerProcess({
    message: { embedded: target ?? null },
    log,
    // Only on the embedded database is it certain that no other worker holds these jobs.
    afterDeath: async () => (embedded === undefined ? undefined : await voidJobLeases(components.db)),
  });
  running.worker = worker;
  resources.defer(worker.close);
  process.stdout.write(readyLine(api.url));
  await aborted(shutdown);
  const closeApi = async (): Promise<void> => {
    await api.close();
    await tracing.close(); // in parallel with the end of the worker, because each may take seconds
  };
  await Promise.all([closeApi(), worker.close()]);
}

/** Scripts wait for the first words of this line. */
function readyLine(url: string): string {
  const demo = url === 'http://127.0.0.1:8080' ? 'npm run demo' : `npm run demo -- --base-url ${url}`;
  return `Steppe is ready: ${url}  (interface: /docs; first map: ${demo})\n`;
}
