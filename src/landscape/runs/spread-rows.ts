import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { retireObjects } from '../../object-store/ledger.ts';

/** How far a run is whose blocks are computed by many workers. */
export interface RunBlocks {
  readonly done: number;
  readonly total: number;
  readonly engineAwaySince: Date | null;
}

/** Reads how far a run is; undefined for one that is not spread over workers, or has ended. */
export async function readBlocks(db: Database | Transaction, runId: string): Promise<RunBlocks | undefined> {
  const { rows } = await sql<RunBlocks>`
    select blocks as total, away_since as "engineAwaySince",
      (select count(*)::integer from landscape_parts p where p.run_id = landscape_passes.run_id) as done
    from landscape_passes where run_id = ${runId}`.execute(db);
  return rows[0];
}

/** Blocks of all runs that are spread over workers, and how long the workflow engine has not answered who holds one, in seconds. */
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
 * Forgets the pass of a run that is spread over workers, and retires its parts: what workers still compute is refused from now on. The
 * row is locked first, so that no part comes between. @returns false for a run without one
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
