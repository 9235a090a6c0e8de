import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '../../database/tables/tables.ts';
import { graphVersion, nodes } from '../graph/graph.ts';
import { LandscapeParams } from '../model/params.ts';
import type { RunInput } from '../runs/input.ts';
import { type DatedRaster, type EarlierOutput, type NodePlan, planRun, type RunPlan } from './plan.ts';
import { judgeInputs } from './judge-inputs.ts';
import { resolveInputs } from './plan-inputs.ts';
import type { PlannedInput } from '../runs/plan-schema.ts';
import type { FinishedComputation } from './reason.ts';
import type { RunFault } from '../runs/run-failed.ts';
import { recordRunFailure } from '../runs/run-rows.ts';
import { parseInputs, parseOverrides, type RunRow } from '../runs/schema.ts';

/** A plan and its basis. */
export interface PlannedRun {
  readonly plan: RunPlan;
  readonly inputs: readonly PlannedInput[];
}

/**
 * Starts a queued run: queued → running, and its plan is written to its nodes; those that reuse an output become `skipped`. A run in
 * another state stays unchanged. Returns the fault if the run cannot be planned, leaving its nodes unchanged; if a node cannot read a
 * required input, the run fails with its plan.
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
  const { plan, inputs } = await planRunNow(trx, storedInput(run));
  if ('fault' in plan) return { ...plan.fault, plannedInputs: inputs };
  await storePlan(trx, runId, { inputs, plans: plan.nodes });
  if (plan.unfit !== undefined) await recordRunFailure(trx, runId, plan.unfit);
  return undefined;
}

/** Returns the request of a stored run. */
export function storedInput(run: Pick<RunRow, 'params' | 'overrides' | 'from_stage'>): RunInput {
  return {
    params: LandscapeParams.parse(JSON.parse(run.params)),
    overrides: parseOverrides(run.overrides),
    fromStage: run.from_stage,
  };
}

interface Storable {
  readonly inputs: readonly PlannedInput[];
  readonly plans: readonly NodePlan[];
}

async function storePlan(trx: Transaction, runId: string, { inputs, plans }: Storable): Promise<void> {
  await trx
    .updateTable('landscape_runs')
    .set({ graph_version: graphVersion, planned_inputs: JSON.stringify(inputs) })
    .where('id', '=', runId)
    .execute();
  await sql`
    update landscape_run_nodes node
       set fingerprint = plan.fingerprint, inputs = plan.inputs, output_id = plan."outputId",
           start_date = plan."startDate", end_date = plan."endDate", plan = plan.reason,
           status = case when plan.reuses then 'skipped' else 'pending' end,
           started_at = case when plan.reuses then now() end,
           finished_at = case when plan.reuses then now() end
      from json_to_recordset(${JSON.stringify(plans)}::json) plan (
             code text, fingerprint text, inputs json, "outputId" uuid, reuses boolean, reason jsonb,
             "startDate" date, "endDate" date)
     where node.run_id = ${runId} and node.node_code = plan.code`.execute(trx);
}

/** Plans a run over the current rasters. Read-only. */
export async function planRunNow(trx: Transaction, wanted: RunInput): Promise<PlannedRun> {
  const { rasters, planned: resolved } = await resolveInputs(trx, wanted.overrides);
  const { planned, unfit } = await judgeInputs(trx, resolved);
  const plan = await planRun(wanted, {
    inputs: rasters,
    unfit,
    last: await findLast(trx),
    findEarlier: async (fingerprints) => await findEarlier(trx, fingerprints),
    newId: randomUUID,
  });
  return { plan, inputs: planned };
}

/** Finds the newest finished computation of each node, by code. Runs without a recorded version had version 1. */
async function findLast(trx: Transaction): Promise<ReadonlyMap<string, FinishedComputation>> {
  const { rows } = await sql<Record<'code' | 'runId' | 'inputs' | 'params', string> & { version: number }>`
    select asked.code, last.run_id as "runId", last.inputs, run.params, coalesce(run.graph_version, 1) as version
      from unnest(${nodes.map(({ code }) => code)}::text[]) asked (code)
     cross join lateral (
       select run_id, inputs from landscape_run_nodes
        where node_code = asked.code and status in ('skipped', 'succeeded')
        order by finished_at desc limit 1
     ) last
      join landscape_runs run on run.id = last.run_id`.execute(trx);
  return new Map(
    rows.map(({ code, runId, version, inputs, params }) => [
      code,
      {
        runId,
        version,
        inputs: parseInputs(inputs) ?? [],
        params: LandscapeParams.parse(JSON.parse(params)),
      },
    ]),
  );
}

/** Finds the newest finished node with each fingerprint. If its output was deleted, it must be computed again. */
async function findEarlier(
  trx: Transaction,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, EarlierOutput>> {
  if (fingerprints.length === 0) return new Map();
  type Row = { readonly fingerprint: string; readonly runId: string } & (DatedRaster | { readonly id: null });
  const { rows } = await sql<Row>`
    select asked.fingerprint, newest.run_id as "runId",
           output.id, output.start_date as "startDate", output.end_date as "endDate"
      from unnest(${fingerprints}::text[]) asked (fingerprint)
     cross join lateral (
       select run_id, output_id from landscape_run_nodes
        where fingerprint = asked.fingerprint and status in ('skipped', 'succeeded')
        order by finished_at desc limit 1
     ) newest
      left join datasets output
        on output.id = newest.output_id and output.file_type = 'raster' and output.status = 'ready'
       and exists (select from dataset_files where dataset_id = output.id and kind = 'cog')`.execute(trx);
  return new Map(
    rows.map(({ fingerprint, runId, ...output }) => [
      fingerprint,
      { runId, output: output.id === null ? undefined : output },
    ]),
  );
}
