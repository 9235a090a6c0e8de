import type { Database, Transaction } from '../../database/tables.ts';
import type { Slice } from '../../datasets/queries.ts';
import { Problem } from '../../common/errors.ts';
import { type LandscapeRun, toRun } from './schema.ts';

/** One page of the runs, newest first and without their nodes, and how many there are in all. */
export async function listRuns(
  db: Database,
  { limit, offset }: Slice,
): Promise<{ rows: LandscapeRun[]; total: number }> {
  const { total } = await db
    .selectFrom('landscape_runs')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('landscape_runs')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows: rows.map((row) => toRun(row, null)), total };
}

/** A run and its nodes as they were at one moment. @throws {Problem} `not_found` */
export async function getRun(db: Database, id: string): Promise<LandscapeRun> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return await snapshot.execute(async (trx) => await readRunView(trx, id));
}

/** As `getRun`, as the transaction sees it. @throws {Problem} `not_found` */
export async function readRunView(trx: Transaction, id: string): Promise<LandscapeRun> {
  const run = await trx.selectFrom('landscape_runs').selectAll().where('id', '=', id).executeTakeFirst();
  if (run === undefined) throw new Problem('not_found', 'there is no such run');
  const nodes = await trx
    .selectFrom('landscape_run_nodes')
    .selectAll()
    .where('run_id', '=', id)
    .orderBy('node_code')
    .execute();
  return toRun(run, nodes);
}
