import { z } from 'zod';
import type { Selectable } from 'kysely';
import type { CategoriesTable } from '../database/tables.ts';
import { Guid, Name } from '../datasets/fields.ts';
import { Description, Slug } from './slug.ts';

export const Category = z
  .object({
    id: Guid,
    parent_id: Guid.nullable().describe('Parent category; null for a root'),
    code: z.string(),
    name: z.string(),
    description: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Category' });
export type Category = z.infer<typeof Category>;

/** What a client says about a category. Omitted, the description is empty and the category a root. */
export const CategoryInput = z.object({
  code: Slug,
  name: Name,
  description: Description,
  parent_id: Guid.nullable().default(null),
});
export type CategoryInput = z.infer<typeof CategoryInput>;

export function toCategory(row: Selectable<CategoriesTable>): Category {
  return {
    id: row.id,
    parent_id: row.parent_id,
    code: row.code,
    name: row.name,
    description: row.description,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
