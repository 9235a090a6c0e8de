import type { Database } from '../../database/tables.ts';
import type { Cell } from '../../datasets/table/cells.ts';
import type { EngineTask, GeoEngine } from '../../geo/engine.ts';
import { readRows } from '../../datasets/table/rows.ts';
import { changeDistricts, type ChangeOptions, type DistrictCounts } from './change.ts';
import { checkDistricts } from './check.ts';
import { createDistrictReader, type DistrictColumns, type DistrictRow, type ReadDistrict } from './rows.ts';

/** Bounds what is in memory and in one statement; a unit may be megabytes. */
const maxBatchRows = 50;
const maxBatchCharacters = 4 * 1024 * 1024;

export type DistrictImport = DistrictColumns & ChangeOptions;

/**
 * Imports administrative units from a vector file: all of them in one transaction, or none. Existing units are changed;
 * names that the import has no column for stay. Maps of other districts are made anew at their next request.
 * @throws {Problem} that lists the first faulty rows, or says that a whole level would go; then nothing has changed.
 */
export async function importDistricts(
  dependencies: { readonly db: Database; readonly engine: GeoEngine },
  task: EngineTask,
  wanted: DistrictImport,
): Promise<DistrictCounts> {
  const table = await dependencies.engine.readFeatures(task);
  const { columns } = table;
  const readDistrict = createDistrictReader(columns, wanted);
  const rows = () => readRows(table, task.signal);
  const levels = await checkDistricts({ columns, rows: rows(), kato: wanted.kato }, readDistrict);
  const batches = () => batchesOf(rows(), readDistrict);
  return await changeDistricts({ db: dependencies.db, signal: task.signal }, { levels, batches }, wanted);
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
