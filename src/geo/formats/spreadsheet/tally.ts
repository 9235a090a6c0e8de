import { spreadsheetProblems } from '../../../messages/forms/english.ts';
import { workbookLimits } from '../../spreadsheet.ts';

/** Characters of all cells together. */
const mostCharacters = 8_000_000;

/** Counts what a reader of a workbook collects. */
export function createTally() {
  let [cells, merges, characters] = [0, 0, 0];
  return {
    /** Counts a cell, and returns its text, cut to what a reader gets. @throws {Problem} for too many cells */
    cell(text: string): string {
      const cut = text.slice(0, workbookLimits.cellCharacters).toWellFormed();
      cells += 1;
      characters += cut.length;
      if (cells > workbookLimits.cells || characters > mostCharacters)
        throw spreadsheetProblems.tooManyCells(workbookLimits.cells);
      return cut;
    },
    /** @throws {Problem} for too many merged cells */
    merge(): void {
      merges += 1;
      if (merges > workbookLimits.merges) throw spreadsheetProblems.tooManyMerges(workbookLimits.merges);
    },
  };
}
