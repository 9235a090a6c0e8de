import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { retireObjects } from '../../object-store/ledger.ts';

/** The progress of a run that is distributed to several workers. */
export interface RunBlocks {
  readonly done: number;
  readonly total: number;
  readonly engineAwaySince: Date | null;
}

/** Reads the progress of a run; undefined for a run that is not distributed, or has ended. */
export async function readBlocks(db: Database | Transaction, runId: string): Promise<RunBlocks | undefined> {
  const { rows } = await sql<RunBlocks>`
    select blocks as total, away_since as "engineAwaySince",
      (select count(*)::integer from landscape_parts p where p.run_id = landscape_passes.run_id) as done
    from landscape_passes where run_id = ${runId}`.execute(db);
  return rows[0];
}

/**
 * Returns the blocks of all distributed runs, and the time in seconds for which the workflow engine has not answered a worker that holds
 * one.
 */
export async function loadOfPasses(
  db: Database,
): Promise<{ readonly done: number; readonly left: number; readonly awaySeconds: number }> {
  const { rows } = await sql<{ done: number; total: number; awaySeconds: number }>`
    select (select count(*)::integer from landscape_parts) as done, coalesce(sum(blocks), 0)::integer as total,
      coalesce(max(extract(epoch from now() - away_since)), 0)::float8 as "awaySeconds"
    from landscape_passes`.execute(db);
  const { done = 0, total = 0, awaySeconds = 0 } = rows[0] ?? {};
  return { done, left: total - done, awaySeconds };
}

/**
 * Ends the pass of a distributed run, and retires its parts: results that workers still compute are refused. The row is locked first, so
 * that no part is added meanwhile.
 * @returns false for a run without a pass
 */
export async function endPass(trx: Transaction, runId: string): Promise<boolean> {
  const pass = await trx
    .selectFrom('landscape_passes')
    .select('run_id')
    .where('run_id', '=', runId)
    .forUpdate()
    .executeTakeFirst();
  if (pass === undefined) return false;
  const parts = await trx
    .selectFrom('landscape_parts')
    .select('part_key')
    .where('run_id', '=', runId)
    .execute();
  await trx.deleteFrom('landscape_passes').where('run_id', '=', runId).execute();
  await retireObjects(
    trx,
    parts.map(({ part_key }) => part_key),
  );
  return true;
}
