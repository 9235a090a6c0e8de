import { sql } from 'kysely';
import type { RunStatus, Transaction } from '../../database/tables/tables.ts';
import { styleKeyOfDataset } from '../../datasets/files.ts';
import { recordProblems } from '../../messages/runs/english.ts';
import { nodeByCode } from '../graph/graph.ts';
import { parseInputs } from './schema.ts';

interface UsedDataset {
  readonly id: string;
  readonly group: string;
}

/**
 * Protects every dataset that a run has read, made or reused from deletion. The transaction must hold the lock of the run.
 * @throws {Problem} `conflict` when the run has not succeeded, one of its datasets was deleted, or the file of one stays on another server
 */
export async function adoptDatasets(
  trx: Transaction,
  run: { readonly id: string; readonly status: RunStatus },
): Promise<void> {
  if (run.status !== 'succeeded') throw recordProblems.notSucceeded(run.status);
  const used = await readUsedDatasets(trx, run.id);
  const ids = used.map(({ id }) => id);
  // Locks rows in a fixed order, to avoid deadlocks. A deletion also locks before it checks.
  const { rows } = await sql<{ id: string }>`
    select id from datasets where id = any(${ids}::uuid[]) order by id for key share`.execute(trx);
  const present = new Set(rows.map(({ id }) => id));
  const gone = used.filter(({ id }) => !present.has(id));
  if (gone.length > 0) throw recordProblems.datasetsGone(gone);
  const elsewhere = await trx
    .selectFrom('dataset_references')
    .select('dataset_id')
    .where('dataset_id', 'in', [...ids, run.id])
    .execute();
  const kept = new Set(elsewhere.map(({ dataset_id: id }) => id));
  if (kept.size > 0) throw recordProblems.datasetsElsewhere(used.filter(({ id }) => kept.has(id)));
  // A run that is adopted again keeps the styles of the first adoption.
  await sql`insert into adopted_datasets (run_id, dataset_id, style_sha256)
    select ${run.id}, datasets.id, style.sha256 from datasets
      left join dataset_groups on dataset_groups.id = datasets.dg_id
      left join objects style on style.key = ${styleKeyOfDataset}
     where datasets.id = any(${ids}::uuid[])
    on conflict do nothing`.execute(trx);
}

/** The outputs of an adopted run in a query of `landscape_runs` whose style has changed since the adoption; null without such outputs. */
export const restyledOfRun = sql<readonly string[] | null>`(
  select jsonb_agg(datasets.id order by datasets.id) from adopted_datasets kept
    join landscape_run_nodes node on node.run_id = kept.run_id and node.output_id = kept.dataset_id
    join datasets on datasets.id = kept.dataset_id
    left join dataset_groups on dataset_groups.id = datasets.dg_id
    left join objects style on style.key = ${styleKeyOfDataset}
   where kept.run_id = landscape_runs.id and kept.style_sha256 is distinct from style.sha256)`;

/** Allows the deletion of the datasets of a run again, unless another adopted run uses them. */
export async function releaseDatasets(trx: Transaction, runId: string): Promise<void> {
  await trx.deleteFrom('adopted_datasets').where('run_id', '=', runId).execute();
}

/** Lists the datasets that the nodes of a run have read, made and reused, without duplicates, with their groups. */
async function readUsedDatasets(trx: Transaction, runId: string): Promise<readonly UsedDataset[]> {
  const nodes = await trx
    .selectFrom('landscape_run_nodes')
    .select(['node_code', 'inputs', 'output_id'])
    .where('run_id', '=', runId)
    .orderBy('node_code')
    .execute();
  const groups = new Map<string, string>();
  for (const { node_code: code, inputs, output_id: output } of nodes) {
    for (const { dataset_id: id, group } of parseInputs(inputs) ?? []) groups.set(id, group);
    if (output !== null) groups.set(output, nodeByCode(code)?.output.group ?? code);
  }
  return [...groups].map(([id, group]) => ({ id, group }));
}
