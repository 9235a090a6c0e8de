import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { valueKeysOf } from '../areas/area-counts.ts';
import { storedMessage, Sentence } from '../geo/findings.ts';
import { getDatasetGroup } from '../catalogue/dataset-groups.ts';
import type { Database, Tables, Transaction } from '../database/tables/tables.ts';
import { inSnapshot, inTransaction } from '../database/transaction.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';
import { findMissingReferences } from '../datasets/references.ts';
import { cancelJobs } from '../jobs/enqueue.ts';
import { Message } from '../lib/message.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { zonalPhrases, zonalProblems } from '../messages/areas/english.ts';
import { parseBody } from '../validation/parse-body.ts';
import { type GroupRaster, readGroupRasters } from './group-rasters.ts';
import { refuseSenseless, type ZonalAsked } from './zonal-answers.ts';
import { type GroupZonal, GroupZonalInput, type RasterState, ZonalStat } from './zonal-schema.ts';

type ZonalRow = Selectable<Tables['zonal_tables']>;

const mostLeftOut = 100;

/** Returns the settings of the table of a group. */
export function askedOf(
  row: Pick<ZonalRow, 'by_level' | 'stats' | 'min_valid_share' | 'values_are'>,
): ZonalAsked {
  const { by_level: by, stats, min_valid_share: minValidShare, values_are: valuesAre } = row;
  return { by, stats: ZonalStat.array().parse(stats), minValidShare, valuesAre };
}

/**
 * Makes a table follow a group, changes its settings, or allows another attempt after a failure.
 * @throws {Problem} `not_found`, or `invalid` naming every field.
 */
export async function followGroup(db: Database, groupId: string, body: unknown): Promise<void> {
  await getDatasetGroup(db, groupId);
  const missing = await findMissingReferences(db, categoryIn(body));
  const input = parseBody(GroupZonalInput, body, (own) => ({ ...missing, ...own }));
  const stats = [...new Set(input.stats)];
  refuseSenseless({ stats, valuesAre: input.values_are });
  const settings = {
    by_level: input.by,
    stats,
    min_valid_share: input.min_valid_share,
    values_are: input.values_are,
    name: input.name ?? null,
    category_id: input.category_id ?? null,
  };
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('zonal_tables')
      .values({ group_id: groupId, id: randomUUID(), ...settings })
      .onConflict((conflict) => conflict.column('group_id').doUpdateSet(settings))
      .execute();
    await sql`select want_zonal_tables(array[${groupId}]::uuid[])`.execute(trx);
  });
}

/** Makes a table stop following its group; the table remains as it is. @throws {Problem} `not_found` */
export async function unfollowGroup(db: Database, groupId: string): Promise<void> {
  await getDatasetGroup(db, groupId);
  await inTransaction(db, async (trx: Transaction) => {
    const deleted = await trx
      .deleteFrom('zonal_tables')
      .where('group_id', '=', groupId)
      .returning('id')
      .executeTakeFirst();
    if (deleted === undefined) throw zonalProblems.notFollowed();
    await cancelJobs(trx, deleted.id);
  });
}

