import { tableProblems } from '../messages/datasets/english.ts';
import { KiB } from '../lib/units.ts';
import { maxRemarkCharacters } from '../../common/table/marks.ts';
import { multiplied } from '../../common/table/measure-units.ts';
import { type Cell, cellText, readCell, type Reading } from './cells.ts';
import type { ColumnFormats } from './columns.ts';
import { type ReadCode, readKatoCode } from './kato-code.ts';
import type { YearColumn } from './mapping-schema.ts';

/** A KATO code has 9 digits; a longer text indicates a wrong column, and would not fit an index entry. */
const maxCodeCharacters = 255;
/** A page of observations holds a hundred of them. */
const maxValueCharacters = 64 * KiB;

export interface Mapping {
  readonly katoColumn: string;
  readonly yearColumns: readonly YearColumn[];
  readonly formats: ColumnFormats;
}

/** A parsed row of the table. */
export interface UnpivotedRow extends ReadCode {
  /** One for each mapped column, in the order of the mapping. */
  readonly readings: readonly Reading[];
  /** Remarks on the readings, in the same order; undefined if the mapping has none. */
  readonly remarks?: readonly (string | null)[];
}

/** Creates the reader of mapped columns. @throws {Problem} for a missing column or a text that is too long. */
export function createUnpivot(
  columns: readonly string[],
  mapping: Mapping,
): (row: readonly Cell[], rowNumber: number) => UnpivotedRow | undefined {
  const katoIndex = indexOf(columns, mapping.katoColumn);
  const formats = new Map(mapping.formats.map((format) => [format.column, format]));
  const years = mapping.yearColumns.map(({ column }) => {
    return { column, index: indexOf(columns, column), format: formats.get(column) };
  });
  const factors = mapping.yearColumns.map(({ factor }) => factor);
  const remarkIndexes = hasRemarks(mapping.yearColumns)
    ? mapping.yearColumns.map(({ remarks_column: name }) =>
        name === undefined ? undefined : indexOf(columns, name),
      )
    : undefined;
  /** Returns undefined for a row without a code. */
  return (cells, rowNumber) => {
    const found = readKatoCode(cells[katoIndex]);
    if (found === undefined) return undefined;
    const { katoCode: code } = found;
    const row = rowNumber + 1;
    if (code.length > maxCodeCharacters)
      throw tableProblems.longCode({ column: mapping.katoColumn, length: code.length, row });
    const readings = years.map(({ index, format, column }, at) => {
      const reading = readCell(cells[index], format);
      if (typeof reading === 'string' && reading.length > maxValueCharacters)
        throw tableProblems.longValue({ column, length: reading.length, row });
      const factor = factors[at];
      return factor === undefined || typeof reading !== 'number' ? reading : multiplied(reading, factor);
    });
    if (remarkIndexes === undefined) return { ...found, readings };
    const remarks = remarkIndexes.map((index) =>
      index === undefined
        ? null
        : (cellText(cells[index])?.slice(0, maxRemarkCharacters).toWellFormed() ?? null),
    );
    return { ...found, readings, remarks };
  };
}

/** Returns true if a mapping has remarks on the values of a column. */
export function hasRemarks(columns: readonly YearColumn[]): boolean {
  return columns.some(({ remarks_column: name }) => name !== undefined);
}

function indexOf(columns: readonly string[], name: string): number {
  const index = columns.indexOf(name);
  if (index >= 0) return index;
  throw tableProblems.columnGone(name);
}
