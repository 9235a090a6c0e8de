import { z } from 'zod';

const State = z.enum(['draft', 'proposed', 'adopted', 'withdrawn']);

/** What people say of a run. */
export const RunRecordInput = z
  .object({
    name: z.string().max(255).nullable().default(null),
    note: z.string().max(2000).nullable().default(null),
    state: State.default('draft').describe('`adopted`: its inputs and outputs cannot be deleted'),
    basis: z
      .string()
      .max(500)
      .nullable()
      .default(null)
      .describe('Such as the decision by which it was adopted'),
  })
  .meta({ description: 'Name, note, state and basis of a run; those that are omitted become empty' });

export const RunRecord = z
  .object({
    run_id: z.uuid(),
    name: z.string().nullable(),
    note: z.string().nullable(),
    state: State,
    basis: z.string().nullable(),
    revision: z.int().min(0).describe('0 before the first change; the ETag'),
    changed_by: z
      .string()
      .nullable()
      .describe('Name of the token, or `sub` of its owner; null without authentication'),
    changed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RunRecord', description: 'What people say of a run' });
export type RunRecord = z.infer<typeof RunRecord>;
