import { sql } from 'kysely';
import type { Transaction } from '../../database/tables.ts';
import { freshestFirst } from '../../datasets/queries.ts';
import type { Warning } from '../../geo/findings.ts';
import { leaves } from '../model/leaves.ts';

interface Outranking {
  readonly name: string;
  readonly end_date: string | null;
  readonly own_end_date: string | null;
}

/** Warns when another raster of a dataset's slot is fresher, so that runs do not use this one. */
export async function freshnessWarnings(trx: Transaction, datasetId: string): Promise<Warning[]> {
  const { rows } = await sql<Outranking>`
    select freshest.name, freshest.end_date, own.end_date as own_end_date
      from datasets own
      join dataset_groups slot on slot.id = own.dg_id and slot.code = any(${leaves.map(({ group }) => group)})
     cross join lateral (
       select id, name, end_date from datasets
        where datasets.dg_id = slot.id and datasets.file_type = 'raster' and datasets.status <> 'failed'
        order by ${freshestFirst} limit 1
     ) freshest
     where own.id = ${datasetId} and freshest.id <> own.id`.execute(trx);
  return rows.map((row) => ({ code: 'not_freshest', message: messageOf(row) }));
}

function messageOf({ name, end_date, own_end_date }: Outranking): string {
  return (
    `Not the freshest of this slot: "${name}" ${endOf(end_date)}, this one ${endOf(own_end_date)}, and runs use the one ` +
    'with the greatest end_date, then the newest. To use this one, change its end_date or pin it in the overrides of a run.'
  );
}

function endOf(date: string | null): string {
  return date === null ? 'has no end_date' : `ends on ${date}`;
}
