import { type Cell, katoCode } from '../../datasets/table/cells.ts';
import { districtProblems, rowFault } from '../../messages/districts.ts';
import type { DistrictLevels } from './change.ts';
import type { DistrictLevel, ReadDistrict } from './rows.ts';

const maxListedFaults = 10;

interface CheckedTable {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly Cell[]>;
  /** The name of the column with codes. */
  readonly kato: string;
}

/**
 * Reads a whole file before anything is changed, and returns the units that it has.
 * @throws {Problem} that lists the first faulty rows.
 */
export async function checkDistricts(
  { columns, rows, kato }: CheckedTable,
  readDistrict: ReadDistrict,
): Promise<DistrictLevels> {
  const first: string[] = [];
  const search = createCodeColumnSearch(columns);
  const found = new Map<string, { readonly row: number; readonly level: DistrictLevel }>();
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
    const twin = found.get(code);
    if (twin === undefined) found.set(code, { row: number, level });
    else refuse(rowFault.repeated(number, code, twin.row));
  }
  if (number === 0) throw districtProblems.noRows();
  if (count > 0) {
    const codes = search.result(number);
    const codeColumn = codes === undefined ? undefined : { found: codes, given: kato };
    throw districtProblems.faultyRows({ first, count, rows: number, codeColumn });
  }
  return new Map(Array.from(found, ([code, { level }]) => [code, level]));
}

/** Bounds what a wrong file costs: so many rows tell enough. */
const maxSearchedRows = 1000;
const usualCode = /^\d{9}$/;

/** Searches rows without a code of their own for the column that holds the codes. */
function createCodeColumnSearch(columns: readonly string[]) {
  const counts = columns.map(() => 0);
  let rows = 0;
  return {
    /** Takes a row, which begins with its geometry. */
    add(cells: readonly Cell[]): void {
      rows += 1;
      if (rows > maxSearchedRows) return;
      for (const index of columns.keys())
        if (usualCode.test(katoCode(cells[index + 1]) ?? '')) counts[index] = (counts[index] ?? 0) + 1;
    },
    /** Returns the column that most rows have codes in; nothing when most rows of the file have a code of their own. */
    result(allRows: number): string | undefined {
      const most = Math.max(...counts);
      const isClear = rows * 2 > allRows && most * 2 > Math.min(rows, maxSearchedRows);
      return isClear ? columns[counts.indexOf(most)] : undefined;
    },
  };
}
