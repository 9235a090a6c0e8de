import { sql } from 'kysely';
import type { Transaction } from '../../database/tables.ts';
import { LandscapeParams } from '../model/params.ts';
import { planRunNow } from './plan-now.ts';
import type { NodePlan } from './plan.ts';
import type { RunFault } from './run-failed.ts';
import { parseOverrides } from './schema.ts';

/**
 * Starts a queued run: queued → running, and its plan into the rows of its nodes, of which those that reuse an output
 * are `skipped`. A run in any other state stays as it is. When the run can not begin, says why and leaves its nodes alone.
 */
export async function planStoredRun(trx: Transaction, runId: string): Promise<RunFault | undefined> {
  const run = await trx
    .updateTable('landscape_runs')
    .set({ status: 'running', started_at: sql<Date>`now()` })
    .where('id', '=', runId)
    .where('status', '=', 'queued')
    .returning(['params', 'overrides', 'from_stage'])
    .executeTakeFirst();
  if (run === undefined) return undefined;
  const plan = await planRunNow(trx, {
    params: LandscapeParams.parse(JSON.parse(run.params)),
    overrides: parseOverrides(run.overrides),
    fromStage: run.from_stage,
  });
  if ('fault' in plan) return plan.fault;
  await storePlan(trx, runId, plan.nodes);
  return undefined;
}

async function storePlan(trx: Transaction, runId: string, plans: readonly NodePlan[]): Promise<void> {
  await sql`
    update landscape_run_nodes node
       set fingerprint = plan.fingerprint, inputs = plan.inputs, output_id = plan."outputId",
           start_date = plan."startDate", end_date = plan."endDate",
           status = case when plan.reuses then 'skipped' else 'pending' end,
           started_at = case when plan.reuses then now() end,
           finished_at = case when plan.reuses then now() end
      from json_to_recordset(${JSON.stringify(plans)}::json) plan (
             code text, fingerprint text, inputs json, "outputId" uuid, reuses boolean, "startDate" date, "endDate" date)
     where node.run_id = ${runId} and node.node_code = plan.code`.execute(trx);
}
