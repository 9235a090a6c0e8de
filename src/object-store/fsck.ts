import { sql } from 'kysely';
import { raiseLimits } from '../database/transaction.ts';
import type { Database } from '../database/tables/tables.ts';
import { measureStream } from './measure.ts';
import { isReferenceKey, ObjectMissing, type ObjectStore } from './object-store.ts';

const kinds = {
  object_without_entry: 'stored under a key that the ledger does not know',
  entry_without_object: 'live in the ledger, but there is no such object in the store',
  wrong_size: 'stored with another size than the ledger or its dataset says',
  wrong_digest: 'stored with other bytes than the ledger says',
  live_without_owner:
    'live, but no dataset, group, template, atlas, unfinished upload, layer or part of a run owns it',
  owner_of_dead_key:
    'owned by a dataset, a group, a template, an atlas, an unfinished upload, a layer or a part of a run, but not live',
  dataset_without_original: 'has no file that was uploaded',
  job_without_dataset: 'waits for or works on a dataset that does not exist',
  dataset_without_job: 'is between two states, but no job works on it',
  count_without_job: 'waits for its statistics, but no job counts its pixels',
  features_without_job: 'waits for its FlatGeobuf, but no job makes it',
  view_without_job: 'waits for its view, but no job makes it',
  layer_without_job: 'waits to be made, but no job makes it',
  table_without_job: 'follows a group that has changed, but no job makes it again',
  polygons_without_job: 'wait to be made, but no job makes them',
  input_without_job: 'waits to be made, but no job makes it',
  job_without_run: 'waits for or works on a landscape run that does not exist',
  run_without_job: 'is not finished, but no job works on it',
  pass_of_ended_run: 'is spread over workers, but has ended',
  adoption_inconsistent:
    'is adopted without keeping all its datasets from deletion, or keeps them without being adopted',
  wrong_count:
    'counts datasets wrong, so that lists tell another total than there are; a worker mends it within a day',
  unfinished_object: 'is being written, or was until its writer died',
  object_to_sweep: 'is to be deleted',
  observations_to_sweep: 'is shown by no dataset, and its attempt has ended',
} as const;

export interface Finding {
  readonly kind: keyof typeof kinds;
  /** An object key, an id (of a job, dataset, landscape run, layer, or set of observations), or the subject of a count. */
  readonly subject: string;
}

export interface StoreReport {
  readonly objects: number;
  readonly datasets: number;
  /** Findings that are never valid. */
  readonly damage: readonly Finding[];
  /** Temporary findings: a running upload or job resolves them, or the sweeper does. Empty for an idle service. */
  readonly inFlight: readonly Finding[];
}

const pageSize = 1000;
const objectsAtOnce = 16;

/**
 * Checks that store, ledger and rows agree; also works beside a running service. Changes nothing.
 * @param options.digests reads every object and verifies its digest.
 */
export async function checkStore(
  db: Database,
  store: ObjectStore,
  { digests = false }: { readonly digests?: boolean } = {},
): Promise<StoreReport> {
  const damage = [
    ...(await findObjectsWithoutEntry(db, store)),
    ...(await findBrokenObjects(db, store, digests)),
    ...(await find(db, damageQueries)),
  ];
  const { rows } = await sql<{ objects: number; datasets: number }>`
    select (select count(*) from objects where state = 'live') as objects,
      (select count(*) from datasets) as datasets`.execute(db);
  return { objects: 0, datasets: 0, ...rows[0], damage, inFlight: await find(db, inFlightQueries) };
}

/** Formats the report: a summary, then one line per finding. */
export function describeReport({ objects, datasets, damage, inFlight }: StoreReport): string {
  const lines = (findings: readonly Finding[]): string[] =>
    findings.map(({ kind, subject }) => `  ${kind} ${subject}: ${kinds[kind]}`);
  return [
    `${datasets} datasets, ${objects} live objects`,
    `${inFlight.length} in flight${inFlight.length === 0 ? '' : ':'}`,
    ...lines(inFlight),
    damage.length === 0 ? 'no damage: store, ledger and rows agree' : `${damage.length} DAMAGED:`,
    ...lines(damage),
    '',
  ].join('\n');
}

type Queries = Readonly<Partial<Record<Finding['kind'], ReturnType<typeof sql<{ subject: string }>>>>>;

