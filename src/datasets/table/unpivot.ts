import { Problem } from '../../common/errors.ts';
import { KiB } from '../../common/units.ts';
import { type Cell, katoCode, readCell } from './cells.ts';
import type { ColumnFormats } from './columns.ts';
import type { YearColumn } from './mapping-schema.ts';

/** Any KATO code has 9 digits; more than this is a wrongly chosen column, and would not fit an index entry. */
const maxCodeCharacters = 255;
/** A page of observations holds a hundred of them. */
const maxValueCharacters = 64 * KiB;

export interface Mapping {
  readonly katoColumn: string;
  readonly yearColumns: readonly YearColumn[];
  readonly formats: ColumnFormats;
}

export interface UnpivotedValue {
  readonly katoCode: string;
  readonly column: string;
  readonly startDate: string;
  readonly endDate: string | null;
  readonly value: number | null;
  readonly valueText: string | null;
  /** Place of the year column in the mapping, from 0. */
  readonly mappingOrder: number;
  /** Place of the row in the file, from 0. */
  readonly rowNumber: number;
}

/**
 * Prepares to turn the rows of a table with these columns into one value per mapped column, empty cells included. A row
 * without a code gives none.
 * @throws {Problem} when the table lacks a mapped column, or its codes or values cannot be any.
 */
export function createUnpivot(
  columns: readonly string[],
  mapping: Mapping,
): (row: readonly Cell[], rowNumber: number) => UnpivotedValue[] {
  const katoIndex = indexOf(columns, mapping.katoColumn);
  const formats = new Map(mapping.formats.map(({ column, commas }) => [column, commas]));
  const years = mapping.yearColumns.map((year, mappingOrder) => ({
    index: indexOf(columns, year.column),
    commas: formats.get(year.column),
    column: year.column,
    startDate: year.start_date,
    endDate: year.end_date ?? null,
    mappingOrder,
  }));
  return (row, rowNumber) => {
    const code = katoCode(row[katoIndex]);
    if (code === undefined) return [];
    const { length } = code;
    if (length > maxCodeCharacters)
      throw tooLongFor('KATO codes', { column: mapping.katoColumn, length, rowNumber });
    return years.map(({ index, commas, ...year }) => {
      const reading = readCell(row[index], commas);
      const length = reading.valueText?.length ?? 0;
      if (length > maxValueCharacters) throw tooLongFor('values', { column: year.column, length, rowNumber });
      return { ...year, ...reading, katoCode: code, rowNumber };
    });
  };
}

function tooLongFor(
  what: 'KATO codes' | 'values',
  {
    column,
    length,
    rowNumber,
  }: { readonly column: string; readonly length: number; readonly rowNumber: number },
): Problem {
  const place = `Column "${column}" holds a text of ${length} characters in row ${rowNumber + 1}`;
  const map = what === 'values' ? 'columns that hold' : 'the column that holds';
  return new Problem('invalid', `${place}; upload the file again and map ${map} ${what}.`);
}

function indexOf(columns: readonly string[], name: string): number {
  const index = columns.indexOf(name);
  if (index >= 0) return index;
  throw new Problem('invalid', `The file has no column "${name}" any more; upload it again and map it anew.`);
}
