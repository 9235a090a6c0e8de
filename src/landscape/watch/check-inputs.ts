import { sql, type Selectable } from 'kysely';
import { z } from 'zod';
import type { Logger } from 'pino';
import type { Tables, Transaction } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { Message } from '../../lib/message.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { LandscapeParams } from '../model/params.ts';
import type { RunInput } from '../runs/input.ts';
import { planRunNow, storedInput } from '../plan/plan-now.ts';
import { resolveInputs } from '../plan/plan-inputs.ts';
import { PlannedInput } from '../runs/plan-schema.ts';
import { findAdoptedRun, writeFirstRecord } from '../runs/record.ts';
import { insertRun } from '../runs/run-rows.ts';
import { changesSince, findNewestRun, keyOfInputs, readRasters } from './changed-inputs.ts';
import { wordsOfDraft } from './draft-words.ts';
import { type ComparingDependencies, prepareComparison } from './prepare-comparison.ts';
import type { InputChange } from './watch-schema.ts';
import { startRepeating } from '../../lib/concurrency/repeating.ts';

/**
 * Checks once which inputs a run would read, if the watch is on: records a change, and makes a draft when the inputs have not changed for
 * the hold. Any number of processes may check at once, and may be interrupted anywhere: a decision is made in one transaction that locks
 * the row of the watch, and includes the run and its job.
 * @returns the id of the new draft
 */
export async function checkInputs(dependencies: ComparingDependencies): Promise<string | undefined> {
  const { db, messageQueue } = dependencies;
  const made = await inTransaction(db, checkOnce);
  if (made !== undefined) await messageQueue.notify(made.jobId, 'runs');
  await prepareComparison(dependencies);
  return made?.id;
}

type Made = Awaited<ReturnType<typeof insertRun>>;

async function checkOnce(trx: Transaction): Promise<Made | undefined> {
  const watch = await trx
    .selectFrom('landscape_watch')
    .select(['language', 'hold_seconds', 'seen_key', 'settled_key'])
    .select(sql<boolean | null>`seen_at + make_interval(secs => hold_seconds) <= now()`.as('is_due'))
    .where('is_on', '=', true)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (watch === undefined) return undefined;
  const adopted = await findAdoptedRun(trx);
  const wanted: RunInput =
    adopted === undefined
      ? { params: LandscapeParams.parse({}), overrides: {}, fromStage: null }
      : { ...storedInput(adopted), fromStage: null };
  const { planned } = await resolveInputs(trx, wanted.overrides);
  const key = keyOfInputs(planned);
  const isNew = key !== watch.seen_key;
  if (key === watch.settled_key) {
    if (isNew) await recordChange(trx, key, []);
    return undefined;
  }
  const isDue = isNew ? watch.hold_seconds === 0 : watch.is_due === true;
  if (!isNew && !isDue) return undefined;
  const compared = adopted?.id ?? (await findNewestRun(trx));
  const changes = await changesSince(trx, compared, planned);
  if (isNew) await recordChange(trx, key, changes);
  const verdict = await judge(trx, { wanted, key, changes, compared });
  if (verdict === undefined) return undefined; // an input has just changed
  if (verdict.outcome !== 'draft') {
    await recordOutcome(trx, key, verdict);
    return undefined;
  }
  if (!isDue || (await isRunInProgress(trx))) return undefined;
  return await makeDraft(trx, { key, changes, wanted, watch, hasAdopted: adopted !== undefined });
}

async function recordChange(trx: Transaction, key: string, changes: readonly InputChange[]): Promise<void> {
  await trx
    .updateTable('landscape_watch')
    .set({ seen_key: key, seen_at: sql<Date>`now()`, changed: JSON.stringify(changes) })
    .execute();
}

type Verdict =
  | { readonly outcome: 'draft' }
  | { readonly outcome: 'made_before' | 'same'; readonly runId: string | null }
  | { readonly outcome: 'cannot_begin'; readonly error: Message };

interface Judged {
  readonly wanted: RunInput;
  readonly key: string;
  readonly changes: readonly InputChange[];
  /** The run with which the inputs are compared. */
  readonly compared: string | undefined;
}