/** Returns the table that follows a group, and its progress. @throws {Problem} `not_found` */
export async function readGroupZonal(db: Database, groupId: string, language: Language): Promise<GroupZonal> {
  await getDatasetGroup(db, groupId);
  return await inSnapshot(db, async (trx) => {
    const row = await trx
      .selectFrom('zonal_tables')
      .leftJoin('datasets', 'datasets.id', 'zonal_tables.dataset_id')
      .selectAll('zonal_tables')
      .select(['datasets.status', 'datasets.parse_error', 'datasets.failure as table_failure'])
      .where('group_id', '=', groupId)
      .executeTakeFirst();
    if (row === undefined) return nothing(groupId, translate(zonalPhrases.off, language));
    const rasters = await readGroupRasters(trx, groupId);
    const failures = await readFailures(trx, rasters.chosen);
    const inTable = new Set(row.rasters);
    const say = (message: Message) => translate(message, language);
    const isHeld = ({ id }: GroupRaster) => inTable.has(id);
    const missing = rasters.chosen.filter((raster) => !isHeld(raster)).toReversed();
    const leftOut = [
      ...missing.map((raster) => {
        const failure = failures.get(raster.id);
        return left(raster, failure === undefined ? 'waiting' : 'failed', failure ?? zonalPhrases.waiting);
      }),
      ...rasters.withoutDates.map((raster) => left(raster, 'without_dates', zonalPhrases.withoutDates)),
      ...rasters.replaced.map((raster) => left(raster, 'replaced', zonalPhrases.replaced)),
    ];
    const held = rasters.chosen.length - missing.length;
    const failed = leftOut.filter((each) => each.state === 'failed').length;
    const waiting = missing.length - failed;
    const { state, message } = stateOf(row, { held, waiting, failed });
    return {
      group_id: groupId,
      settings: {
        by: row.by_level,
        stats: ZonalStat.array().parse(row.stats),
        min_valid_share: row.min_valid_share,
        values_are: row.values_are,
        name: row.name,
        category_id: row.category_id,
      },
      dataset_id: row.dataset_id,
      state,
      message: say(message),
      districts_version: row.districts_version,
      made_at: row.made_at?.toISOString() ?? null,
      rasters: {
        in_table: held,
        waiting,
        failed,
        without_dates: rasters.withoutDates.length,
        replaced: rasters.replaced.length,
      },
      left_out: leftOut.slice(0, mostLeftOut).map((each) => ({ ...each, message: say(each.message) })),
    };
  });
}

function nothing(groupId: string, message: string): GroupZonal {
  return {
    group_id: groupId,
    settings: null,
    dataset_id: null,
    state: 'off',
    message,
    districts_version: null,
    made_at: null,
    rasters: { in_table: 0, waiting: 0, failed: 0, without_dates: 0, replaced: 0 },
    left_out: [],
  };
}

function left({ id, name, start_date, end_date }: GroupRaster, state: RasterState, message: Message) {
  return { dataset_id: id, name, start_date, end_date, state, message };
}

/** Returns the reasons why rasters could not be counted, by dataset. */
async function readFailures(
  db: Database,
  rasters: readonly GroupRaster[],
): Promise<ReadonlyMap<string, Message>> {
  const cogs = rasters.map(({ cog }) => cog);
  const keys = await valueKeysOf(db, cogs, await readDistrictsVersion(db));
  const rows = await db
    .selectFrom('area_counts')
    .select(['key', 'failure'])
    .where('key', '=', sql<string>`any(${[...keys.values()]})`)
    .where('state', '=', 'failed')
    .execute();
  const byKey = new Map(rows.map(({ key, failure }) => [key, storedMessage(failure)]));
  return new Map(
    rasters.flatMap(({ id, cog }) => {
      const failure = byKey.get(keys.get(cog) ?? '');
      return failure === undefined ? [] : [[id, failure]];
    }),
  );
}

interface Progress {
  readonly held: number;
  readonly waiting: number;
  readonly failed: number;
}

type StoredTable = Pick<ZonalRow, 'wanted' | 'made' | 'failure'> & {
  readonly status: string | null;
  readonly parse_error: string | null;
  readonly table_failure: string | null;
};

function stateOf(
  row: StoredTable,
  { held, waiting, failed }: Progress,
): { state: GroupZonal['state']; message: Message } {
  if (row.failure !== null)
    return { state: 'failed', message: zonalPhrases.tableFailed(storedMessage(row.failure)) };
  if (row.made < row.wanted)
    return {
      state: 'counting',
      message: waiting > 0 ? zonalPhrases.counting(waiting) : zonalPhrases.changing,
    };
  if (row.status === 'failed') {
    const sentence = row.table_failure === null ? undefined : Sentence.parse(JSON.parse(row.table_failure));
    const reason = new Message(row.parse_error ?? 'unknown', sentence);
    return { state: 'failed', message: zonalPhrases.tableFailed(reason) };
  }
  if (row.status === 'extracting') return { state: 'counting', message: zonalPhrases.changing };
  if (failed > 0) return { state: 'failed', message: zonalPhrases.rastersFailed(failed) };
  return { state: 'up_to_date', message: held > 0 ? zonalPhrases.upToDate(held) : zonalPhrases.noRasters };
}

/** Returns the references of a body, which are looked up before the body is checked. */
function categoryIn(body: unknown): { readonly category_id?: unknown } {
  return z.object({ category_id: z.unknown() }).partial().safeParse(body).data ?? {};
}
