import { columnName } from '../../../lib/formats/workbook.ts';
import { spreadsheetProblems } from '../../../messages/forms/english.ts';
import { type CellKind, type CellRange, workbookLimits } from '../../spreadsheet.ts';
import { isWithin, readPlace, readRange, readsOutside } from './places.ts';
import { localName, type OpenTag, scanXml } from './scan.ts';

/** A cell with its place in the text. */
interface FoundCell {
  readonly row: number;
  readonly column: number;
  readonly kind: CellKind;
  readonly text: string;
  readonly isShared: boolean;
  readonly tag: OpenTag;
  /** Bounds of the stored value; undefined without one. */
  readonly value: readonly [start: number, end: number] | undefined;
  readonly end: number;
}

/** An element of a row. */
export interface FoundRow {
  readonly row: number;
  readonly tag: OpenTag;
}

interface SheetVisitor {
  cell?(cell: FoundCell): void;
  merge?(range: CellRange): void;
  /** Cells that an array formula fills, some of which the file may lack. */
  array?(range: CellRange): void;
  columns?(first: number, last: number, style: string | undefined): void;
  openRow?(row: FoundRow): void;
  /** @param end offset behind the last cell */
  closeRow?(row: FoundRow, end: number): void;
  /** @param tag of the data of the sheet */
  closeData?(tag: OpenTag, end: number): void;
}

interface OpenCell {
  readonly place: readonly [row: number, column: number];
  readonly tag: OpenTag;
  text: string;
  isFormula: boolean;
  isText: boolean;
  value: [start: number, end: number] | undefined;
}

/** Visits rows, cells and merged cells of a sheet in their order. @throws {Problem} for places out of order, and formulas that read from outside */
export function walkSheet(xml: string, part: string, visitor: SheetVisitor): void {
  const broken = () => spreadsheetProblems.brokenPart(part);
  const arrays: CellRange[] = [];
  let [row, column, isPhonetic] = [-1, -1, false];
  let data: OpenTag | undefined;
  let openRow: FoundRow | undefined;
  let cell: OpenCell | undefined;
  /** Receives the text of a formula, to be judged. */
  let formula: string | undefined;
  scanXml(xml, part, {
    open(tag) {
      const { attributes } = tag;
      switch (localName(tag.name)) {
        case 'sheetData':
          data = tag;
          break;
        case 'col': {
          const [first, last] = [Number(attributes['min']) - 1, Number(attributes['max']) - 1];
          if (first >= 0 && last >= first) visitor.columns?.(first, last, attributes['style']);
          break;
        }
        case 'row': {
          if (data === undefined) return;
          const own = attributes['r'] === undefined ? row + 1 : Number(attributes['r']) - 1;
          if (!Number.isInteger(own) || own <= row || own >= workbookLimits.rows) throw broken();
          [row, column] = [own, -1];
          openRow = { row, tag };
          visitor.openRow?.(openRow);
          break;
        }
        case 'c': {
          if (openRow === undefined) return;
          const place =
            attributes['r'] === undefined ? ([row, column + 1] as const) : readPlace(attributes['r']);
          if (place?.[0] !== row || place[1] <= column || place[1] >= workbookLimits.columns) throw broken();
          column = place[1];
          cell = { place, tag, text: '', isFormula: false, isText: false, value: undefined };
          break;
        }
        case 'f': {
          if (cell === undefined) break;
          cell.isFormula = true;
          formula = '';
          const range = attributes['ref'] === undefined ? undefined : readRange(attributes['ref']);
          if (range === undefined || attributes['t'] === 'shared') break;
          arrays.push(range);
          visitor.array?.(range);
          break;
        }
        case 'v':
          if (cell !== undefined) [cell.value, cell.isText] = [[tag.start, tag.end], true];
          break;
        case 't':
          if (cell !== undefined) cell.isText = !isPhonetic;
          break;
        case 'rPh':
          isPhonetic = true;
          break;
        case 'mergeCell': {
          const range = readRange(attributes['ref'] ?? '');
          if (range !== undefined) visitor.merge?.(range);
          break;
        }
      }
    },
    text(text) {
      if (formula !== undefined) formula += text;
      else if (cell?.isText === true && cell.text.length <= workbookLimits.cellCharacters)
        cell.text += text.slice(0, workbookLimits.cellCharacters + 1);
    },
    close(name, start, end) {
      switch (localName(name)) {
        case 'f':
          if (formula !== undefined && readsOutside(formula))
            throw spreadsheetProblems.outsideFormula(`${columnName(column)}${row + 1}`);
          formula = undefined;
          break;
        case 'v':
          if (cell?.value !== undefined) [cell.value[1], cell.isText] = [end, false];
          break;
        case 't':
          if (cell !== undefined) cell.isText = false;
          break;
        case 'rPh':
          isPhonetic = false;
          break;
        case 'c': {
          if (cell === undefined) break;
          const { place, tag, text, isFormula, value } = cell;
          const type = tag.attributes['t'] ?? 'n';
          const isComputed = isFormula || arrays.some((range) => isWithin(range, ...place));
          visitor.cell?.({
            row: place[0],
            column: place[1],
            kind: isComputed ? 'f' : type === 'n' || type === 'b' || type === 'd' ? 'n' : 't',
            text: isComputed ? '' : text,
            isShared: type === 's' && !isComputed,
            tag,
            value,
            end,
          });
          cell = undefined;
          break;
        }
        case 'row':
          if (openRow !== undefined) visitor.closeRow?.(openRow, start);
          openRow = undefined;
          break;
        case 'sheetData':
          if (data !== undefined) visitor.closeData?.(data, start);
          data = undefined;
          break;
      }
    },
  });
}
