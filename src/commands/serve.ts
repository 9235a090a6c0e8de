import type { Logger } from 'pino';
import { openApi } from '../compose/api.ts';
import { prepareDatabase, prepareOwnDatabase, releaseJobs } from '../compose/prepare.ts';
import { startSeeding } from '../compose/seeding.ts';
import { checkComponents, openComponents, openEmbedded, openEngineChildren } from '../compose/compose.ts';
import type { Config } from '../config.ts';
import { apiConnections, serviceConnections } from '../process/connections.ts';
import { type OwnedDataDir, ownDataDir } from '../process/data-dir.ts';
import { aborted } from '../process/shutdown.ts';
import { startWorkerProcess } from '../process/worker-process.ts';

/** Runs the whole service until `shutdown` aborts: PostgreSQL where none is given, the api here, the worker as a child. */
export async function serve(config: Config, log: Logger, shutdown: AbortSignal): Promise<void> {
  checkComponents(config, 'serve');
  await using parts = new AsyncDisposableStack(); // the last one opened closes first, PostgreSQL last but one
  const dataDir = await ownDataDir(config.dataDir);
  parts.defer(async () => await dataDir.release());
  // The worker would end, and be started again, for ever.
  if (config.engineIsolation !== 'auto') await openEngineChildren(config, log);

  const embedded =
    config.databaseUrl === undefined ? await startEmbedded(dataDir, config, log, shutdown) : undefined;
  if (embedded !== undefined) parts.defer(async () => await embedded.close());
  const target = embedded?.target;
  const components = await openComponents({
    config,
    embedded: target,
    role: 'api',
    maxConnections: apiConnections,
    log,
  });
  parts.defer(async () => await components.close());

  let isPrepared = embedded !== undefined;
  if (isPrepared) await prepareOwnDatabase(components, log, shutdown);
  let isSeeded = () => false;
  const readiness = { isPrepared: () => isPrepared, isSeeded: () => isSeeded() };
  const api = await openApi({ config, components, log, ...readiness });
  parts.defer(api.close);
  // Somebody else's database may be away for a while, which the readiness probe is there to tell.
  if (!isPrepared) await prepareDatabase(components, log, shutdown);
  isPrepared = true;
  const seeding = await startSeeding(components, log, shutdown);
  parts.defer(seeding.close);
  isSeeded = seeding.isDone;

  shutdown.throwIfAborted();
  const worker = await startWorkerProcess({
    message: { embedded: target ?? null },
    log,
    // On a database of our own there is no other worker whose jobs these could be.
    afterDeath: async () => (embedded === undefined ? undefined : await releaseJobs(components)),
  });
  parts.defer(worker.close);
  process.stdout.write(readyLine(api.url));
  await aborted(shutdown);
  await Promise.all([api.close(), worker.close()]);
}

async function startEmbedded(dataDir: OwnedDataDir, config: Config, log: Logger, signal: AbortSignal) {
  return await openEmbedded({
    dataDir: config.dataDir,
    connections: serviceConnections(config),
    log,
    signal,
    onStart: async (database) => await dataDir.writeNote({ pid: process.pid, database }),
  });
}

/** Others wait for its beginning. */
function readyLine(url: string): string {
  const demo = url === 'http://127.0.0.1:8080' ? 'npm run demo' : `npm run demo -- --base-url ${url}`;
  return `Steppe is ready: ${url}  (interface: /docs; first map: ${demo})\n`;
}
