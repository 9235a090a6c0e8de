import type { Database } from '../../database/tables.ts';
import { areaProblems } from '../../messages/hectares.ts';
import { landscapeProblems } from '../../messages/datasets.ts';
import { zoningOutputOf } from './gaps.ts';
import { readRun } from './run-rows.ts';

/** The dataset with the zoning of a run. @throws {Problem} `not_found`, `conflict` before the run has ended. */
export async function readZoningId(db: Database, runId: string): Promise<string> {
  const run = await readRun(db, runId);
  if (run === undefined) throw landscapeProblems.noSuchRun();
  if (run.status === 'queued' || run.status === 'running') throw areaProblems.runNotEnded();
  const id = zoningOutputOf(run);
  if (id === null) throw areaProblems.noZoning();
  return id;
}
