import type { Database } from '../../database/tables.ts';
import type { LandscapeRun } from './schema.ts';

/**
 * The run that `body` asks for, as it would start now: each node `pending`, or `skipped` where it would reuse an earlier
 * output. Stores nothing. When inputs are missing the node that would fail has the error.
 * @throws {Problem} as `checkRunInput` does.
 */
export async function planDryRun(_db: Database, _body: unknown): Promise<LandscapeRun> {
  throw new Error('to come');
}
