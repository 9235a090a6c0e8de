import type { Cell } from '../../datasets/table/cells.ts';
import { Problem } from '../../common/errors.ts';
import { createCodeColumnHint } from './code-column.ts';
import type { DistrictLevels } from './plan.ts';
import type { DistrictLevel, ReadDistrict } from './rows.ts';

const maxListedFaults = 10;

interface CheckedTable {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly Cell[]>;
  /** The name of the column with codes. */
  readonly kato: string;
}

/**
 * Reads a whole file before anything is changed; gives the units it has.
 * @throws {Problem} that lists the first faulty rows.
 */
export async function checkDistricts(
  { columns, rows, kato }: CheckedTable,
  readDistrict: ReadDistrict,
): Promise<DistrictLevels> {
  const faults = createFaultList();
  const hint = createCodeColumnHint(columns, kato);
  const found = new Map<string, { readonly row: number; readonly level: DistrictLevel }>();
  let number = 0;
  for await (const cells of rows) {
    number += 1;
    const district = readDistrict(cells);
    if ('fault' in district) {
      faults.add(`row ${number} ${district.fault}`);
      if (district.isOfCode) hint.lookAt(cells);
      continue;
    }
    const { kato_code: code, level } = district;
    const twin = found.get(code);
    if (twin === undefined) found.set(code, { row: number, level });
    else faults.add(`row ${number} has the code ${code}, as row ${twin.row} has`);
  }
  if (number === 0) throw new Problem('invalid', 'The file has no features; nothing was changed.');
  if (faults.count() > 0) {
    const sentence = `${faults.count()} of ${number} rows cannot be districts, so nothing was changed`;
    throw new Problem('invalid', `${sentence}: ${faults.text()}.${hint.sentence(number)}`);
  }
  return new Map(Array.from(found, ([code, { level }]) => [code, level]));
}

/** Holds the first faults, and how many there are. */
function createFaultList() {
  const first: string[] = [];
  let count = 0;
  return {
    add(fault: string): void {
      count += 1;
      if (first.length < maxListedFaults) first.push(fault);
    },
    count: () => count,
    text(): string {
      const more = count - first.length;
      return first.join('; ') + (more > 0 ? `; and ${more} more like these` : '');
    },
  };
}
