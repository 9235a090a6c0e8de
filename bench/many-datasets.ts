import assert from 'node:assert/strict';
import type { Client } from 'pg';

const categories = 300;
const groups = 5000;
/** Requests that are sent first and not timed. */
export const warmUps = 5;

/** Creates categories and groups; returns the id of a group. */
export async function makeGroups(database: Client): Promise<string> {
  await database.query(
    `insert into categories (id, code, name) select gen_random_uuid(), 'bench-' || n, 'Санат ' || n from generate_series(1, ${categories}) n`,
  );
  const { rows } = await database.query<{ id: string }>(
    `insert into dataset_groups (id, code, name) select gen_random_uuid(), 'bench-' || n, 'Топ ' || n from generate_series(1, ${groups}) n returning id`,
  );
  return rows[6]?.id ?? '';
}

/**
 * Adds datasets of recent years up to a number, without jobs. Indexes that are not constraints are created again afterwards, which is
 * faster.
 */
export async function fillDatasets(database: Client, size: number): Promise<void> {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'datasets'::regclass and not indisunique`,
  );
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  await database.query(
    `insert into datasets (id, category_id, dg_id, start_date, end_date, name, description, filename, file_type, size_bytes, content_type,
       automated, status, created_at, extent, extent_known)
     select gen_random_uuid(), category.id, case when n % 10 < 6 then grp.id end, date '2000-01-01' + n % 300 * 30, date '2000-01-29' + n % 300 * 30,
       (array['Жайылым', 'Осадки', 'Почвы', 'Рельеф', 'NDVI'])[1 + n % 5] || ' ' || n, case when n % 3 = 0 then 'Сипаттама ' || md5(n::text) end,
       'layer_' || n || '.gpkg', case when n % 3 = 0 then 'vector_with_kato' else 'vector' end, n, 'application/octet-stream', n % 4 = 0,
       case when n % 1000 = 0 then 'failed' when n % 100 = 0 then 'awaiting_mapping' else 'ready' end, timestamptz '2020-01-01' + n * interval '1 minute',
       array[west, south, west + size, south + size], true
     from generate_series((select count(*) from datasets) + 1, $1::bigint) as numbers (wide), cast(wide as integer) n
     join (select id, row_number() over (order by code) as place from categories where code like 'bench-%') category on category.place = 1 + n * 7::bigint % ${categories}
     join (select id, row_number() over (order by code) as place from dataset_groups where code like 'bench-%') grp on grp.place = 1 + n * 11::bigint % ${groups}
     cross join lateral (select 46.5 + n * 7919::bigint % 4000 / 100.0 as west, 40.6 + n * 104729::bigint % 1450 / 100.0 as south, 0.1 + n % 10 / 10.0 as size) spot`,
    [size],
  );
  for (const { definition } of indexes) await database.query(definition);
  await database.query('select fold_dataset_counts()');
  for (const table of ['datasets', 'dataset_counts', 'dataset_count_changes'])
    await database.query(`vacuum analyze ${table}`);
}

/** Returns the milliseconds of each request, one after the other, after the warm-up. */
export async function timesOf(
  url: string | ((number: number) => string),
  requests: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let number = -warmUps; number < requests; number += 1) {
    const startedMs = performance.now();
    const answer = await fetch(typeof url === 'string' ? url : url(number));
    const body = await answer.text();
    if (number >= 0) times.push(performance.now() - startedMs);
    assert.equal(answer.status, 200, body);
  }
  return times;
}

export function percentile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(share * (times.length - 1))] ?? Number.NaN;
}
