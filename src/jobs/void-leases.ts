import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/**
 * Ends every lease there is: running jobs can be claimed at the next look, unfinished objects be swept. For the start of
 * the service on the embedded database alone: its DATA_DIR is locked by one service, so whoever held a lease was part of
 * one that is dead. Anywhere else a lease may be another machine's. Counts as a worker's death, because a job may well
 * have been what ended the service.
 */
export async function voidLeases(db: Database): Promise<void> {
  await voidJobLeases(db);
  await sql`update objects set lease_until = '-infinity' where state = 'writing'`.execute(db);
}

/**
 * Ends the lease of every running job, so that the next worker takes them up at once. For a service on the embedded
 * database whose only worker has just died; uploads that the api has under way keep their leases.
 */
export async function voidJobLeases(db: Database): Promise<void> {
  await sql`update jobs set lease_until = '-infinity' where state = 'running'`.execute(db);
}
