import { z } from 'zod';
import type { Mapping, UnpivotedRow } from '../../table/unpivot.ts';
import { CodeTally, createCodeTally } from './code-tally.ts';

const maxShown = 50;
const maxShownCharacters = 200;

const TextCells = z.object({
  total: z.int(),
  items: z.array(z.object({ column: z.string(), value: z.string(), cells: z.int(), first_row: z.int() })),
});
type TextCells = z.infer<typeof TextCells>;

/** Stored findings of an extraction; they are matched with the districts when read. */
export const StoredMatch = z.object({ codes: CodeTally, texts: TextCells });
export type StoredMatch = z.infer<typeof StoredMatch>;

/** Counts codes, and texts in the place of numbers, row by row. Memory does not grow with the rows. */
export function createMatchTally(
  { yearColumns }: Pick<Mapping, 'yearColumns'>,
  districts: ReadonlySet<string>,
) {
  const codes = createCodeTally(districts);
  const texts = new Map<string, TextCells['items'][number]>();
  let total = 0;
  const addText = (text: string, index: number, rowNumber: number) => {
    total += 1;
    const value = text.length <= maxShownCharacters ? text : `${cut(text)}…`;
    const key = `${index} ${value}`;
    const known = texts.get(key);
    if (known !== undefined) known.cells += 1;
    else if (texts.size < maxShown)
      texts.set(key, { column: yearColumns[index]?.column ?? '', value, cells: 1, first_row: rowNumber + 1 });
  };
  return {
    /** @param row undefined for one without a code. @param rowNumber from 0 */
    add(row: UnpivotedRow | undefined, rowNumber: number): void {
      codes.add(row?.katoCode);
      for (const [index, reading] of row?.readings.entries() ?? [])
        if (typeof reading === 'string') addText(reading, index, rowNumber);
    },
    result: (): StoredMatch => ({ codes: codes.result(), texts: { total, items: [...texts.values()] } }),
  };
}

/** Cuts a text, but not inside a surrogate pair. */
function cut(text: string): string {
  return text.slice(0, maxShownCharacters).replace(/[\ud800-\udbff]$/, '');
}
