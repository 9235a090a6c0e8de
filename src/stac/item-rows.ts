import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import type { FileType, ViewState } from '../database/tables/tables.ts';
import { createCache } from '../../common/cache.ts';
import { storedStyle } from '../../common/maps/style/sld-read.ts';
import { collectionSql, joinsSql } from './queryables.ts';

/** A stored file with the facts that catalogue clients need. */
export interface StoredFile {
  readonly kind: string;
  readonly size: number | null;
  readonly sha256: string | null;
}

export interface BandFacts {
  readonly index: number;
  readonly valid: number;
  readonly nodata: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

/** A class of a style that assigns a colour to each value. */
export interface ClassFacts {
  readonly value: number;
  readonly label: string;
  readonly colour: readonly number[];
}

/** The data of an item. */
export interface ItemRow {
  readonly id: string;
  readonly collection: string;
  readonly name: string;
  readonly description: string | null;
  readonly unit: string | null;
  readonly fileType: FileType;
  readonly contentType: string;
  readonly filename: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly extent: readonly number[] | null;
  readonly viewState: ViewState | null;
  readonly styleKey: string | null;
  /** The report of a raster as JSON. */
  readonly report: string | null;
  readonly engine: string | null;
  readonly bands: readonly BandFacts[] | null;
  readonly files: readonly StoredFile[];
  readonly runId: string | null;
  readonly node: string | null;
  readonly fingerprint: string | null;
  readonly madeWith: Readonly<Record<string, unknown>> | null;
  /** Existing inputs of a raster that a run has made. */
  readonly inputs: readonly { readonly id: string; readonly collection: string; readonly title: string }[];
}

/** The maximum number of bands that an item describes; for more it states only their number. */
export const mostBands = 256;

/** Reads the data of items, in the order of the ids; deleted datasets, and those that are no longer ready, are left out. */
export async function readItemRows(db: Database, ids: readonly string[]): Promise<readonly ItemRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ItemRow>`
    select d.id, ${collectionSql} as collection, d.name, d.description, d.unit, d.file_type as "fileType", d.content_type as "contentType",
      d.filename, d.start_date as "startDate", d.end_date as "endDate", d.created_at as "createdAt", d.updated_at as "updatedAt",
      d.extent, d.view_state as "viewState",
      coalesce((select object_key from dataset_files f where f.dataset_id = d.id and f.kind = 'sld'), g.sld_storage_key) as "styleKey",
      r.raster::text as report, r.engine,
      (select jsonb_agg(jsonb_build_object('index', b -> 'index', 'valid', b -> 'valid', 'nodata', b -> 'nodata', 'min', b -> 'min',
          'max', b -> 'max', 'mean', b -> 'mean'))
        from raster_statistics s, json_array_elements(s.counts -> 'bands') with ordinality bands (b, number)
        where s.dataset_id = d.id and number <= ${mostBands}) as bands,
      (select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'size', o.size_bytes, 'sha256', encode(o.sha256, 'hex'))), '[]')
        from dataset_files f join objects o on o.key = f.object_key where f.dataset_id = d.id and f.encoding = 'identity') as files,
      maker.run_id as "runId", maker.node_code as node, maker.fingerprint, maker.made_with as "madeWith",
      (select coalesce(jsonb_agg(jsonb_build_object('id', input.id, 'title', input.name, 'collection',
          coalesce(own.code, 'category.' || filed.code)) order by named.number), '[]')
        from json_array_elements(maker.inputs) with ordinality named (ref, number)
        join datasets input on input.id = (ref ->> 'dataset_id')::uuid and input.status = 'ready'
        left join dataset_groups own on own.id = input.dg_id join categories filed on filed.id = input.category_id) as inputs
    from unnest(${ids}::uuid[]) with ordinality asked (id, place)
    join datasets d on d.id = asked.id and d.status = 'ready' ${joinsSql}
    left join import_reports r on r.dataset_id = d.id
    left join lateral (select * from landscape_run_nodes n where n.output_id = d.id and n.status = 'succeeded' limit 1) maker on true
    order by asked.place`.execute(db);
  return rows;
}

/** Limit of cached styles; a style never changes under its key. */
const maxStyles = 500;

type ReadClasses = (keys: readonly (string | null)[]) => Promise<ReadonlyMap<string, readonly ClassFacts[]>>;

/** Creates a reader of the classes of raster styles, for one process; a style that is not compiled yet has no classes. */
export function createClassReader(db: Database): ReadClasses {
  const kept = createCache<readonly ClassFacts[]>({ max: maxStyles });
  return async (keys) => {
    const distinct = [...new Set(keys)].filter((key) => key !== null).slice(0, maxStyles);
    const found = await Promise.all(
      distinct.map(
        async (key) => [key, await kept.get(key, async () => await readClasses(db, key))] as const,
      ),
    );
    return new Map(found);
  };
}

async function readClasses(db: Database, key: string): Promise<readonly ClassFacts[]> {
  const row = await db
    .selectFrom('compiled_styles')
    .select('compiled')
    .where('sld_storage_key', '=', key)
    .executeTakeFirst();
  const colours = storedStyle(row?.compiled)?.raster?.colours;
  if (colours?.kind !== 'values') return [];
  return colours.stops
    .filter(({ value }) => Number.isSafeInteger(value))
    .map(({ value, label, colour }) => ({ value, label, colour }));
}
