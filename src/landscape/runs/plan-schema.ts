import { z } from 'zod';
import { DatasetSummary } from '../../datasets/schema.ts';
import { Guid } from '../../validation/fields.ts';
import { InputFinding } from '../fitness/finding.ts';
import { examplePlan } from '../groups/examples.ts';
import { LandscapeParams } from '../model/params.ts';
import { RunFailure } from './schema.ts';

export const PlannedInput = z.object({
  group: z.string().describe('Code of a slot, or of a pinned group'),
  dataset: DatasetSummary.nullable().describe('The dataset that the run reads; null without a ready raster'),
  because: z
    .enum(['pinned', 'only', 'later_end_date', 'newer_upload', 'none'])
    .describe(
      'The reason for this dataset: it is pinned, or the only ready raster, or the latest by `end_date`, or by upload among equal ones',
    ),
  waiting: DatasetSummary.nullable().describe(
    'The freshest dataset of the group, if another one is not ready yet: a run will read it once it is ready',
  ),
  findings: z
    .array(InputFinding)
    .optional()
    .describe(
      'What keeps the dataset from being what the slot takes, judged by its report, its statistics and its place on the earth: what stops a ' +
        'run comes first. Empty where nothing was found; absent from plans of earlier releases',
    ),
});

export type PlannedInput = z.infer<typeof PlannedInput>;

const ChangedInput = z.object({
  group: z.string().describe('Dataset group code'),
  from: Guid.nullable().describe('Dataset that the node read last time; null if it did not read the group'),
  to: Guid.nullable().describe('Dataset that it reads in this run; null if this run makes it'),
});

const ParamValue = z.union([z.int(), z.array(z.int())]);

export const PlannedNode = z.object({
  node_code: z.string().describe('Code of the node'),
  action: z.enum(['compute', 'reuse']).describe('The action of the run on the node'),
  reason: z
    .enum(['first', 'inputs', 'params', 'forced', 'output_gone', 'algorithm', 'same'])
    .nullable()
    .describe('The reason; null for a run of a release that did not record reasons'),
  inputs: z
    .array(ChangedInput)
    .describe('The inputs that differ from last time; empty if the same was computed before'),
  params: z
    .array(
      z.object({
        name: z.string().describe('Name of the parameter, as in `LandscapeParams`'),
        from: ParamValue.describe('Value last time'),
        to: ParamValue.describe('Value in this run'),
      }),
    )
    .describe('Parameters of the node that differ from last time'),
  compared_with: Guid.nullable().describe(
    'The newest run that finished the same computation, otherwise the last computation of the node; null without such a run',
  ),
  output: Guid.nullable().describe('Dataset that is reused; null if it is computed'),
});
export type PlannedNode = z.infer<typeof PlannedNode>;

export const LandscapePlan = z
  .object({
    planned_at: z.iso
      .datetime()
      .nullable()
      .describe('When the run began and this was planned, UTC; null for a plan of a run that has not begun'),
    params: LandscapeParams,
    overrides: z.record(z.string(), Guid).describe('Pinned dataset by dataset group code'),
    from_stage: z.int().min(0).max(3).nullable().describe('The stage in the request; null without one'),
    error: z
      .string()
      .nullable()
      .describe('The reason why the run could not begin, in the language of the request'),
    failure: RunFailure,
    missing: z
      .array(z.string())
      .describe('Codes of the groups of `inputs` without a ready raster; `nodes` is then empty'),
    inputs: z
      .array(PlannedInput)
      .describe(
        'The 13 slots in graph order, then other pinned groups by code; empty for a run of an earlier release',
      ),
    nodes: z.array(PlannedNode).describe('Nodes, ordered by code; empty while inputs are missing'),
  })
  .meta({
    id: 'LandscapePlan',
    description: 'The nodes that a run computes and reuses, with reasons',
    examples: [examplePlan],
  });
export type LandscapePlan = z.infer<typeof LandscapePlan>;
