import { sql } from 'kysely';

/** The `updated_at` of a changed row: now, but always later than it was, however quick or concurrent the changes. */
export const nextUpdatedAt = sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`;
