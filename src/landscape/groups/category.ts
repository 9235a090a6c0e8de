import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../../database/tables.ts';

const category = {
  code: 'landscape',
  name: 'Landscape Program',
  description: 'Inputs and results of the Landscape Program.',
} as const;

/** The id of the category of the program, made when it is absent; in a transaction it stays until that ends. */
export async function ensureLandscapeCategory(db: Database | Transaction): Promise<string> {
  const found = await db
    .selectFrom('categories')
    .select('id')
    .where('code', '=', category.code)
    .forKeyShare()
    .executeTakeFirst();
  if (found !== undefined) return found.id;
  const made = await db
    .insertInto('categories')
    .values({ id: randomUUID(), parent_id: null, ...category })
    // Changes nothing of what somebody else has just made, but gives its id.
    .onConflict((conflict) => conflict.column('code').doUpdateSet({ code: category.code }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
}
