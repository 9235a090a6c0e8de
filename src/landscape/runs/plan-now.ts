import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '../../database/tables.ts';
import type { RunInput } from './input.ts';
import { planRun, type RunPlan } from './plan.ts';
import { type DatedRaster, resolveInputs } from './resolve.ts';

/** Plans a run over the rasters that there are now. */
export async function planRunNow(trx: Transaction, wanted: RunInput): Promise<RunPlan> {
  return await planRun(wanted, {
    inputs: await resolveInputs(trx, wanted.overrides),
    findReusable: async (fingerprint) => await findReusable(trx, fingerprint),
    newId: randomUUID,
  });
}

/**
 * The output of the newest node with this fingerprint that has one. An older output does not stand in for it when it was
 * deleted: who deletes a result wants it made anew.
 */
async function findReusable(trx: Transaction, fingerprint: string): Promise<DatedRaster | undefined> {
  const { rows } = await sql<DatedRaster>`
    select datasets.id, datasets.start_date as "startDate", datasets.end_date as "endDate"
      from (select output_id from landscape_run_nodes
             where fingerprint = ${fingerprint} and status in ('skipped', 'succeeded')
             order by finished_at desc limit 1) newest
      join datasets on datasets.id = newest.output_id
     where datasets.file_type = 'raster' and datasets.status = 'ready' and datasets.cog_storage_key is not null
  `.execute(trx);
  return rows[0];
}
