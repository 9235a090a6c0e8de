import type { Database, Transaction } from '../../database/tables.ts';
import { type Page, readPage, type Slice } from '../../database/page.ts';
import { landscapeProblems } from '../../messages/landscape.ts';
import { readRunRows } from './run-rows.ts';
import { type LandscapeRun, toRun } from './schema.ts';

/** One page of the runs, newest first and without their nodes, and how many there are in all. */
export async function listRuns(db: Database, slice: Slice): Promise<Page<LandscapeRun>> {
  const newestFirst = db.selectFrom('landscape_runs').selectAll().orderBy('created_at', 'desc').orderBy('id');
  return await readPage(newestFirst, slice, (row) => toRun(row, null));
}

/** A run and its nodes as they were at one moment. @throws {Problem} `not_found` */
export async function getRun(db: Database, id: string): Promise<LandscapeRun> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return await snapshot.execute(async (trx) => await readRunView(trx, id));
}

/** Reads a run as the transaction sees it. @throws {Problem} `not_found` */
export async function readRunView(trx: Transaction, id: string): Promise<LandscapeRun> {
  const rows = await readRunRows(trx, id);
  if (rows === undefined) throw landscapeProblems.noSuchRun();
  return toRun(rows.run, rows.nodes);
}
