import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/database.ts';
import { repetitions } from '../../../test/support/tier.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { foldDatasetCounts, keptDaysOf, keptTotalOf, recountDatasets } from './counts.ts';
import { conditionOf, type DatasetFilter } from '../filter.ts';

const database = await openTestDatabase();
after(async () => await database.close());
const { db } = database;
const writes = repetitions('COUNTED_WRITES', 60, 1500);
const writers = 4;

await sql`insert into categories (id, code, name) select gen_random_uuid(), 'c' || n, 'C' from generate_series(1, 3) n`.execute(
  db,
);
await sql`insert into dataset_groups (id, code, name) select gen_random_uuid(), 'g' || n, 'G' from generate_series(1, 3) n`.execute(
  db,
);
const categories = await idsOf('categories');
const groups = await idsOf('dataset_groups');
const fileTypes = ['raster', 'vector', 'vector_with_kato'] as const;
const statuses = ['pending', 'ready', 'failed'] as const;
const days = ['2024-01-01', '2024-06-01', '2025-01-01'] as const;

async function idsOf(table: 'categories' | 'dataset_groups'): Promise<string[]> {
  const rows = await db.selectFrom(table).select('id').execute();
  return rows.map(({ id }) => id);
}

const chance = (share: number): boolean => Math.random() < share;
const oneOf = <T>(values: readonly T[]): T | undefined => values[Math.floor(Math.random() * values.length)];
const maybe = <T>(values: readonly T[]): T | null => (chance(0.3) ? null : (oneOf(values) ?? null));

async function insertSome(trx: Database, count: number): Promise<void> {
  await sql`insert into datasets (id, category_id, dg_id, start_date, end_date, name, filename, file_type, size_bytes, content_type, automated, status, created_at)
    select gen_random_uuid(), ${oneOf(categories)}, ${maybe(groups)}, ${maybe(days)}, ${chance(0.5) ? '2025-01-01' : null}, 'Слой ' || n, 'a.tif',
      ${oneOf(fileTypes)}, 1, 'image/tiff', ${chance(0.5)}, ${oneOf(statuses)}, now() - ${oneOf([0, 1, 30])}::integer * interval '1 day' from generate_series(1, ${count}::integer) n`.execute(
    trx,
  );
}

/** Some datasets that no other writer has locked, so that writers do not deadlock. */
const some = sql`id in (select id from datasets order by random() limit 3 for update skip locked)`;

async function writeSomething(trx: Database): Promise<void> {
  const actions = [
    () => insertSome(trx, 1),
    () => insertSome(trx, 5),
    () => sql`update datasets set status = ${oneOf(statuses)} where ${some}`.execute(trx),
    () =>
      sql`update datasets set dg_id = ${maybe(groups)}, category_id = ${oneOf(categories)} where ${some}`.execute(
        trx,
      ),
    () => sql`update datasets set start_date = ${maybe(days)}, unit = 'mm' where ${some}`.execute(trx),
    () => sql`delete from datasets where ${some}`.execute(trx),
  ];
  await oneOf(actions)?.();
}

class Regretted extends Error {}

async function write(): Promise<void> {
  if (chance(0.1)) await foldDatasetCounts(db);
  await inTransaction(db, async (trx) => {
    await writeSomething(trx);
    await writeWithSavepoint(trx);
    if (chance(0.2)) throw new Regretted();
  }).catch((error: unknown) => {
    if (!(error instanceof Regretted)) throw error;
  });
}

async function writeWithSavepoint(trx: Transaction): Promise<void> {
  if (chance(0.6)) return;
  await sql`savepoint tried`.execute(trx);
  await writeSomething(trx);
  if (chance(0.5)) await sql`rollback to savepoint tried`.execute(trx);
  await writeSomething(trx);
}

const choices: Readonly<Record<string, (filter: DatasetFilter) => DatasetFilter>> = {
  category_id: (filter) => ({ ...filter, category_id: oneOf(categories) }),
  category_code: (filter) => ({ ...filter, category_code: oneOf(['c1', 'c2', 'nothing']) }),
  file_type: (filter) => ({ ...filter, file_type: oneOf(fileTypes) }),
  status: (filter) => ({ ...filter, status: oneOf(statuses) }),
  automated: (filter) => ({ ...filter, automated: chance(0.5) }),
  dg_id: (filter) => ({ ...filter, dg_id: oneOf(groups) }),
  start_date_from: (filter) => ({ ...filter, start_date_from: oneOf(days) }),
  end_date_to: (filter) => ({ ...filter, end_date_to: '2025-01-01' }),
};
/** All combinations of filters, with random values. */
const combinations = Object.values(choices).reduce<((filter: DatasetFilter) => DatasetFilter)[]>(
  (all, add) => [...all, ...all.map((before) => (filter: DatasetFilter) => add(before(filter)))],
  [(filter) => filter],
);

