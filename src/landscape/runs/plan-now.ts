import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction, Database } from '../../database/tables.ts';
import { freshestFirst } from '../../datasets/queries.ts';
import { leaves } from '../model/leaves.ts';
import { LandscapeParams } from '../model/params.ts';
import { type RunInput, checkRunInput } from './input.ts';
import { type DatedRaster, type NodePlan, planRun, type RunPlan } from './plan.ts';
import type { RunFault } from './run-failed.ts';
import { parseOverrides, type LandscapeRun, type NodeRow, toRun } from './schema.ts';
import { nodes } from '../graph/graph.ts';

/**
 * Starts a queued run: queued → running, and its plan into the rows of its nodes, of which those that reuse an output
 * are `skipped`. A run in any other state stays as it is. When the run cannot begin, says why and leaves its nodes alone.
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

/** Plans a run over the rasters that there are now. */
async function planRunNow(trx: Transaction, wanted: RunInput): Promise<RunPlan> {
  return await planRun(wanted, {
    inputs: await resolveInputs(trx, wanted.overrides),
    findReusable: async (fingerprint) => await findReusable(trx, fingerprint),
    newId: randomUUID,
  });
}

/** Finds the output of the newest node with this fingerprint. If it was deleted, none: it has to be made again. */
async function findReusable(trx: Transaction, fingerprint: string): Promise<DatedRaster | undefined> {
  const { rows } = await sql<DatedRaster>`
    select datasets.id, datasets.start_date as "startDate", datasets.end_date as "endDate"
      from (select output_id from landscape_run_nodes
             where fingerprint = ${fingerprint} and status in ('skipped', 'succeeded')
             order by finished_at desc limit 1) newest
      join datasets on datasets.id = newest.output_id
     where datasets.file_type = 'raster' and datasets.status = 'ready'
       and exists (select from dataset_files where dataset_id = datasets.id and kind = 'cog')
  `.execute(trx);
  return rows[0];
}

/** Finds the ready raster of each leaf group and pinned group, by code: the pin, or else the freshest. */
export async function resolveInputs(
  trx: Transaction,
  overrides: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, DatedRaster>> {
  const groups = [...new Set([...leaves.map(({ group }) => group), ...Object.keys(overrides)])];
  const pins = groups.map((group) => overrides[group] ?? null);
  const isReady = sql`datasets.file_type = 'raster' and datasets.status = 'ready'`;
  const { rows } = await sql<DatedRaster & { readonly group: string }>`
    select input.code as group, raster.id, raster.start_date as "startDate", raster.end_date as "endDate"
      from unnest(${groups}::text[], ${pins}::uuid[]) input (code, pin)
     cross join lateral (
       select id, start_date, end_date from datasets where datasets.id = input.pin and ${isReady}
       union all (
         select id, start_date, end_date from datasets
          where input.pin is null and ${isReady}
            and datasets.dg_id = (select grp.id from dataset_groups grp where grp.code = input.code)
          order by ${freshestFirst} limit 1
       )
     ) raster`.execute(trx);
  return new Map(rows.map(({ group, ...raster }) => [group, raster]));
}

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
