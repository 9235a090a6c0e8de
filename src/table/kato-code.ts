import { type KatoText, readKatoText } from '../../common/table/kato-code.ts';
import { type Cell, cellText, plainText } from './cells.ts';

export type ReadCode = KatoText;

const soundCell = /^"?(\d{9})"?$/;

/** Reads the KATO code in a cell like `readKatoText`; undefined if the cell is empty. */
export function readKatoCode(cell: Cell | undefined): ReadCode | undefined {
  const sound = cell === undefined ? undefined : soundCell.exec(cell)?.[1];
  if (sound !== undefined) return { katoCode: sound };
  const text = cell?.startsWith('"') ? cellText(cell) : undefined;
  if (text !== undefined) return readKatoText(text);
  // The code is the value of a number, independent of its spelling.
  const plain = plainText(cell)?.trim();
  return plain === undefined ? undefined : { katoCode: plain };
}
