import type { Database } from '../database/tables.ts';
import { fieldErrorsOf, Guid } from '../common/fields.ts';
import { invalidFields } from '../common/errors.ts';
import { inPlainWords } from '../common/validation-messages.ts';
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
  const parsed = CategoryInput.safeParse(body, inPlainWords);
  const parent = Guid.safeParse(body['parent_id']);
  const errors = {
    ...(parent.success && (await findParentFault(db, parent.data, id))),
    ...fieldErrorsOf(parsed.error),
  };
  if (!parsed.success || Object.keys(errors).length > 0) throw invalidFields(errors);
  return parsed.data;
}
