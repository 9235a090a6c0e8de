import { sql } from 'kysely';
import { inTransaction } from '../../database/transaction.ts';
import type { Database, Transaction } from '../../database/tables.ts';
import { type DistrictCounts, type DistrictLevels, planDistricts, type Replacement } from './plan.ts';
import type { DistrictRow } from './rows.ts';

/** How units take the place of those there are. */
export interface ChangeOptions {
  readonly replacement: Replacement;
  /** Counts what would change, and changes nothing. */
  readonly dryRun: boolean;
}

/** The same units twice: what is known beforehand, and all of them, piece by piece. */
export interface GivenDistricts {
  readonly levels: DistrictLevels;
  batches(): AsyncIterable<readonly DistrictRow[]>;
}

/**
 * Adds and changes units, and removes others where that is asked for, in one transaction: readers see what was before
 * or what is after. Maps made from other units are made again when next asked for.
 * @throws {Problem} as `planDistricts` does.
 */
export async function changeDistricts(
  { db, signal }: { readonly db: Database; readonly signal: AbortSignal },
  given: GivenDistricts,
  { replacement, dryRun }: ChangeOptions,
): Promise<DistrictCounts> {
  return await inTransaction(db, async (trx) => {
    // Readers go on reading what was; a second change waits for this one.
    if (!dryRun) await sql`lock table districts in share row exclusive mode`.execute(trx);
    const { counts, removed } = planDistricts(await readLevels(trx), given.levels, replacement);
    if (dryRun) return counts;
    for await (const batch of given.batches()) await upsert(trx, batch);
    if (removed.length > 0) {
      await sql`delete from districts where kato_code = any(${removed})`.execute(trx);
    }
    signal.throwIfAborted();
    return counts;
  });
}

async function readLevels(trx: Transaction): Promise<DistrictLevels> {
  const rows = await trx.selectFrom('districts').select(['kato_code', 'level']).execute();
  return new Map(rows.map(({ kato_code: code, level }) => [code, level]));
}

/** Names that none of the rows speaks of stay as they are. */
async function upsert(trx: Transaction, rows: readonly DistrictRow[]): Promise<void> {
  const [first] = rows;
  await trx
    .insertInto('districts')
    .values(rows.map((row) => ({ ...row, name_kk: row.name_kk ?? null, name_en: row.name_en ?? null })))
    .onConflict((conflict) =>
      conflict.column('kato_code').doUpdateSet((eb) => ({
        level: eb.ref('excluded.level'),
        name: eb.ref('excluded.name'),
        geometry: eb.ref('excluded.geometry'),
        ...(first?.name_kk === undefined ? {} : { name_kk: eb.ref('excluded.name_kk') }),
        ...(first?.name_en === undefined ? {} : { name_en: eb.ref('excluded.name_en') }),
      })),
    )
    .execute();
}
