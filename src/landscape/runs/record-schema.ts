import { z } from 'zod';
import { Guid, textOfAtMost } from '../../validation/fields.ts';

export const RecordState = z.enum(['draft', 'proposed', 'adopted', 'withdrawn']);

const nameOf = textOfAtMost(255).nullable().describe('Name of the run; null without one');
const noteOf = textOfAtMost(2000).nullable().describe('Free text; null without one');
const stateOf = RecordState.describe(
  'State of the record; `adopted`: inputs and outputs of the run cannot be deleted',
);
const basisOf = textOfAtMost(500)
  .nullable()
  .describe('The basis, such as the decision of the adoption; null without one');

const Content = z.object({ name: nameOf, note: noteOf, state: stateOf, basis: basisOf });
/** The editable part of a record. */
export type RecordContent = z.infer<typeof Content>;

const exampleContent = {
  name: 'Variant B, strict',
  note: 'With the reserve of 2024',
  state: 'adopted',
  basis: 'Decision of the maslikhat No. 16/8',
} as const;
const exampleChange = { revision: 3, changed_by: 'planner', changed_at: '2026-02-03T10:20:00.113Z' };

/** The fields of a record that people can set. */
export const RunRecordInput = Content.extend({
  name: nameOf.default(null),
  note: noteOf.default(null),
  state: stateOf.optional(),
  basis: basisOf.default(null),
}).meta({
  description:
    'Name, note, state and basis of a run; an omitted or blank text becomes empty, an omitted state stays as it is',
  examples: [exampleContent],
});

export const RunRecord = z
  .object({
    run_id: Guid.describe('Id of the run'),
    ...Content.shape,
    revision: z.int().min(0).describe('Revision, 0 before the first change; the ETag'),
    changed_by: z
      .string()
      .nullable()
      .describe(
        'Author: name of the token, or `sub` of its owner; null without authentication, and for records written by the watch',
      ),
    changed_at: z.iso
      .datetime()
      .nullable()
      .describe('The time of the last change, UTC; null before the first change'),
  })
  .meta({
    id: 'RunRecord',
    description: 'The record of a run',
    examples: [{ run_id: '0d5f9c5e-7a51-4a8e-9b35-2f8a4b8f1d06', ...exampleContent, ...exampleChange }],
  });
export type RunRecord = z.infer<typeof RunRecord>;

export const RunRecordChange = z
  .object({
    revision: z.int().min(1).describe('Revision that the change created'),
    from: Content.describe('The record before the change; before the first change an empty draft'),
    to: Content.describe('The record after the change'),
    changed_by: RunRecord.shape.changed_by,
    changed_at: z.iso.datetime().describe('The time of the change, UTC'),
  })
  .meta({
    id: 'RunRecordChange',
    description: 'One change of the record of a run',
    examples: [{ ...exampleChange, from: { ...exampleContent, state: 'proposed' }, to: exampleContent }],
  });
export type RunRecordChange = z.infer<typeof RunRecordChange>;

/** The part of a record in lists of runs. */
export const RunRecordSummary = z
  .object({
    name: nameOf,
    state: stateOf,
    restyled: z
      .array(Guid)
      .optional()
      .describe(
        'Only for an adopted run: outputs whose style has changed since the adoption; absent without such outputs',
      ),
  })
  .meta({
    id: 'RunRecordSummary',
    description: 'Name and state of a run',
    examples: [{ name: 'Variant B, strict', state: 'adopted' }],
  });
export type RunRecordSummary = z.infer<typeof RunRecordSummary>;
