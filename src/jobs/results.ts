import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { Database, Tables, Transaction } from '../database/tables/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { EngineDied } from '../geo/engine.ts';
import { storedMessage } from '../geo/findings.ts';
import { Problem } from '../lib/errors.ts';
import { Message, messageText } from '../lib/message.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { publishObject, retireObjects } from '../object-store/ledger.ts';
import { ObjectMissing } from '../object-store/object-store.ts';
import { cancelJobs, enqueueMissingJob, type JobKind } from './enqueue.ts';
import type { Attempt, Failure, JobHandler } from './handler.ts';

/** The delay in seconds before a request tries again after a failure that was not caused by the input. */
export const retryAfterSeconds = 60;
const mostPruned = 100;

interface TableOfResults {
  /** The state of a finished result; other states are `pending` and `failed`. */
  readonly made: 'made' | 'counted';
  /** Columns with object keys; the objects are deleted with the row. */
  readonly objects: readonly string[];
}

/** Tables of results. All have the columns id, key, state, failure, is_final, changed_at and used_at (migration 0054). */
const tables = {
  area_counts: { made: 'counted', objects: [] },
  input_moves: { made: 'made', objects: [] },
  landscape_layers: { made: 'made', objects: ['cog_key', 'mesh_key'] },
  landscape_polygons: { made: 'made', objects: [] },
  made_inputs: { made: 'made', objects: [] },
  results: { made: 'made', objects: ['object_key'] },
} as const satisfies Partial<Record<keyof Tables, TableOfResults>>;

export type ResultTable = keyof typeof tables;

/** A kind of result that a job makes on request, once for all clients. */
export interface ResultKind<Shape extends z.ZodRawShape> {
  readonly job: JobKind;
  readonly table: ResultTable;
  /** The condition for rows of this kind; by default all rows of the table. */
  readonly among?: RawBuilder<SqlBool>;
  /** The columns of a finished result that a request reads. */
  readonly content: z.ZodObject<Shape>;
  /** The maximum number of pending results, and the error beyond it. */
  readonly waiting?: { readonly most: number; readonly refuse: () => Problem };
  /** The interval for which a result is kept after its last use. */
  readonly kept: RawBuilder<unknown>;
  /** The maximum number of results; the least recently used are removed first. */
  readonly mostKept?: number;
  /** The condition for results that are kept even without use. */
  readonly lasting?: RawBuilder<SqlBool>;
  /** The error after a failure that was not caused by the input. */
  readonly notNow: () => Problem;
  /** The error for an invalid input; by default `invalid` with the reason. */
  readonly refuse?: () => Problem;
}

/** A result that a job is making; the end of a job about `ref` wakes waiting requests. */
export interface PendingResult {
  readonly isPending: true;
  readonly ref: string;
}

export interface MadeResult<Content> {
  readonly isPending: false;
  readonly id: string;
  readonly madeAt: Date;
  readonly content: Content;
}

/** The input of a new result. */
interface ResultInput {
  /** Columns of the new row, which the job reads. */
  readonly columns: Readonly<Record<string, unknown>>;
  /** Locks the subject in the transaction that adds the row. @throws {Problem} when the subject no longer exists */
  readonly lock?: (trx: Transaction) => Promise<unknown>;
  /** Adds rows that refer to the new row. */
  readonly link?: (trx: Transaction, id: string) => Promise<unknown>;
}

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

/** A column that stores a value of a schema as JSON text. */
export const jsonText = <T>(schema: z.ZodType<T>) =>
  z.string().transform((text) => schema.parse(JSON.parse(text)));

/**
 * Returns a result, or enqueues the job that makes it: pending → made or failed. Any number of processes may call this at once; there is
 * one job.
 * @throws {Problem} when it could not be made (permanently if the input is the cause, otherwise for a minute), or when too many results
 * are pending
 */
