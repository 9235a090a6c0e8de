import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import { foreignKeyViolation, sqlState } from '../database/transaction.ts';
import { type FieldErrors, invalidFields } from '../lib/errors.ts';
import { datasetFaults } from '../messages/datasets/english.ts';
import { CalendarDate, Guid } from '../validation/fields.ts';

/** Finds references to a missing category or dataset group. Values that are not UUIDs are ignored. */
export async function findMissingReferences(
  db: Database,
  sent: { readonly category_id?: unknown; readonly dg_id?: unknown },
): Promise<FieldErrors> {
  const categoryId = Guid.safeParse(sent.category_id).data;
  const groupId = Guid.safeParse(sent.dg_id).data;
  const found = await db
    .selectNoFrom([
      sql<boolean>`exists (select from categories where id = ${categoryId ?? null})`.as('category'),
      sql<boolean>`exists (select from dataset_groups where id = ${groupId ?? null})`.as('group'),
    ])
    .executeTakeFirstOrThrow();
  return {
    ...(categoryId !== undefined && !found.category && { category_id: datasetFaults.noCategory }),
    ...(groupId !== undefined && !found.group && { dg_id: datasetFaults.noGroup }),
  };
}

const endsBeforeStart: FieldErrors = { end_date: datasetFaults.endBeforeStart };

/** Returns an error if a period ends before it starts. Values that are not dates are ignored. */
export function findPeriodError(start: unknown, end: unknown): FieldErrors {
  const startDate = CalendarDate.safeParse(start).data;
  const endDate = CalendarDate.safeParse(end).data;
  return startDate !== undefined && endDate !== undefined && endDate < startDate ? endsBeforeStart : {};
}

/**
 * Translates a constraint violation, caused by a change since the check, into the error of the check.
 * @throws any other error.
 */
export function rethrowAsFieldProblem(error: unknown): never {
  const constraint = foreignKeyViolation(error);
  if (constraint === 'datasets_category_id_fkey')
    throw invalidFields({ category_id: datasetFaults.noCategory }, error);
  if (constraint === 'datasets_dg_id_fkey') throw invalidFields({ dg_id: datasetFaults.noGroup }, error);
  throw sqlState(error) === '23514' ? invalidFields(endsBeforeStart, error) : error;
}
