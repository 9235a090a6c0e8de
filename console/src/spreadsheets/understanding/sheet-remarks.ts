import type { Tally } from '../model/tally.ts';
import type { Choice, Sheet } from '../model/types.ts';

/** The sheet without the rows and columns that its workbook hides; all other cells keep their places. */
export function withoutHidden(sheet: Sheet): Sheet {
  const { hidden } = sheet;
  if (hidden === undefined) return sheet;
  const rows = sheet.rows.map((row, at) =>
    hidden.rows.has(at) ? [] : row.map((cell, column) => (hidden.columns.has(column) ? null : cell)),
  );
  return { ...sheet, rows };
}

/** Remarks what was done to a sheet before its table was looked for. */
export function remarkSheet(sheet: Sheet, { withoutHidden: isLeftOut = false }: Choice, tally: Tally): void {
  const { hidden, divided, textNotes: notes } = sheet;
  if (hidden !== undefined) {
    const [first] = [...hidden.rows].toSorted((a, b) => a - b);
    tally.add(isLeftOut ? 'hiddenLeftOut' : 'hiddenKept', {
      count: hidden.rows.size,
      ...(first === undefined ? {} : { row: first + 1 }),
      text: String(hidden.columns.size),
    });
  }
  if (divided !== undefined) tally.add('valuesDivided', divided);
  if (notes?.charset !== undefined) tally.add('charsetGuessed', { text: notes.charset });
  if (notes?.lostBytes !== undefined) tally.add('bytesLost', { count: notes.lostBytes });
  if (notes?.joinedRows !== undefined) tally.add('commasJoined', { count: notes.joinedRows });
  if (notes?.longRows !== undefined) tally.add('rowsLonger', notes.longRows);
}
