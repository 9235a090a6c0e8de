import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/tables.ts';
import { nodes } from '../graph/graph.ts';
import { checkRunInput } from './input.ts';
import { planRunNow } from './plan-now.ts';
import type { RunPlan } from './plan.ts';
import { type LandscapeRun, type NodeRow, toRun } from './schema.ts';

/**
 * The run that `body` asks for, as it would start now: each node `pending`, or `skipped` where it would reuse an earlier
 * output. Stores nothing; the ids of what it would make are made up. A run that could not begin has the error in the
 * node that would fail.
 * @throws {Problem} as `checkRunInput` does.
 */
export async function planDryRun(db: Database, body: unknown): Promise<LandscapeRun> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  const { wanted, plan } = await snapshot.execute(async (trx) => {
    const wanted = await checkRunInput(trx, body);
    return { wanted, plan: await planRunNow(trx, wanted) };
  });
  const id = randomUUID();
  const run = {
    id,
    status: 'queued',
    params: JSON.stringify(wanted.params),
    overrides: JSON.stringify(wanted.overrides),
    from_stage: wanted.fromStage,
    error: null,
    created_at: new Date(),
    started_at: null,
    finished_at: null,
  } as const;
  return toRun(run, nodeRowsOf(id, plan));
}

function nodeRowsOf(runId: string, plan: RunPlan): NodeRow[] {
  return nodes.map(({ code, stage }) => {
    const planned = 'fault' in plan ? undefined : plan.nodes.find((node) => node.code === code);
    const fails = 'fault' in plan && plan.fault.nodeCode === code;
    return {
      id: randomUUID(),
      run_id: runId,
      node_code: code,
      stage,
      status: planned?.reuses === true ? 'skipped' : 'pending',
      fingerprint: planned?.fingerprint ?? '',
      inputs: planned === undefined ? null : JSON.stringify(planned.inputs),
      output_id: planned?.outputId ?? null,
      start_date: null,
      end_date: null,
      error: fails ? plan.fault.error : null,
      progress: 0,
      started_at: null,
      finished_at: null,
    };
  });
}
