import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../src/database/tables/tables.ts';
import { nodeByCode } from '../../../src/landscape/graph/graph.ts';
import { createRun } from '../../../src/landscape/runs/run-rows.ts';
import { planStoredRun } from '../../../src/landscape/plan/plan-now.ts';
import { groupId, insertRaster } from '../geo/rasters.ts';

/** A queue that nothing hears of. */
export const silentQueue = {
  notify: async () => undefined,
  subscribe: async () => ({ close: async () => undefined }),
  check: async () => undefined,
  close: async () => undefined,
};

/** Runs that compute no pixel: each node that is left becomes a dataset without bytes. */
export function createPretendedRuns(db: Database, categoryId: string) {
  const pretended = {
    create: async (body?: unknown) => await createRun({ db, messageQueue: silentQueue }, body),
    /** Plans a run, as a worker does first. */
    begin: async (id: string) => await db.transaction().execute(async (trx) => await planStoredRun(trx, id)),
    /** Ends a run that has begun; gives the ids of what it made. */
    async finish(id: string): Promise<string[]> {
      const left = await db
        .selectFrom('landscape_run_nodes')
        .select(['node_code', 'output_id', 'start_date', 'end_date'])
        .where('run_id', '=', id)
        .where('status', '=', 'pending')
        .execute();
      for (const { node_code: code, output_id, ...dates } of left) {
        const dg_id = await groupId(db, nodeByCode(code)?.output.group ?? '');
        await insertRaster(db, { id: output_id ?? randomUUID(), category_id: categoryId, dg_id, ...dates });
      }
      const now = sql<Date>`clock_timestamp()`;
      await db
        .updateTable('landscape_run_nodes')
        .set({ status: 'succeeded', started_at: now, finished_at: now })
        .where('run_id', '=', id)
        .where('status', '=', 'pending')
        .execute();
      await db
        .updateTable('landscape_runs')
        .set({ status: 'succeeded', finished_at: now })
        .where('id', '=', id)
        .execute();
      return left.flatMap(({ output_id }) => output_id ?? []);
    },
    /** A whole run; gives its id and those of what it made. */
    async run(body?: unknown): Promise<{ id: string; made: string[] }> {
      const { id } = await pretended.create(body);
      const fault = await pretended.begin(id);
      if (fault !== undefined) throw new Error(fault.error.english);
      return { id, made: await pretended.finish(id) };
    },
  };
  return pretended;
}
