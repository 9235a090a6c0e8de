import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { foreignKeyViolation, sqlState } from '../database/transaction.ts';
import { type FieldErrors, invalidFields } from '../common/errors.ts';
import { CalendarDate, Guid } from '../validation/fields.ts';

const noCategory = 'no such category';
const noGroup = 'no such dataset group';

/** What a client sent in fields that point elsewhere; anything that is no uuid is somebody else's error to report. */
export interface SentReferences {
  readonly category_id?: unknown;
  readonly dg_id?: unknown;
}

/** Errors for references to a category or dataset group that does not exist. */
export async function findMissingReferences(db: Database, sent: SentReferences): Promise<FieldErrors> {
  const categoryId = Guid.safeParse(sent.category_id).data;
  const groupId = Guid.safeParse(sent.dg_id).data;
  const found = await db
    .selectNoFrom([
      sql<boolean>`exists (select from categories where id = ${categoryId ?? null})`.as('category'),
      sql<boolean>`exists (select from dataset_groups where id = ${groupId ?? null})`.as('group'),
    ])
    .executeTakeFirstOrThrow();
  return {
    ...(categoryId !== undefined && !found.category && { category_id: noCategory }),
    ...(groupId !== undefined && !found.group && { dg_id: noGroup }),
  };
}

const endsBeforeStart: FieldErrors = { end_date: 'must not be before start_date' };

/** The error for a period that ends before it starts; what is no date is somebody else's error to report. */
export function findPeriodError(start: unknown, end: unknown): FieldErrors {
  const startDate = CalendarDate.safeParse(start).data;
  const endDate = CalendarDate.safeParse(end).data;
  return startDate !== undefined && endDate !== undefined && endDate < startDate ? endsBeforeStart : {};
}

/**
 * Turns what the database refused, because something changed between check and write, into the answer that the check
 * would have given; any other error stays as it is.
 */
export function toFieldProblem(error: unknown): unknown {
  const constraint = foreignKeyViolation(error);
  if (constraint === 'datasets_category_id_fkey') return invalidFields({ category_id: noCategory }, error);
  if (constraint === 'datasets_dg_id_fkey') return invalidFields({ dg_id: noGroup }, error);
  if (sqlState(error) === '23514') return invalidFields(endsBeforeStart, error);
  return error;
}
