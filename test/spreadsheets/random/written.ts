import { cellName, type Sheet, type SheetCell, workbook } from '../../support/tables/workbooks.ts';
import { utf16, windows1251 } from '../layouts/texts.ts';
import type { Dice } from './dice.ts';

export type Area = readonly [top: number, left: number, bottom: number, right: number];

/** Draws the style in which a table writes numbers. */
export function cellStyle(dice: Dice): (value: number | null) => SheetCell {
  const missing = dice.one([null, '-', '–', '...', 'х', 'н/д']);
  const grouped = (value: number, gap: string, point: string): string => {
    const [whole = '', fraction] = String(value).split('.');
    const parted = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, gap);
    return fraction === undefined ? parted : parted + point + fraction;
  };
  const styles: readonly ((value: number) => SheetCell)[] = [
    (value) => value,
    (value) => value,
    (value) => grouped(value, '', ','),
    (value) => grouped(value, '\u00a0', ','),
    (value) => grouped(value, ' ', '.'),
    (value) => grouped(value, '.', ','),
    (value) => grouped(value, ',', '.'),
    (value) => ({ runs: [grouped(value, ' ', ',')], raised: '1' }),
    (value) => ({ number: value, format: '#,##0.00' }),
    (value) => ({ number: value * 1_000_000, format: '#,##0.00,,' }),
    (value) => (value < 0 ? `(${grouped(-value, ' ', ',')})` : grouped(value, ' ', ',')),
  ];
  const style = dice.one(styles);
  return (value) => (value === null ? missing : style(value));
}

export function moved([top, left, bottom, right]: Area, down: number, across: number): Area {
  return [top + down, left + across, bottom + down, right + across];
}

/** Writes the rows of a sheet as a workbook or as text, in the chosen flavour, charset and delimiter. */
export function write(
  dice: Dice,
  rows: readonly SheetCell[][],
  merges: readonly Area[],
): { readonly kind: string; readonly file: string; readonly bytes: Uint8Array } {
  if (merges.length > 0 || dice.is(0.6)) {
    const flavour = dice.one(['excel', 'inline', 'prefixed'] as const);
    const from =
      flavour === 'inline' ? { row: 0, column: 0 } : { row: dice.from(0, 2), column: dice.from(0, 2) };
    const named = merges.map((area) => {
      const [top, left, bottom, right] = moved(area, from.row, from.column);
      return `${cellName(top, left)}:${cellName(bottom, right)}`;
    });
    // Hidden rows are read as well.
    const hidden = dice.is(0.1) ? { hidden: { rows: [from.row + rows.length - 1] } } : {};
    const sheet: Sheet = { name: 'Лист1', rows, merges: named, from, ...hidden };
    return { kind: `xlsx ${flavour}`, file: 'a.xlsx', bytes: workbook([sheet], { flavour }) };
  }
  const delimiter = dice.one([';', '\t', ',']);
  const text = rows.map((row) => row.map((cell) => textOf(cell, delimiter)).join(delimiter)).join('\n');
  const isCyrillic1251 = /^[\t-~А-яЁё№«»–—\u00a0]*$/.test(text);
  const charset = dice.one(['utf-8', 'utf-16', ...(isCyrillic1251 ? ['windows-1251'] : [])]);
  const bytes =
    charset === 'utf-8'
      ? new TextEncoder().encode(text)
      : charset === 'utf-16'
        ? utf16(text)
        : windows1251(text);
  return { kind: `csv ${JSON.stringify(delimiter)} ${charset}`, file: 'a.csv', bytes };
}

function textOf(cell: SheetCell, delimiter: string): string {
  if (cell === null) return '';
  const text =
    typeof cell === 'object'
      ? 'runs' in cell
        ? `${cell.runs.join('')}¹`
        : 'number' in cell
          ? String(cell.format.endsWith(',,') ? cell.number / 1_000_000 : cell.number)
          : ''
      : String(cell);
  return text.includes(delimiter) ? `"${text}"` : text;
}
