import { sql } from 'kysely';
import type { Database } from '../../database/tables/tables.ts';
import { inSnapshot } from '../../database/transaction.ts';
import { storedMessage } from '../../geo/findings.ts';
import { secondsOfHold } from '../../lib/durations.ts';
import { Message } from '../../lib/message.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { findAdoptedRun } from '../runs/record.ts';
import { failureOf, parseOverrides } from '../runs/schema.ts';
import { type NamedRaster, parseChanges, readRasters } from './changed-inputs.ts';
import { titleOfInput } from './draft-words.ts';
import type { InputChange, LandscapeWatch, LandscapeWatchInput } from './watch-schema.ts';

/** Switches the watch on, or changes its hold. @param language of the names and notes of its drafts. */
export async function switchOn(
  db: Database,
  { hold }: LandscapeWatchInput,
  language: Language,
): Promise<void> {
  const settings = { is_on: true, hold, hold_seconds: secondsOfHold(hold), language };
  await db
    .insertInto('landscape_watch')
    .values(settings)
    // Inputs that changed while it was off wait for the whole hold again.
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...settings,
        seen_key: sql<string | null>`case when landscape_watch.is_on then landscape_watch.seen_key end`,
      }),
    )
    .execute();
}

/** Switches the watch off; its drafts and its last decision are kept. */
export async function switchOff(db: Database): Promise<void> {
  await db.updateTable('landscape_watch').set({ is_on: false }).execute();
}

/** Returns the settings, the state and the last decision of the watch, in a language. */
export async function readWatch(db: Database, language: Language): Promise<LandscapeWatch> {
  return await inSnapshot(db, async (trx) => {
    const row = await readRow(trx);
    const adopted = await findAdoptedRun(trx);
    const draft = await readLastDraft(trx);
    const isWaiting = row?.is_on === true && row.seen_key !== null && row.seen_key !== row.settled_key;
    const [waitsFor, madeOf] = [
      isWaiting ? parseChanges(row.changed) : [],
      parseChanges(draft?.changed ?? null),
    ];
    const rasters = await readRasters(trx, [...waitsFor, ...madeOf]);
    const described = (changes: readonly InputChange[]) => describeChanges(changes, rasters, language);
    return {
      on: row?.is_on === true ? 'input' : null,
      hold: row?.hold ?? null,
      state: row?.is_on === true ? (isWaiting ? waitingState(row) : 'idle') : 'off',
      waiting_until: isWaiting ? row.due_at.toISOString() : null,
      changed: described(waitsFor),
      outcome: row === undefined ? null : outcomeOf(row, language),
      adopted_run_id: adopted?.id ?? null,
      pinned: adopted === undefined ? [] : Object.keys(parseOverrides(adopted.overrides)).toSorted(),
      last:
        draft === undefined
          ? null
          : lastOf(draft, { adopted: adopted?.id, changed: described(madeOf), language }),
    };
  });
}

async function readRow(db: Database) {
  return await db
    .selectFrom('landscape_watch')
    .selectAll()
    .select([
      sql<Date>`seen_at + make_interval(secs => hold_seconds)`.as('due_at'),
      sql<boolean>`seen_at + make_interval(secs => hold_seconds) <= now()`.as('is_due'),
      sql<boolean>`exists (select from landscape_runs where status in ('queued', 'running'))`.as(
        'is_running',
      ),
    ])
    .executeTakeFirst();
}
type WatchRow = NonNullable<Awaited<ReturnType<typeof readRow>>>;

function waitingState({ is_due: isDue, is_running: isRunning }: WatchRow): LandscapeWatch['state'] {
  return isDue && isRunning ? 'run_in_progress' : 'waiting';
}

function outcomeOf(row: WatchRow, language: Language): LandscapeWatch['outcome'] {
  const { outcome, outcome_run_id, outcome_failure: failure, settled_at } = row;
  if (outcome === null || settled_at === null) return null;
  return {
    result: outcome,
    run_id: outcome_run_id,
    error: failure === null ? null : translate(storedMessage(failure), language),
    decided_at: settled_at.toISOString(),
  };
}

async function readLastDraft(db: Database) {
  return await db
    .selectFrom('landscape_watch_drafts as draft')
    .innerJoin('landscape_runs as run', 'run.id', 'draft.run_id')
    .innerJoin('landscape_run_records as record', 'record.run_id', 'draft.run_id')
    .select(['draft.run_id', 'draft.made_at', 'draft.changed', 'run.status', 'run.error', 'run.failure'])
    .select(['record.name', 'record.state'])
    .orderBy('draft.made_at', 'desc')
    .orderBy('record.revision', 'desc')
    .limit(1)
    .executeTakeFirst();
}
type DraftRow = NonNullable<Awaited<ReturnType<typeof readLastDraft>>>;

interface Described {
  readonly adopted: string | undefined;
  readonly changed: LandscapeWatch['changed'];
  readonly language: Language;
}

function lastOf(
  draft: DraftRow,
  { adopted, changed, language }: Described,
): NonNullable<LandscapeWatch['last']> {
  const { run_id, name, made_at, status, state, error } = draft;
  const failure = failureOf(draft.failure);
  const isComparable = status === 'succeeded' && adopted !== undefined && adopted !== run_id;
  return {
    run_id,
    name,
    made_at: made_at.toISOString(),
    status,
    error: error === null ? null : translate(new Message(error, failure.failure), language),
    ...failure,
    record_state: state,
    changed,
    comparison: isComparable ? `/landscape/runs/${adopted}/compare/${run_id}` : null,
  };
}

function describeChanges(
  changes: readonly InputChange[],
  rasters: ReadonlyMap<string, NamedRaster>,
  language: Language,
): LandscapeWatch['changed'] {
  const rasterOf = (id: string | null) =>
    id === null ? null : { dataset_id: id, name: rasters.get(id)?.name ?? null };
  return changes.map(({ group, from, to }) => ({
    group,
    title: titleOfInput(language, group),
    from: rasterOf(from),
    to: rasterOf(to),
  }));
}
