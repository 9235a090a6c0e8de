import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../database/tables/tables.ts';
import { Sentence } from '../../geo/findings.ts';
import { Guid } from '../../validation/fields.ts';
import { exampleNode, exampleRef, exampleRun, exampleRunInput } from '../groups/examples.ts';
import { inputGroups, nodeByCode } from '../graph/graph.ts';
import { LandscapeParams } from '../model/params.ts';
import { RunRecordSummary } from './record-schema.ts';
import type { RunBlocks } from './spread-rows.ts';

export const RunFailure = Sentence.optional().describe(
  '`error` as code and facts; absent without an error, and for an error of an earlier release',
);

const Moment = z.iso.datetime().nullable();

/** A dataset in the role of its group in the graph; a pinned one need not be a member of the group. */
export const LandscapeDatasetRef = z
  .object({
    group: z.string().describe('Dataset group code'),
    dataset_id: Guid.describe('Dataset in the role of the group; it may have been deleted since'),
  })
  .meta({
    id: 'LandscapeDatasetRef',
    description: 'A dataset in the role of its group in the graph',
    examples: [exampleRef],
  });
export type LandscapeDatasetRef = z.infer<typeof LandscapeDatasetRef>;

export const LandscapeRunNode = z
  .object({
    id: Guid.describe('Id of the node in this run'),
    run_id: Guid.describe('Id of the run'),
    node_code: z.string().describe('Code of the node, `XY`: X the stage, Y the function within it'),
    stage: z.int().min(0).max(3).describe('Stage of the graph, as in `from_stage`'),
    status: z
      .enum(['pending', 'running', 'skipped', 'succeeded', 'failed'])
      .describe('The state; `skipped`: an earlier run has computed the same, and its output is reused'),
    fingerprint: z
      .string()
      .describe('SHA-256 of node, inputs and params, lower-case hex; empty until the inputs are resolved'),
    inputs: z.array(LandscapeDatasetRef).nullable().describe('Inputs; null until they are resolved'),
    outputs: z
      .array(LandscapeDatasetRef)
      .nullable()
      .describe('Outputs, made by this run, or reused if skipped'),
    error: z.string().nullable().describe('The reason why it failed, or would fail in a dry run'),
    failure: RunFailure,
    progress: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Present only while it is running: the share of its computed pixels; storage follows'),
    started_at: Moment.describe('The time when its computation began, or it was skipped, UTC; null before'),
    finished_at: Moment.describe('The time when it succeeded, failed or was skipped, UTC; null before'),
  })
  .meta({ id: 'LandscapeRunNode', description: 'A node of the graph in one run', examples: [exampleNode] });
export type LandscapeRunNode = z.infer<typeof LandscapeRunNode>;

const Overrides = z.record(z.string(), Guid);

const LandscapeRunBlocks = z
  .object({
    done: z.int().min(0).describe('Number of computed blocks'),
    total: z.int().min(1).describe('Number of blocks of the grid'),
    engine_away_since: z.iso
      .datetime()
      .nullable()
      .describe(
        'The time since which the workflow engine has not answered the worker that holds the run, UTC: the run waits for the engine; null while it answers',
      ),
  })
  .meta({
    id: 'LandscapeRunBlocks',
    description: 'The progress of a run that is spread over several workers',
    examples: [{ done: 12, total: 49, engine_away_since: null }],
  });

export const LandscapeRun = z
  .object({
    id: Guid.describe('Id of the run'),
    status: z
      .enum(['queued', 'running', 'succeeded', 'failed'])
      .describe('The state; `queued` runs wait for their turn: the service executes one run at a time'),
    params: LandscapeParams.describe('All parameters, including defaults'),
    overrides: Overrides.describe('Pinned dataset by dataset group code'),
    from_stage: z.int().min(0).max(3).nullable().describe('The stage in the request; null without one'),
    error: z.string().nullable().describe('The reason of the failure if `status` is `failed`'),
    failure: RunFailure,
    created_at: z.iso.datetime().describe('The time of the request, UTC'),
    started_at: Moment.describe('The time when it began, UTC; null before'),
    finished_at: Moment.describe('The time when it succeeded or failed, UTC; null before'),
    nodes: z.array(LandscapeRunNode).nullable().describe('Nodes in the order of their codes; null in lists'),
    blocks: LandscapeRunBlocks.optional().describe(
      'Present only in a single run, while it is distributed to several workers: publishing its outputs follows the last block',
    ),
    record: RunRecordSummary.optional().describe('The record of the run; absent without one'),
  })
  .meta({ id: 'LandscapeRun', description: 'A run of the graph', examples: [exampleRun] });
