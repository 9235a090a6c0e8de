import { areaProblems } from '../../messages/areas/english.ts';
import { zoningOutputOf } from './gaps.ts';
import type { StoredRun } from '../runs/run-rows.ts';

/**
 * Returns the dataset with the zoning of a run.
 * @throws {Problem} `conflict` before the run has ended, `not_found` for a run without one.
 */
export function zoningIdOf(run: StoredRun): string {
  if (run.status === 'queued' || run.status === 'running') throw areaProblems.runNotEnded();
  const id = zoningOutputOf(run);
  if (id === null) throw areaProblems.noZoning();
  return id;
}