const ownedKeys = sql`(
  select object_key as key from dataset_files union all
  select sld_storage_key from dataset_groups union all
  select object_key from form_templates union all
  select object_key from results union all
  select object_key from source_files union all
  select object_key from upload_pieces union all
  select cog_key from landscape_layers union all
  select mesh_key from landscape_layers union all
  select part_key from landscape_parts)`;

/** One statement each, so that each has a consistent snapshot on a busy service. */
const damageQueries: Queries = {
  live_without_owner: sql`select key as subject from objects
    where state = 'live' and key not in (select key from ${ownedKeys} as owned where key is not null)`,
  owner_of_dead_key: sql`select distinct key as subject from ${ownedKeys} as owned
    where key is not null and key not in (select key from objects where state = 'live')`,
  dataset_without_original: sql`select id as subject from datasets where not exists (
      select from dataset_files f where f.dataset_id = datasets.id and f.kind = 'original')`,
  job_without_dataset: sql`select id as subject from jobs
    where state in ('queued', 'running') and kind in ('process-dataset', 'extract-observations', 'make-view', 'count-pixels', 'make-features', 'match-table', 'copy-reference')
      and not exists (select from datasets d where d.id = jobs.ref_id)`,
  dataset_without_job: sql`select id as subject from datasets
    where status in ('pending', 'processing', 'parsing', 'extracting') and not exists (
      select from jobs j where j.ref_id = datasets.id and j.state in ('queued', 'running'))`,
  view_without_job: sql`select id as subject from datasets
    where view_state = 'pending' and not exists (
      select from jobs j where j.ref_id = datasets.id and j.kind = 'make-view' and j.state in ('queued', 'running'))`,
  count_without_job: sql`select dataset_id as subject from raster_statistics
    where state = 'pending' and not exists (
      select from jobs j where j.ref_id = dataset_id and j.kind = 'count-pixels' and j.state in ('queued', 'running'))`,
  features_without_job: sql`select dataset_id as subject from vector_features
    where state = 'pending' and not exists (
      select from jobs j where j.ref_id = dataset_id and j.kind = 'make-features' and j.state in ('queued', 'running'))`,
  layer_without_job: sql`select id as subject from landscape_layers
    where state = 'pending' and not exists (
      select from jobs j where j.ref_id = landscape_layers.id and j.kind = 'make-layer' and j.state in ('queued', 'running'))`,
  table_without_job: sql`select id as subject from zonal_tables
    where made < wanted and failure is null and not exists (
      select from jobs j where j.ref_id = zonal_tables.id and j.kind = 'zonal-table' and j.state in ('queued', 'running'))`,
  polygons_without_job: sql`select id as subject from landscape_polygons
    where state = 'pending' and not exists (
      select from jobs j where j.ref_id = landscape_polygons.id and j.kind = 'make-polygons' and j.state in ('queued', 'running'))`,
  input_without_job: sql`select id as subject from made_inputs
    where state = 'pending' and not exists (
      select from jobs j where j.ref_id = made_inputs.id and j.kind = 'make-input' and j.state in ('queued', 'running'))`,
  wrong_count: sql`select concat_ws(' ', grain, category_id, dg_id, start_date, end_date, created_on, file_type, status,
      case when automated then 'automated' end) as subject from dataset_count_faults`,
  job_without_run: sql`select id as subject from jobs
    where state in ('queued', 'running') and kind = 'run-landscape'
      and not exists (select from landscape_runs r where r.id = jobs.ref_id)`,
  run_without_job: sql`select id as subject from landscape_runs
    where status in ('queued', 'running') and not exists (
      select from jobs j where j.ref_id = landscape_runs.id and j.state in ('queued', 'running'))`,
  pass_of_ended_run: sql`select run_id as subject from landscape_passes
    where not exists (select from landscape_runs r where r.id = run_id and r.status in ('queued', 'running'))`,
  adoption_inconsistent: sql`select id as subject from landscape_runs run
    cross join lateral (select coalesce((select state = 'adopted' from landscape_run_records
      where run_id = run.id order by revision desc limit 1), false) as is_adopted) record
    where case when is_adopted then exists (
        select from (
          select output_id as dataset_id from landscape_run_nodes where run_id = run.id and output_id is not null union
          select (ref ->> 'dataset_id')::uuid from landscape_run_nodes, json_array_elements(inputs) ref where run_id = run.id
        ) used where not exists (
          select from adopted_datasets kept where kept.run_id = run.id and kept.dataset_id = used.dataset_id))
      else exists (select from adopted_datasets where run_id = run.id) end`,
};

