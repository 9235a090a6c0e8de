import { sql } from 'kysely';
import { z } from 'zod';
import type { Origin } from '../../database/tables/dataset-tables.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inSnapshot } from '../../database/transaction.ts';
import type { Lineage, LineageStep } from './lineage-schema.ts';
import { readOrigin, warnOfInvented } from '../../datasets/origins.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { nodeByCode } from '../graph/graph.ts';
import { titleOf } from '../groups/titles.ts';
import { parseInputs } from './schema.ts';

/** Limit of datasets: a run has 32, but pins can form chains of runs. */
const mostDatasets = 1000;

/** The known facts about a dataset, from its row, its files and the node that made it. */
interface KnownDataset {
  readonly id: string;
  /** Null, like all other members of the row, if it was deleted. */
  readonly name: string | null;
  readonly ownGroup: string | null;
  readonly filename: string | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly createdAt: Date | null;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
  readonly node: string | null;
  readonly runId: string | null;
  readonly inputs: string | null;
  /** The sources of a raster that a recipe has made. */
  readonly sources: string | null;
  readonly origin: Origin | null;
}

const Sources = z.array(z.object({ dataset_id: z.string() }));

/**
 * Finds all datasets from which a dataset was made, down to the uploads, in one snapshot.
 * @throws {Problem} `not_found` when the dataset does not exist; its sources may have been deleted
 */
export async function readLineage(db: Database, id: string, language: Language): Promise<Lineage> {
  return await inSnapshot(db, async (trx) => {
    const { known, groups, isComplete } = await collect(trx, id);
    if ((known.get(id)?.name ?? null) === null) throw datasetProblems.notFound();
    const steps = inOrder(id, known).map((dataset) => stepOf(dataset, groups.get(dataset.id), language));
    const origin = await readOrigin(trx, id);
    const warning = warnOfInvented(origin, language, (group) => titleOf(group, language));
    return { dataset_id: id, steps, origin: origin.origin, warning, is_complete: isComplete };
  });
}

/** Follows datasets to their sources, with one statement per distance from the first dataset. */
async function collect(trx: Transaction, firstId: string) {
  const known = new Map<string, KnownDataset>();
  const groups = new Map<string, string>();
  const wanted = new Set([firstId]);
  let asked = [firstId];
  while (asked.length > 0 && known.size < mostDatasets) {
    const rows = await readKnown(trx, asked.slice(0, mostDatasets - known.size));
    for (const row of rows) known.set(row.id, row);
    const refs = rows.flatMap(({ inputs }) => parseInputs(inputs) ?? []);
    for (const { dataset_id: id, group } of refs) if (!groups.has(id)) groups.set(id, group);
    for (const source of rows.flatMap(inputIdsOf)) wanted.add(source);
    asked = [...wanted].filter((each) => !known.has(each));
  }
  return { known, groups, isComplete: [...wanted].every((id) => known.has(id)) };
}

async function readKnown(trx: Transaction, ids: readonly string[]): Promise<readonly KnownDataset[]> {
  const { rows } = await sql<KnownDataset>`
    select asked.id, dataset.name, own_group.code as "ownGroup", dataset.filename,
      dataset.start_date as "startDate", dataset.end_date as "endDate", dataset.created_at as "createdAt",
      dataset.size_bytes as "sizeBytes", encode(object.sha256, 'hex') as sha256,
      maker.node_code as node, maker.run_id as "runId", maker.inputs, made.sources, said.origin
      from unnest(${ids}::uuid[]) with ordinality asked (id, place)
      left join datasets dataset on dataset.id = asked.id
      left join dataset_groups own_group on own_group.id = dataset.dg_id
      left join lateral (
        select node_code, run_id, inputs from landscape_run_nodes
         where output_id = asked.id and status = 'succeeded' limit 1
      ) maker on true
      left join made_inputs made on made.dataset_id = asked.id
      left join dataset_origins said on said.dataset_id = asked.id
      left join dataset_files file on file.dataset_id = dataset.id and file.encoding = 'identity'
        and file.kind = case when maker.run_id is null then 'original' else 'cog' end
      left join objects object on object.key = file.object_key
     order by asked.place`.execute(trx);
  return rows;
}

/** Sorts datasets so that each precedes its sources; circular references are harmless. */
function inOrder(firstId: string, known: ReadonlyMap<string, KnownDataset>): KnownDataset[] {
  const visited = new Set<string>();
  const inputsFirst: KnownDataset[] = [];
  const visit = (id: string): void => {
    const dataset = known.get(id);
    if (dataset === undefined || visited.has(id)) return;
    visited.add(id);
    for (const input of inputIdsOf(dataset).toReversed()) visit(input);
    inputsFirst.push(dataset);
  };
  visit(firstId);
  return inputsFirst.toReversed();
}

function inputIdsOf({ inputs, sources }: KnownDataset): string[] {
  const read = sources === null ? [] : Sources.parse(JSON.parse(sources));
  return [...new Set([...(parseInputs(inputs) ?? []), ...read].map(({ dataset_id: id }) => id))];
}

/** Describes a dataset. @param stoodFor the group in whose role it was used */
function stepOf(dataset: KnownDataset, stoodFor: string | undefined, language: Language): LineageStep {
  const made = dataset.node === null ? undefined : nodeByCode(dataset.node)?.output.group;
  const group = made ?? stoodFor ?? dataset.ownGroup;
  return {
    dataset_id: dataset.id,
    group,
    title: group === null ? null : (titleOf(group, language) ?? null),
    node: dataset.node,
    run_id: dataset.runId,
    is_deleted: dataset.name === null,
    name: dataset.name,
    filename: dataset.filename,
    start_date: dataset.startDate,
    end_date: dataset.endDate,
    created_at: dataset.createdAt?.toISOString() ?? null,
    size_bytes: dataset.sizeBytes,
    sha256: dataset.sha256,
    origin: dataset.origin,
    inputs: inputIdsOf(dataset),
  };
}
