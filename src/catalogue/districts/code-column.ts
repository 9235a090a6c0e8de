import { type Cell, katoCode } from '../../datasets/table/cells.ts';
import { quoted } from '../../common/readable.ts';

/** Bounds what a wrong file costs: so many rows tell enough. */
const maxRowsLookedAt = 1000;
const usualCode = /^\d{9}$/;

/** Looks in rows without a code of their own for the column that holds the codes. */
export function createCodeColumnHint(columns: readonly string[], given: string) {
  const counts = columns.map(() => 0);
  let rows = 0;
  return {
    /** Each row begins with its geometry. */
    lookAt(cells: readonly Cell[]): void {
      rows += 1;
      if (rows > maxRowsLookedAt) return;
      for (const index of columns.keys()) {
        if (usualCode.test(katoCode(cells[index + 1]) ?? '')) counts[index] = (counts[index] ?? 0) + 1;
      }
    },
    /** What to add to a sentence about a file of so many rows; nothing when most of them have codes. */
    sentence(allRows: number): string {
      if (rows * 2 <= allRows) return '';
      const most = Math.max(...counts);
      const column = columns[counts.indexOf(most)];
      if (column === undefined || most * 2 <= Math.min(rows, maxRowsLookedAt)) return '';
      return ` Column ${quoted(column)} has the codes, not ${quoted(given)}: name it with --kato.`;
    },
  };
}
