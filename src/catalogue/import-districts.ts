import { sql } from 'kysely';
import { inTransaction } from '../database/transaction.ts';
import type { Database, Transaction } from '../database/tables.ts';
import { Problem } from '../errors.ts';
import type { EngineTask, GeoEngine } from '../geo/engine.ts';
import { readRows } from '../processing/rows.ts';
import { createDistrictReader, type DistrictColumns, type DistrictRow } from './district-rows.ts';

const maxListedFaults = 10;
/** Bounds what is in memory and in one statement; a unit may be megabytes. */
const maxBatchRows = 50;
const maxBatchCharacters = 4 * 1024 * 1024;

export interface DistrictImport extends DistrictColumns {
  /** Remove the units that the file does not have. */
  readonly replace: boolean;
}

export interface ImportedDistricts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** How many units there are now. */
  readonly total: number;
}

/**
 * Takes administrative units from a vector file: all of them in one transaction, or none. Units that are there already are
 * changed; names that the import does not speak of stay. Maps made from other districts are made again when next asked for.
 * @throws {Problem} that lists the first faulty rows; then nothing has changed.
 */
export async function importDistricts(
  parts: { readonly db: Database; readonly engine: GeoEngine },
  task: EngineTask,
  wanted: DistrictImport,
): Promise<ImportedDistricts> {
  const table = await parts.engine.readFeatures(task);
  const readDistrict = createDistrictReader(table.columns, wanted);

  async function* districts(): AsyncGenerator<DistrictRow | { readonly fault: string }> {
    for await (const cells of readRows(table, task.signal)) yield readDistrict(cells);
  }
  await refuseFaults(districts());

  return await inTransaction(parts.db, async (trx) => {
    // Readers go on reading what was; a second import waits for this one.
    await sql`lock table districts in share row exclusive mode`.execute(trx);
    const before = await codesIn(trx);
    const given = new Set<string>();
    for await (const batch of batchesOf(districts())) {
      await upsert(trx, batch);
      for (const { kato_code: code } of batch) given.add(code);
    }
    const dropped = wanted.replace ? [...before].filter((code) => !given.has(code)) : [];
    if (dropped.length > 0) {
      await sql`delete from districts where kato_code = any(${dropped})`.execute(trx);
    }
    task.signal.throwIfAborted();
    const changed = [...given].filter((code) => before.has(code)).length;
    const added = given.size - changed;
    return { added, changed, removed: dropped.length, total: before.size + added - dropped.length };
  });
}

/** Reads the whole file before anything is changed. */
async function refuseFaults(
  districts: AsyncIterable<DistrictRow | { readonly fault: string }>,
): Promise<void> {
  const rowByCode = new Map<string, number>();
  const faults: string[] = [];
  let number = 0;
  for await (const district of districts) {
    number += 1;
    if ('fault' in district) {
      faults.push(`row ${number} ${district.fault}`);
      continue;
    }
    const twin = rowByCode.get(district.kato_code);
    if (twin === undefined) rowByCode.set(district.kato_code, number);
    else faults.push(`row ${number} has the code ${district.kato_code}, as row ${twin} has`);
  }
  if (number === 0) throw new Problem('invalid', 'The file has no features; nothing was changed.');
  if (faults.length === 0) return;
  const listed = faults.slice(0, maxListedFaults).join('; ');
  const more =
    faults.length > maxListedFaults ? `; and ${faults.length - maxListedFaults} more like these` : '';
  throw new Problem(
    'invalid',
    `${faults.length} of ${number} rows can not be districts, so nothing was changed: ${listed}${more}.`,
  );
}

async function* batchesOf(
  districts: AsyncIterable<DistrictRow | { readonly fault: string }>,
): AsyncGenerator<DistrictRow[]> {
  let batch: DistrictRow[] = [];
  let characters = 0;
  for await (const district of districts) {
    if ('fault' in district) throw new Error(`a row ${district.fault} only now`);
    batch.push(district);
    characters += district.geometry.length;
    if (batch.length < maxBatchRows && characters < maxBatchCharacters) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function codesIn(trx: Transaction): Promise<ReadonlySet<string>> {
  const rows = await trx.selectFrom('districts').select('kato_code').execute();
  return new Set(rows.map(({ kato_code: code }) => code));
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
