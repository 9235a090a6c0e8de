import { sql, type Selectable } from 'kysely';
import type { Database, RecordState, Tables, Transaction } from '../../database/tables/tables.ts';
import { type Page, readPage, type Slice } from '../../database/page.ts';
import { inTransaction } from '../../database/transaction.ts';
import { landscapeProblems, recordProblems } from '../../messages/runs/english.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { adoptDatasets, releaseDatasets, restyledOfRun } from './adoption.ts';
import {
  type RecordContent,
  type RunRecord,
  type RunRecordChange,
  RunRecordInput,
  type RunRecordSummary,
} from './record-schema.ts';

/** The author of a change: the name for people, and the name in the access log; both null without authentication. */
export interface Author {
  readonly name: string | null;
  readonly credentials: string | null;
}

const emptyContent: RecordContent = { name: null, note: null, state: 'draft', basis: null };

/** The record of each run in a query of `landscape_runs`; null without one. */
export const recordOfRun = sql<RunRecordSummary | null>`(
  select jsonb_build_object('name', name, 'state', state)
    || jsonb_strip_nulls(jsonb_build_object('restyled', ${restyledOfRun}))
  from landscape_run_records where run_id = landscape_runs.id order by revision desc limit 1)`.as('record');

/** The condition that the record of a run has a state; a run without a record is a draft. */
export const hasState = (state: RecordState) => sql<boolean>`coalesce((
  select state from landscape_run_records
  where run_id = landscape_runs.id order by revision desc limit 1), 'draft') = ${state}`;

/** Returns the record of a run; an empty draft of revision 0 without one. @throws {Problem} `not_found` */
export async function readRecord(db: Database | Transaction, runId: string): Promise<RunRecord> {
  const row = await db
    .selectFrom('landscape_run_records')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) {
    await requireRun(db, runId);
    return { run_id: runId, ...emptyContent, revision: 0, changed_by: null, changed_at: null };
  }
  return {
    run_id: runId,
    ...contentOf(row),
    revision: row.revision,
    changed_by: row.changed_by,
    changed_at: row.changed_at.toISOString(),
  };
}

async function requireRun(db: Database | Transaction, id: string): Promise<void> {
  const run = await db.selectFrom('landscape_runs').select('id').where('id', '=', id).executeTakeFirst();
  if (run === undefined) throw landscapeProblems.noSuchRun();
}

/**
 * Replaces the record of a run with a new revision; an equal record changes nothing. While its state is `adopted`, the datasets of the
 * run cannot be deleted.
 * @param change.isExpected returns whether the author has seen the current revision.
 * @throws {Problem} `not_found`; `invalid`, naming every field; `precondition_failed`; `conflict` when the run cannot be adopted
 */
export async function replaceRecord(
  db: Database,
  runId: string,
  change: {
    readonly body: unknown;
    readonly author: Author;
    readonly isExpected: (revision: number) => boolean;
  },
): Promise<RunRecord> {
  return await inTransaction(db, async (trx) => {
    const run = await trx
      .selectFrom('landscape_runs')
      .select(['id', 'status'])
      .where('id', '=', runId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (run === undefined) throw landscapeProblems.noSuchRun();
    const input = parseBody(RunRecordInput, change.body);
    const before = await readRecord(trx, runId);
    // An omitted state stays unchanged: a new name does not end an adoption.
    const content = withoutBlanks({ ...input, state: input.state ?? before.state });
    if (!change.isExpected(before.revision)) throw recordProblems.changed();
    if (JSON.stringify(content) === JSON.stringify(contentOf(before))) return before;
    if (content.state === 'adopted') await adoptDatasets(trx, run);
    else await releaseDatasets(trx, runId);
    const { name: changed_by, credentials } = change.author;
    const revision = before.revision + 1;
    await trx
      .insertInto('landscape_run_records')
      .values({ run_id: runId, revision, ...content, changed_by, credentials })
      .execute();
    return await readRecord(trx, runId);
  });
}

/** Writes the first record, a draft, of a run that the service has started by itself. */
export async function writeFirstRecord(
  trx: Transaction,
  runId: string,
  { name, note }: Pick<RecordContent, 'name' | 'note'>,
): Promise<void> {
  await trx
    .insertInto('landscape_run_records')
    .values({ run_id: runId, revision: 1, ...emptyContent, name, note, changed_by: null, credentials: null })
    .execute();
}

/** Finds the adopted run with the latest adoption; later changes of its record do not count. */
export async function findAdoptedRun(db: Database | Transaction) {
  const { rows } = await sql<AdoptedRun>`
    select run.id, run.params, run.overrides, run.from_stage
      from landscape_run_records last
      join landscape_runs run on run.id = last.run_id
     where last.state = 'adopted' and not exists (
             select from landscape_run_records later where later.run_id = last.run_id and later.revision > last.revision)
     order by (
       select min(since.changed_at) from landscape_run_records since
        where since.run_id = last.run_id and since.revision > coalesce((
                select max(revision) from landscape_run_records before
                 where before.run_id = last.run_id and before.state <> 'adopted'), 0)) desc, run.id
     limit 1`.execute(db);
  return rows[0];
}

type AdoptedRun = Pick<Selectable<Tables['landscape_runs']>, 'id' | 'params' | 'overrides' | 'from_stage'>;

function withoutBlanks({ name, note, state, basis }: RecordContent): RecordContent {
  return { name: filled(name), note: filled(note), state, basis: filled(basis) };
}

function filled(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

function contentOf({ name, note, state, basis }: RecordContent): RecordContent {
  return { name, note, state, basis };
}

/** The content of the previous revision. */
const contentBefore = sql<RecordContent | null>`(
  select jsonb_build_object('name', name, 'note', note, 'state', state, 'basis', basis)
  from landscape_run_records earlier
  where earlier.run_id = landscape_run_records.run_id and earlier.revision = landscape_run_records.revision - 1)`;

/** Lists one page of the changes of a record, newest first, with their number. @throws {Problem} `not_found` */
export async function listRecordChanges(
  db: Database,
  runId: string,
  slice: Slice,
): Promise<Page<RunRecordChange>> {
  const newestFirst = db
    .selectFrom('landscape_run_records')
    .selectAll()
    .select(contentBefore.as('before'))
    .where('run_id', '=', runId)
    .orderBy('revision', 'desc');
  const page = await readPage(newestFirst, slice, toChange);
  if (page.total === 0) await requireRun(db, runId);
  return page;
}

type ChangeRow = Selectable<Tables['landscape_run_records']> & { readonly before: RecordContent | null };

function toChange(row: ChangeRow): RunRecordChange {
  return {
    revision: row.revision,
    from: contentOf(row.before ?? emptyContent),
    to: contentOf(row),
    changed_by: row.changed_by,
    changed_at: row.changed_at.toISOString(),
  };
}
