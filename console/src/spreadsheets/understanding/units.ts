import {
  distinctUnits,
  isSameUnit,
  type MeasureUnit,
  readUnit,
} from '../../../../common/table/measure-units.ts';
import { lineOf } from '../model/cells.ts';
import type { Tally } from '../model/tally.ts';
import type { Cell, Column, NumberedRow } from '../model/types.ts';

const unitHeading =
  /^(?:ед(?:\.|иниц\p{L}*)? ?(?:изм\p{L}*\.?)?|өлш\p{L}*\.? ?(?:бірлі\p{L}*|бірл\.)?|units?(?: of measure\p{L}*)?)$/iu;

/** Returns true for the heading of a column of units: `Единица измерения`. */
export const isUnitColumn = ({ name, role }: Column): boolean =>
  role === 'note' && unitHeading.test(name.trim());

interface Around {
  /** The rows above the header. */
  readonly above: readonly (readonly Cell[])[];
  readonly rows: readonly NumberedRow[];
  readonly tally: Tally;
}

/**
 * Finds the unit of each column of values: in its name, in a column of units, or in the lines above the header.
 * A column of shares among others has its own.
 */
export function withUnits(columns: readonly Column[], { above, rows, tally }: Around): readonly Column[] {
  const values = columns.filter(({ role }) => role === 'value');
  if (values.length === 0) return columns;
  const isParted = columns.some(({ role }) => role === 'indicator');
  const beside = isParted ? [] : unitsBeside(columns, rows);
  if (beside.length > 1) tally.add('unitsMixed', { text: beside.slice(0, 4).join(', ') });
  const title = beside.length === 0 ? unitAbove(above) : undefined;
  return columns.map((column): Column => {
    if (column.role !== 'value') return column;
    const own = arePercents(column, rows) ? '%' : readUnit(column.name)?.text;
    const unit = own ?? (beside.length === 1 ? beside[0] : title?.text);
    return unit === undefined || (own === undefined && beside.length > 1) ? column : { ...column, unit };
  });
}

/** The different units in a column of units. */
function unitsBeside(columns: readonly Column[], rows: readonly NumberedRow[]): readonly string[] {
  const source = columns.find(isUnitColumn)?.source;
  if (source === undefined) return [];
  const texts = new Set(rows.map(({ cells }) => lineOf(cells[source])));
  return distinctUnits([...texts].filter((text) => text !== ''));
}

/** The only unit in the lines above a header; a cell may have it alone, at the right. */
function unitAbove(above: readonly (readonly Cell[])[]): MeasureUnit | undefined {
  const found: MeasureUnit[] = [];
  const texts = new Set(above.flatMap((cells) => cells.map(lineOf)));
  for (const text of texts) {
    const unit = text === '' ? undefined : readUnit(text);
    if (unit !== undefined && !found.some((other) => isSameUnit(unit, other))) found.push(unit);
  }
  return found.length === 1 ? found[0] : undefined;
}

function arePercents({ source }: Column, rows: readonly NumberedRow[]): boolean {
  const cells = rows.map((row) => row.cells[source ?? -1] ?? null).filter((cell) => cell !== null);
  const percents = cells.filter((cell) => typeof cell === 'string' && /\d\s*%$/.test(cell)).length;
  return percents * 2 > cells.length;
}
