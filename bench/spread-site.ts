import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ignore } from '../src/lib/concurrency/promises.ts';
import { openSite } from '../test/support/services/deployment.ts';
import { eventually } from '../test/support/processes.ts';
import { startTemporal, temporalOn } from '../test/support/services/temporal.ts';
import { openAccount } from './accounts.ts';
import { createRunClient } from './landscape-service.ts';
import { processorSeconds } from './processor-time.ts';
import { watchWorkers } from './watch-workers.ts';

const execute = promisify(execFile);
const pollEveryMs = 100;
/** Time between the readiness of a worker and its first request for work, in milliseconds. */
const settleMs = 1500;

/** The cost of a run; in seconds of processor time unless named otherwise, and in bytes on the network. */
export interface RunFigures {
  readonly wallSeconds: number;
  /** Processor time of all workers with their child processes. */
  readonly workerSeconds: number;
  /** The part of both until the last block was computed; undefined for a run without blocks. */
  readonly blocks: { readonly wallSeconds: number; readonly workerSeconds: number } | undefined;
  readonly temporalSeconds: number;
  readonly postgresSeconds: number;
  readonly storeSeconds: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** The maximum of one worker, sampled once a second. */
  readonly scratchBytes: number;
  readonly residentMiB: number;
  /** SHA-256 of the COGs, by code of the node. */
  readonly digests: ReadonlyMap<string, string>;
}

interface MeasuredRun {
  /** Number of workers. */
  readonly count: number;
  readonly settings: Settings;
  /** True if each worker runs on all cores, with a slot for each. */
  readonly onAllCores?: boolean;
}

export type SpreadSite = Awaited<ReturnType<typeof openSpreadSite>>;
type Settings = Readonly<Record<string, string>>;

/**
 * Starts an api, PostgreSQL, an S3 store, NATS and Temporal on that PostgreSQL, each in its own network namespace, and prepares places
 * for workers. One worker processes jobs about datasets only, on all cores. Each other worker has one slot and one core, which is shared
 * if there are too few. Needs root.
 * @param cores of this machine for workers.
 * @param signal ends a run that is being measured.
 */
