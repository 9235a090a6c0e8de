import { z } from 'zod';
import type { Selectable } from 'kysely';
import type { CategoriesTable } from '../database/tables.ts';
import { exampleSummary } from '../common/examples.ts';
import { Guid, Name, timestamps, timestampsOf } from '../validation/fields.ts';
import { Description, Slug } from './slug.ts';

const example = {
  id: exampleSummary.category_id,
  parent_id: null,
  code: 'demography',
  name: 'Демография',
  description: 'Population, births and migration by region and district',
  created_at: '2026-02-03T09:10:44.512Z',
  updated_at: '2026-02-03T09:10:44.512Z',
};

export const Category = z
  .object({
    id: Guid.describe('Of the category'),
    parent_id: Guid.nullable().describe('Parent category; null for a root'),
    code: z.string().describe('What programs call it; unique among categories and fixed'),
    name: z.string().describe('What people call it'),
    description: z.string().describe('Free text; may be empty'),
    ...timestamps,
  })
  .meta({
    id: 'Category',
    description: 'A branch of the tree that datasets are filed in',
    examples: [example],
  });
export type Category = z.infer<typeof Category>;

export const CategoryInput = z
  .object({
    code: Slug.describe('What programs call it; unique among categories. Fixed at creation'),
    name: Name.describe('What people call it'),
    description: Description.describe('Free text; empty when omitted'),
    parent_id: Guid.nullable().default(null).describe('An existing category; omitted or null: a root'),
  })
  .meta({
    description: 'The fields of a category that a client sets',
    examples: [{ code: example.code, name: example.name, description: example.description }],
  });
export type CategoryInput = z.infer<typeof CategoryInput>;

export function toCategory(row: Selectable<CategoriesTable>): Category {
  return Category.parse({ ...row, ...timestampsOf(row) } satisfies z.input<typeof Category>);
}
