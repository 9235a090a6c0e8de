import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import { foreignKeyViolation } from '../database/transaction.ts';
import { groupProblems } from '../messages/datasets/english.ts';
import { cadenceProblems } from '../messages/runs/english.ts';
import type { FreshnessState, GroupCadenceInput, GroupFreshness } from './cadence-schema.ts';
import { getDatasetGroup } from './dataset-groups.ts';
import { freshestFirst, freshnessOf } from './freshness.ts';

/**
 * Lists the groups with a cadence by code, with their state today in UTC.
 * @param state limits the list to groups in this state.
 */
export async function listFreshness(
  db: Database,
  state: FreshnessState | undefined,
): Promise<readonly GroupFreshness[]> {
  const all = await readFreshness(db);
  return state === undefined ? all : all.filter((group) => group.state === state);
}

/** @throws {Problem} `not_found` if the group or its cadence does not exist. */
export async function getFreshness(db: Database, groupId: string): Promise<GroupFreshness> {
  const [found] = await readFreshness(db, groupId);
  if (found !== undefined) return found;
  await getDatasetGroup(db, groupId);
  throw cadenceProblems.none();
}

/** @throws {Problem} `not_found` */
export async function setCadence(
  db: Database,
  groupId: string,
  { every, grace }: GroupCadenceInput,
): Promise<GroupFreshness> {
  await db
    .insertInto('dataset_group_cadences')
    .values({ group_id: groupId, every, grace })
    .onConflict((conflict) =>
      conflict.column('group_id').doUpdateSet({ every, grace, changed_at: sql<Date>`now()` }),
    )
    .execute()
    .catch((error: unknown) => {
      throw foreignKeyViolation(error) === undefined ? error : groupProblems.notFound().because(error);
    });
  return await getFreshness(db, groupId);
}

/** @throws {Problem} `not_found` if the group or its cadence does not exist. */
export async function removeCadence(db: Database, groupId: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('dataset_group_cadences')
    .where('group_id', '=', groupId)
    .executeTakeFirst();
  if (numDeletedRows > 0n) return;
  await getDatasetGroup(db, groupId);
  throw cadenceProblems.none();
}

type Row = Pick<GroupFreshness, 'group_id' | 'code' | 'name' | 'every' | 'grace' | 'today'> & {
  /** Null without a ready dataset. */
  readonly id: string | null;
  readonly title: string;
  readonly start_date: string | null;
  readonly end_date: string | null;
};

async function readFreshness(db: Database, groupId?: string): Promise<readonly GroupFreshness[]> {
  const { rows } = await sql<Row>`
    select grp.id as group_id, grp.code, grp.name, cadence.every, cadence.grace,
           to_char(now() at time zone 'utc', 'YYYY-MM-DD') as today,
           latest.id, latest.name as title, latest.start_date, latest.end_date
      from dataset_group_cadences cadence
      join dataset_groups grp on grp.id = cadence.group_id
      left join lateral (
        select id, name, start_date, end_date from datasets
         where datasets.dg_id = grp.id and datasets.status = 'ready'
         order by ${freshestFirst} limit 1
      ) latest on true
     where ${groupId ?? null}::uuid is null or grp.id = ${groupId ?? null}::uuid
     order by grp.code`.execute(db);
  return rows.map(({ id, title, start_date, end_date, today, ...group }) => {
    const latest = id === null ? null : { id, name: title, start_date, end_date };
    const { state, ...days } = freshnessOf(group, latest ?? undefined, today);
    return { ...group, state, latest, ...days, today };
  });
}
