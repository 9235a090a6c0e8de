import { z } from 'zod';
import { isKatoCode } from '../../../common/table/kato-code.ts';
import { parseNumberText } from '../../../common/table/number-text.ts';
import { readPeriod, readPeriods, type ReadPeriod } from '../../../common/table/periods/read.ts';
import { type Cell, plainText } from '../../table/cells.ts';
import { readKatoCode } from '../../table/kato-code.ts';
import { CodeTally, createCodeTally, matchOf } from './code-tally.ts';
import type { MatchFigures } from './match-schema.ts';

/** Increase it to recompute the facts of older tables. */
const version = 1;
const maxRows = 1000;
/** Tables with many columns are examined in fewer rows. */
const maxCells = 500_000;
const maxShownRows = 20;
const maxShownCells = 50_000;
const maxShownCharacters = 80;
const maxTallies = 5;
/** Share of non-empty cells that makes a column one of codes, or of periods. */
const mostly = 0.5;
/** Number of cells after which a column is classified for good. */
const firstCells = 20;
/** Longer cells are not periods. */
const longestPeriod = 40;

const ColumnFacts = z.object({
  name: z.string(),
  codes: z.int(),
  numbers: z.int(),
  texts: z.int(),
  empty: z.int(),
  /** Number of cells with periods, such as years. */
  periods: z.int(),
  period: z.custom<ReadPeriod>().nullable(),
});
export type ColumnFacts = z.infer<typeof ColumnFacts>;

/** Stored facts about the first rows of a table. They do not depend on districts, except for the choice of tallies. */
export const TableFacts = z.object({
  version: z.literal(version),
  row_count: z.int(),
  counted_rows: z.int(),
  columns: z.array(ColumnFacts),
  rows: z.array(z.array(z.string().nullable())),
  tallies: z.array(z.object({ column: z.int(), tally: CodeTally })),
});
export type TableFacts = z.infer<typeof TableFacts>;

/** Collects facts about a table from its first rows; later ones are only counted. */
export function createTableFacts(names: readonly string[], districts: ReadonlySet<string>) {
  const counted = Math.min(maxRows, Math.max(maxShownRows, Math.floor(maxCells / names.length)));
  const shown = Math.max(1, Math.min(maxShownRows, Math.floor(maxShownCells / names.length)));
  const columns = names.map(() => createColumnFacts(districts));
  const rows: (string | null)[][] = [];
  let rowCount = 0;
  return {
    add(row: readonly Cell[]): void {
      rowCount += 1;
      if (rowCount > counted) return;
      const texts = columns.map((column, index) => column.add(row[index]));
      if (rowCount <= shown) rows.push(texts.map((text) => (text === undefined ? null : abridged(text))));
    },
    result(): TableFacts {
      const periods = readPeriods(names);
      const best = columns
        .flatMap(({ tally, isOfCodes }, column) => (isOfCodes() ? [{ column, tally: tally() }] : []))
        .map((each) => ({ ...each, match: matchOf(each.tally, districts) }))
        .filter(({ column, match }) =>
          areCodes(names[column] ?? '', columns[column]?.counts.codes ?? 0, match),
        )
        .toSorted((one, other) => other.match.units.length - one.match.units.length)
        .slice(0, maxTallies);
      return {
        version,
        row_count: rowCount,
        counted_rows: Math.min(rowCount, counted),
        columns: columns.map(({ counts }, index) => ({
          name: names[index] ?? '',
          ...counts,
          period: periods[index] ?? null,
        })),
        rows,
        tallies: best.map(({ column, tally }) => ({ column, tally })),
      };
    },
  };
}

/** Nine-digit numbers, such as sums of money, are codes if most of them belong to known units or the name of the column suggests it. */
function areCodes(name: string, codes: number, match: MatchFigures): boolean {
  return /kato|като/i.test(name) || match.with_district + match.below_district >= mostly * codes;
}

function createColumnFacts(districts: ReadonlySet<string>) {
  const counts = { codes: 0, numbers: 0, texts: 0, empty: 0, periods: 0 };
  let codes: ReturnType<typeof createCodeTally> | undefined = createCodeTally(districts);
  const isMostly = (count: number) => {
    const filled = counts.numbers + counts.texts;
    return filled > 0 && count >= mostly * filled;
  };
  return {
    counts,
    /** Returns the text of the cell; undefined if it is empty. */
    add(cell: Cell | undefined): string | undefined {
      const text = plainText(cell);
      const code = readKatoCode(cell)?.katoCode;
      codes?.add(code);
      if (text === undefined || code === undefined) {
        counts.empty += 1;
        return undefined;
      }
      counts[parseNumberText(text) === undefined ? 'texts' : 'numbers'] += 1;
      if (isKatoCode(code)) counts.codes += 1;
      const isJudged = counts.numbers + counts.texts > firstCells;
      if (isJudged && !isMostly(counts.codes)) codes = undefined;
      if (
        text.length <= longestPeriod &&
        (!isJudged || isMostly(counts.periods + 1)) &&
        readPeriod(text) !== undefined
      )
        counts.periods += 1;
      return text;
    },
    isOfCodes: () => isMostly(counts.codes) && codes !== undefined,
    tally: () => (codes ?? createCodeTally(districts)).result(),
  };
}

function abridged(text: string): string {
  const characters = Array.from(text.slice(0, 2 * maxShownCharacters + 2));
  return characters.length <= maxShownCharacters
    ? text
    : `${characters.slice(0, maxShownCharacters).join('')}…`;
}
