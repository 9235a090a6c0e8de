import type { TestApp } from './app.ts';

/**
 * Sends a request while a row is being deleted, in a transaction that stays open until the request waits for it: what the
 * request has checked before it waits still saw the row, what it writes then finds it gone.
 */
export async function deleteUnderway<T>(
  { db, pool }: TestApp['services'],
  { table, id }: { readonly table: 'categories' | 'dataset_groups'; readonly id: string },
  request: () => Promise<T>,
): Promise<T> {
  const isWaitedFor = async (): Promise<boolean> => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  };
  const { answer } = await db.transaction().execute(async (trx) => {
    await trx.deleteFrom(table).where('id', '=', id).execute();
    const requested = request();
    while (!(await isWaitedFor())) await new Promise((resolve) => setTimeout(resolve, 10));
    return { answer: requested };
  });
  return await answer;
}
