import { z } from 'zod';
import type { Selectable } from 'kysely';
import type { DatasetGroupsTable } from '../database/tables.ts';
import { Guid, Name } from '../datasets/fields.ts';
import { Description, Slug } from './slug.ts';

export const DatasetGroup = z
  .object({
    id: Guid,
    code: z.string(),
    name: z.string(),
    description: z.string(),
    sld_storage_key: z
      .string()
      .nullable()
      .describe("Object-store key of the group's shared SLD, if uploaded"),
    sld_filename: z.string().nullable(),
    sld_content_type: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'DatasetGroup' });
export type DatasetGroup = z.infer<typeof DatasetGroup>;

/** What a client says about a dataset group. Omitted, the description is empty. */
export const DatasetGroupInput = z.object({ code: Slug, name: Name, description: Description });
export type DatasetGroupInput = z.infer<typeof DatasetGroupInput>;

export function toDatasetGroup(row: Selectable<DatasetGroupsTable>): DatasetGroup {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    description: row.description,
    sld_storage_key: row.sld_storage_key,
    sld_filename: row.sld_filename,
    sld_content_type: row.sld_content_type,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