/** Compares stored totals of some combinations with the rows, in one snapshot. */
async function compareTotals(picked: typeof combinations): Promise<void> {
  const filters = picked.map((make) => make({})).filter((filter) => keptTotalOf(filter) !== undefined);
  if (filters.length === 0) return;
  const columns = filters.map(
    (filter, place) =>
      sql`${keptTotalOf(filter)} as ${sql.ref(`total_${place}`)}, (select count(*) from datasets where ${conditionOf(filter)}) as ${sql.ref(`rows_${place}`)}`,
  );
  const { rows } = await sql<Readonly<Record<string, number>>>`select ${sql.join(columns)}`.execute(db);
  for (const [place, filter] of filters.entries()) {
    const { [`total_${place}`]: total, [`rows_${place}`]: counted } = rows[0] ?? {};
    assert.equal(total, counted, JSON.stringify(filter));
  }
}

/** Compares stored days of a filter with the rows, in one snapshot. */
async function compareDays(filter: DatasetFilter): Promise<void> {
  const kept = keptDaysOf(filter);
  if (kept === undefined) return;
  const { rows } = await sql`
    select * from (select * from ${kept} days where datasets <> 0) kept full join (
      select (created_at at time zone 'UTC')::date as created_on, count(*) as datasets from datasets where ${conditionOf(filter)} group by 1
    ) counted on kept.created_on = counted.created_on and kept.datasets = counted.datasets
    where kept.datasets is null or counted.datasets is null`.execute(db);
  assert.deepEqual(rows, [], JSON.stringify(filter));
}

async function faults(): Promise<number> {
  const { rows } = await sql<{ faults: number }>`select count(*) as faults from dataset_count_faults`.execute(
    db,
  );
  return rows[0]?.faults ?? Number.NaN;
}

describe('totals', () => {
  test('equal the rows of their snapshot for every combination of filters, while several write', async () => {
    await insertSome(db, 200);
    const written = new AbortController();
    let compared = 0;
    const areTooFew = () => compared < 10 && !written.signal.aborted;
    const writing = Array.from({ length: writers }, async () => {
      for (let done = 0; done < writes || areTooFew(); done += 1) await write();
    });
    const comparing = (async () => {
      for (let place = 0; !written.signal.aborted; place = (place + 16) % combinations.length) {
        await compareTotals(combinations.slice(place, place + 16));
        for (const make of combinations.slice(place, place + 16)) await compareDays(make({}));
        compared += 1;
      }
    })().finally(() => written.abort());
    await Promise.all(writing).finally(() => written.abort());
    await comparing;
    // A writer may have folded last of all.
    await insertSome(db, 1);
    for (const isFolded of [false, true]) {
      if (isFolded) assert.ok((await foldDatasetCounts(db)) > 0);
      for (let place = 0; place < combinations.length; place += 64) {
        await compareTotals(combinations.slice(place, place + 64));
      }
      assert.equal(await faults(), 0);
    }
    assert.equal(await foldDatasetCounts(db), 0);
  });

  test('follow a TRUNCATE, and one that is taken back', async () => {
    await insertSome(db, 7);
    await inTransaction(db, async (trx) => {
      await sql`truncate datasets cascade`.execute(trx);
      throw new Regretted();
    }).catch(() => undefined);
    await compareTotals(combinations.slice(0, 64));
    await sql`truncate datasets cascade`.execute(db);
    await insertSome(db, 3);
    await compareTotals(combinations.slice(0, 64));
    assert.equal(await faults(), 0);
  });

  test('are mended where rows were written without triggers', async () => {
    await db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await insertSome(trx, 4);
    });
    assert.ok((await faults()) > 0);
    assert.ok((await recountDatasets(db)) > 0);
    assert.equal(await faults(), 0);
    await compareTotals(combinations.slice(0, 64));
    assert.equal(await recountDatasets(db), 0);
  });
});