export async function want<Shape extends z.ZodRawShape>(
  dependencies: Dependencies,
  kind: ResultKind<Shape>,
  key: string,
  input: ResultInput,
): Promise<MadeResult<z.output<z.ZodObject<Shape>>> | PendingResult> {
  const { db } = dependencies;
  const row = await readRow(db, kind, key);
  if (row?.state === 'failed' && (row.is_final || !row.may_retry)) throw failureOf(kind, row);
  if (row?.state === 'pending' && row.has_job) return { isPending: true, ref: row.id };
  if (row?.state === tables[kind.table].made && (!row.is_use_old || (await noteUse(db, kind, row.id)))) {
    const content = kind.content.parse(row);
    return { isPending: false, id: row.id, madeAt: row.changed_at, content };
  }
  return await start(dependencies, kind, key, input);
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly failure: string | null;
  readonly is_final: boolean;
  readonly changed_at: Date;
  readonly has_job: boolean;
  readonly may_retry: boolean;
  readonly is_use_old: boolean;
}

const hasJob = (table: ResultTable) =>
  sql<SqlBool>`exists (select from jobs where ref_id = ${sql.ref(`${table}.id`)} and state in ('queued', 'running'))`;

async function readRow<Shape extends z.ZodRawShape>(
  db: Database,
  { table, content }: ResultKind<Shape>,
  key: string,
): Promise<Row | undefined> {
  const columns = Object.keys(content.shape).map((name) => sql`, ${sql.ref(name)}`);
  const { rows } = await sql<Row>`
    select id, state, failure, is_final, changed_at, ${hasJob(table)} as has_job,
      changed_at < now() - make_interval(secs => ${retryAfterSeconds}) as may_retry,
      used_at < now() - interval '1 hour' as is_use_old ${sql.join(columns, sql``)}
    from ${sql.table(table)} where key = ${key}`.execute(db);
  return rows[0];
}

function failureOf(
  { notNow, refuse }: Pick<ResultKind<z.ZodRawShape>, 'notNow' | 'refuse'>,
  { failure, is_final: isFinal }: Row,
): Problem {
  const later = notNow();
  if (failure === null) return later;
  const reason = storedMessage(failure);
  if (!isFinal) return new Problem(later.code, reason);
  return refuse?.() ?? new Problem('invalid', reason);
}

