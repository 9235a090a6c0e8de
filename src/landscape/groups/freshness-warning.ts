import { sql } from 'kysely';
import type { Transaction } from '../../database/tables.ts';
import { freshestFirst } from '../../datasets/queries.ts';
import { type Warning, warningOf } from '../../geo/findings.ts';
import { slotWarnings } from '../../messages/landscape.ts';
import { leaves } from '../model/leaves.ts';

interface Outranking {
  readonly name: string;
  readonly endDate: string | null;
  readonly ownEndDate: string | null;
}

/** Warns when another raster of a dataset's slot is fresher, so that runs do not use this one. */
export async function freshnessWarnings(trx: Transaction, datasetId: string): Promise<Warning[]> {
  const { rows } = await sql<Outranking>`
    select freshest.name, freshest.end_date as "endDate", own.end_date as "ownEndDate"
      from datasets own
      join dataset_groups slot on slot.id = own.dg_id and slot.code = any(${leaves.map(({ group }) => group)})
     cross join lateral (
       select id, name, end_date from datasets
        where datasets.dg_id = slot.id and datasets.file_type = 'raster' and datasets.status <> 'failed'
        order by ${freshestFirst} limit 1
     ) freshest
     where own.id = ${datasetId} and freshest.id <> own.id`.execute(trx);
  return rows.map(({ name, endDate, ownEndDate }) =>
    warningOf('not_freshest', slotWarnings.notFreshest({ name, endDate }, ownEndDate)),
  );
}
