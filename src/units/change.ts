import { sql } from 'kysely';
import { inTransaction, raiseLimits } from '../database/transaction.ts';
import type { Database, Transaction } from '../database/tables/tables.ts';
import { districtProblems } from '../messages/service/english.ts';
import { unitLevels } from '../../common/maps/units/levels.ts';
import type { DistrictLevel, DistrictRow } from './rows.ts';

/** Level of each unit, by code. */
export type DistrictLevels = ReadonlyMap<string, DistrictLevel>;

/** Units to remove if they are not given: none, those of the given levels, or all. */
export type Replacement = 'none' | 'given-levels' | 'all-levels';

export interface DistrictCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Number of all units after the change. */
  readonly total: number;
  /** Number of added or changed former units, if any. */
  readonly former?: number;
}

export interface ChangeOptions {
  readonly replacement: Replacement;
  /** Counts the changes without making them. */
  readonly dryRun: boolean;
}

/** The given units: first their codes and levels, then all data, in batches. */
export interface GivenDistricts {
  /** Current units. */
  readonly levels: DistrictLevels;
  /** Number of former units in addition to these. */
  readonly former: number;
  batches(): AsyncIterable<readonly DistrictRow[]>;
}

/**
 * Adds and changes units, and optionally removes others, in one transaction: readers see the state before or after it.
 * Maps of other units are written again when next requested.
 * @throws {Problem} as `planDistricts` does.
 */
export async function changeDistricts(
  { db, signal }: { readonly db: Database; readonly signal: AbortSignal },
  given: GivenDistricts,
  { replacement, dryRun }: ChangeOptions,
): Promise<DistrictCounts> {
  return await inTransaction(db, async (trx) => {
    await raiseLimits(trx);
    // Readers continue with the previous state; a second change waits for this one.
    if (!dryRun) await sql`lock table districts in share row exclusive mode`.execute(trx);
    const { counts: planned, removed } = planDistricts(await readLevels(trx), given.levels, replacement);
    const counts = given.former === 0 ? planned : { ...planned, former: given.former };
    if (dryRun) return counts;
    for await (const batch of given.batches()) {
      await upsert(
        trx,
        batch.filter((unit) => !isFormerUnit(unit)),
      );
      await upsertFormer(trx, batch);
    }
    if (removed.length > 0) {
      await sql`delete from districts where kato_code = any(${removed})`.execute(trx);
    }
    signal.throwIfAborted();
    return counts;
  });
}

/** Plans the changes of existing units. @throws {Problem} if a whole level would be removed without request. */
export function planDistricts(
  before: DistrictLevels,
  given: DistrictLevels,
  replacement: Replacement,
): { readonly counts: DistrictCounts; readonly removed: readonly string[] } {
  const removed = removedBy(before, given, replacement);
  if (replacement === 'given-levels') refuseEmptiedLevel(before, given, removed);
  const changed = [...given.keys()].filter((code) => before.has(code)).length;
  const added = given.size - changed;
  const total = before.size + added - removed.length;
  return { counts: { added, changed, removed: removed.length, total }, removed };
}

/**
 * Returns the units that an import removes. Regions and districts are replaced together, or refused; other levels are kept where the
 * import has none of them.
 */
export function removedBy(
  before: DistrictLevels,
  given: DistrictLevels,
  replacement: Replacement,
): readonly string[] {
  if (replacement === 'none') return [];
  const levels = new Set(given.values());
  const isUpper = upperLevels.some((level) => levels.has(level)) || given.size === 0;
  if (isUpper) for (const level of upperLevels) levels.add(level);
  return [...before].flatMap(([code, level]) =>
    !given.has(code) && (replacement === 'all-levels' || levels.has(level)) ? [code] : [],
  );
}

const upperLevels = ['region', 'district'] as const;

/** An import of districts only is unlikely to intend the removal of the regions. */
function refuseEmptiedLevel(before: DistrictLevels, given: DistrictLevels, removed: readonly string[]): void {
  const isGiven = new Set(given.values());
  for (const level of upperLevels) {
    if (isGiven.has(level)) continue;
    const lost = removed.filter((code) => before.get(code) === level).length;
    if (lost === 0) continue;
    throw districtProblems.emptiedLevel(level, lost, countsOf(given));
  }
}

/** Counts units by level, from the country down. */
function countsOf(levels: DistrictLevels): readonly (readonly [DistrictLevel, number])[] {
  const byLevel = Map.groupBy(levels.values(), (level) => level);
  return unitLevels.flatMap((level) => {
    const count = byLevel.get(level)?.length ?? 0;
    return count === 0 ? [] : [[level, count] as const];
  });
}

export async function readLevels(trx: Database | Transaction): Promise<DistrictLevels> {
  const rows = await trx.selectFrom('districts').select(['kato_code', 'level']).execute();
  return new Map(rows.map(({ kato_code: code, level }) => [code, level]));
}

/** Returns true for a unit that has ended, by the UTC calendar. */
export function isFormerUnit({ valid_to: end }: Pick<DistrictRow, 'valid_to'>): boolean {
  return typeof end === 'string' && end <= new Date().toISOString().slice(0, 10);
}

/** Adds or replaces units; names and days without a column stay unchanged. */
export async function upsert(trx: Transaction, rows: readonly DistrictRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await trx
    .insertInto('districts')
    .values(
      rows.map(({ name_kk, name_en, valid_from, valid_to, ...row }) => ({
        ...row,
        name_kk: name_kk ?? null,
        name_en: name_en ?? null,
        valid_from: valid_from ?? null,
        valid_to: valid_to ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('kato_code').doUpdateSet((eb) => ({
        level: eb.ref('excluded.level'),
        name: eb.ref('excluded.name'),
        geometry: eb.ref('excluded.geometry'),
        ...(first.name_kk === undefined ? {} : { name_kk: eb.ref('excluded.name_kk') }),
        ...(first.name_en === undefined ? {} : { name_en: eb.ref('excluded.name_en') }),
        ...(first.valid_from === undefined ? {} : { valid_from: eb.ref('excluded.valid_from') }),
        ...(first.valid_to === undefined ? {} : { valid_to: eb.ref('excluded.valid_to') }),
      })),
    )
    .execute();
}

/** Adds or replaces former units; maps of their days show their borders. */
async function upsertFormer(trx: Transaction, rows: readonly DistrictRow[]): Promise<void> {
  const former = rows.flatMap(({ valid_to: end, valid_from: start, name_kk, name_en, ...row }) =>
    isFormerUnit({ valid_to: end }) && typeof end === 'string'
      ? [
          {
            ...row,
            name_kk: name_kk ?? null,
            name_en: name_en ?? null,
            valid_from: start ?? null,
            valid_to: end,
          },
        ]
      : [],
  );
  if (former.length === 0) return;
  await trx
    .insertInto('former_districts')
    .values(former)
    .onConflict((conflict) =>
      conflict.columns(['kato_code', 'valid_to']).doUpdateSet((eb) => ({
        valid_from: eb.fn.coalesce('excluded.valid_from', 'former_districts.valid_from'),
        level: eb.ref('excluded.level'),
        name: eb.ref('excluded.name'),
        name_kk: eb.fn.coalesce('excluded.name_kk', 'former_districts.name_kk'),
        name_en: eb.fn.coalesce('excluded.name_en', 'former_districts.name_en'),
        geometry: eb.ref('excluded.geometry'),
      })),
    )
    .execute();
}
