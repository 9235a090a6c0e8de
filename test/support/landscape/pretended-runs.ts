import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../src/database/tables/tables.ts';
import { nodeByCode } from '../../../src/landscape/graph/graph.ts';
import { createRun } from '../../../src/landscape/runs/run-rows.ts';
import { planStoredRun } from '../../../src/landscape/plan/plan-now.ts';
import { groupId, insertRaster } from '../geo/rasters.ts';

/** A queue that delivers no notification. */
export const silentQueue = {
  notify: async () => undefined,
  subscribe: async () => ({ close: async () => undefined }),
  check: async () => undefined,
  close: async () => undefined,
};

/** Runs that compute no pixels: each remaining node becomes a dataset without bytes. */
export function createPretendedRuns(db: Database, categoryId: string) {
  const pretended = {
    create: async (body?: unknown) => await createRun({ db, messageQueue: silentQueue }, body),
    /** Plans a run, which is the first step of a worker. */
    begin: async (id: string) => await db.transaction().execute(async (trx) => await planStoredRun(trx, id)),
    /** Finishes a run that has begun; returns the ids of its outputs. */
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
    /** Executes a whole run; returns its id and those of its outputs. */
    async run(body?: unknown): Promise<{ id: string; made: string[] }> {
      const { id } = await pretended.create(body);
      const fault = await pretended.begin(id);
      if (fault !== undefined) throw new Error(fault.error.english);
      return { id, made: await pretended.finish(id) };
    },
  };
  return pretended;
}
