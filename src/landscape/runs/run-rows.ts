import { sql } from 'kysely';
import { z } from 'zod';
import type {
  Database,
  RecordState,
  RunNodeStatus,
  RunStatus,
  Transaction,
} from '../../database/tables/tables.ts';
import { LandscapeParams } from '../model/params.ts';
import { atNode, type RunFault } from './run-failed.ts';
import { type LandscapeRun, nodeColumns, parseInputs, parseOverrides, runColumns, toRun } from './schema.ts';
import { cancelJobs, enqueueJob } from '../../jobs/enqueue.ts';
import type { Message } from '../../lib/message.ts';
import { inSnapshot, type AlsoWrite, inTransaction } from '../../database/transaction.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { nodes } from '../graph/graph.ts';
import { checkRunInput, type RunInput } from './input.ts';
import { hasState, recordOfRun } from './record.ts';
import { endPass, readBlocks } from './spread-rows.ts';
import { startCounting } from '../../datasets/statistics.ts';
import { type Page, readPage, type Slice } from '../../database/page.ts';
import { landscapeProblems, runFaults } from '../../messages/runs/english.ts';
import { randomUUID } from 'node:crypto';

/** A node of a planned run, from its row. */
export interface StoredNode {
  readonly code: string;
  readonly status: RunNodeStatus;
  readonly fingerprint: string;
  /** Dataset ids by group code, of all inputs and of the elevation. */
  readonly inputs: ReadonlyMap<string, string>;
  /** Null until the run is planned. */
  readonly outputId: string | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

export interface StoredRun {
  readonly id: string;
  readonly status: RunStatus;
  /** Version of the graph of its plan; null before the plan, and for runs without a recorded version, which had version 1. */
  readonly graphVersion: number | null;
  readonly params: LandscapeParams;
  /** Ids of pinned datasets by group code. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Nodes in the order of their codes. */
  readonly nodes: readonly StoredNode[];
}

/** Reads the rows of a run and of its nodes, in the order of their codes; undefined when the run does not exist. */
async function readRunRows(db: Database | Transaction, id: string) {
  const run = await db
    .selectFrom('landscape_runs')
    .select(runColumns)
    .select(['graph_version', recordOfRun])
    .where('id', '=', id)
    .executeTakeFirst();
  if (run === undefined) return undefined;
  const nodes = await db
    .selectFrom('landscape_run_nodes')
    .select(nodeColumns)
    .where('run_id', '=', id)
    .orderBy('node_code')
    .execute();
  return { run, nodes };
}

/** Reads a run and its nodes; undefined when the run does not exist. */
export async function readRun(db: Database | Transaction, id: string): Promise<StoredRun | undefined> {
  const rows = await readRunRows(db, id);
  if (rows === undefined) return undefined;
  const { run, nodes } = rows;
  return {
    id,
    status: run.status,
    graphVersion: run.graph_version,
    params: LandscapeParams.parse(JSON.parse(run.params)),
    overrides: parseOverrides(run.overrides),
    nodes: nodes.map((node) => ({
      code: node.node_code,
      status: node.status,
      fingerprint: node.fingerprint,
      inputs: new Map(parseInputs(node.inputs)?.map((ref) => [ref.group, ref.dataset_id])),
      outputId: node.output_id,
      startDate: node.start_date,
      endDate: node.end_date,
    })),
  };
}

const now = sql<Date>`now()`;

const updateNodes = (trx: Transaction, runId: string) =>
  trx.updateTable('landscape_run_nodes').where('run_id', '=', runId);
const updateRun = (trx: Transaction, id: string) => trx.updateTable('landscape_runs').where('id', '=', id);

/** Records that a pass over these nodes begins; some may already be running from an earlier attempt. */
export async function beginPass(trx: Transaction, runId: string, codes: readonly string[]): Promise<void> {
  const nodes = updateNodes(trx, runId).where('node_code', 'in', codes);
  await nodes.set({ status: 'running', progress: 0, started_at: now }).execute();
}

/** Records the share of computed pixels of all running nodes, from 0 to 1. It never decreases. */
export async function recordProgress(trx: Transaction, runId: string, progress: number): Promise<void> {
  const greatest = sql<number>`greatest(progress, ${progress}::double precision)`;
  await updateNodes(trx, runId).where('status', '=', 'running').set({ progress: greatest }).execute();
}

/** The versions with which an output was computed; null if unknown. */
export const MadeWith = z.object({
  steppe: z.string().nullable(),
  gdal: z.string().nullable(),
  proj: z.string().nullable(),
});
export type MadeWith = z.infer<typeof MadeWith>;

export async function recordNodeSuccess(
  trx: Transaction,
  runId: string,
  code: string,
  madeWith: MadeWith,
): Promise<void> {
  const node = updateNodes(trx, runId).where('node_code', '=', code);
  const made_with = JSON.stringify(madeWith);
  await node.set({ status: 'succeeded', finished_at: now, made_with }).execute();
}

export async function recordRunSuccess(trx: Transaction, runId: string): Promise<void> {
  await updateRun(trx, runId).set({ status: 'succeeded', finished_at: now }).execute();
  await endPass(trx, runId);
  await startCountingOutputs(trx, runId);
}

/** Enqueues the counting of the outputs of a run after its end, because a running run needs the processors. */
async function startCountingOutputs(trx: Transaction, runId: string): Promise<void> {
  const rows = await trx
    .selectFrom('landscape_run_nodes')
    .select('output_id')
    .where('run_id', '=', runId)
    .where('status', '=', 'succeeded')
    .orderBy('node_code')
    .execute();
  await startCounting(
    trx,
    rows.flatMap(({ output_id: id }) => id ?? []),
  );
}

const startedAt = sql<Date>`coalesce(started_at, now())`;
const failed = { status: 'failed', started_at: startedAt, finished_at: now } as const;

/** Fails the run and its faulty node, unless the output of the node is published: it is kept. */
export async function recordRunFailure(trx: Transaction, runId: string, fault: RunFault): Promise<void> {
  const blamed = updateNodes(trx, runId)
    .where('node_code', '=', fault.nodeCode)
    .where('status', 'in', ['pending', 'running']);
  await blamed.set({ ...failed, ...errorColumns(fault.error) }).execute();
  const { plannedInputs } = fault;
  if (plannedInputs !== undefined)
    await updateRun(trx, runId)
      .set({ planned_inputs: JSON.stringify(plannedInputs) })
      .execute();
  await endUnfinished(trx, runId, atNode(fault));
}

/** Returns the columns of an error: the English text, and its code and facts. */
export function errorColumns({ english, sentence }: Message) {
  return { error: english, failure: sentence === undefined ? null : JSON.stringify(sentence) };
}

/** Fails the run; running nodes become pending, finished nodes stay unchanged. */
async function endUnfinished(trx: Transaction, runId: string, error: Message): Promise<void> {
  const others = updateNodes(trx, runId).where('status', '=', 'running');
  await others.set({ status: 'pending', progress: 0, started_at: null }).execute();
  await updateRun(trx, runId)
    .set({ ...failed, ...errorColumns(error) })
    .execute();
  await endPass(trx, runId);
  await startCountingOutputs(trx, runId);
}

/**
 * Ends a run that is queued or running. Its worker can no longer publish, and stops when it next renews its leases.
 * @throws {Problem} `not_found`, `conflict` when the run has ended
 */
export async function cancelRun(db: Database, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const run = await trx
      .selectFrom('landscape_runs')
      .select('status')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (run === undefined) throw landscapeProblems.noSuchRun();
    if (run.status !== 'queued' && run.status !== 'running') throw landscapeProblems.runHasEnded();
    await endUnfinished(trx, id, runFaults.cancelled);
    await cancelJobs(trx, id); // last, like the fence of a worker
  });
}

