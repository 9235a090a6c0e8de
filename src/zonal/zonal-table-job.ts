import { hash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Selectable, sql } from 'kysely';
import { UnitsChanged } from '../areas/unit-lines.ts';
import type { Database, Tables, Transaction } from '../database/tables/tables.ts';
import { inSnapshot } from '../database/transaction.ts';
import {
  addMadeDataset,
  emptyMadeTable,
  type MadeFile,
  replaceMadeTable,
} from '../datasets/made/made-dataset.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';
import { ValuesResult } from '../geo/protocol.ts';
import { cancelJobs, enqueueJob } from '../jobs/enqueue.ts';
import type { Attempt, Failure } from '../jobs/handler.ts';
import { messageText } from '../lib/message.ts';
import { type DatedRaster, readGroupRasters, type SortedRasters } from './group-rasters.ts';
import { askedOf } from './group-tables.ts';
import { originOf, tableName, tableUnit } from './raster-table.ts';
import { createZonalTable, type ZonalTable } from './zonal-table.ts';
import { countMissingValues } from './count-values.ts';
import type { ProcessingDependencies } from '../datasets/input-file.ts';

type Dependencies = Pick<ProcessingDependencies, 'db' | 'objectStore' | 'engine'>;

/** The inputs of a table, read in one snapshot. */
interface Wanted {
  readonly row: Selectable<Tables['zonal_tables']>;
  readonly group: { readonly code: string; readonly name: string };
  readonly rasters: SortedRasters;
  readonly districtsVersion: number;
}

interface Made {
  readonly table: ZonalTable;
  readonly file: MadeFile;
  /** The rasters in the table. */
  readonly rasters: readonly DatedRaster[];
}

/** The inputs of a table changed while the table was being made. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/**
 * Makes the table that follows a group. May be interrupted anywhere and run again: the transaction that ends the job publishes the
 * complete table, and only if its inputs have not changed. If they have, the table is made again.
 */
export async function makeZonalTable(dependencies: Dependencies, attempt: Attempt): Promise<void> {
  for (let round = 1; ; round += 1) {
    const wanted = await readWanted(dependencies.db, attempt.refId);
    if (wanted === undefined) return; // switched off
    await noteTry(dependencies.db, wanted.row);
    try {
      const made = await makeTable(dependencies, attempt, { wanted, round });
      return await attempt.publish(async (trx) => await publishTable(trx, wanted, made));
    } catch (error) {
      attempt.signal.throwIfAborted();
      if (!(error instanceof Overtaken || error instanceof UnitsChanged)) throw error;
    }
  }
}

async function readWanted(db: Database, id: string): Promise<Wanted | undefined> {
  return await inSnapshot(db, async (trx) => {
    const row = await trx.selectFrom('zonal_tables').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) return undefined;
    const { group_id: groupId } = row;
    const group = await trx
      .selectFrom('dataset_groups')
      .select(['code', 'name'])
      .where('id', '=', groupId)
      .executeTakeFirstOrThrow();
    const rasters = await readGroupRasters(trx, groupId);
    return { row, group, rasters, districtsVersion: await readDistrictsVersion(trx) };
  });
}

async function noteTry(db: Database, { id, wanted }: Wanted['row']): Promise<void> {
  await db.updateTable('zonal_tables').set({ tried: wanted }).where('id', '=', id).execute();
}

async function makeTable(
  dependencies: Dependencies,
  attempt: Attempt,
  { wanted, round }: { readonly wanted: Wanted; readonly round: number },
): Promise<Made> {
  const { row, group, rasters, districtsVersion } = wanted;
  const cogs = rasters.chosen.map(({ cog }) => cog);
  const keys = await countMissingValues(dependencies, attempt, { cogs, districtsVersion });
  const counted = rasters.chosen.filter(({ cog }) => keys.has(cog));
  const asked = askedOf(row);
  const writing = createZonalTable(asked);
  for (const { cog, period } of counted) {
    const { figures } =
      (await dependencies.db
        .selectFrom('area_counts')
        .select('figures')
        .where('key', '=', keys.get(cog) ?? '')
        .executeTakeFirst()) ?? {};
    if (figures === undefined || figures === null) throw new Overtaken(); // deleted meanwhile
    writing.add(period, ValuesResult.parse(JSON.parse(figures)));
  }
  const table = await writing.finish();
  const stream = Readable.from([table.content], { objectMode: false });
  const key = await attempt.store('originals', `-${round}.geojson`, stream);
  const filename = `${group.code}-${asked.stats[0] ?? ''}.geojson`;
  return { table, file: { key, filename, sizeBytes: table.content.length }, rasters: counted };
}

/** Publishes a table. @throws {Overtaken} when the inputs of the table have changed. */
async function publishTable(
  trx: Transaction,
  { row, group, rasters: { newest }, districtsVersion }: Wanted,
  { table, file, rasters }: Made,
): Promise<void> {
  // Locks the dataset first, in the same order as a deletion.
  const dataset =
    row.dataset_id === null
      ? undefined
      : await trx
          .selectFrom('datasets')
          .select(['id', 'status'])
          .where('id', '=', row.dataset_id)
          .forUpdate()
          .executeTakeFirst();
  const now = await trx
    .selectFrom('zonal_tables')
    .select('wanted')
    .where('id', '=', row.id)
    .forUpdate()
    .executeTakeFirst();
  if (now === undefined) return; // switched off
  if (now.wanted !== row.wanted) throw new Overtaken();
  const asked = askedOf(row);
  const meta = originOf(asked, { groupId: row.group_id, rasters: rasters.length, districtsVersion });
  const digest = hash('sha256', `${table.digest} ${JSON.stringify(meta)}`);
  const { mapped } = table;
  let datasetId = dataset?.id ?? null;
  if (dataset === undefined) {
    if (newest !== undefined && rasters.length > 0) {
      const fields = {
        fileType: 'vector_with_kato',
        name: row.name ?? tableName(group.name, asked),
        categoryId: row.category_id ?? newest.category_id,
        unit: tableUnit(newest.unit, asked),
        meta,
      } as const;
      datasetId = randomUUID();
      await addMadeDataset(trx, { id: datasetId, fields, file, mapped });
    }
  } else if (digest !== row.digest || (dataset.status !== 'ready' && rasters.length > 0)) {
    await cancelJobs(trx, dataset.id);
    const replacement = { id: dataset.id, file, mapped, meta };
    if (rasters.length === 0) await emptyMadeTable(trx, replacement);
    else await replaceMadeTable(trx, replacement);
  }
  await trx
    .updateTable('zonal_tables')
    .set({
      dataset_id: datasetId,
      made: row.wanted,
      districts_version: datasetId === null ? null : districtsVersion,
      rasters: rasters.map(({ id }) => id),
      digest,
      made_at: sql<Date>`now()`,
      failure: null,
    })
    .where('id', '=', row.id)
    .execute();
}

/**
 * Stores why a table could not be made, in the transaction that ends the job. The next change of its inputs, including a change during
 * this attempt, or sending the settings again starts another attempt.
 */
export async function recordTableFailure(trx: Transaction, id: string, { reason }: Failure): Promise<void> {
  const table = await trx
    .selectFrom('zonal_tables')
    .select(['wanted', 'tried'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (table === undefined) return;
  if (table.wanted !== table.tried) await enqueueJob(trx, 'zonal-table', id);
  else
    await trx
      .updateTable('zonal_tables')
      .set({ failure: messageText(reason) })
      .where('id', '=', id)
      .execute();
}
