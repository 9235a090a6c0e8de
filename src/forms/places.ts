import { columnName } from '../lib/formats/workbook.ts';

/** Returns a cell as people write it, such as `C5`. @param row zero-based @param column zero-based */
export const placeOf = (row: number, column: number): string => `${columnName(column)}${row + 1}`;
