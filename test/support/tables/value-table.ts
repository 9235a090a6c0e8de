import { randomUUID } from 'node:crypto';
import type { TestApp } from '../app.ts';
import { insertCategory, setState, upload } from '../datasets.ts';

/** A table by KATO as a worker would leave it. */
export interface ValueTable {
  readonly name?: string;
  readonly unit: string | null;
  /** First and last day of each column; null for a point in time. */
  readonly dates: readonly (readonly [start: string, end: string | null])[];
  /** One value for each date, by code. */
  readonly values: Readonly<Record<string, readonly (number | string | null)[]>>;
}

/** Inserts a ready table with these values, and returns its id. */
export async function insertValueTable(
  app: TestApp,
  { name = 'Таблица', unit, dates, values }: ValueTable,
): Promise<string> {
  const { db } = app.services;
  const { id } = await upload(app, { category_id: await insertCategory(db), file_type: 'vector_with_kato' });
  const columns = dates.map(([start_date, end_date]) => ({ column: start_date, start_date, end_date }));
  const mapping = { kato_column: 'kato', year_columns: JSON.stringify(columns) };
  await setState(app.services, id, { status: 'ready', name, unit, ...mapping });
  const set = { dataset_id: id, job_id: randomUUID(), attempt: 1 };
  const made = await db.insertInto('observation_sets').values(set).returning('id').executeTakeFirstOrThrow();
  const rows = Object.entries(values).flatMap(([kato_code, own], row) =>
    dates.map(([start_date, end_date], place) => {
      const value = own[place] ?? null;
      return {
        set_id: made.id,
        id: randomUUID(),
        kato_code,
        start_date,
        end_date,
        value: typeof value === 'number' ? value : null,
        value_text: typeof value === 'string' ? value : null,
        mapping_order: place,
        row_number: row,
      };
    }),
  );
  await db.insertInto('observations').values(rows).execute();
  await db.updateTable('datasets').set({ observation_set_id: made.id }).where('id', '=', id).execute();
  return id;
}
