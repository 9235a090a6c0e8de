import { z } from 'zod';
import { holdPattern } from '../../lib/durations.ts';
import { watchFaults } from '../../messages/runs/english.ts';
import { Guid } from '../../validation/fields.ts';
import { unlessMissing } from '../../validation/validation-messages.ts';
import { RecordState } from '../runs/record-schema.ts';
import { RunFailure } from '../runs/schema.ts';

const exampleInput = { on: 'input', hold: 'PT30M' } as const;

export const LandscapeWatchInput = z
  .object({
    on: z
      .literal('input')
      .describe('The object of the watch: the raster that a run would read for each input'),
    hold: z
      .string({ error: unlessMissing(watchFaults.notHold) })
      .regex(holdPattern, { error: unlessMissing(watchFaults.notHold) })
      .default('PT30M')
      .describe(
        'The hold, the time without further changes after which a draft is made: `P1D` to `P7D`, or 0 to 999 hours, minutes or seconds',
      ),
  })
  .meta({
    description: 'The object of the watch, and the time for which a change has to last',
    examples: [exampleInput],
  });
export type LandscapeWatchInput = z.infer<typeof LandscapeWatchInput>;

const InputRaster = z.object({
  dataset_id: Guid.describe('Id of the raster; it may have been deleted since'),
  name: z.string().nullable().describe('Name of the raster; null if it was deleted'),
});

const WatchedChange = z.object({
  group: z.string().describe('Code of the slot, or of a pinned group'),
  title: z.string().describe('Title of the input, in the language of the answer'),
  from: InputRaster.nullable().describe('The raster that the compared run has read; null without one'),
  to: InputRaster.nullable().describe(
    'The raster that a run would read, or that the draft reads; null without a ready raster',
  ),
});

const example = {
  ...exampleInput,
  state: 'idle',
  waiting_until: null,
  changed: [],
  outcome: {
    result: 'draft',
    run_id: '0d5f9c5e-7a51-4a8e-9b35-2f8a4b8f1d06',
    error: null,
    decided_at: '2026-10-02T09:40:00.113Z',
  },
  adopted_run_id: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  pinned: [],
  last: {
    run_id: '0d5f9c5e-7a51-4a8e-9b35-2f8a4b8f1d06',
    name: 'Draft by the watch: Annual precipitation 2026-09',
    made_at: '2026-10-02T09:40:00.113Z',
    status: 'succeeded',
    error: null,
    record_state: 'draft',
    changed: [
      {
        group: 'landscape-in-precipitation',
        title: 'Annual precipitation',
        from: { dataset_id: '3a71c9e5-80d2-4b6f-9e14-6f5b2d8c0a97', name: 'Precipitation to 2025-09' },
        to: { dataset_id: 'b52e8d14-7c6a-4390-a8f1-0e9d4c7b6a35', name: 'Precipitation to 2026-09' },
      },
    ],
    comparison:
      '/landscape/runs/f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05/compare/0d5f9c5e-7a51-4a8e-9b35-2f8a4b8f1d06',
  },
} as const;

const Outcome = z.object({
  result: z
    .enum(['draft', 'made_before', 'same', 'cannot_begin'])
    .describe(
      '`draft`: a run was made; `made_before`: a draft of these inputs exists; `same`: a run would compute nothing new; `cannot_begin`: no run could begin',
    ),
  run_id: Guid.nullable().describe('The draft, or the run with the same outputs; null without one'),
  error: z.string().nullable().describe('The reason why no run could begin, in the language of the answer'),
  decided_at: z.iso.datetime().describe('The time of the decision, UTC'),
});

const LastDraft = z.object({
  run_id: Guid.describe('Id of the run'),
  name: z.string().nullable().describe('Name of the run; null without one'),
  made_at: z.iso.datetime().describe('The time when the watch made it, UTC'),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']).describe('Status of the run'),
  error: z.string().nullable().describe('The reason of its failure, in the language of the answer'),
  failure: RunFailure,
  record_state: RecordState.describe('State of the record, `draft` until people choose another one'),
  changed: z.array(WatchedChange).describe('Inputs that differed from those of the compared run'),
  comparison: z
    .string()
    .nullable()
    .describe(
      'Path of the comparison of the adopted run with it; null before it has succeeded, and without an adopted run',
    ),
});

export const LandscapeWatch = z
  .object({
    on: z.literal('input').nullable().describe('The object of the watch; null when the watch is off'),
    hold: z.string().nullable().describe('The last hold; null if none was ever set'),
    state: z
      .enum(['off', 'idle', 'waiting', 'run_in_progress'])
      .describe(
        'The state; `waiting` until the inputs have not changed for `hold`, then, during another run, `run_in_progress`',
      ),
    waiting_until: z.iso
      .datetime()
      .nullable()
      .describe(
        'The time when a draft will be made unless an input changes first, UTC; null if the watch does not wait',
      ),
    changed: z
      .array(WatchedChange)
      .describe(
        'While it waits: inputs that differ from those of the adopted run or, without one, of the newest run that has succeeded',
      ),
    outcome: Outcome.nullable().describe('The last decision of the watch; null before the first'),
    adopted_run_id: Guid.nullable().describe(
      'The run that was adopted last, whose parameters and pins drafts have; null when none is adopted',
    ),
    pinned: z.array(z.string()).describe('Codes of the pinned groups: other rasters there have no effect'),
    last: LastDraft.nullable().describe('The draft that was made last; null before the first'),
  })
  .meta({
    id: 'LandscapeWatch',
    description: 'The watch over the inputs of the Landscape Program',
    examples: [example],
  });
export type LandscapeWatch = z.infer<typeof LandscapeWatch>;

/** The difference of an input between two runs, as ids of datasets. */
export const InputChange = z.object({ group: z.string(), from: Guid.nullable(), to: Guid.nullable() });
export type InputChange = z.infer<typeof InputChange>;
