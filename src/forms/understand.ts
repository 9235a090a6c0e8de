import type { CellRange, SheetCell, SheetContent, WorkbookContent } from '../geo/spreadsheet.ts';
import { placeOf } from './places.ts';

/** State of a cell before it is filled. */
export type CellState = 'empty' | 'content' | 'formula';

/** A cell of a field, and its unit; null for the unit of the whole form. */
export type FieldCell = readonly [row: number, column: number, kato: string | null, state: CellState];

/** Cells that one source fills. */
export interface Field {
  /** The name in the workbook, or the sheet and the first cell of the column. */
  readonly id: string;
  /** The texts of the header from top to bottom, or the name. */
  readonly label: string;
  /** Index of the sheet. */
  readonly sheet: number;
  readonly cells: readonly FieldCell[];
}

/** Words that the service itself writes into named cells. */
export const ownNames = ['form_unit', 'form_unit_code', 'form_date', 'form_sources'] as const;
export type OwnName = (typeof ownNames)[number];

export interface OwnCell {
  readonly name: OwnName;
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

/** A row among units whose unit is not known. */
export interface UnknownRow {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly isAmbiguous: boolean;
}

/** The parts of a workbook that can be filled. */
export interface Layout {
  readonly sheets: readonly string[];
  readonly fields: readonly Field[];
  readonly ownCells: readonly OwnCell[];
  readonly unknownRows: readonly UnknownRow[];
  /** Names that stand for cells, but for none that can be filled. */
  readonly unknownNames: readonly string[];
}

/** A text of a stub, and the region that stands beside it. */
export interface StubText {
  readonly name: string;
  readonly region: string | undefined;
}

export type StubUnit = {
  readonly kato: string | null;
  readonly isAmbiguous: boolean;
  readonly isTotal: boolean;
};

/** Finds the units of a column of texts, in their order. */
export type MatchUnits = (texts: readonly StubText[]) => Promise<readonly StubUnit[]>;

/** Columns that may name units; a form has its units at the left. */
const mostStubs = 12;
/** Texts that are compared with names of units, over all sheets. */
const mostTexts = 20_000;
const mostFields = 500;
/** Cells of all fields together. */
const mostFieldCells = 100_000;
const mostNames = 1000;
/** Merged cells of a sheet that are looked at. */
const mostMerges = 2000;
const mostRemarks = 200;
const mostHeaderRows = 12;
const mostMergedColumns = 500;

type Rows = ReadonlyMap<number, ReadonlyMap<number, SheetCell>>;
type Units = ReadonlyMap<number, StubUnit>;

interface UnitColumn {
  readonly column: number;
  readonly units: Units;
}

/** A column of units. */
interface Stub extends UnitColumn {
  readonly blocks: readonly Block[];
}

/** Rows of units under one header. */
interface Block {
  readonly rows: readonly number[];
  readonly headerRows: readonly number[];
}

interface Sheet {
  readonly index: number;
  readonly name: string;
  readonly rows: Rows;
  /** Returns the merged cells that have a part in a row. */
  mergesAt(row: number): readonly CellRange[];
  readonly stubs: readonly Stub[];
}

/**
 * Finds what can be filled in a workbook: the columns under a header beside rows of units, and the cells that have a name.
 * A name of several cells is a column or a row of units; `NAME_123456789` names the cell of one unit.
 */
export async function understand({ sheets, names }: WorkbookContent, match: MatchUnits): Promise<Layout> {
  let left = mostTexts;
  const read: Sheet[] = [];
  for (const [index, content] of sheets.entries()) {
    const rows = rowsOf(content);
    const found = content.isHidden ? { stubs: [], taken: 0 } : await findStubs(rows, match, left);
    left -= found.taken;
    const stubs = found.stubs.map((stub) => ({ ...stub, blocks: blocksOf(rows, stub) }));
    read.push({ index, name: content.name, rows, mergesAt: mergesByRow(content.merges), stubs });
  }
  const unknownNames: string[] = [];
  const ownCells: OwnCell[] = [];
  const named = new Map<string, Field>();
  let namedCount = 0;
  for (const { name, sheet: index, range } of names.slice(0, mostNames)) {
    const sheet = index === null ? undefined : read[index];
    if (sheet === undefined || range === null) continue; // a constant, a formula, or cells of several sheets
    const isOne = range[0] === range[2] && range[1] === range[3];
    const ownName = ownNames.find((each) => each === name.toLowerCase());
    if (ownName !== undefined && isOne) {
      ownCells.push({ name: ownName, sheet: sheet.index, row: range[0], column: range[1] });
      continue;
    }
    const found = namedCount >= mostFieldCells ? undefined : namedCells(sheet, name, range);
    namedCount += found?.cells.length ?? 0;
    const key = `${sheet.index} ${found?.id ?? ''}`;
    const known = named.get(key);
    if (found === undefined) unknownNames.push(name);
    else if (known === undefined) named.set(key, found);
    else named.set(key, { ...known, cells: [...known.cells, ...found.cells] });
  }
  const taken = new Set(
    [...named.values()].flatMap(({ sheet, cells }) =>
      cells.map(([row, column]) => `${sheet} ${row} ${column}`),
    ),
  );
  const fields = [...withOwnIds([...named.values()], read)];
  let cells = taken.size;
  for (const field of read.values().flatMap(headedFields)) {
    if (fields.length >= mostFields || cells >= mostFieldCells) break;
    if (field.cells.some(([row, column]) => taken.has(`${field.sheet} ${row} ${column}`))) continue;
    fields.push(field);
    cells += field.cells.length;
  }
  return {
    sheets: sheets.map(({ name }) => name),
    fields,
    ownCells,
    unknownRows: read.flatMap(unknownRowsOf).slice(0, mostRemarks),
    unknownNames: unknownNames.slice(0, mostRemarks),
  };
}

/** A name that several sheets have for themselves is told apart by the sheet. */
function withOwnIds(fields: readonly Field[], sheets: readonly Sheet[]): readonly Field[] {
  const counts = new Map<string, number>();
  for (const { id } of fields) counts.set(id, (counts.get(id) ?? 0) + 1);
  return fields.map((field) =>
    (counts.get(field.id) ?? 0) > 1
      ? { ...field, id: `${sheets[field.sheet]?.name ?? ''}!${field.id}` }
      : field,
  );
}

function rowsOf({ cells }: SheetContent): Rows {
  const rows = new Map<number, Map<number, SheetCell>>();
  for (const cell of cells) {
    const row = rows.get(cell[0]) ?? new Map<number, SheetCell>();
    row.set(cell[1], cell);
    rows.set(cell[0], row);
  }
  return rows;
}

/** Returns a look-up of the merged cells of a row, from left to right; of those that overlap, which no program writes, the first. */
function mergesByRow(all: readonly CellRange[]): Sheet['mergesAt'] {
  const merges = all.slice(0, mostMerges).toSorted(([, one], [, other]) => one - other);
  const known = new Map<number, readonly CellRange[]>();
  return (row) => {
    const before = known.get(row);
    if (before !== undefined) return before;
    const found: CellRange[] = [];
    for (const merge of merges)
      if (row >= merge[0] && row <= merge[2] && merge[1] > (found.at(-1)?.[3] ?? -1)) found.push(merge);
    known.set(row, found);
    return found;
  };
}

const code = /^\d{9}$/;
const hasLetters = /\p{L}{2}/u;

/** Finds the columns that name units. Columns that name the same units, such as codes and names, become one. */
async function findStubs(
  rows: Rows,
  match: MatchUnits,
  mostNew: number,
): Promise<{ readonly stubs: readonly UnitColumn[]; readonly taken: number }> {
  const columns = new Map<number, Map<number, string>>();
  for (const [row, cells] of rows)
    for (const [column, [, , kind, text]] of cells) {
      const isCandidate = (kind === 't' && hasLetters.test(text)) || (kind !== 'f' && code.test(text.trim()));
      if (!isCandidate) continue;
      const texts = columns.get(column) ?? new Map<number, string>();
      texts.set(row, text.trim());
      columns.set(column, texts);
    }
  const stubs: UnitColumn[] = [];
  let taken = 0;
  let regions: TextsOfRows = [];
  for (const column of [...columns.keys()].toSorted((one, other) => one - other).slice(0, mostStubs)) {
    const texts = [...(columns.get(column) ?? [])].toSorted(([one], [other]) => one - other);
    taken += texts.length;
    if (taken > mostNew) break;
    const found = await match(besideRegions(texts, regions));
    const units = new Map<number, StubUnit>();
    for (const [index, [row]] of texts.entries()) {
      const unit = found[index];
      if (unit !== undefined) units.set(row, unit);
    }
    const known = [...units.values()].filter(({ kato }) => kato !== null);
    if (known.length === 0) continue;
    if (known.every(({ kato }) => kato?.endsWith('0000000') === true)) regions = texts;
    addStub(stubs, { column, units });
  }
  return { stubs, taken };
}

type TextsOfRows = readonly (readonly [row: number, text: string])[];

/** Puts the last region at or above its row beside each text: a region is often written once for its districts. */
function besideRegions(texts: TextsOfRows, regions: TextsOfRows): readonly StubText[] {
  let next = 0;
  return texts.map(([row, name]) => {
    while ((regions[next]?.[0] ?? Infinity) <= row) next += 1;
    return { name, region: regions[next - 1]?.[1] };
  });
}

function addStub(stubs: UnitColumn[], { column, units }: UnitColumn): void {
  const before = stubs.at(-1);
  const common = [...units].flatMap(([row, { kato }]) => {
    const other = before?.units.get(row)?.kato;
    return kato === null || other === undefined || other === null ? [] : [kato === other];
  });
  const isSame = common.length > 0 && common.filter(Boolean).length * 2 > common.length;
  if (before === undefined || !isSame) {
    stubs.push({ column, units });
    return;
  }
  // A row whose code and name contradict each other has no unit.
  const merged = new Map(before.units);
  for (const [row, unit] of units) {
    const other = merged.get(row);
    if (other === undefined || other.kato === null) merged.set(row, unit);
    else if (unit.kato !== null && unit.kato !== other.kato) merged.set(row, { ...other, kato: null });
  }
  stubs[stubs.length - 1] = { column, units: merged };
}

const isNumbering = /^\(?(?:\d{1,2}|\p{L})\)?\.?$/u;

/** Divides the rows of a stub where a new header begins. */
function blocksOf(rows: Rows, { column, units }: UnitColumn): readonly Block[] {
  const own = [...units]
    .filter(([, { kato, isAmbiguous }]) => kato !== null || isAmbiguous)
    .map(([row]) => row)
    .toSorted((one, other) => one - other);
  const blocks: Block[] = [];
  let block: number[] = [];
  const isHeader = (row: number): boolean => {
    const cells = [...(rows.get(row)?.values() ?? [])];
    return (
      cells.filter(([, x, kind, text]) => x > column && kind === 't' && hasLetters.test(text)).length >= 2
    );
  };
  const finish = (above: number): void => {
    const first = block[0];
    if (first === undefined) return;
    const headerRows: number[] = [];
    for (let row = first - 1; row > above && headerRows.length < mostHeaderRows && rows.has(row); row -= 1)
      headerRows.unshift(row);
    blocks.push({ rows: block, headerRows });
  };
  let above = -1;
  for (const [index, row] of own.entries()) {
    const before = own[index - 1];
    if (before !== undefined) {
      const between = Array.from(
        { length: Math.min(row - before - 1, mostHeaderRows) },
        (_, i) => row - 1 - i,
      );
      if (between.some((each) => !units.has(each) && isHeader(each))) {
        finish(above);
        [block, above] = [[], before];
      }
    }
    block.push(row);
  }
  finish(above);
  return blocks;
}

/** Yields the columns right of a stub, up to the next one, that have a header. */
function* headedFields(sheet: Sheet): Generator<Field> {
  for (const [at, stub] of sheet.stubs.entries()) {
    const next = sheet.stubs[at + 1]?.column ?? Infinity;
    for (const block of stub.blocks) {
      const columns = new Set<number>();
      for (const row of block.headerRows) {
        for (const column of sheet.rows.get(row)?.keys() ?? []) columns.add(column);
        for (const [, left, , right] of sheet.mergesAt(row))
          for (let x = left; x <= Math.min(right, left + mostMergedColumns); x += 1) columns.add(x);
      }
      const own = [...columns].filter((column) => column > stub.column && column < next);
      for (const column of own.toSorted((one, other) => one - other))
        yield* headedField(sheet, { ...block, column, stub });
    }
  }
}

function headedField(
  sheet: Sheet,
  { column, rows, headerRows, stub }: Block & { readonly column: number; readonly stub: Stub },
): readonly Field[] {
  const label = headerOf(sheet, { column, headerRows, stubColumn: stub.column });
  if (label === '') return [];
  const cells = rows.flatMap((row) => cellOf(sheet, row, column, stub.units.get(row)?.kato ?? null));
  const known = cells.filter(([, , kato]) => kato !== null);
  const isText = known.some(([row, x]) => sheet.rows.get(row)?.get(x)?.[2] === 't');
  if (isText && known.every(([, , , state]) => state !== 'empty')) return [];
  const [first] = known;
  if (first === undefined || known.every(([, , , state]) => state === 'formula')) return [];
  return [{ id: `${sheet.name}!${placeOf(first[0], column)}`, label, sheet: sheet.index, cells: known }];
}

/** Joins the texts above a column, without titles over the whole table and without the numbers of columns. */
function headerOf(
  { rows, mergesAt }: Sheet,
  {
    column,
    headerRows,
    stubColumn,
  }: { readonly column: number; readonly headerRows: readonly number[]; readonly stubColumn: number },
): string {
  const texts: string[] = [];
  for (const row of headerRows) {
    const merge = mergesAt(row).find((each) => isIn(each, row, column));
    if (merge !== undefined && merge[1] <= stubColumn) continue;
    const [, , kind = 'f', text = ''] = rows.get(merge?.[0] ?? row)?.get(merge?.[1] ?? column) ?? [];
    const shown = text.replaceAll(/\s+/g, ' ').trim();
    if (kind === 'f' || shown === '' || isNumbering.test(shown) || texts.at(-1) === shown) continue;
    texts.push(shown);
  }
  return texts.join(' / ');
}

const isIn = ([top, left, bottom, right]: CellRange, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

/** Returns a cell of a field; none for one that a merged cell covers. */
function cellOf(
  { rows, mergesAt }: Sheet,
  row: number,
  column: number,
  kato: string | null,
): readonly FieldCell[] {
  const merge = mergesAt(row).find((each) => isIn(each, row, column));
  if (merge !== undefined && (merge[0] !== row || merge[1] !== column)) return [];
  const kind = rows.get(row)?.get(column)?.[2];
  return [[row, column, kato, kind === undefined ? 'empty' : kind === 'f' ? 'formula' : 'content']];
}

const ofUnit = /^(.+?)[._](\d{9})$/;

/** Returns the field of named cells; undefined if they stand for no units. */
function namedCells(sheet: Sheet, name: string, [top, left, bottom, right]: CellRange): Field | undefined {
  const field = (id: string, cells: readonly FieldCell[]): Field | undefined =>
    cells.length === 0 ? undefined : { id, label: id, sheet: sheet.index, cells };
  const stub = sheet.stubs.findLast(({ column }) => column < left) ?? sheet.stubs[0];
  const unitAt = (row: number) => stub?.units.get(row);
  if (top === bottom && left === right) {
    const [, own, kato = ''] = ofUnit.exec(name) ?? [];
    if (own !== undefined) return field(own, cellOf(sheet, top, left, kato));
    return field(name, cellOf(sheet, top, left, unitAt(top)?.kato ?? null));
  }
  if (left !== right) return undefined;
  const cells: FieldCell[] = [];
  for (const [row, { kato }] of stub?.units ?? [])
    if (kato !== null && row >= top && row <= bottom) cells.push(...cellOf(sheet, row, left, kato));
  const block = stub?.blocks.find(({ rows }) => rows.includes(cells[0]?.[0] ?? -1));
  const found = field(name, cells);
  if (found === undefined || stub === undefined || block === undefined) return found;
  const label = headerOf(sheet, { ...block, column: left, stubColumn: stub.column });
  return label === '' ? found : { ...found, label: `${name}: ${label}` };
}

const mostNameCharacters = 60;
const isShort = (cell: SheetCell | undefined): boolean =>
  cell !== undefined && cell[3] !== '' && cell[3].length <= mostNameCharacters;

/** Lists rows among units whose unit is not known. */
function unknownRowsOf(sheet: Sheet): readonly UnknownRow[] {
  return sheet.stubs.flatMap((stub) =>
    stub.blocks.flatMap(({ rows }) => {
      const first = rows[0] ?? 0;
      let last = rows.at(-1) ?? 0;
      // Rows directly below may be units, too; longer texts are notes.
      while (isShort(sheet.rows.get(last + 1)?.get(stub.column))) last += 1;
      return [...stub.units].flatMap(([row, { kato, isAmbiguous, isTotal }]) => {
        if (row < first || row > last || kato !== null || isTotal) return [];
        const cell = sheet.rows.get(row)?.get(stub.column);
        return cell === undefined
          ? []
          : [{ sheet: sheet.index, row, column: stub.column, text: cell[3], isAmbiguous }];
      });
    }),
  );
}
