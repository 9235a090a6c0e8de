import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Tables } from '../../../src/database/tables/tables.ts';
import { installationOf } from '../../../src/landscape/spread/passes.ts';
import { workflowId as idOfWorkflow } from '../../../src/landscape/spread/stamp.ts';
import { nodeCodes } from '../../acceptance/support/graph.ts';
import { outputOf, type Run } from '../../acceptance/support/landscape.ts';
import { type Member, openSite } from './deployment.ts';
import { createLandscapeClient } from '../landscape/landscape.ts';
import { descendantsOf, eventually } from '../processes.ts';
import { projectRoot } from '../project.ts';
import { allGone } from '../service.ts';
import { startTemporal, temporalOn } from './temporal.ts';
import { type BegunStep, createWorkflowReader } from './workflow-reader.ts';
import { type Leaf, leaves } from '../../../src/landscape/model/leaves.ts';
import { writeRaster } from '../geo/geotiffs.ts';
import { noise } from '../landscape/steppe-landscape.ts';

/** Five blocks of a spread run wide; at this height, a block is fast to compute. */
const strip = { width: 122_880, height: 4 };
const pixelMetres = 2;
/** Extent around the strip, in degrees. */
const degrees = { west: 68.3, north: 41.6, width: 3.3, height: 0.4, step: 0.004 };
/** Leaves in degrees, which must be warped to the grid. */
const foreignLeaves = 6;

/** Draws all leaves for a grid that is a strip, six of them coarser and in another CRS; returns the files by leaf. */
async function drawStrip(folder: string): Promise<Readonly<Record<string, File>>> {
  const numbers = leaves.filter(({ type, key }) => type === 'float32' && key !== 'dem');
  const foreign = new Set(numbers.slice(0, foreignLeaves).map(({ key }) => key));
  const { west, north, width, height, step } = degrees;
  const draw = async (leaf: Leaf): Promise<readonly [string, File]> => {
    const name = `${leaf.key}.tif`;
    const path = join(folder, name);
    const place = foreign.has(leaf.key)
      ? ({
          epsg: 4326,
          width: Math.round(width / step),
          height: Math.round(height / step),
          affine: [west, step, 0, north, 0, -step],
        } as const)
      : ({ epsg: 32642, ...strip, affine: [455_000, pixelMetres, 0, 4_591_000, 0, -pixelMetres] } as const);
    writeRaster(path, {
      ...place,
      noData: -32_768,
      options: { TILED: 'YES', COMPRESS: 'DEFLATE' },
      value: (x, y) => valueOf(leaf, x, y),
    });
    return [leaf.key, new File([await readFile(path)], name)];
  };
  return Object.fromEntries(await Promise.all(leaves.map(draw)));
}

function valueOf(leaf: Leaf, x: number, y: number): number {
  if (leaf.type === 'uint8') return leaf.classes[Math.floor(noise(x >> 6, y) * leaf.classes.length)] ?? 0;
  const [least, most] = leaf.range ?? [0, 1000];
  const share = 0.5 + 0.4 * Math.sin(x / 190) * Math.cos(y / 130) + 0.02 * noise(x, y);
  return least + (most - least) * share * 0.3;
}

const workerNames = ['worker1', 'worker2', 'worker3'] as const;
/** Enough slots for all blocks with one worker missing: a lost step waits for no other step. */
const settings = { WORKER_CONCURRENCY: '2', WORKER_ROLES: 'runs,blocks', LOG_LEVEL: 'info' };
const alone = {
  WORKER_CONCURRENCY: '2',
  WORKER_ROLES: 'datasets,runs',
  LANDSCAPE_SPREAD_PIXELS: '1000000000000',
};
const servesMessage = 'landscape runs are spread over workers';
const stampFile = 'src/landscape/spread/stamp.ts';
/** Longest time of a run, also on a busy machine and with the lease of a dead holder. */
const runSeconds = 300;
const childSeconds = 30;

/** A run whose blocks are being computed. */
export interface SpreadRun {
  readonly id: string;
  readonly workflowId: string;
}

/**
 * Starts an api, three workers, PostgreSQL, an S3 store, NATS and Temporal on that PostgreSQL, each in its own network namespace, with
 * leaves for runs of five blocks. Records the results of such a run on one machine. Needs root.
 */
