import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../database/tables/tables.ts';
import {
  foreignKeyViolation,
  inTransaction,
  nextUpdatedAt,
  uniqueViolation,
} from '../database/transaction.ts';
import { type FieldErrors, invalidFields } from '../lib/errors.ts';
import { categoryProblems, parentFaults } from '../messages/datasets/english.ts';
import { Guid } from '../validation/fields.ts';
import { parseBody } from '../validation/parse-body.ts';
import { type Category, CategoryInput, toCategory } from './schema.ts';

/** Held while a category moves: two concurrent moves could each be valid and together form a cycle. */
const moveLock = 5_738_266_002;

/** Lists all categories, or the direct children of one, by name. */
export async function listCategories(db: Database, parentId: string | undefined): Promise<Category[]> {
  const rows = await db
    .selectFrom('categories')
    .selectAll()
    .$if(parentId !== undefined, (query) => query.where('parent_id', '=', parentId ?? null))
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(toCategory);
}

/** @throws {Problem} `not_found` */
export async function getCategory(db: Database, id: string): Promise<Category> {
  const row = await db.selectFrom('categories').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw categoryProblems.notFound();
  return toCategory(row);
}

/** @throws {Problem} `invalid` when the parent does not exist, `conflict` when the code is taken. */
export async function createCategory(db: Database, input: CategoryInput): Promise<Category> {
  const row = await inTransaction(db, async (trx) => {
    await refuseWrongParent(trx, input.parent_id);
    return await trx
      .insertInto('categories')
      .values({ id: randomUUID(), ...input })
      .returningAll()
      .executeTakeFirstOrThrow();
  }).catch(rethrowAsProblem);
  return toCategory(row);
}

/**
 * Changes name, description and parent; the code is fixed at creation, so that an unused code is ignored.
 * @throws {Problem} `not_found`; `invalid` if the parent does not exist or would form a cycle; `conflict` if another category has the code.
 */
export async function updateCategory(db: Database, id: string, input: CategoryInput): Promise<Category> {
  const { code, ...changes } = input;
  const row = await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${moveLock})`.execute(trx);
    await refuseWrongParent(trx, input.parent_id, id);
    const others = trx.selectFrom('categories').select('id').where('code', '=', code).where('id', '<>', id);
    if ((await others.executeTakeFirst()) !== undefined) throw categoryProblems.codeTaken();
    return await trx
      .updateTable('categories')
      .set({ ...changes, updated_at: nextUpdatedAt })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  }).catch(rethrowAsProblem);
  if (row === undefined) throw categoryProblems.notFound();
  return toCategory(row);
}

/** @throws {Problem} `not_found`, or `conflict` while datasets or child categories refer to it. */
export async function deleteCategory(db: Database, id: string): Promise<void> {
  try {
    const deleted = await db.deleteFrom('categories').where('id', '=', id).executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw categoryProblems.notFound();
  } catch (error) {
    const constraint = foreignKeyViolation(error);
    if (constraint === undefined) throw error;
    const users = constraint.startsWith('datasets') ? 'datasets' : 'child categories';
    throw categoryProblems.inUse(users).because(error);
  }
}

/**
 * Validates the input for a new category, or for the one with `id`.
 * @throws {Problem} `invalid`, naming every invalid field.
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

/** Checks a parent; in a transaction, the parent cannot be deleted until the end of it. */
async function findParentFault(
  db: Database,
  parentId: string,
  id: string | undefined,
): Promise<FieldErrors | undefined> {
  const parent = await db
    .selectFrom('categories')
    .select('id')
    .where('id', '=', parentId)
    .forKeyShare()
    .executeTakeFirst();
  if (parent === undefined) return parentFaults.missing;
  return id !== undefined && (await hasAncestor(db, parentId, id)) ? parentFaults.descendant : undefined;
}

async function refuseWrongParent(trx: Transaction, parentId: string | null, id?: string): Promise<void> {
  const fault = parentId === null ? undefined : await findParentFault(trx, parentId, id);
  if (fault !== undefined) throw invalidFields(fault);
}

/** Returns true if `ancestorId` is `id` or one of its ancestors. */
async function hasAncestor(db: Database, id: string, ancestorId: string): Promise<boolean> {
  const { rows } = await sql`
    with recursive line as (
      select id, parent_id from categories where id = ${id}
      union
      select categories.id, categories.parent_id from categories join line on categories.id = line.parent_id
    )
    select 1 from line where id = ${ancestorId}`.execute(db);
  return rows.length > 0;
}

function rethrowAsProblem(error: unknown): never {
  if (uniqueViolation(error) === 'categories_code_unique') throw categoryProblems.codeTaken().because(error);
  throw foreignKeyViolation(error) === undefined ? error : invalidFields(parentFaults.missing, error);
}
