import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { jsonText, type PendingResult, type ResultKind, want } from '../../jobs/results.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { limitProblems } from '../../messages/zoning/english.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { graphVersion } from '../graph/graph.ts';
import { titleOf } from '../groups/titles.ts';
import { readZonedRun } from '../layers/layers.ts';
import { type GapInputs, gapInputsOf } from '../gaps/gaps.ts';
import type { StoredRun } from '../runs/run-rows.ts';
import type { LandscapeInputSensitivity } from './input-sensitivity-schema.ts';
import { blockSide, defaultSample } from './sample-blocks.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

/** Part of the key: raise it when the change of inputs or its evaluation changes, so that everything is computed again. */
const methodVersion = 1;

/** The share of the zoning that one input changes, by the key of its band. */
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

export const inputMoves = {
  job: 'move-inputs',
  table: 'input_moves',
  content: z.object({ figures: jsonText(MoveFigures) }),
  kept: sql`interval '90 days'`,
  notNow: limitProblems.notMoved,
} as const satisfies ResultKind<z.ZodRawShape>;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

interface SensitivityRequest {
  readonly runId: string;
  /** The change in whole percent. */
  readonly delta: number;
  readonly language: Language;
}

/**
 * Returns the shares of the zoning of a run that change with each of its inputs, or has them computed. Runs with the same inputs and
 * parameters share the figures. Any number of processes may ask at once.
 * @throws {Problem} `not_found`, `conflict` before the run has succeeded, or when it can no longer be computed
 */
export async function inputSensitivityOf(
  dependencies: Dependencies,
  { runId, delta, language }: SensitivityRequest,
): Promise<{ readonly isPending: false; readonly answer: LandscapeInputSensitivity } | PendingResult> {
  const run = await readZonedRun(dependencies.db, runId);
  const found = movableInputs(run);
  const columns = { run_id: runId, delta_percent: delta };
  const made = await want(dependencies, inputMoves, keyOf(run, found, delta), { columns });
  if (made.isPending) return made;
  const { figures } = made.content;
  return { isPending: false, answer: toAnswer({ runId, delta, language }, found, figures) };
}

/** Returns the inputs of the zoning of a run. @throws {Problem} when the current graph would not compute the zoning of the run. */
export function movableInputs(run: StoredRun): GapInputs {
  const found = gapInputsOf(run);
  if (found === undefined || (run.graphVersion ?? 1) !== graphVersion) throw limitProblems.otherGraph();
  return found;
}

/** Returns the key; `window_size` has no effect on values. */
function keyOf({ params }: StoredRun, { key }: GapInputs, delta: number): string {
  const { window_size: _, ...others } = params;
  const method = { version: methodVersion, blockSide, ...defaultSample };
  return hash('sha256', JSON.stringify({ method, inputs: key, params: others, delta }), 'hex');
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
    node: zoningCode,
    sample: { blocks, of_blocks: ofBlocks, block_side: blockSide, is_whole: blocks === ofBlocks },
    inputs: answered.toSorted((one, other) => greatest(other) - greatest(one)),
  };
}

function toShare({ share, standardError }: { readonly share: number; readonly standardError: number }) {
  return { changed_share: share, standard_error: standardError };
}
