import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import { categoryPrefix } from './queryables.ts';
import type { CollectionJson } from './schemas.ts';
import { stacVersion } from './versions.ts';

/** A group, or a category with its datasets that have no group. */
interface CollectionRow {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly box: readonly number[] | null;
  readonly first: string | null;
  readonly last: string | null;
  readonly units: readonly string[] | null;
  readonly types: readonly string[] | null;
  /** False when the collection has more datasets than are examined. */
  readonly isWhole: boolean;
}

/** The number of datasets that are examined for the extents of the collections of one answer. */
const mostMembers = 100_000;

interface CollectionPage {
  readonly rows: readonly CollectionRow[];
  /** The code of the last collection of the page; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * Lists collections ordered by code: groups, then categories with datasets that have no group.
 * @param after a code
 * @param words of which at least one must occur in code, name or description
 */
export async function listCollections(
  db: Database,
  {
    limit,
    after,
    words,
  }: {
    readonly limit: number;
    readonly after: string | undefined;
    readonly words?: readonly string[] | undefined;
  },
): Promise<CollectionPage> {
  const rows = await readCollections(db, { limit: limit + 1, codes: undefined, after, words });
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? page.at(-1)?.code : undefined };
}

/** Reads one collection; undefined when the code is unknown. */
export async function findCollection(db: Database, code: string): Promise<CollectionRow | undefined> {
  const [row] = await readCollections(db, { limit: 1, codes: [code], after: undefined });
  return row;
}

export async function hasCollection(db: Database, code: string): Promise<boolean> {
  const isCategory = code.startsWith(categoryPrefix);
  const { rows } = isCategory
    ? await sql`select from categories where code = ${code.slice(categoryPrefix.length)}`.execute(db)
    : await sql`select from dataset_groups where code = ${code}`.execute(db);
  return rows.length > 0;
}

interface Asked {
  readonly limit: number;
  readonly codes: readonly string[] | undefined;
  readonly after: string | undefined;
  readonly words?: readonly string[] | undefined;
}

/** Pages are ordered by kind first: codes of groups contain no dot and may sort before or after `category.`. */
async function readCollections(
  db: Database,
  { limit, codes, after, words }: Asked,
): Promise<readonly CollectionRow[]> {
  const isBehindGroups = after?.startsWith(categoryPrefix) ?? false;
  const groupsAfter = after === undefined || isBehindGroups ? '' : after;
  const categoriesAfter = isBehindGroups ? (after?.slice(categoryPrefix.length) ?? '') : '';
  const said = words === undefined ? sql`true` : holdsWord(words);
  const wanted = codes === undefined ? said : sql`code = any(${codes}::text[])`;
  const wantedCategories =
    codes === undefined
      ? sql`${said} and exists (select from datasets d where d.category_id = categories.id and d.dg_id is null and d.status = 'ready')`
      : sql`${categoryPrefix} || code = any(${codes}::text[])`;
  const most = Math.floor(mostMembers / limit);
  const { rows } = await sql<CollectionRow>`
    with listed as (
      (select 0 as kind, id, code, name, description from dataset_groups
        where ${isBehindGroups ? sql`false` : sql`true`} and code > ${groupsAfter} and ${wanted} order by code limit ${limit})
      union all
      (select 1, id, ${categoryPrefix} || code, name, description from categories
        where code > ${categoriesAfter} and ${wantedCategories} order by code limit ${limit})
      order by 1, 3 limit ${limit}
    )
    select listed.code, listed.name, listed.description, members.box, members.first, members.last, members.units, members.types,
      members.count <= ${most} as "isWhole"
    from listed left join lateral (
      select count(*) as count,
        case when count(extent) > 0 then array[min(least(extent[1], case when extent[1] > extent[3] then -180 end)), min(extent[2]),
          max(greatest(extent[3], case when extent[1] > extent[3] then 180 end)), max(extent[4])] end as box,
        to_char(min(lower(period)), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as first,
        to_char(max(upper(period)), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last,
        (array_agg(distinct unit) filter (where unit is not null))[1:20] as units, array_agg(distinct file_type) as types
      from (
        (select extent, period, unit, file_type from datasets d where listed.kind = 0 and d.dg_id = listed.id and d.status = 'ready'
          limit ${most + 1})
        union all
        (select extent, period, unit, file_type from datasets d where listed.kind = 1 and d.category_id = listed.id and d.dg_id is null
          and d.status = 'ready' limit ${most + 1})
      ) member
    ) members on true
    order by listed.kind, listed.code`.execute(db);
  return rows;
}

/** Matches a group or a category with one of the words in its code, name or description, regardless of case and Unicode normalization. */
function holdsWord(words: readonly string[]): RawBuilder<SqlBool> {
  const text = sql`lower(normalize(concat_ws(E'\n', code, name, description), NFC) collate "und-x-icu")`;
  const parts = words.map((word) => {
    const part = sql`lower(${word.normalize('NFC')}::text collate "und-x-icu")`;
    return sql`strpos(${text} collate "C", ${part} collate "C") > 0`;
  });
  return sql`(${sql.join(parts, sql` or `)})`;
}

/** Describes a collection. @param base the address of the service, without a trailing slash */
export function collectionOf(row: CollectionRow, base: string): CollectionJson {
  const { code, name, description, isWhole, box, first, last } = row;
  const self = `${base}/stac/collections/${encodeURIComponent(code)}`;
  const json = 'application/json';
  const isKnown = isWhole && box !== null;
  return {
    type: 'Collection',
    stac_version: stacVersion,
    stac_extensions: [],
    id: code,
    title: name,
    description: description === '' ? name : description,
    license: 'other',
    extent: {
      spatial: { bbox: [isKnown ? [...box] : [-180, -90, 180, 90]] },
      temporal: { interval: [isWhole ? [first, last] : [null, null]] },
    },
    summaries: {
      ...(row.types === null ? {} : { 'steppe:file_type': row.types }),
      ...(row.units === null ? {} : { 'steppe:unit': row.units }),
    },
    links: [
      { rel: 'self', href: self, type: json, title: name },
      { rel: 'root', href: `${base}/stac`, type: json },
      { rel: 'parent', href: `${base}/stac`, type: json },
      { rel: 'items', href: `${self}/items`, type: 'application/geo+json' },
      {
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables',
        href: `${self}/queryables`,
        type: 'application/schema+json',
      },
    ],
  };
}
