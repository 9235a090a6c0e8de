import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { TestApp } from '../app.ts';
import { insertCategory, setState, upload } from '../datasets.ts';

/** Inserts a ready table of this many rows, each with two values, as a worker would leave it. */
export async function insertLargeTable(app: TestApp, rows: number): Promise<string> {
  const { db } = app.services;
  const { id } = await upload(app, { category_id: await insertCategory(db), file_type: 'vector_with_kato' });
  const columns = [
    { column: '2020', start_date: '2020-01-01' },
    { column: '2021', start_date: '2021-01-01', end_date: '2021-12-31' },
  ];
  const mapping = { kato_column: 'kato', year_columns: JSON.stringify(columns) };
  await setState(app.services, id, { status: 'ready', ...mapping });
  await switchValues(app, id, { rows, from: 0 });
  return id;
}

/** Replaces the observations of a table, as an extraction does, and sweeps the previous ones. */
export async function switchValues(
  app: TestApp,
  id: string,
  { rows, from }: { readonly rows: number; readonly from: number },
): Promise<void> {
  const { db } = app.services;
  const set = { dataset_id: id, job_id: randomUUID(), attempt: 1 };
  const made = await db.insertInto('observation_sets').values(set).returning('id').executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`
      insert into observations (set_id, id, kato_code, start_date, end_date, value, mapping_order, row_number)
      select ${made.id}, gen_random_uuid(), lpad((100000000 + row)::text, 9, '0'), start_date, end_date, ${from} + row, place, row
      from generate_series(0, ${rows} - 1) as row,
        (values (0, '2020-01-01'::date, null::date), (1, '2021-01-01'::date, '2021-12-31'::date)) as columns (place, start_date, end_date)`.execute(
      trx,
    );
    await trx.updateTable('datasets').set({ observation_set_id: made.id }).where('id', '=', id).execute();
  });
  await db
    .deleteFrom('observations')
    .where(
      'set_id',
      'in',
      db.selectFrom('observation_sets').select('id').where('dataset_id', '=', id).where('id', '<>', made.id),
    )
    .execute();
}
