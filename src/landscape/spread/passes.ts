import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { PassGone } from './failures.ts';
import { blocksOf, PassSpec } from './pass-spec.ts';
import { workflowId, workflowPrefix } from './stamp.ts';
import type { WorkflowEngine } from './workflow-engine.ts';
import { hash, randomUUID } from 'node:crypto';
import { inTransaction } from '../../database/transaction.ts';

/** The workers that can work on a pass. */
export interface PassPlace {
  /** The stamp of workers whose results have identical bits. */
  readonly stamp: string;
  /** The queue of its steps in the engine. */
  readonly queue: string;
}

export interface StoredPass extends PassPlace {
  readonly spec: PassSpec;
  readonly isEngineAway: boolean;
}

/** Reads the stored pass of a run; undefined without one. A spec of another release is not parsed. */
export async function readPass(
  db: Database | Transaction,
  runId: string,
): Promise<(PassPlace & { readonly readSpec: () => StoredPass }) | undefined> {
  const row = await db
    .selectFrom('landscape_passes')
    .select(['stamp', 'queue', 'spec', 'away_since'])
    .where('run_id', '=', runId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { stamp, queue, spec, away_since } = row;
  const readSpec = () => ({
    stamp,
    queue,
    spec: PassSpec.parse(JSON.parse(spec)),
    isEngineAway: away_since !== null,
  });
  return { stamp, queue, readSpec };
}

/** Reads the spec of a pass for workers with this stamp. @throws {PassGone} */
export async function readSpec(db: Database, runId: string, stamp: string): Promise<PassSpec> {
  const row = await db
    .selectFrom('landscape_passes')
    .select('spec')
    .where('run_id', '=', runId)
    .where('stamp', '=', stamp)
    .executeTakeFirst();
  if (row === undefined) throw new PassGone();
  return PassSpec.parse(JSON.parse(row.spec));
}

/** Returns whether a pass with this stamp is still in progress. */
export async function isGoingOn(db: Database, runId: string, stamp: string): Promise<boolean> {
  const { rows } =
    await sql`select from landscape_passes where run_id = ${runId} and stamp = ${stamp}`.execute(db);
  return rows.length > 0;
}

export async function insertPass(
  trx: Transaction,
  runId: string,
  { stamp, queue, spec }: Pick<StoredPass, 'stamp' | 'queue' | 'spec'>,
): Promise<void> {
  await trx
    .insertInto('landscape_passes')
    .values({ run_id: runId, stamp, queue, blocks: blocksOf(spec).length, spec: JSON.stringify(spec) })
    .execute();
}

/** Records the queue in which the steps of a pass wait. */
export async function recordQueue(trx: Transaction, runId: string, queue: string): Promise<void> {
  await trx.updateTable('landscape_passes').set({ queue }).where('run_id', '=', runId).execute();
}

/** Records whether the engine answers; the start of an outage is kept. */
export async function recordEngine(trx: Transaction, runId: string, isAway: boolean): Promise<void> {
  const since = isAway ? sql<Date>`coalesce(away_since, now())` : null;
  await trx.updateTable('landscape_passes').set({ away_since: since }).where('run_id', '=', runId).execute();
}

/**
 * Fences an output, last in its transaction: its pass has this stamp, and the job of the run has not ended. Any attempt may hold the job:
 * it may die while others publish.
 * @throws {PassGone}
 */
export async function fenceOutput(trx: Transaction, runId: string, stamp: string): Promise<void> {
  const pass = await sql`select from landscape_passes where run_id = ${runId} and stamp = ${stamp}
    for share`.execute(trx);
  const job = await sql`select from jobs where ref_id = ${runId} and kind = 'run-landscape'
    and state in ('queued', 'running') for share`.execute(trx);
  if (pass.rows.length === 0 || job.rows.length === 0) throw new PassGone();
}

/** Locks a node before its output is published, first in the transaction; false when the output is published, or no longer needed. */
export async function lockNode(trx: Transaction, runId: string, code: string): Promise<boolean> {
  const { rows } = await sql`select from landscape_run_nodes
    where run_id = ${runId} and node_code = ${code} and status = 'running' for update`.execute(trx);
  return rows.length > 0;
}

const idLength = 36;

/**
 * Ends open workflows of this installation without a pass: of runs that ended while the engine was unavailable, and of workers of another
 * release. Returns their number.
 * @throws {EngineAway}
 */
export async function endAbandoned(
  db: Database,
  engine: WorkflowEngine,
  installation: string,
): Promise<number> {
  const prefix = workflowPrefix(installation);
  const open = await engine.listOpen(prefix);
  if (open.length === 0) return 0;
  const runIds = open.map((id) => id.slice(prefix.length, prefix.length + idLength));
  const passes = await db
    .selectFrom('landscape_passes')
    .select(['run_id', 'queue'])
    .where('run_id', 'in', runIds)
    .execute();
  const wanted = new Set(passes.map(({ run_id, queue }) => workflowId(installation, run_id, queue)));
  const abandoned = open.filter((id) => !wanted.has(id));
  for (const id of abandoned) await engine.end(id, 'terminate');
  return abandoned.length;
}

/**
 * Returns the unique name of this database, which the first call creates. A restored dump gets another name, and so does a database with
 * this one as its template. A copy of the files of the server has the same name until its row is deleted.
 */
export async function installationOf(db: Database): Promise<string> {
  const id = (await readId(db)) ?? (await inTransaction(db, giveId));
  return hash('sha256', id, 'hex').slice(0, 16);
}

const ownDatabase = sql`(select oid from pg_database where datname = current_database())`;

async function readId(db: Database | Transaction): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from installations
    where database_oid = ${ownDatabase} and table_oid = tableoid and made_by = xmin`.execute(db);
  return rows[0]?.id;
}

async function giveId(trx: Transaction): Promise<string> {
  await sql`lock table installations in share row exclusive mode`.execute(trx);
  const given = await readId(trx); // another worker was faster
  if (given !== undefined) return given;
  const id = randomUUID();
  await sql`delete from installations`.execute(trx);
  await sql`insert into installations (id, database_oid, table_oid, made_by)
    values (${id}, ${ownDatabase}, 'installations'::regclass, pg_current_xact_id()::xid)`.execute(trx);
  return id;
}
