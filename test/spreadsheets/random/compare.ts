import type { Cell, Column, Table } from '../../../console/src/spreadsheets/model/types.ts';
import { readPeriods } from '../../../common/table/periods/read.ts';
import { keyOf, plain } from '../reading.ts';
import type { Known, RandomSheet } from './sheets.ts';

/** Remarks that a value, a row or a column differs from the sheet or must be checked. */
const loud: ReadonlySet<string> = new Set([
  'noKey',
  'noHeader',
  'periodsOpen',
  'severalTables',
  'mergedValues',
  'rowsLonger',
  'valuesTwice',
  'placesTwice',
  'periodsUnreadable',
  'textInValues',
  'columnsLeftOut',
  'rowsLeftOut',
  'codesUnreadable',
]);
/** Remarks about a column whose numbers can be read in two ways. */
const ambiguous: ReadonlySet<string> = new Set([
  'decimalPointsAssumed',
  'decimalCommasAssumed',
  'mixedCommas',
  'mixedPoints',
]);

export interface Outcome {
  /** True if all values came back. */
  readonly isWhole: boolean;
  /** Wrong values without a remark. */
  readonly silent: readonly string[];
}

/** Compares a table that was read with its known values. */
export function compare(table: Table, sheet: RandomSheet): Outcome {
  const { columns, rows, remarks } = table;
  const codes = new Set<string>(remarks.map(({ code }) => code));
  const unsure = new Set(remarks.flatMap(({ code, column }) => (ambiguous.has(code) ? [column ?? ''] : [])));
  // The value columns of a long table come from a single column, which may be ambiguous.
  const isUnsure = ({ name }: Column) =>
    unsure.has(name) ||
    (unsure.size > 0 &&
      table.columns.length > 0 &&
      [...unsure].some((each) => !columns.some((column) => column.name === each)));
  const key = keyOf(table);
  const keyAt = key === undefined ? -1 : columns.indexOf(key);
  const found = new Map<string, { readonly value: Cell; readonly column: Column }>();
  for (const [at, column] of columns.entries()) {
    if (column.role !== 'value' || column.period === undefined) continue;
    const { start_date: start, end_date: end } = column.period;
    for (const row of rows) {
      const place = [plain(String(row[keyAt] ?? '')), start, end].join(' ');
      if (!found.has(place)) found.set(place, { value: row[at] ?? null, column });
    }
  }
  const silent: string[] = [];
  let isWhole = true;
  for (const each of sheet.known) {
    const place = placeOf(each);
    const got = found.get(place);
    if (got === undefined) {
      isWhole = false;
      if (![...loud].some((code) => codes.has(code))) silent.push(`${place} is missing`);
    } else if (got.value !== each.value) {
      isWhole = false;
      const isText = typeof got.value === 'string' && codes.has('textInValues');
      const isLeftOut = got.value === null && (codes.has('mergedValues') || codes.has('rowsLonger'));
      if (!isUnsure(got.column) && !isText && !isLeftOut)
        silent.push(`${place} is ${got.value} instead of ${each.value}`);
    }
  }
  for (const each of sheet.mustBeAbsent) {
    const got = found.get(placeOf(each));
    if (got !== undefined && got.value !== null)
      silent.push(`${placeOf(each)} is ${got.value}, and belongs to two units`);
  }
  const knownPlaces = new Set([...sheet.known, ...sheet.mustBeAbsent].map(placeOf));
  const units = new Set(sheet.known.map(({ unit }) => plain(unit)));
  for (const [place, { value }] of found)
    if (value !== null && units.has(place.split(/ \d{4}-/)[0] ?? '') && !knownPlaces.has(place))
      silent.push(`${place} is ${value}, and is not in the table`);
  for (const [at, read] of readPeriods(columns.map(({ name }) => name)).entries()) {
    const { period, role, name = '' } = columns[at] ?? {};
    if (
      role === 'value' &&
      `${period?.start_date} ${period?.end_date}` !== `${read?.start_date} ${read?.end_date}`
    )
      silent.push(`the service reads ${name} as ${read?.start_date}, and the page as ${period?.start_date}`);
  }
  return { isWhole, silent };
}

function placeOf({ unit, time }: Known): string {
  return [plain(unit), time.start_date, time.end_date].join(' ');
}
