import { isUtf8 } from 'node:buffer';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MiB } from '../../../lib/units.ts';
import { messageOf } from '../../../lib/error-facts.ts';
import { Problem } from '../../../lib/errors.ts';
import { featureProblems } from '../../../messages/geojson.ts';
import { jsonFaults } from '../../../messages/json.ts';
import type { SourceGeometry } from '../features/geometry.ts';
import type { SourceFeature } from '../features/vector-file.ts';
import { BrokenWkb } from '../ogr/wkb-decode.ts';
import { cellJson, type StoredCell } from './cells.ts';
import { decodeGeometry } from './geometry-blob.ts';
import { isStoredAsUtf8, type LayerTable } from './layer-table.ts';
import { openReadOnly } from './open-read-only.ts';
import { quotedName } from './quoted-name.ts';

/** A longer text or geometry has no place in memory together with what is made of it. */
const maxCellBytes = 200 * MiB;
/** What stands for bytes that are not UTF-8, if it does not stand in the file itself. */
const replacement = '\ufffd';

/** The cells of one row, in the order in which they were asked for. */
export type Row = readonly StoredCell[];

interface Reading {
  readonly withGeometry: boolean;
  /** Reads the rows in another way when SQLite lacks a function that a view calls. */
  readonly rowsByGdal: (columns: readonly string[]) => Iterable<Row>;
}

/**
 * Reads the features of a layer with SQLite: every cell is what the file stores, whatever type its column declares.
 * @throws {Problem} when a row cannot be read.
 */
export function* readRows(
  path: string,
  table: LayerTable,
  { withGeometry, rowsByGdal }: Reading,
): Generator<SourceFeature, void, void> {
  using database = openReadOnly(path);
  database.limits.length = maxCellBytes;
  const { columns } = table;
  const geometryAt = withGeometry && table.geometry !== undefined ? columns.length : undefined;
  const asked = columns.map(({ name }) => name);
  if (geometryAt !== undefined && table.geometry !== undefined) asked.push(table.geometry);
  const statement = prepareRows(database, table, asked.map(quotedName));
  const rows = statement === undefined ? rowsByGdal(asked) : statement.iterate();
  const heads = columns.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  const checkText = createTextCheck(database, table);
  let number = 0;
  for (const row of eachRow(rows, () => number + 1)) {
    number += 1;
    let json = columns.length === 0 ? '{' : '';
    for (const [index, { declared }] of columns.entries()) {
      const cell = row[index] ?? null;
      if (typeof cell === 'string' && cell.includes(replacement)) checkText(number);
      json += (heads[index] ?? '') + cellJson(cell, declared);
    }
    const geometry = geometryAt === undefined ? null : (row[geometryAt] ?? null);
    yield { properties: Buffer.from(`${json}}`), geometry: geometryOf(geometry, number) };
  }
}

/** Prepares to read some columns of all rows, in the order of the table; nothing when a view needs functions of GDAL's. */
function prepareRows(
  database: DatabaseSync,
  { name, isView }: Pick<LayerTable, 'name' | 'isView'>,
  columns: readonly string[],
): StatementSync | undefined {
  // By an index, the rows would come in its order.
  const source = `main.${quotedName(name)}${isView ? '' : ' not indexed'}`;
  try {
    const statement = database.prepare(
      `select ${columns.length === 0 ? '1' : columns.join()} from ${source}`,
    );
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    return statement;
  } catch {
    return undefined;
  }
}

/** Goes through rows. @throws {Problem} when the next one, whose number `next` returns, cannot be read. */
function* eachRow(rows: Iterable<unknown>, next: () => number): Generator<Row, void, void> {
  const iterator = rows[Symbol.iterator]();
  for (;;) {
    const step = stepOf(iterator, next);
    if (step.done === true) return;
    if (!isRow(step.value)) throw new Error('SQLite gave a row that is not a list of cells');
    yield step.value;
  }
}

function stepOf(iterator: Iterator<unknown>, next: () => number): IteratorResult<unknown> {
  try {
    return iterator.next();
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (messageOf(error).includes('too big'))
      throw featureProblems.limit(next(), jsonFaults.tooLarge(maxCellBytes / MiB)).because(error);
    throw featureProblems.unreadable(next()).because(error);
  }
}

function isRow(value: unknown): value is Row {
  return Array.isArray(value);
}

/**
 * Creates a check of texts that have a replacement character: that the file itself has it. The table is read a second
 * time as soon as there is one.
 */
function createTextCheck(database: DatabaseSync, table: LayerTable) {
  const isChecked = isStoredAsUtf8(database);
  let rows: Iterator<unknown> | undefined;
  let at = 0;
  /** @throws {Problem} when a text of the row, whose number never falls, is not in UTF-8. */
  return (number: number): void => {
    if (!isChecked || number === at) return;
    const bytes = table.columns
      .map(({ name }) => quotedName(name))
      .map((column) => `case typeof(${column}) when 'text' then cast(${column} as blob) end`);
    rows ??= prepareRows(database, table, bytes)?.iterate();
    let row: unknown;
    for (; at < number; at += 1) row = rows?.next().value;
    const isSound = Array.isArray(row) && row.every((cell) => !(cell instanceof Uint8Array) || isUtf8(cell));
    if (!isSound) throw featureProblems.notUtf8(number);
  };
}

/** @throws {Problem} when a cell of geometry holds none. */
function geometryOf(cell: StoredCell, number: number): SourceGeometry | undefined {
  if (cell === null) return undefined;
  try {
    if (cell instanceof Uint8Array) return decodeGeometry(cell);
  } catch (error) {
    if (!(error instanceof BrokenWkb)) throw error;
  }
  throw featureProblems.unreadable(number);
}
