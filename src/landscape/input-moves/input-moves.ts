import { hash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { PendingResult } from '../../jobs/results.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { storedMessage } from '../../geo/findings.ts';
import { enqueueMissingJob } from '../../jobs/enqueue.ts';
import { hasJob, mayRetry } from '../../jobs/requested-results.ts';
import { Problem } from '../../lib/errors.ts';
import { type Message, messageText } from '../../lib/message.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { limitProblems } from '../../messages/landscape/limits.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { graphVersion } from '../graph/graph.ts';
import { titleOf } from '../groups/titles.ts';
import { readZonedRun } from '../layers/layers.ts';
import { type GapInputs, gapInputsOf } from '../gaps/gaps.ts';
import type { StoredRun } from '../runs/run-rows.ts';
import type { LandscapeInputSensitivity } from './input-sensitivity-schema.ts';
import { blockSide, defaultSample } from './sample-blocks.ts';

/** A rise has everything computed again: what is done to inputs and to their changes is a part of the key. */
const methodVersion = 1;

/** How much of the zoning one input changes, by the key of its band. */
const MovedInput = z.object({
  key: z.string(),
  decreased: z.object({ share: z.number(), standardError: z.number() }),
  increased: z.object({ share: z.number(), standardError: z.number() }),
});
export const MoveFigures = z.object({
  blocks: z.int().nonnegative(),
  ofBlocks: z.int().nonnegative(),
  inputs: z.array(MovedInput),
});
export type MoveFigures = z.infer<typeof MoveFigures>;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

interface SensitivityRequest {
  readonly runId: string;
  /** Whole percent. */
  readonly delta: number;
  readonly language: Language;
}

/**
 * Returns how much of the zoning of a run changes when one of its inputs is moved, or has that computed. Runs that read the same with the
 * same parameters share the figures. Any number of processes may ask at once.
 * @throws {Problem} `not_found`, `conflict` before the run has succeeded, or where it cannot be computed any more
 */
export async function inputSensitivityOf(
  dependencies: Dependencies,
  { runId, delta, language }: SensitivityRequest,
): Promise<{ readonly isPending: false; readonly answer: LandscapeInputSensitivity } | PendingResult> {
  const run = await readZonedRun(dependencies.db, runId);
  const found = movableInputs(run);
  const key = keyOf(run, found, delta);
  const row = await dependencies.db
    .selectFrom('input_moves')
    .select([
      'id',
      'state',
      'figures',
      'failure',
      hasJob('input_moves').as('has_job'),
      mayRetry('input_moves').as('may_retry'),
    ])
    .where('key', '=', key)
    .executeTakeFirst();
  if (row?.state === 'failed' && !row.may_retry) throw new Problem('conflict', storedMessage(row.failure));
  if (row?.state === 'pending' && row.has_job) return { isPending: true, ref: row.id };
  if (row === undefined || row.figures === null)
    return { isPending: true, ref: await start(dependencies, { key, runId, delta }) };
  const figures = MoveFigures.parse(JSON.parse(row.figures));
  return { isPending: false, answer: toAnswer({ runId, delta, language }, found, figures) };
}

/** Finds what the zoning of a run depends on. @throws {Problem} where today's graph would not compute the run's zoning. */
export function movableInputs(run: StoredRun): GapInputs {
  const found = gapInputsOf(run);
  if (found === undefined || (run.graphVersion ?? 1) !== graphVersion) throw limitProblems.otherGraph();
  return found;
}

/** `window_size` changes no value. */
function keyOf({ params }: StoredRun, { key }: GapInputs, delta: number): string {
  const { window_size: _, ...others } = params;
  const method = { version: methodVersion, blockSide, ...defaultSample };
  return hash('sha256', JSON.stringify({ method, inputs: key, params: others, delta }), 'hex');
}

/** @returns what the job is about. */
async function start(
  { db, messageQueue }: Dependencies,
  { key, runId, delta }: { readonly key: string; readonly runId: string; readonly delta: number },
): Promise<string> {
  const { ref, jobId } = await inTransaction(db, async (trx) => {
    await sql`
      insert into input_moves (id, key, run_id, delta_percent, state)
        values (${randomUUID()}, ${key}, ${runId}, ${delta}, 'pending')
      on conflict (key) do update set state = 'pending', run_id = excluded.run_id, failure = null, changed_at = now()
        where input_moves.state = 'failed'`.execute(trx);
    const row = await trx
      .selectFrom('input_moves')
      .select(['id', 'state'])
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirstOrThrow();
    return { ref: row.id, jobId: await enqueueMissingJob(trx, 'move-inputs', row) };
  });
  if (jobId !== undefined) await messageQueue.notify(jobId, 'datasets');
  return ref;
}

/** Keeps what was computed; does nothing when that is known. */
export async function storeMoves(trx: Transaction, id: string, figures: MoveFigures): Promise<void> {
  await trx
    .updateTable('input_moves')
    .set({ state: 'made', figures: JSON.stringify(figures), changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

/** Keeps why it could not be computed. */
export async function storeMoveFailure(trx: Transaction, id: string, reason: Message): Promise<void> {
  await trx
    .updateTable('input_moves')
    .set({ state: 'failed', failure: messageText(reason), changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

function toAnswer(
  { runId, delta, language }: SensitivityRequest,
  { inputs }: GapInputs,
  { blocks, ofBlocks, inputs: figures }: MoveFigures,
): LandscapeInputSensitivity {
  const answered = inputs.map(({ band, datasetId }) => {
    const moved = figures.find(({ key }) => key === band.key);
    return {
      group: band.group,
      title: titleOf(band.group, language) ?? band.title,
      dataset_id: datasetId,
      is_moved: moved !== undefined,
      decreased: moved === undefined ? null : toShare(moved.decreased),
      increased: moved === undefined ? null : toShare(moved.increased),
    };
  });
  const greatest = ({ decreased, increased }: (typeof answered)[number]) =>
    Math.max(decreased?.changed_share ?? -1, increased?.changed_share ?? -1);
  return {
    run_id: runId,
    delta_percent: delta,
    node: '34',
    sample: { blocks, of_blocks: ofBlocks, block_side: blockSide, is_whole: blocks === ofBlocks },
    inputs: answered.toSorted((one, other) => greatest(other) - greatest(one)),
  };
}

function toShare({ share, standardError }: { readonly share: number; readonly standardError: number }) {
  return { changed_share: share, standard_error: standardError };
}
