import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../database/tables/tables.ts';
import { inSnapshot } from '../../database/transaction.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { nodes } from '../graph/graph.ts';
import { stops } from '../fitness/finding.ts';
import { checkRunInput, type RunInput } from '../runs/input.ts';
import { faultOf, type RunPlan } from './plan.ts';
import { type PlannedRun, planRunNow, storedInput } from './plan-now.ts';
import { type LandscapePlan, PlannedInput, PlannedNode } from '../runs/plan-schema.ts';
import { errorColumns } from '../runs/run-rows.ts';
import {
  failureOf,
  type LandscapeRun,
  nodeColumns,
  type NodeRow,
  runColumns,
  type RunRow,
  toRun,
} from '../runs/schema.ts';

type Planned = PlannedRun & { readonly wanted: RunInput };

const planBody = async (db: Database, body: unknown): Promise<Planned> =>
  await inSnapshot(db, async (trx) => {
    const wanted = await checkRunInput(trx, body);
    return { wanted, ...(await planRunNow(trx, wanted)) };
  });

/**
 * Plans the run of `body` as it would start now, without storing anything. The error of a run that could not begin is in English.
 * @throws {Problem} as `checkRunInput` does.
 */
export async function planWithoutRun(db: Database, body: unknown): Promise<LandscapePlan> {
  return toPlan(await planBody(db, body));
}

/**
 * Returns the plan of a run: the stored one, or for a queued run the current one.
 * @throws {Problem} `not_found`
 */
export async function getRunPlan(db: Database, id: string): Promise<LandscapePlan> {
  return await inSnapshot(db, async (trx) => {
    const run = await trx
      .selectFrom('landscape_runs')
      .select([...runColumns, 'planned_inputs'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (run === undefined) throw landscapeProblems.noSuchRun();
    if (run.status === 'queued') {
      const wanted = storedInput(run);
      return toPlan({ wanted, ...(await planRunNow(trx, wanted)) });
    }
    const nodeRows = await trx
      .selectFrom('landscape_run_nodes')
      .select([...nodeColumns, 'plan'])
      .where('run_id', '=', id)
      .orderBy('node_code')
      .execute();
    return toStoredPlan(run, nodeRows);
  });
}

function toPlan({ wanted, plan, inputs }: Planned): LandscapePlan {
  const error = faultOf(plan)?.error;
  return {
    planned_at: null,
    ...askedOf(wanted),
    error: error?.english ?? null,
    ...(error?.sentence && { failure: { code: error.sentence.code, facts: [...error.sentence.facts] } }),
    missing: missingIn(inputs),
    inputs: [...inputs],
    nodes:
      'fault' in plan
        ? []
        : plan.nodes.map(({ code, reason, reuses, outputId }) => ({
            node_code: code,
            ...reason,
            output: reuses ? outputId : null,
          })),
  };
}

type PlanRow = Omit<RunRow, 'record'> & { readonly planned_inputs: unknown };
type PlanNodeRow = NodeRow & { readonly plan: unknown };

function toStoredPlan(run: PlanRow, nodeRows: readonly PlanNodeRow[]): LandscapePlan {
  const planned = nodeRows.filter(({ fingerprint }) => fingerprint !== '');
  const inputs = z.array(PlannedInput).parse(run.planned_inputs ?? []);
  const wasPlanned = planned.length > 0 || run.planned_inputs !== null;
  const isUnfit = run.status === 'failed' && inputs.some(({ findings = [] }) => findings.some(stops));
  const hasBegun = planned.length > 0 && !isUnfit;
  const failed = hasBegun ? undefined : (nodeRows.find(({ error }) => error !== null) ?? run);
  return {
    planned_at: wasPlanned ? (run.started_at?.toISOString() ?? null) : null,
    ...askedOf(storedInput(run)),
    error: failed?.error ?? null,
    ...failureOf(failed?.failure ?? null),
    missing: missingIn(inputs),
    inputs,
    nodes: planned.map(toPlannedNode),
  };
}

const StoredReason = PlannedNode.omit({ node_code: true, output: true });

function toPlannedNode({ node_code, plan, status, output_id: id }: PlanNodeRow): PlannedNode {
  const unrecorded = { reason: null, inputs: [], params: [], compared_with: null };
  const reason =
    plan === null
      ? { action: status === 'skipped' ? ('reuse' as const) : ('compute' as const), ...unrecorded }
      : StoredReason.parse(plan);
  return { node_code, ...reason, output: reason.action === 'reuse' ? id : null };
}

function askedOf({ params, overrides, fromStage }: RunInput) {
  return { params, overrides: { ...overrides }, from_stage: fromStage };
}

function missingIn(inputs: readonly PlannedInput[]): string[] {
  return inputs.filter(({ dataset }) => dataset === null).map(({ group }) => group);
}

/**
 * Returns the run of `body` as it would start now, without storing anything: each node is `pending`, or `skipped` if it would reuse an
 * earlier output. Ids of new outputs are invented. A run that could not begin has the error in the node that would fail.
 * @throws {Problem} as `checkRunInput` does.
 */
export async function planDryRun(db: Database, body: unknown): Promise<LandscapeRun> {
  const { wanted, plan } = await planBody(db, body);
  const id = randomUUID();
  const run = {
    id,
    status: 'queued',
    params: JSON.stringify(wanted.params),
    overrides: JSON.stringify(wanted.overrides),
    from_stage: wanted.fromStage,
    graph_version: null,
    error: null,
    failure: null,
    created_at: new Date(),
    started_at: null,
    finished_at: null,
    record: null,
  } as const;
  return toRun(run, nodeRowsOf(id, plan));
}

function nodeRowsOf(runId: string, plan: RunPlan): NodeRow[] {
  const fault = faultOf(plan);
  return nodes.map(({ code, stage }) => {
    const planned = 'fault' in plan ? undefined : plan.nodes.find((node) => node.code === code);
    const fails = fault?.nodeCode === code;
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
      ...(fails ? errorColumns(fault.error) : { error: null, failure: null }),
      progress: 0,
      started_at: null,
      finished_at: null,
    };
  });
}