export type LandscapeRun = z.infer<typeof LandscapeRun>;

/** The request for a run. It has no `id` in /openapi.json, because the input form of `LandscapeRun` has that name. */
export const LandscapeRunInput = z
  .object({
    from_stage: z
      .int()
      .min(0)
      .max(3)
      .nullish()
      .describe(
        'Nodes of this stage and later are computed again; 0 computes all nodes, null only the necessary ones',
      ),
    overrides: z
      .partialRecord(z.enum([...inputGroups]), Guid)
      .nullish()
      .describe('Dataset to use by group code: of an input slot, or of an output that other nodes read'),
    params: LandscapeParams.nullish().describe('Omitted parameters take their default'),
  })
  .meta({
    description: 'The settings of a run; all of them may be omitted',
    examples: [exampleRunInput],
  });

/** The columns of an answer, without those of the plan, which are large: runs are polled. */
export const runColumns = [
  'id',
  'status',
  'params',
  'overrides',
  'from_stage',
  'graph_version',
  'error',
  'failure',
  'created_at',
  'started_at',
  'finished_at',
] as const;
export const nodeColumns = [
  'id',
  'run_id',
  'node_code',
  'stage',
  'status',
  'fingerprint',
  'inputs',
  'output_id',
  'start_date',
  'end_date',
  'error',
  'failure',
  'progress',
  'started_at',
  'finished_at',
] as const;
export type RunRow = Pick<Selectable<Tables['landscape_runs']>, (typeof runColumns)[number]> & {
  readonly record: RunRecordSummary | null;
};
export type NodeRow = Pick<Selectable<Tables['landscape_run_nodes']>, (typeof nodeColumns)[number]>;

/** Parses the dataset ids by group code of a stored run. */
export function parseOverrides(json: string): Readonly<Record<string, string>> {
  return Overrides.parse(JSON.parse(json));
}

/** Parses the inputs of a stored node; null before its run is planned. */
export function parseInputs(json: string | null): LandscapeDatasetRef[] | null {
  return json === null ? null : z.array(LandscapeDatasetRef).parse(JSON.parse(json));
}

/** Converts a run to an answer, with the rows of its nodes in the order of their codes, or without. */
export function toRun(row: RunRow, nodeRows: readonly NodeRow[] | null, blocks?: RunBlocks): LandscapeRun {
  return {
    id: row.id,
    status: row.status,
    params: LandscapeParams.parse(JSON.parse(row.params)),
    overrides: parseOverrides(row.overrides),
    from_stage: row.from_stage,
    error: row.error,
    ...failureOf(row.failure),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    nodes: nodeRows === null ? null : nodeRows.map(toRunNode),
    ...(blocks === undefined ? {} : { blocks: toBlocks(blocks) }),
    ...(row.record === null ? {} : { record: row.record }),
  };
}

function toBlocks({ done, total, engineAwaySince }: RunBlocks): z.infer<typeof LandscapeRunBlocks> {
  return { done, total, engine_away_since: engineAwaySince?.toISOString() ?? null };
}

/** Returns the member of an answer with code and facts of its error. */
export function failureOf(stored: string | null): { failure?: z.infer<typeof Sentence> } {
  return stored === null ? {} : { failure: Sentence.parse(JSON.parse(stored)) };
}

function toRunNode(row: NodeRow): LandscapeRunNode {
  return {
    id: row.id,
    run_id: row.run_id,
    node_code: row.node_code,
    stage: row.stage,
    status: row.status,
    fingerprint: row.fingerprint,
    inputs: parseInputs(row.inputs),
    outputs: outputsOf(row),
    error: row.error,
    ...failureOf(row.failure),
    ...(row.status === 'running' ? { progress: row.progress } : {}),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** Returns the outputs of a node; the id of an output is reserved before it exists. */
function outputsOf({ status, node_code, output_id }: NodeRow): LandscapeDatasetRef[] | null {
  const isThere = status === 'skipped' || status === 'succeeded';
  const group = nodeByCode(node_code)?.output.group;
  return isThere && output_id !== null && group !== undefined ? [{ group, dataset_id: output_id }] : null;
}