/** Stores a run with pending nodes and queues it, in one transaction. @throws {Problem} as `checkRunInput` does. */
export async function createRun(
  { db, messageQueue }: { readonly db: Database; readonly messageQueue: MessageQueue },
  body: unknown,
  alsoWrite?: AlsoWrite<LandscapeRun>,
): Promise<LandscapeRun> {
  const { run, jobId } = await inTransaction(db, async (trx) => {
    const made = await insertRun(trx, await checkRunInput(trx, body));
    const view = await readRunView(trx, made.id);
    await alsoWrite?.(trx, view);
    return { run: view, jobId: made.jobId };
  });
  await messageQueue.notify(jobId, 'runs');
  return run;
}

/** Stores a run with pending nodes and queues it. After the commit, notify the queue of its job. */
export async function insertRun(
  trx: Transaction,
  { params, overrides, fromStage }: RunInput,
): Promise<{ readonly id: string; readonly jobId: string }> {
  const id = randomUUID();
  await trx
    .insertInto('landscape_runs')
    .values({
      id,
      params: JSON.stringify(params),
      overrides: JSON.stringify(overrides),
      from_stage: fromStage,
    })
    .execute();
  await trx
    .insertInto('landscape_run_nodes')
    .values(nodes.map(({ code, stage }) => ({ id: randomUUID(), run_id: id, node_code: code, stage })))
    .execute();
  return { id, jobId: await enqueueJob(trx, 'run-landscape', id) };
}

/** Lists one page of the runs, newest first and without nodes, with their number. @param state of their records; undefined for any */
export async function listRuns(db: Database, slice: Slice, state?: RecordState): Promise<Page<LandscapeRun>> {
  const newestFirst = db
    .selectFrom('landscape_runs')
    .select(runColumns)
    .select(recordOfRun)
    .$if(state !== undefined, (query) => query.where(hasState(state ?? 'draft')))
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return await readPage(newestFirst, slice, (row) => toRun(row, null));
}

/** Reads a run with its nodes, in one snapshot. @throws {Problem} `not_found` */
export async function getRun(db: Database, id: string): Promise<LandscapeRun> {
  return await inSnapshot(db, async (trx) => await readRunView(trx, id));
}

/** Reads a run within a transaction. @throws {Problem} `not_found` */
async function readRunView(trx: Transaction, id: string): Promise<LandscapeRun> {
  const rows = await readRunRows(trx, id);
  if (rows === undefined) throw landscapeProblems.noSuchRun();
  return toRun(rows.run, rows.nodes, await readBlocks(trx, id));
}