/** Decides whether these inputs need a draft; undefined when the inputs have changed meanwhile. */
async function judge(
  trx: Transaction,
  { wanted, key, changes, compared }: Judged,
): Promise<Verdict | undefined> {
  if (changes.length === 0) return { outcome: 'same', runId: compared ?? null };
  const before = await findDraft(trx, key);
  if (before !== undefined) return { outcome: 'made_before', runId: before };
  const { plan, inputs } = await planRunNow(trx, wanted);
  if (keyOfInputs(inputs) !== key) return undefined;
  if ('fault' in plan) return { outcome: 'cannot_begin', error: plan.fault.error };
  if (plan.unfit !== undefined) return { outcome: 'cannot_begin', error: plan.unfit.error };
  if (plan.nodes.some(({ reuses }) => !reuses)) return { outcome: 'draft' };
  return { outcome: 'same', runId: plan.nodes.at(-1)?.reason.compared_with ?? null };
}

/** Finds the draft of these inputs. After its start, the inputs that it has read count, not those for which it was made. */
async function findDraft(trx: Transaction, key: string): Promise<string | undefined> {
  const rows = await trx
    .selectFrom('landscape_watch_drafts as draft')
    .innerJoin('landscape_runs as run', 'run.id', 'draft.run_id')
    .select(['draft.key', 'draft.run_id', 'run.planned_inputs'])
    .where((eb) =>
      eb.or([
        eb('draft.key', '=', key),
        eb(
          'draft.run_id',
          '=',
          sql<string>`(select run_id from landscape_watch_drafts order by made_at desc limit 1)`,
        ),
      ]),
    )
    .execute();
  return rows.find((row) => keyOfDraft(row) === key)?.run_id;
}

function keyOfDraft({
  key,
  planned_inputs: planned,
}: {
  readonly key: string;
  readonly planned_inputs: unknown;
}) {
  return planned === null ? key : keyOfInputs(z.array(PlannedInput).parse(planned));
}

async function isRunInProgress(trx: Transaction): Promise<boolean> {
  const row = await trx
    .selectFrom('landscape_runs')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function recordOutcome(
  trx: Transaction,
  key: string,
  verdict: Exclude<Verdict, { outcome: 'draft' }>,
): Promise<void> {
  const failure =
    verdict.outcome === 'cannot_begin'
      ? JSON.stringify({ english: verdict.error.english, sentence: verdict.error.sentence })
      : null;
  const runId = verdict.outcome === 'cannot_begin' ? null : verdict.runId;
  await recordDecision(trx, {
    settled_key: key,
    outcome: verdict.outcome,
    outcome_run_id: runId,
    outcome_failure: failure,
  });
}

type Decision = Pick<
  Selectable<Tables['landscape_watch']>,
  'settled_key' | 'outcome' | 'outcome_run_id' | 'outcome_failure'
>;

async function recordDecision(trx: Transaction, decision: Decision): Promise<void> {
  await trx
    .updateTable('landscape_watch')
    .set({ ...decision, settled_at: sql<Date>`now()` })
    .execute();
}

interface Wanted {
  readonly key: string;
  readonly changes: readonly InputChange[];
  readonly wanted: RunInput;
  readonly watch: { readonly language: Language };
  readonly hasAdopted: boolean;
}

async function makeDraft(
  trx: Transaction,
  { key, changes, wanted, watch, hasAdopted }: Wanted,
): Promise<Made> {
  const made = await insertRun(trx, wanted);
  const rasters = await readRasters(trx, changes);
  await writeFirstRecord(
    trx,
    made.id,
    wordsOfDraft(changes, { rasters, hasAdopted, language: watch.language }),
  );
  const draft = { run_id: made.id, changed: JSON.stringify(changes), compared_with: null };
  await trx
    .insertInto('landscape_watch_drafts')
    .values({ key, ...draft })
    // A draft that was made for these inputs, but has read others.
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ ...draft, made_at: sql<Date>`now()` }))
    .execute();
  await recordDecision(trx, {
    settled_key: key,
    outcome: 'draft',
    outcome_run_id: made.id,
    outcome_failure: null,
  });
  return made;
}

const everyMs = 2000;

/** Checks the inputs of the program every two seconds until it is closed; one query if the watch is off. */
export function startWatch(dependencies: ComparingDependencies, log: Pick<Logger, 'info' | 'warn'>) {
  return startRepeating(async () => {
    const runId = await checkInputs(dependencies).catch((err: unknown) => {
      log.warn({ err }, 'the inputs of the landscape program are checked again');
    });
    if (runId !== undefined) log.info({ runId }, 'the watch has made a draft run');
    return everyMs;
  }, everyMs);
}
