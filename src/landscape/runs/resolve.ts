import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables.ts';
import { freshestFirst } from '../../datasets/queries.ts';
import { leaves } from '../model/leaves.ts';

/** A raster that stands, or will stand, for a group of the graph. */
export interface DatedRaster {
  readonly id: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/**
 * The ready raster of each leaf group and of each pinned group, by group code: the pinned one where there is a pin, else
 * the freshest. A group without one is left out.
 */
export async function resolveInputs(
  db: Database | Transaction,
  overrides: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, DatedRaster>> {
  const groups = [...new Set([...leaves.map(({ group }) => group), ...Object.keys(overrides)])];
  const pins = groups.map((group) => overrides[group] ?? null);
  const isReady = sql`datasets.file_type = 'raster' and datasets.status = 'ready'`;
  const { rows } = await sql<DatedRaster & { readonly group: string }>`
    select input.code as group, raster.id, raster.start_date as "startDate", raster.end_date as "endDate"
      from unnest(${groups}::text[], ${pins}::uuid[]) input (code, pin)
     cross join lateral (
       select id, start_date, end_date from datasets where datasets.id = input.pin and ${isReady}
       union all (
         select id, start_date, end_date from datasets
          where input.pin is null and ${isReady}
            and datasets.dg_id = (select grp.id from dataset_groups grp where grp.code = input.code)
          order by ${freshestFirst} limit 1
       )
     ) raster`.execute(db);
  return new Map(rows.map(({ group, ...raster }) => [group, raster]));
}
