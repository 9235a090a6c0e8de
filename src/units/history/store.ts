import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { curatedHistory, readAct } from './curated.ts';
import { createSuccession, type UnitHistory } from './succession.ts';

/**
 * Replaces the history in the database by the curated one, and sets the day since which each current unit has existed
 * in its present form. Borders of former units stay.
 */
export async function seedHistory(trx: Transaction): Promise<void> {
  const { former, changes } = curatedHistory().history;
  await trx
    .insertInto('former_districts')
    .values(former.map(({ kato, ...unit }) => ({ kato_code: kato, ...unit })))
    .onConflict((conflict) =>
      conflict.columns(['kato_code', 'valid_to']).doUpdateSet((eb) => ({
        valid_from: eb.ref('excluded.valid_from'),
        level: eb.ref('excluded.level'),
        name: eb.ref('excluded.name'),
        name_kk: eb.ref('excluded.name_kk'),
        name_en: eb.ref('excluded.name_en'),
      })),
    )
    .execute();
  await trx.deleteFrom('district_changes').execute();
  const rows = changes.map(({ from, to, act, ...change }, position) => ({
    position,
    from_code: from,
    to_code: to,
    act: JSON.stringify(act),
    ...change,
  }));
  await trx.insertInto('district_changes').values(rows).execute();
  await sql`
    update districts d set valid_from = c.since
    from (select to_code, max(date) as since from district_changes where to_code is not null group by to_code) c
    where c.to_code = d.kato_code and d.valid_from is distinct from c.since`.execute(trx);
}

/** Reads former units and the changes of units: a few hundred rows, without borders. */
export async function readHistory(db: Database | Transaction): Promise<UnitHistory> {
  const former = await db
    .selectFrom('former_districts')
    .select(['kato_code as kato', 'level', 'name', 'name_kk', 'name_en', 'valid_from', 'valid_to'])
    .orderBy('kato_code')
    .orderBy('valid_to')
    .execute();
  const changes = await db
    .selectFrom('district_changes')
    .select(['kind', 'date', 'from_code as from', 'to_code as to', 'to_name', 'share_area', 'act'])
    .orderBy('position')
    .execute();
  return { former, changes: changes.map(({ act, ...change }) => ({ ...change, act: readAct(act) })) };
}

/** Reads the succession of units. */
export async function readSuccession(db: Database | Transaction) {
  return createSuccession(await readHistory(db));
}
