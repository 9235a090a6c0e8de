import { hash } from 'node:crypto';
import { tableProblems } from '../../messages/tables.ts';
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

/** Prepares to turn rows into one value per mapped column. @throws {Problem} for a lost column or too long a text. */
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
  return (cells, rowNumber) => {
    const code = katoCode(cells[katoIndex]);
    if (code === undefined) return [];
    const row = rowNumber + 1;
    if (code.length > maxCodeCharacters)
      throw tableProblems.longCode({ column: mapping.katoColumn, length: code.length, row });
    return years.map(({ index, commas, ...year }) => {
      const reading = readCell(cells[index], commas);
      const length = reading.valueText?.length ?? 0;
      if (length > maxValueCharacters) throw tableProblems.longValue({ column: year.column, length, row });
      return { ...year, ...reading, katoCode: code, rowNumber };
    });
  };
}

function indexOf(columns: readonly string[], name: string): number {
  const index = columns.indexOf(name);
  if (index >= 0) return index;
  throw tableProblems.columnGone(name);
}

/** Names observations by UUIDs of version 5 (RFC 9562), so that an extraction run twice gives the same ids. */
export function createObservationIds(
  datasetId: string,
  mappingVersion: number,
): (row: number, column: string) => string {
  const namespace = Buffer.from(datasetId.replaceAll('-', ''), 'hex');
  return (row, column) => {
    const name = Buffer.from(`${mappingVersion}/${row}/${column}`);
    const bytes = hash('sha1', Buffer.concat([namespace, name]), 'buffer').subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6); // version
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8); // variant
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
}
