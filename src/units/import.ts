import type { Database, Transaction } from '../database/tables/tables.ts';
import { type Cell, plainText } from '../table/cells.ts';
import type { EngineTask, GeoEngine } from '../geo/engine.ts';
import { linesOf, openRows, readRows } from '../table/rows.ts';
import { districtProblems, rowFault } from '../messages/service/english.ts';
import {
  changeDistricts,
  isFormerUnit,
  readLevels,
  type ChangeOptions,
  type DistrictCounts,
  type DistrictLevels,
  upsert,
} from './change.ts';
import {
  createDistrictReader,
  type DistrictColumns,
  type DistrictLevel,
  type DistrictRow,
  type ReadDistrict,
} from './rows.ts';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type LevelReport, reportOnImport } from './import-report.ts';
import { underMigrationLock } from '../database/migrate.ts';
import { classifier } from './classifier/classifier.ts';
import { curatedHistory } from './history/curated.ts';
import { seedHistory } from './history/store.ts';

/** Limits memory and the size of a statement; a unit may have megabytes. */
const maxBatchRows = 50;
const maxBatchCharacters = 4 * 1024 * 1024;

/**
 * Imports administrative units from a vector file: all of them in one transaction, or none. Existing units are changed; names without a
 * column in the import stay. Maps of other districts are written again at their next request.
 * @throws {Problem} listing the first invalid rows, or reporting that a whole level would be removed; then nothing has changed.
 */
export async function importDistricts(
  dependencies: { readonly db: Database; readonly engine: GeoEngine },
  task: EngineTask,
  wanted: DistrictColumns & ChangeOptions,
): Promise<{ readonly counts: DistrictCounts; readonly report: readonly LevelReport[] }> {
  const table = await dependencies.engine.readFeatures(task);
  const { columns } = table;
  const readDistrict = createDistrictReader(columns, wanted, await levelReader(dependencies.db));
  const rows = () => readRows(table, linesOf(openRows(table.rowsPath, task.signal)));
  const checked = await checkDistricts({ columns, rows: rows(), kato: wanted.kato }, readDistrict);
  const batches = () => batchesOf(rows(), readDistrict);
  const given = { ...checked, batches };
  const report = await reportOnImport(dependencies.db, given, wanted.replacement);
  const counts = await changeDistricts({ db: dependencies.db, signal: task.signal }, given, wanted);
  return { counts, report };
}

/**
 * Returns the level of a code: that of the unit that is there, else that of the classifier; by its digits, a code of two digits and seven
 * zeros is a region.
 */
async function levelReader(db: Database): Promise<(code: string) => DistrictLevel> {
  const stored = await readLevels(db);
  return (code) =>
    stored.get(code) ??
    classifier().units.get(code)?.level ??
    (/^\d{2}0{7}$/.test(code) ? 'region' : 'district');
}