const inFlightQueries: Queries = {
  unfinished_object: sql`select key as subject from objects where state = 'writing'`,
  object_to_sweep: sql`select key as subject from objects where state = 'deleting'`,
  observations_to_sweep: sql`select id::text as subject from observation_sets s
    where not exists (select from datasets d where d.observation_set_id = s.id) and not exists (
      select from jobs j where j.id = s.job_id and j.attempt = s.attempt and j.state = 'running')`,
};

async function find(db: Database, queries: Queries): Promise<Finding[]> {
  return await db.transaction().execute(async (trx) => {
    await raiseLimits(trx); // each reads a whole table
    const findings: Finding[] = [];
    for (const kind of Object.keys(kinds).filter(isKind)) {
      const { rows } = (await queries[kind]?.execute(trx)) ?? { rows: [] };
      findings.push(...rows.map(({ subject }) => ({ kind, subject })));
    }
    return findings;
  });
}

function isKind(text: string): text is Finding['kind'] {
  return text in kinds;
}

/** Checks suspects twice: an object that the sweeper was just removing is gone by the second check. */
async function findObjectsWithoutEntry(db: Database, store: ObjectStore): Promise<Finding[]> {
  const suspects = await keysWithoutEntry(db, store.keys());
  if (suspects.size === 0) return [];
  const stillThere = await keysWithoutEntry(db, store.keys());
  return [...suspects]
    .filter((key) => stillThere.has(key))
    .map((subject) => ({ kind: 'object_without_entry', subject }));
}

async function keysWithoutEntry(db: Database, keys: AsyncIterable<string>): Promise<Set<string>> {
  const missing = new Set<string>();
  const page: string[] = [];
  const compare = async (): Promise<void> => {
    const asked = page.splice(0);
    const { rows } = await sql<{ key: string }>`select key from unnest(${asked}::text[]) as stored (key)
      where key not in (select key from objects where key = any(${asked}))`.execute(db);
    for (const { key } of rows) missing.add(key);
  };
  for await (const key of keys) if (page.push(key) === pageSize) await compare();
  await compare();
  return missing;
}

interface LiveObject {
  readonly key: string;
  /** According to the ledger; null if unknown. */
  readonly size: number | null;
  readonly sha256: Buffer | null;
  /** According to the dataset whose original it is. */
  readonly owners: number | null;
}

/** Asks the store for each live object. Asks the ledger again for each broken one, which may have been retired just now. */
async function findBrokenObjects(db: Database, store: ObjectStore, digests: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const objects of liveObjects(db)) {
    // A store over the network answers many questions in the time of one.
    const kinds = await Promise.all(objects.map(async (object) => await examine(store, object, digests)));
    for (const [index, kind] of kinds.entries()) {
      const subject = objects[index]?.key ?? '';
      if (kind === undefined) continue;
      const now = await db
        .selectFrom('objects')
        .select('state')
        .where('key', '=', subject)
        .executeTakeFirst();
      if (now?.state === 'live') findings.push({ kind, subject });
    }
  }
  return findings;
}

async function examine(
  store: ObjectStore,
  { key, size, sha256, owners }: LiveObject,
  digests: boolean,
): Promise<Finding['kind'] | undefined> {
  const stored = await store.size(key);
  if (stored === undefined) return 'entry_without_object';
  if ((size ?? stored) !== stored || (owners ?? stored) !== stored) return 'wrong_size';
  // Every read of a file of another server compares digests itself.
  if (!digests || sha256 === null || isReferenceKey(key)) return undefined;
  const facts = await store.read(key).then(measureStream, (error: unknown) => {
    if (error instanceof ObjectMissing) return undefined;
    throw error;
  });
  if (facts === undefined) return 'entry_without_object';
  return facts.sha256.equals(sha256) ? undefined : 'wrong_digest';
}

/** Lists live objects in batches. */
async function* liveObjects(db: Database): AsyncGenerator<readonly LiveObject[]> {
  for (let last = ''; ;) {
    const { rows } = await sql<LiveObject>`
      select o.key, o.size_bytes as size, o.sha256, d.size_bytes as owners
      from (select key, size_bytes, sha256 from objects where state = 'live' and key > ${last}
        order by key limit ${objectsAtOnce}) o
      left join dataset_files f on f.object_key = o.key and f.kind = 'original'
      left join datasets d on d.id = f.dataset_id order by o.key`.execute(db);
    yield rows;
    const next = rows.at(-1);
    if (next === undefined) return;
    last = next.key;
  }
}
