import type { Database } from '../../database/tables/tables.ts';
import { workflowId, workflowPrefix } from './stamp.ts';
import type { WorkflowEngine } from './workflow-engine.ts';

const idLength = 36;

/**
 * Ends open workflows of this installation without a pass: of runs that ended while the engine was unavailable, and of workers of another
 * release. Returns their number.
 * @throws {EngineAway}
 */
export async function endAbandoned(
  db: Database,
  engine: WorkflowEngine,
  installation: string,
): Promise<number> {
  const prefix = workflowPrefix(installation);
  const open = await engine.listOpen(prefix);
  if (open.length === 0) return 0;
  const runIds = open.map((id) => id.slice(prefix.length, prefix.length + idLength));
  const passes = await db
    .selectFrom('landscape_passes')
    .select(['run_id', 'queue'])
    .where('run_id', 'in', runIds)
    .execute();
  const wanted = new Set(passes.map(({ run_id, queue }) => workflowId(installation, run_id, queue)));
  const abandoned = open.filter((id) => !wanted.has(id));
  for (const id of abandoned) await engine.end(id, 'terminate');
  return abandoned.length;
}