export async function startSpreadDeployment() {
  await using opening = new AsyncDisposableStack();
  const site = opening.use(await openSite());
  const { postgres } = site.services;
  const place = await site.network.join('engine');
  const temporal = opening.use(
    await startTemporal(site.folder, { place, database: await temporalOn(postgres) }),
  );
  const workflows = createWorkflowReader(temporal);
  const pool = new Pool({ connectionString: postgres.ownerUrl, max: 2 });
  pool.on('error', () => undefined); // error of a connection that ended with its server
  opening.defer(async () => await pool.end());
  const read = async <Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> => (await pool.query<Row>(sql, [...values])).rows;

  const shared = { WORKFLOW_ENGINE_URL: temporal.url, LANDSCAPE_SPREAD_PIXELS: '1' };
  const api = await site.start({ name: 'api', role: 'api', settings: shared });
  const client = createLandscapeClient(api.baseUrl);
  const one = await site.start({ name: 'alone', role: 'worker', settings: { ...shared, ...alone } });
  await client.fillAll(await drawStrip(site.folder));
  const local = await client.run();
  await one.end('SIGTERM');
  const expected = await cogsOf(local);
  const runs: string[] = [local.id];

  const workers: Member[] = [];
  for (const name of workerNames)
    workers.push(await site.start({ name, role: 'worker', settings: { ...shared, ...settings } }));
  await Promise.all(workers.map(serves));
  const installation = await installationOf(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }));

  async function cogsOf(run: Run): Promise<ReadonlyMap<string, string>> {
    const sums = nodeCodes.map(async (code): Promise<[string, string]> => [
      code,
      await client.sha256(`/datasets/${outputOf(run, code)}.cog`),
    ]);
    return new Map(await Promise.all(sums));
  }

  const opened = opening.move();
  const deployment = {
    client,
    workers,
    workflows,
    read,
    /** The servers by name; each can be frozen. */
    servers: {
      Temporal: temporal,
      PostgreSQL: postgres,
      'the S3 store': site.services.s3,
      NATS: site.services.nats,
    },
    temporal,
    runFsck: async () => await site.run('fsck', '--digests'),
    /** Ids of all runs so far. */
    runIds: (): readonly string[] => runs,
    /** Starts a run without waiting for its progress. */
    async start(): Promise<string> {
      const { id } = await client.start({ from_stage: 0 });
      runs.push(id);
      return id;
    },
    /** Starts a run and waits until workers have begun its steps. */
    async begin(): Promise<SpreadRun> {
      const id = await deployment.start();
      const workflowId = await eventually('a workflow', async () => await deployment.workflowOf(id), 60);
      await eventually('a step', async () => (await workflows.begunSteps(workflowId)).length > 0, 60);
      return { id, workflowId };
    },
    /** Id of the workflow of a running run. */
    async workflowOf(runId: string): Promise<string | undefined> {
      const [pass] = await read<{ queue: string }>('select queue from landscape_passes where run_id = $1', [
        runId,
      ]);
      return pass && idOfWorkflow(installation, runId, pass.queue);
    },
    /** Places of the finished blocks, with the keys of their parts. */
    partsOf: async (runId: string) =>
      await read<{ place: number; key: string }>(
        'select place, part_key as key from landscape_parts where run_id = $1 order by place',
        [runId],
      ),
    /** Worker that holds the job of a run; undefined while none does. */
    async holderOf(runId: string): Promise<Member | undefined> {
      const [job] = await read<{ worker: string }>(
        "select worker from jobs where ref_id = $1 and state = 'running'",
        [runId],
      );
      return workers.find(({ pid }) => job?.worker.split(':')[1] === String(pid));
    },
    /** Waits until a worker performs steps of a run; returns the worker and the steps. Undefined when the workflow ends first. */
    async busyWorker({ workflowId }: SpreadRun) {
      return await eventually(
        'a busy worker',
        async () => {
          const begun = await workflows.begunSteps(workflowId);
          const busy = workers.flatMap((worker) => {
            const steps = begun.filter((step) => step.worker.startsWith(`${worker.pid}@`));
            return steps.length > 0 ? [{ worker, steps }] : [];
          });
          if (busy.length > 0) return { found: busy[Math.floor(Math.random() * busy.length)] };
          return (await workflows.isOpen(workflowId)) ? undefined : { found: undefined };
        },
        60,
      ).then(({ found }) => found);
    },
    /** Kills a worker, waits until all its child processes have ended, and starts it again like a supervisor. */
    async kill(worker: Member): Promise<{ readonly atMs: number }> {
      const children = (await descendantsOf(worker.pid)).map(({ pid }) => pid);
      const atMs = Date.now();
      assert.equal(await worker.end('SIGKILL'), 'SIGKILL');
      await allGone(children);
      await worker.startAgain();
      return { atMs };
    },
    /** Stops a worker like an upgrade, and starts it again. */
    async handOver(worker: Member) {
      const children = (await descendantsOf(worker.pid)).map(({ pid }) => pid);
      const atMs = Date.now();
      const code = await worker.end('SIGTERM');
      const seconds = (Date.now() - atMs) / 1000;
      assert.equal(code, 0, worker.output().slice(-3000));
      await allGone(children);
      await worker.startAgain();
      return { atMs, seconds };
    },
    /** Seconds from a moment to the next attempts of steps; steps that were answered after all are left out. */
    async secondsToNext({ workflowId }: SpreadRun, steps: readonly BegunStep[], atMs: number) {
      const found = await Promise.all(
        steps.map(async (step) => await workflows.nextAttempt(workflowId, step, 60)),
      );
      return found
        .filter((next) => next !== undefined)
        .map(({ startedMs, after }) => ({ seconds: (startedMs - atMs) / 1000, after }));
    },
    /** Starts a worker of another release, whose parts have another format; only this worker sees the changed file. */
    async startOther(): Promise<Member> {
      const file = join(projectRoot, stampFile);
      const patched = join(site.folder, 'stamp.ts');
      const text = (await readFile(file, 'utf8')).replace(/formatVersion = (\d+)/, 'formatVersion = 100$1');
      await writeFile(patched, text);
      const script = 'mount --bind "$0" "$1" && shift && exec "$@"';
      const other = await site.start({
        name: 'other',
        role: 'worker',
        settings: { ...shared, ...settings, WORKER_ROLES: 'blocks' },
        within: ['sh', '-c', script, patched, file],
      });
      await serves(other);
      return other;
    },
    serves,
    /** Waits until a run succeeds with the same bytes as on one machine, and until only drafts of it remain. */
    async assertAsAlone({ id }: Pick<SpreadRun, 'id'>): Promise<void> {
      const hasEnded = async () => {
        const run = await client.read(id);
        return run.finished_at !== null && run;
      };
      const run = await eventually(`the end of run ${id}`, hasEnded, runSeconds).catch(
        async (cause: unknown) => {
          throw new Error(`run ${id} has not ended\n${await deployment.told(id)}`, { cause });
        },
      );
      if (run.status !== 'succeeded') assert.fail(`${run.error}\n${await deployment.told(id)}`);
      assert.deepEqual(await cogsOf(run), expected);
      await deployment.assertNothingOpen();
    },
    /** Last log lines of the workers, and the state of the workflow of a run. */
    async told(id: string): Promise<string> {
      const said = workers.map(({ name, output }) => `${name}:\n${output().slice(-3000)}`);
      const jobs = await read('select state, worker, attempt, lease_until from jobs where ref_id = $1', [id]);
      const workflowId = await deployment.workflowOf(id);
      const events = workflowId === undefined ? [] : await workflows.eventsOf(workflowId);
      const last = events
        .slice(-20)
        .map(({ eventType, eventTime }) => `${eventType} ${JSON.stringify(eventTime)}`);
      return [...said, `jobs: ${JSON.stringify(jobs)}`, `workflow ${workflowId}:`, ...last].join('\n');
    },
    /** Waits until there is no part, no pass, no open workflow and no child process. */
    async assertNothingOpen(): Promise<void> {
      assert.deepEqual(await read('select run_id from landscape_passes'), []);
      assert.deepEqual(await read('select place from landscape_parts'), []);
      await eventually(
        'no open workflow',
        async () => (await workflows.listOpen()).length === 0,
        childSeconds,
      );
      await eventually('no child', async () => (await deployment.children()).length === 0, childSeconds);
    },
    /** Process ids of all children that compute for the workers. */
    async children(): Promise<readonly number[]> {
      const all = await Promise.all(workers.map(async ({ pid }) => await descendantsOf(pid)));
      return all.flat().flatMap(({ pid, commandLine }) => (/child\/main\.ts/.test(commandLine) ? [pid] : []));
    },
    /** Content of the scratch folder of a worker, except its own empty folder. */
    async scratchOf({ dataDir }: Member): Promise<readonly string[]> {
      const found = await readdir(join(dataDir, 'scratch'), { recursive: true });
      return found.filter((path) => !/^spread(?:\/[^/]+)?$/.test(path));
    },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
  return deployment;
}

/** Waits until a worker is ready to perform steps. */
async function serves(worker: Member): Promise<void> {
  const isServing = async () => await Promise.resolve(worker.output().includes(servesMessage));
  await eventually(`${worker.name} is ready`, isServing, 60);
}