export async function openSpreadSite({
  workers: most,
  cores,
  signal,
}: {
  readonly workers: number;
  readonly cores: number;
  readonly signal: AbortSignal;
}) {
  await using opening = new AsyncDisposableStack();
  const site = opening.use(await openSite());
  const { postgres, s3 } = site.services;
  const place = await site.network.join('engine');
  const temporal = opening.use(
    await startTemporal(site.folder, { place, database: await temporalOn(postgres) }),
  );
  const shared = { WORKFLOW_ENGINE_URL: temporal.url, WORKER_CONCURRENCY: '1' };
  const api = await site.start({ name: 'api', role: 'api', settings: shared });
  const startWorker = async (name: string, settings: Settings, within: readonly string[] = []) => {
    const worker = await site.start({ name, role: 'worker', settings: { ...shared, ...settings }, within });
    await worker.end('SIGTERM');
    return worker;
  };
  const uploading = await startWorker('uploads', {
    WORKER_ROLES: 'datasets',
    WORKER_CONCURRENCY: String(cores),
  });
  const workers: Awaited<ReturnType<typeof startWorker>>[] = [];
  for (let index = 0; index < most; index += 1)
    workers.push(
      await startWorker(`worker${index + 1}`, { WORKER_ROLES: 'runs,blocks' }, [
        'taskset',
        '-c',
        String(index % cores),
      ]),
    );

  const begin = async (started: typeof workers, settings: Settings = {}): Promise<void> => {
    await Promise.all(
      started.map(async (worker) => {
        await worker.startAgain({ ...settings, LOG_LEVEL: 'info' });
        const isThere = async () => worker.output().includes('runs are spread over workers');
        await eventually(`${worker.name} is ready`, isThere, 60);
      }),
    );
    await sleep(settleMs);
  };
  const client = createRunClient(api.baseUrl);
  const opened = opening.move();
  return {
    ...client,
    baseUrl: api.baseUrl,
    run: site.run,
    /** Does work while a worker processes jobs about datasets. */
    async whileUploading<T>(work: () => Promise<T>): Promise<T> {
      await begin([uploading]);
      try {
        return await work();
      } finally {
        await uploading.end('SIGTERM');
      }
    },
    /**
     * Runs all nodes on workers that are started for the run; the outputs are deleted afterwards.
     * @param meanwhile called after the start of the run.
     */
    async measureRun(
      { count, settings, onAllCores = false }: MeasuredRun,
      meanwhile: (runId: string) => Promise<void> = async () => undefined,
    ): Promise<RunFigures> {
      const started = workers.slice(0, count);
      const slots = onAllCores ? { WORKER_CONCURRENCY: String(cores) } : {};
      await begin(started, { ...settings, ...slots });
      if (onAllCores)
        for (const { pid } of started)
          await execute('taskset', ['-a', '-c', '-p', `0-${cores - 1}`, String(pid)]);
      await using account = await openAccount(`steppe-bench-${process.pid}`);
      await using ending = new AsyncDisposableStack(); // before the account, which must be empty
      for (const worker of started) {
        ending.defer(async () => void (await worker.end('SIGTERM')));
        await account.add(worker.pid);
      }
      const read = async () => {
        const traffic = await site.dependencies.object_store.place.traffic();
        return {
          ms: performance.now(),
          workers: await account.seconds(),
          temporal: await processorSeconds(temporal.process.pid ?? 0),
          postgres: await processorSeconds(postgres.process.pid ?? 0),
          store: await processorSeconds(s3.process.pid ?? 0),
          ...traffic,
        };
      };
      const ended = new AbortController();
      const watching = watchWorkers(started, ended.signal);
      const before = await read();
      const runId = await client.startRun();
      const beside = meanwhile(runId);
      beside.catch(ignore); // until it is waited for
      let blocks: RunFigures['blocks'];
      for (;;) {
        signal.throwIfAborted();
        const now = await client.readRun(runId);
        if (now.status === 'failed') throw new Error(`the run failed: ${now.error}\n${outputOf(started)}`);
        const isComputed = now.status === 'succeeded' || now.blocks?.done === now.blocks?.total;
        if (now.blocks !== undefined && isComputed)
          blocks ??= {
            wallSeconds: (performance.now() - before.ms) / 1000,
            workerSeconds: (await account.seconds()) - before.workers,
          };
        if (now.status === 'succeeded') break;
        await sleep(pollEveryMs);
      }
      const after = await read();
      ended.abort();
      const most = await watching;
      await beside;
      return {
        wallSeconds: (after.ms - before.ms) / 1000,
        workerSeconds: after.workers - before.workers,
        blocks,
        temporalSeconds: after.temporal - before.temporal,
        postgresSeconds: after.postgres - before.postgres,
        storeSeconds: after.store - before.store,
        readBytes: after.sent - before.sent,
        writtenBytes: after.received - before.received,
        ...most,
        digests: await takeOutputs(api.baseUrl, await client.outputsOf(runId)),
      };
    },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

/**
 * Hashes the COGs of a run as they are served, and deletes them, which saves disk space and the counting of their pixels during the next
 * run.
 */
async function takeOutputs(
  baseUrl: string,
  outputs: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const [code, id] of outputs) {
    const answer = await fetch(`${baseUrl}/datasets/${id}.cog`);
    if (!answer.ok || answer.body === null) throw new Error(`the COG of ${code}: ${answer.status}`);
    const hash = createHash('sha256');
    for await (const piece of answer.body) hash.update(piece);
    digests.set(code, hash.digest('hex'));
    const deleted = await fetch(`${baseUrl}/datasets/${id}`, { method: 'DELETE' });
    if (!deleted.ok) throw new Error(`deleting the output of ${code}: ${deleted.status}`);
  }
  return digests;
}

function outputOf(workers: readonly { readonly name: string; output(): string }[]): string {
  return workers.map((worker) => `${worker.name}:\n${worker.output().slice(-2000)}`).join('\n');
}
