import type { Database } from '../database/tables.ts';
import { parseBody } from '../validation/parse-body.ts';
import { Guid } from '../validation/fields.ts';
import { findParentFault } from './categories.ts';
import { CategoryInput } from './category-schema.ts';

/**
 * What a client says about a category, with its parent looked up whatever else is wrong; `id` is that of a category which
 * is there already.
 * @throws {Problem} `invalid` naming every field that is wrong.
 */
export async function checkCategory(
  db: Database,
  body: Readonly<Record<string, unknown>>,
  id?: string,
): Promise<CategoryInput> {
  const parent = Guid.safeParse(body['parent_id']);
  const parentFault = parent.success && (await findParentFault(db, parent.data, id));
  return parseBody(CategoryInput, body, (own) => ({ ...parentFault, ...own }));
}
