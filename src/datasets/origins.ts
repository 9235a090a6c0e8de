import { sql } from 'kysely';
import { z } from 'zod';
import type { Origin } from '../database/tables/dataset-tables.ts';
import type { Database, Transaction } from '../database/tables/tables.ts';
import { originPhrases as phrases } from '../messages/datasets/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';

export const origins = ['measured', 'derived', 'invented'] as const satisfies readonly Origin[];

export const OriginField = z
  .enum(origins)
  .nullable()
  .describe(
    'Origin of the values: `measured`, `derived` from measurements (a slope, a distance), or `invented` for demonstration; null if it is not stated',
  );

/** An invented dataset. */
interface Invented {
  readonly id: string;
  /** Null after it was deleted. */
  readonly name: string | null;
  /** Code of the group in whose role it was read, or to which it belongs. */
  readonly group: string | null;
}

/** The origin of the values of a dataset. */
export interface DatasetOrigin {
  /** `invented` if the dataset or anything from which it was made is invented; null if it is not known. */
  readonly origin: Origin | null;
  /** The statement of people about the dataset itself. */
  readonly stated: Origin | null;
  /** The invented datasets from which it was made, with itself. */
  readonly invented: readonly Invented[];
}

const unknown: DatasetOrigin = { origin: null, stated: null, invented: [] };

interface Source extends Invented {
  readonly root: string;
  readonly stated: Origin | null;
  readonly isMade: boolean;
}

/**
 * Finds the origins of datasets, with all from which they were made by runs, recipes and tables that follow groups: invented values stay
 * invented, whatever is computed from them. Statements about deleted datasets still count.
 */
export async function readOrigins(
  db: Database | Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DatasetOrigin>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Source>`
    with recursive sources (root, id, role) as (
      select asked.id, asked.id, null::text from unnest(${ids}::uuid[]) asked (id)
      union
      select sources.root, source.id, source.role from sources cross join lateral (
        select (input ->> 'dataset_id')::uuid, input ->> 'group'
          from (select inputs from landscape_run_nodes
                 where output_id = sources.id and status = 'succeeded' limit 1) maker,
               json_array_elements(maker.inputs) input
        union all
        select (input ->> 'dataset_id')::uuid, null
          from made_inputs made, json_array_elements(made.sources::json) input
         where made.dataset_id = sources.id
        union all
        select unnest(zonal.rasters), null from zonal_tables zonal where zonal.dataset_id = sources.id
      ) source (id, role)
    )
    select sources.root, sources.id, dataset.name, coalesce(sources.role, own_group.code) as "group",
      said.origin as stated,
      exists (select from landscape_run_nodes node where node.output_id = sources.id and node.status = 'succeeded')
        or exists (select from made_inputs made where made.dataset_id = sources.id)
        or exists (select from zonal_tables zonal where zonal.dataset_id = sources.id) as "isMade"
      from sources
      left join datasets dataset on dataset.id = sources.id
      left join dataset_groups own_group on own_group.id = dataset.dg_id
      left join dataset_origins said on said.dataset_id = sources.id`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ root }) => root)].map(([root, sources]) => [root, originOf(root, sources)]),
  );
}

function originOf(root: string, sources: readonly Source[]): DatasetOrigin {
  const stated = sources.find(({ id }) => id === root)?.stated ?? null;
  const others = sources.filter(({ id }) => id !== root);
  const named = sources.filter((source) => source.stated === 'invented');
  const invented = [...new Map(named.map(({ id, name, group }) => [id, { id, name, group }])).values()];
  if (invented.length > 0) return { origin: 'invented', stated, invented };
  const uploads = others.filter(({ isMade }) => !isMade);
  const isDerived = uploads.length > 0 && uploads.every((source) => source.stated !== null);
  return { origin: stated ?? (isDerived ? 'derived' : null), stated, invented };
}

/** Finds the origin of one dataset. */
export async function readOrigin(db: Database | Transaction, id: string): Promise<DatasetOrigin> {
  return (await readOrigins(db, [id])).get(id) ?? unknown;
}

/** Replaces the statement about a dataset; null takes it back. */
export async function writeOrigin(trx: Transaction, id: string, origin: Origin | null): Promise<void> {
  if (origin === null) {
    await trx.deleteFrom('dataset_origins').where('dataset_id', '=', id).execute();
    return;
  }
  await trx
    .insertInto('dataset_origins')
    .values({ dataset_id: id, origin })
    .onConflict((conflict) =>
      conflict.column('dataset_id').doUpdateSet({ origin, changed_at: sql<Date>`now()` }),
    )
    .execute();
}

const OfMeta = z.object({ origin: z.enum(origins) });

/** Writes the statement in the `meta` of an upload, if it has one, so that its origin is known from the start. */
export async function writeUploadedOrigin(trx: Transaction, id: string, meta: string | null): Promise<void> {
  const said = OfMeta.safeParse(meta === null ? null : JSON.parse(meta));
  if (said.success) await writeOrigin(trx, id, said.data.origin);
}

/**
 * Warns of invented values in a sentence; null without any.
 * @param titleOf the title of a dataset group that the service knows, in the same language
 */
export function warnOfInvented(
  { stated, invented }: Pick<DatasetOrigin, 'stated' | 'invented'>,
  language: Language,
  titleOf: (group: string) => string | undefined,
): string | null {
  if (invented.length === 0) return null;
  if (stated === 'invented') return translate(phrases.invented, language);
  const names = invented.map(
    ({ group, name }) =>
      (group === null ? undefined : titleOf(group)) ?? name ?? translate(phrases.deleted, language),
  );
  return translate(phrases.ofInvented([...new Set(names)].join(', ')), language);
}
