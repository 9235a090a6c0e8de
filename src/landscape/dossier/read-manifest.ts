import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inSnapshot } from '../../database/transaction.ts';
import { landscapeProblems, dossierProblems } from '../../messages/runs/english.ts';
import { PlannedInput, PlannedNode } from '../runs/plan-schema.ts';
import { MadeWith } from '../runs/run-rows.ts';
import { parseInputs, runColumns } from '../runs/schema.ts';
import { storedInput } from '../plan/plan-now.ts';
import { nodeByCode } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import type { DossierManifest } from './manifest-schema.ts';

/** An object that a dossier may contain. */
export interface StoredObject {
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The manifest of a run, its bytes, and the objects of its rasters. */
export interface ReadManifest {
  readonly manifest: DossierManifest;
  /** The bytes in canonical form. */
  readonly bytes: Buffer;
  /** SHA-256 of these bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** Files by dataset id. */
  readonly files: ReadonlyMap<string, UsedDataset>;
}

/** The files of a dataset that a run has read or made; all null if it was deleted. */
export interface UsedDataset {
  readonly id: string;
  readonly filename: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly meta: string | null;
  readonly engine: string | null;
  readonly original: StoredObject | null;
  readonly cog: StoredObject | null;
  readonly maker_run: string | null;
  readonly made_with: unknown;
}

/** Reads the manifest of a run in one snapshot. @throws {Problem} `not_found`; `conflict` unless the run has succeeded */
export async function readManifest(db: Database, runId: string): Promise<ReadManifest> {
  return await inSnapshot(db, async (trx) => {
    const run = await trx
      .selectFrom('landscape_runs')
      .select([...runColumns, 'graph_version', 'planned_inputs'])
      .where('id', '=', runId)
      .executeTakeFirst();
    if (run === undefined) throw landscapeProblems.noSuchRun();
    if (run.status !== 'succeeded') throw dossierProblems.notSucceeded(run.status);
    const nodes = await trx
      .selectFrom('landscape_run_nodes')
      .select(['node_code', 'fingerprint', 'inputs', 'output_id', 'status', 'plan'])
      .where('run_id', '=', runId)
      .orderBy('node_code')
      .execute();
    const refs = nodes.map((node) => parseInputs(node.inputs) ?? []);
    const ids = new Set([
      ...refs.flat().map((ref) => ref.dataset_id),
      ...nodes.flatMap((node) => node.output_id ?? []),
    ]);
    const files = await readUsed(trx, [...ids]);
    const asked = storedInput(run);
    const planned = z.array(PlannedInput).parse(run.planned_inputs ?? []);
    const manifest: DossierManifest = {
      format: 'steppe-dossier',
      version: 1,
      run: {
        id: run.id,
        created_at: run.created_at.toISOString(),
        started_at: run.started_at?.toISOString() ?? null,
        finished_at: run.finished_at?.toISOString() ?? null,
        graph_version: run.graph_version ?? 1,
        params: asked.params,
        overrides: { ...asked.overrides },
        from_stage: asked.fromStage,
      },
      inputs: inputsOf(refs.flat(), asked.overrides, { files, planned }),
      nodes: nodes.map((node, index) => nodeOf(node, refs[index] ?? [], files)),
    };
    const bytes = Buffer.from(canonicalJson(manifest));
    return { manifest, bytes, sha256: hash('sha256', bytes, 'hex'), files };
  });
}

const objectOf = (kind: 'original' | 'cog') => sql<StoredObject | null>`(
  select jsonb_build_object('key', object.key, 'sha256', encode(object.sha256, 'hex'), 'bytes', object.size_bytes)
    from dataset_files file join objects object on object.key = file.object_key
   where file.dataset_id = dataset.id and file.kind = ${kind} and file.encoding = 'identity'
     and object.sha256 is not null and object.size_bytes is not null)`;

async function readUsed(trx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, UsedDataset>> {
  const { rows } = await sql<UsedDataset>`
    select asked.id, dataset.filename, dataset.start_date, dataset.end_date, dataset.meta, report.engine,
           ${objectOf('original')} as original, ${objectOf('cog')} as cog,
           maker.run_id as maker_run, maker.made_with
      from unnest(${ids}::uuid[]) asked (id)
      left join datasets dataset on dataset.id = asked.id
      left join import_reports report on report.dataset_id = dataset.id
      left join landscape_run_nodes maker on maker.output_id = asked.id and maker.status = 'succeeded'`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

type Ref = Readonly<Record<'group' | 'dataset_id', string>>;

const slots: ReadonlySet<string> = new Set(leaves.map(({ group }) => group));

/** Returns the rasters that the run has not made, of slots and pins, by group. */
function inputsOf(
  refs: readonly Ref[],
  overrides: Readonly<Record<string, string>>,
  { files, planned }: { readonly files: ReadManifest['files']; readonly planned: readonly PlannedInput[] },
): DossierManifest['inputs'] {
  const read = new Map(refs.map((ref) => [ref.group, ref.dataset_id]));
  const given = [...read].filter(([group]) => slots.has(group) || Object.hasOwn(overrides, group));
  return given.toSorted(byFirst).map(([group, id]) => {
    const file = files.get(id);
    const then = planned.find((input) => input.group === group)?.dataset;
    const period = then?.id === id ? then : file;
    return {
      group,
      dataset_id: id,
      file: file?.filename?.toWellFormed() ?? null,
      start_date: period?.start_date ?? null,
      end_date: period?.end_date ?? null,
      licence: licenceIn(file?.meta ?? null),
      original: factsOf(file?.original),
      cog: factsOf(file?.cog),
    };
  });
}

interface NodeRow {
  readonly node_code: string;
  readonly fingerprint: string;
  readonly output_id: string | null;
  readonly status: string;
  readonly plan: unknown;
}

const Reason = PlannedNode.pick({ reason: true });

function nodeOf(
  { node_code: code, fingerprint, output_id: output, status, plan }: NodeRow,
  refs: readonly Ref[],
  files: ReadManifest['files'],
): DossierManifest['nodes'][number] {
  if (output === null) throw new Error(`node ${code} has succeeded without an output`);
  const made = files.get(output);
  const { data: madeWith } = MadeWith.safeParse(made?.made_with);
  return {
    code,
    group: nodeByCode(code)?.output.group ?? code,
    fingerprint,
    action: status === 'skipped' ? 'reuse' : 'compute',
    reason: Reason.safeParse(plan).data?.reason ?? null,
    inputs: refs.map(({ group, dataset_id: id }) => ({
      group,
      dataset_id: id,
      sha256: files.get(id)?.cog?.sha256 ?? null,
    })),
    output: { dataset_id: output, cog: factsOf(made?.cog) },
    made_by: {
      run_id: made?.maker_run ?? null,
      steppe: madeWith?.steppe ?? null,
      gdal: madeWith?.gdal ?? made?.engine ?? null,
      proj: madeWith?.proj ?? null,
    },
  };
}

function factsOf(object: StoredObject | null | undefined) {
  return object ? { sha256: object.sha256, bytes: object.bytes } : null;
}

const Licensed = z.object({ licence: z.string().optional(), license: z.string().optional() });
const maxLicenceCharacters = 1000;

/** Reads the licence of a dataset from its `meta`. */
function licenceIn(meta: string | null): string | null {
  if (meta === null) return null;
  const { data } = Licensed.safeParse(JSON.parse(meta));
  const licence = data?.licence ?? data?.license;
  return licence === undefined ? null : licence.slice(0, maxLicenceCharacters).toWellFormed();
}

function byFirst([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}
