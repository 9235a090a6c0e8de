import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/database.ts';
import { foldDatasetCounts } from './counts.ts';
import { readCursor } from './cursor.ts';
import type { DatasetFilter } from '../filter.ts';
import { listDatasets } from './list.ts';

const database = await openTestDatabase();
after(async () => await database.close());
const { db } = database;
const rows = 2600;

await sql`insert into categories (id, code, name) values (gen_random_uuid(), 'c', 'C')`.execute(db);
// Three at each moment, so that ids also decide the order, and 700 on each day.
await sql`insert into datasets (id, category_id, name, filename, file_type, size_bytes, content_type, status, created_at)
  select gen_random_uuid(), categories.id, 'Слой ' || n, 'a_' || n || '.tif', 'raster', 1, 'image/tiff', case when n % 2 = 0 then 'ready' else 'failed' end,
    timestamptz '2026-01-01T00:00Z' + n / 3 * interval '1 millisecond' + n / 700 * interval '1 day' from categories, generate_series(1, ${sql.lit(rows)}) n`.execute(
  db,
);
const { rows: inOrder } = await sql<{
  id: string;
  status: string;
}>`select id, status from datasets order by created_at desc, id`.execute(db);

const idsOf = (page: { readonly rows: readonly { readonly id: string }[] }): string[] =>
  page.rows.map(({ id }) => id);

test('pages that follow each other by places hold each dataset once, in order', async () => {
  const filters: readonly DatasetFilter[] = [{}, { status: 'ready' }, { q: 'слой' }];
  for (const filter of filters) {
    const wanted = inOrder.filter(({ status }) => status === (filter.status ?? status));
    const found: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await listDatasets(db, filter, { limit: 100, offset: 17, after: readCursor(after) });
      if (after === '') page.rows.unshift(...(await listDatasets(db, filter, { limit: 17, offset: 0 })).rows);
      assert.equal(page.total, wanted.length);
      found.push(...idsOf(page));
      after = page.next;
    }
    assert.deepEqual(
      found,
      wanted.map(({ id }) => id),
    );
  }
});

const far = [999, 1000, 1001, 1190, 1200, 1201, 1300, 1301, 1899, 1901, 2500, 2590, 2599, 2600, 5000];

test('a page by its number is the same, however far back it lies', async () => {
  for (const isFolded of [false, true]) {
    if (isFolded) await foldDatasetCounts(db);
    for (const offset of [0, 1, ...far, Number.MAX_SAFE_INTEGER]) {
      const page = await listDatasets(db, {}, { limit: 20, offset });
      assert.equal(page.total, rows, String(offset));
      assert.deepEqual(
        idsOf(page),
        inOrder.slice(offset, offset + 20).map(({ id }) => id),
        String(offset),
      );
      assert.equal(page.next !== undefined, offset + 20 < rows, String(offset));
    }
  }
});

test('a page far back of what a filter leaves is the same', async () => {
  const filters: readonly DatasetFilter[] = [
    { status: 'ready' },
    { file_type: 'raster', status: 'failed' },
    { category_code: 'c' },
    { q: 'слой' },
    { automated: true },
  ];
  for (const filter of filters) {
    const wanted = inOrder.filter(({ status }) => status === (filter.status ?? status));
    const matching = filter.automated === true ? [] : wanted;
    for (const offset of far) {
      const page = await listDatasets(db, filter, { limit: 100, offset });
      assert.equal(page.total, matching.length);
      assert.deepEqual(
        idsOf(page),
        matching.slice(offset, offset + 100).map(({ id }) => id),
        `${JSON.stringify(filter)} ${offset}`,
      );
    }
  }
});

test('a page far back passes over rows of its day alone', async () => {
  await sql`vacuum analyze datasets`.execute(db);
  const read = await db.connection().execute(async (connection) => {
    const entries = async (): Promise<number> => {
      await sql`select pg_stat_force_next_flush()`.execute(connection);
      const { rows } = await sql<{ entries: number }>`
        select idx_tup_read as entries from pg_stat_user_indexes where indexrelname = 'datasets_newest'`.execute(
        connection,
      );
      return rows[0]?.entries ?? Number.NaN;
    };
    const before = await entries();
    await listDatasets(connection, {}, { limit: 20, offset: 1250 });
    return (await entries()) - before;
  });
  // On the third newest day, after 1,200 others.
  assert.ok(read >= 20 && read < 200, `${read} entries of the index were read`);
});

test('a text is found as a whole, not by its parts', async () => {
  const found = async (q: string) => (await listDatasets(db, { q }, { limit: 20, offset: 0 })).total;
  const texts = [
    'СЛОЙ 1234',
    'слой 12',
    'лой 2599',
    'a_1234.tif',
    'A_12',
    'слой  1234',
    'слой 1234 слой',
    '1234 слой',
  ];
  const totals = [];
  for (const text of texts) totals.push(await found(text));
  assert.deepEqual(totals, [1, 111, 1, 1, 111, 0, 0, 0]);
});

test('a search that takes longer than a second is refused, and leaves the connection as it was', async () => {
  const locked = await db.startTransaction().execute();
  await sql`lock table datasets in access exclusive mode`.execute(locked);
  const far = { limit: 20, offset: 2000 };
  await Promise.all([
    assert.rejects(listDatasets(db, { q: 'слой' }, { limit: 20, offset: 0 }), { code: 'busy' }),
    assert.rejects(listDatasets(db, {}, far), { code: 'busy' }),
  ]);
  await locked.rollback().execute();
  assert.equal((await listDatasets(db, { q: 'слой 77' }, { limit: 20, offset: 0 })).total, 11);
});
