import { z } from 'zod';
import { Guid } from '../validation/fields.ts';

const LineageStep = z.object({
  dataset_id: Guid,
  group: z.string().nullable().describe('Code of its dataset group, or of the group that it stood for'),
  title: z
    .string()
    .nullable()
    .describe('Of the slot or node, in the language of the request; null for other datasets'),
  node: z.string().nullable().describe('Code of the node that made it; null for an upload'),
  run_id: Guid.nullable().describe('The run that made it; null for an upload'),
  is_deleted: z.boolean().describe('Only its id is known; the members below are null'),
  name: z.string().nullable(),
  filename: z.string().nullable(),
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
  created_at: z.iso.datetime().nullable(),
  size_bytes: z.int().nullable(),
  sha256: z
    .string()
    .nullable()
    .describe('Of the uploaded file, lower-case hex; of a COG for outputs; null where it was not recorded'),
  inputs: z.array(Guid).describe('The datasets that it was made of'),
});

export const Lineage = z
  .object({
    dataset_id: Guid,
    steps: z
      .array(LineageStep)
      .describe('The dataset first, then all that it stems from, each once; inputs follow what they made'),
  })
  .meta({ id: 'Lineage', description: 'All datasets that a dataset stems from' });
export type Lineage = z.infer<typeof Lineage>;
