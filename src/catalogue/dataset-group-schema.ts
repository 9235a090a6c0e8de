import { z } from 'zod';
import type { Selectable } from 'kysely';
import type { DatasetGroupsTable } from '../database/tables.ts';
import { exampleSummary } from '../common/examples.ts';
import { Guid, Name, timestamps, timestampsOf } from '../validation/fields.ts';
import { Description, Slug } from './slug.ts';

const example = {
  id: exampleSummary.dg_id,
  code: 'population-by-region',
  name: 'Численность населения',
  description: 'By region, at the beginning of the year',
  sld_storage_key: null,
  sld_filename: null,
  sld_content_type: null,
  created_at: '2026-02-03T09:12:08.930Z',
  updated_at: '2026-02-03T09:12:08.930Z',
};

export const DatasetGroup = z
  .object({
    id: Guid.describe('Of the dataset group'),
    code: z.string().describe('What programs call it; unique among dataset groups'),
    name: z.string().describe('What people call it'),
    description: z.string().describe('Free text; may be empty'),
    sld_storage_key: z
      .string()
      .nullable()
      .describe("Object-store key of the group's shared SLD, if uploaded"),
    sld_filename: z.string().nullable().describe('File name of the shared style'),
    sld_content_type: z.string().nullable().describe('Media type that the shared style was sent with'),
    ...timestamps,
  })
  .meta({
    id: 'DatasetGroup',
    description: 'The same data for different periods, with a style (SLD) that its datasets share',
    examples: [example],
  });
export type DatasetGroup = z.infer<typeof DatasetGroup>;

export const DatasetGroupInput = z
  .object({
    code: Slug.describe('What programs call it; unique among dataset groups'),
    name: Name.describe('What people call it'),
    description: Description.describe('Free text; empty when omitted'),
  })
  .meta({
    description: 'The fields of a dataset group that a client sets',
    examples: [{ code: example.code, name: example.name, description: example.description }],
  });
export type DatasetGroupInput = z.infer<typeof DatasetGroupInput>;

export function toDatasetGroup(row: Selectable<DatasetGroupsTable>): DatasetGroup {
  return DatasetGroup.parse({ ...row, ...timestampsOf(row) } satisfies z.input<typeof DatasetGroup>);
}