/** Records a use, though not on every request; false when the result was pruned meanwhile. */
async function noteUse(db: Database, { table }: { readonly table: ResultTable }, id: string) {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set used_at = now() where id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

async function start<Shape extends z.ZodRawShape>(
  { db, messageQueue }: Dependencies,
  kind: ResultKind<Shape>,
  key: string,
  { columns, lock, link }: ResultInput,
): Promise<PendingResult> {
  const table = sql.table(kind.table);
  const { ref, jobId } = await inTransaction(db, async (trx) => {
    await refuseCrowd(trx, kind, key);
    await lock?.(trx);
    const names = Object.keys(columns).map((name) => sql.ref(name));
    const excluded = names.map((name) => sql`${name} = excluded.${name}`);
    await sql`
      insert into ${table} (id, key, state, ${sql.join(names)})
        values (gen_random_uuid(), ${key}, 'pending', ${sql.join(Object.values(columns).map((value) => sql`${value}`))})
      on conflict (key) do update set state = 'pending', failure = null, is_final = false, changed_at = now(), used_at = now(),
          ${sql.join(excluded)}
        where ${sql.ref(`${kind.table}.state`)} = 'failed'`.execute(trx);
    const { rows } = await sql<{ id: string; state: string }>`
      select id, state from ${table} where key = ${key} for update`.execute(trx);
    const [row] = rows;
    if (row === undefined) throw new Error(`a row of ${kind.table} is gone in its own transaction`);
    const enqueued = await enqueueMissingJob(trx, kind.job, row);
    if (enqueued !== undefined) await link?.(trx, row.id);
    return { ref: row.id, jobId: enqueued };
  });
  if (jobId !== undefined) {
    await messageQueue.notify(jobId, 'datasets');
    await pruneResults(db, kind);
  }
  return { isPending: true, ref };
}

async function refuseCrowd(
  trx: Transaction,
  { table, among = sql`true`, waiting }: Pick<ResultKind<z.ZodRawShape>, 'table' | 'among' | 'waiting'>,
  key: string,
): Promise<void> {
  if (waiting === undefined) return;
  const { rows } = await sql`
    select from ${sql.table(table)} where state = 'pending' and key <> ${key} and ${among} limit ${waiting.most}`.execute(
    trx,
  );
  if (rows.length >= waiting.most) throw waiting.refuse();
}

/**
 * Creates the handler of the jobs of a kind. `run` may be interrupted anywhere and run again: a result is visible only after publication.
 * @param kind.notNow the stored reason of a fault of the service; without it none is stored, and a request gets the error of its kind
 */
export function resultHandler(
  {
    table,
    notNow,
  }: Pick<ResultKind<z.ZodRawShape>, 'table'> & Partial<Pick<ResultKind<z.ZodRawShape>, 'notNow'>>,
  run: (attempt: Attempt) => Promise<void>,
): JobHandler {
  return {
    run,
    async fail(trx, id, failure) {
      const later = notNow?.();
      const ofMachine = later && new Message(later.message, later.sentence);
      const reason = isOfMachine(failure) ? ofMachine : failure.reason;
      await sql`
        update ${sql.table(table)} set state = 'failed', failure = ${reason ? messageText(reason) : null},
          is_final = ${isFinal(failure)}, changed_at = now()
        where id = ${id} and state = 'pending'`.execute(trx);
    },
  };
}

/** Returns whether the service, not the input, caused a failure: a child process died, or the store lost an object. */
function isOfMachine({ error }: Failure): boolean {
  return (
    !(error instanceof Problem) || error.cause instanceof EngineDied || error.cause instanceof ObjectMissing
  );
}

/** Returns whether another attempt would fail in the same way. */
export function isFinal(failure: Failure): boolean {
  return !isOfMachine(failure) && failure.error instanceof Problem && failure.error.code === 'invalid';
}

/** Publishes a result with its objects, in the transaction that ends its job; does nothing when it was deleted or already made. */
export async function publishResult(
  trx: Transaction,
  table: ResultTable,
  id: string,
  columns: Readonly<Record<string, string | null>>,
): Promise<void> {
  const { made, objects } = tables[table];
  const set = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set state = ${made}, changed_at = now(), ${sql.join(set)}
    where id = ${id} and state = 'pending'`.execute(trx);
  if (numAffectedRows !== 1n) return;
  for (const key of objects.map((name) => columns[name] ?? null))
    if (key !== null) await publishObject(trx, key);
}

/** Ends the job of a result whose input has changed; waiting requests then ask for the new key. */
export async function discardResult(attempt: Attempt, table: ResultTable): Promise<void> {
  await attempt.publish(async (trx) => {
    await sql`delete from ${sql.table(table)} where id = ${attempt.refId}`.execute(trx);
  });
}

/** Removes results with their jobs. @returns the keys of their objects, which are retired */
export async function removeResults(
  trx: Transaction,
  table: ResultTable,
  condition: RawBuilder<SqlBool>,
): Promise<string[]> {
  const { objects } = tables[table];
  const { rows } = await sql<{ id: string; keys: (string | null)[] }>`
    delete from ${sql.table(table)} where ${condition}
    returning id, array[${sql.join(objects.map((name) => sql.ref(name)))}]::text[] as keys`.execute(trx);
  for (const { id } of rows) await cancelJobs(trx, id);
  return await retireObjects(
    trx,
    rows.flatMap(({ keys }) => keys),
  );
}

/** Removes a batch of results that have not been used for the kept interval; the sweeper removes their objects. */
export async function pruneResults(
  db: Database,
  {
    table,
    among = sql`true`,
    lasting = sql`false`,
    kept,
    mostKept,
  }: Omit<ResultKind<z.ZodRawShape>, 'content'>,
): Promise<void> {
  const name = sql.table(table);
  const surplus =
    mostKept === undefined
      ? sql`false`
      : sql`id in (select id from ${name} where ${among} order by used_at desc, id offset ${mostKept})`;
  const old = sql<SqlBool>`id in (
    select id from ${name}
    where ${among} and not (${lasting}) and (used_at < now() - ${kept} or ${surplus})
      and not (state = 'pending' and ${hasJob(table)})
    order by used_at limit ${mostPruned} for update skip locked)`;
  await inTransaction(db, async (trx) => await removeResults(trx, table, old));
}
