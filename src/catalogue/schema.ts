import { messageText } from '../lib/message.ts';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { exampleSummary } from '../lib/examples.ts';
import type { Tables } from '../database/tables/tables.ts';
import { slugFault } from '../messages/datasets/english.ts';
import { Guid, Name, textOfAtMost, timestamps, timestampsOf } from '../validation/fields.ts';

const Slug = z
  .string()
  .max(255, { abort: true }) // on megabytes of dashes, the pattern would exhaust the stack
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: messageText(slugFault) });

const named = {
  name: z.string().describe('Name'),
  description: z.string().describe('Free text; may be empty'),
};
const namedInput = {
  name: Name.describe('Name'),
  description: textOfAtMost(2000).default('').describe('Free text; empty when omitted'),
};

const categoryInput = {
  code: 'demography',
  name: 'Демография',
  description: 'Population, births and migration by region and district',
};
const category = {
  id: exampleSummary.category_id,
  parent_id: null,
  ...categoryInput,
  created_at: '2026-02-03T09:10:44.512Z',
  updated_at: '2026-02-03T09:10:44.512Z',
};

export const Category = z
  .object({
    id: Guid.describe('Id of the category'),
    parent_id: Guid.nullable().describe('Parent category; null for a root'),
    code: z.string().describe('Code of the category, unique and fixed'),
    ...named,
    ...timestamps,
  })
  .meta({
    id: 'Category',
    description: 'A branch of the tree of categories',
    examples: [category],
  });
export type Category = z.infer<typeof Category>;

export const CategoryInput = z
  .object({
    code: Slug.describe('Code of the category for programs, unique and fixed at creation'),
    ...namedInput,
    parent_id: Guid.nullable().default(null).describe('An existing category; omitted or null: a root'),
  })
  .meta({ description: 'The fields of a category that a client sets', examples: [categoryInput] });
export type CategoryInput = z.infer<typeof CategoryInput>;

export function toCategory(row: Selectable<Tables['categories']>): Category {
  const { id, parent_id, code, name, description } = row;
  return { id, parent_id, code, name, description, ...timestampsOf(row) };
}

const groupInput = {
  code: 'population-by-region',
  name: 'Численность населения',
  description: 'By region, at the beginning of the year',
};
const group = {
  id: exampleSummary.dg_id,
  ...groupInput,
  sld_storage_key: null,
  sld_filename: null,
  sld_content_type: null,
  created_at: '2026-02-03T09:12:08.930Z',
  updated_at: '2026-02-03T09:12:08.930Z',
};

export const DatasetGroup = z
  .object({
    id: Guid.describe('Id of the dataset group'),
    code: z.string().describe('Code of the group, unique among dataset groups'),
    ...named,
    sld_storage_key: z
      .string()
      .nullable()
      .describe("Object-store key of the group's shared SLD, if uploaded"),
    sld_filename: z.string().nullable().describe('File name of the shared style'),
    sld_content_type: z.string().nullable().describe('Media type with which the shared style was uploaded'),
    ...timestamps,
  })
  .meta({
    id: 'DatasetGroup',
    description: 'The same data for different periods, with a style (SLD) that its datasets share',
    examples: [group],
  });
export type DatasetGroup = z.infer<typeof DatasetGroup>;

export const DatasetGroupInput = z
  .object({
    code: Slug.describe('Code of the group, unique among dataset groups'),
    ...namedInput,
  })
  .meta({ description: 'The fields of a dataset group that a client sets', examples: [groupInput] });
export type DatasetGroupInput = z.infer<typeof DatasetGroupInput>;

export function toDatasetGroup(row: Selectable<Tables['dataset_groups']>): DatasetGroup {
  const { id, code, name, description, sld_storage_key, sld_filename, sld_content_type } = row;
  return {
    id,
    code,
    name,
    description,
    sld_storage_key,
    sld_filename,
    sld_content_type,
    ...timestampsOf(row),
  };
}