async function* batchesOf(
  rows: AsyncIterable<readonly Cell[]>,
  readDistrict: ReadDistrict,
): AsyncGenerator<DistrictRow[]> {
  let batch: DistrictRow[] = [];
  let characters = 0;
  for await (const cells of rows) {
    const district = readDistrict(cells);
    if ('fault' in district) throw new Error(`a row ${district.fault} only now`);
    batch.push(district);
    characters += district.geometry.length;
    if (batch.length < maxBatchRows && characters < maxBatchCharacters) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

const maxListedFaults = 10;

interface CheckedTable {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly Cell[]>;
  /** Name of the column with codes. */
  readonly kato: string;
}

/** Reads all units of a file before any change. @throws {Problem} listing the first invalid rows. */
export async function checkDistricts(
  { columns, rows, kato }: CheckedTable,
  readDistrict: ReadDistrict,
): Promise<{ readonly levels: DistrictLevels; readonly former: number }> {
  const first: string[] = [];
  const search = createCodeColumnSearch(columns);
  const found = new Map<
    string,
    { readonly row: number; readonly level: DistrictLevel; readonly isFormer: boolean }
  >();
  let [number, count] = [0, 0];
  const refuse = (fault: string): void => {
    count += 1;
    if (first.length < maxListedFaults) first.push(fault);
  };
  for await (const cells of rows) {
    number += 1;
    const district = readDistrict(cells);
    if ('fault' in district) {
      refuse(rowFault.at(number, district.fault));
      if (district.isOfCode) search.add(cells);
      continue;
    }
    const { kato_code: code, level } = district;
    // A former unit may have the code of a current one.
    const isFormer = isFormerUnit(district);
    const key = isFormer ? `${code} ${district.valid_to}` : code;
    const twin = found.get(key);
    if (twin === undefined) found.set(key, { row: number, level, isFormer });
    else refuse(rowFault.repeated(number, code, twin.row));
  }
  if (number === 0) throw districtProblems.noRows();
  if (count > 0) {
    const codes = search.result(number);
    const codeColumn = codes === undefined ? undefined : { found: codes, given: kato };
    throw districtProblems.faultyRows({ first, count, rows: number, codeColumn });
  }
  const today = [...found].filter(([, { isFormer }]) => !isFormer);
  const levels = new Map(today.map(([code, { level }]) => [code, level]));
  return { levels, former: found.size - levels.size };
}

/** Limits the cost of a wrong file: this many rows are enough. */
const maxSearchedRows = 1000;
const usualCode = /^\d{9}$/;

/** Searches rows without a code for the column that contains the codes. */
function createCodeColumnSearch(columns: readonly string[]) {
  const counts = columns.map(() => 0);
  let rows = 0;
  return {
    /** Takes a row, which begins with its geometry. */
    add(cells: readonly Cell[]): void {
      rows += 1;
      if (rows > maxSearchedRows) return;
      for (const index of columns.keys())
        if (usualCode.test(plainText(cells[index + 1])?.trim() ?? ''))
          counts[index] = (counts[index] ?? 0) + 1;
    },
    /** Returns the column with codes in most rows; undefined if most rows of the file have a code of their own. */
    result(allRows: number): string | undefined {
      const most = Math.max(...counts);
      const isClear = rows * 2 > allRows && most * 2 > Math.min(rows, maxSearchedRows);
      return isClear ? columns[counts.indexOf(most)] : undefined;
    },
  };
}

const milestone = 'districts-seeded';
const historyMilestone = 'district-history-seeded';

/** The administrative units of Kazakhstan in 2024; `seeds/districts/README.md` gives their source and licence. */
const seeds = [
  { level: 'region', file: new URL('../../seeds/districts/regions.geojsonl', import.meta.url) },
  { level: 'district', file: new URL('../../seeds/districts/districts.geojsonl', import.meta.url) },
] as const;

const Unit = z.object({
  properties: z.object({ kato: z.string(), name: z.string(), name_kk: z.string(), name_en: z.string() }),
  geometry: z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.unknown() }),
});

/** Fills the table of districts once in the life of a database: changes and removals by an operator persist. */
export async function seedDistricts(db: Database): Promise<void> {
  await underMigrationLock(db, async (trx) => {
    if (await reachMilestone(trx, milestone)) for await (const units of readSeeds()) await upsert(trx, units);
    if (await reachMilestone(trx, historyMilestone)) await seedHistory(trx);
  });
}

/** Returns true the first time. */
async function reachMilestone(trx: Transaction, name: string): Promise<boolean> {
  const insert = trx.insertInto('milestones').values({ name });
  const kept = insert.onConflict((conflict) => conflict.doNothing()).returning('name');
  return (await kept.executeTakeFirst()) !== undefined;
}

/** Restores the units of a new database in one transaction. Other units stay unless they are replaced. */
export async function restoreDistricts(
  dependencies: { readonly db: Database; readonly signal: AbortSignal },
  options: ChangeOptions,
): Promise<DistrictCounts> {
  const units = await Array.fromAsync(readSeeds());
  const levels = new Map(units.flat().map(({ kato_code: code, level }) => [code, level]));
  async function* batches() {
    yield* units;
  }
  return await changeDistricts(dependencies, { levels, former: 0, batches }, options);
}

/** Reads the initial units of a new database: regions, then districts. */
async function* readSeeds(): AsyncGenerator<DistrictRow[]> {
  for (const { level, file } of seeds) yield await readUnits(level, file);
}

async function readUnits(level: DistrictLevel, file: URL): Promise<DistrictRow[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => {
    const { properties, geometry } = Unit.parse(JSON.parse(line));
    const { kato, ...names } = properties;
    const [lastChange] = curatedHistory().succession.lastChangesTo(kato, undefined);
    const validity = { valid_from: lastChange?.date ?? null, valid_to: null };
    return { kato_code: kato, level, ...names, geometry: JSON.stringify(geometry), ...validity };
  });
}
