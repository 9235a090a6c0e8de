import { isUtf8 } from 'node:buffer';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MiB } from '../../../lib/units.ts';
import { messageOf } from '../../../lib/error-facts.ts';
import { Problem } from '../../../lib/errors.ts';
import { featureProblems, jsonFaults } from '../../../messages/vector/english.ts';
import type { SourceGeometry, SourceFeature } from '../features/geometry.ts';
import { BrokenWkb, decodeGeometry } from '../ogr/wkb.ts';
import { cellJson, type StoredCell } from '../geojson/cell-json.ts';
import { isStoredAsUtf8, type LayerTable } from './layer-table.ts';
import { openReadOnly, quotedName } from './sqlite-file.ts';

/** A longer text or geometry and its results do not fit into memory. */
const maxCellBytes = 200 * MiB;
/** Replaces bytes that are not UTF-8, unless it occurs in the file itself. */
const replacement = '\ufffd';

/** Cells of one row in the requested order. */
export type Row = readonly StoredCell[];

interface Reading {
  readonly withGeometry: boolean;
  /** Fallback for a view that calls functions unknown to SQLite. */
  readonly rowsByGdal: (columns: readonly string[]) => Iterable<Row>;
}

/**
 * Reads the features of a layer with SQLite: every cell has its stored value, whatever its declared type.
 * @throws {Problem} if a row cannot be read.
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

/** Prepares to read columns of all rows in table order; undefined if a view requires functions of GDAL. */
function prepareRows(
  database: DatabaseSync,
  { name, isView }: Pick<LayerTable, 'name' | 'isView'>,
  columns: readonly string[],
): StatementSync | undefined {
  // An index would change the order of the rows.
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

/** Yields rows. @throws {Problem} if the next one, with the number `next`, cannot be read. */
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
 * Creates a check of texts with a replacement character: the file itself must contain it. The first such text causes a
 * second pass over the table.
 */
function createTextCheck(database: DatabaseSync, table: LayerTable) {
  const isChecked = isStoredAsUtf8(database);
  let rows: Iterator<unknown> | undefined;
  let at = 0;
  /** @throws {Problem} if a text of this row, whose number never decreases, is not UTF-8. */
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

/** @throws {Problem} if a geometry cell holds no geometry. */
function geometryOf(cell: StoredCell, number: number): SourceGeometry | undefined {
  if (cell === null) return undefined;
  try {
    if (cell instanceof Uint8Array) return decodeCell(cell);
  } catch (error) {
    if (!(error instanceof BrokenWkb)) throw error;
  }
  throw featureProblems.unreadable(number);
}

/** Header of a GeoPackage geometry: "GP", a version, flags and the id of the CRS. */
const magic = 0x4750;
const headerBytes = 8;
const flagsAt = 3;
/** Size of the envelope after the header, by the flags' three bits. */
const envelopeBytes: readonly (number | undefined)[] = [0, 32, 48, 48, 64];

/** Decodes a geometry cell of a GeoPackage. @throws {BrokenWkb} */
function decodeCell(cell: Uint8Array): SourceGeometry {
  const bytes = Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength);
  const isGeoPackage = bytes.length > headerBytes && bytes.readUInt16BE(0) === magic;
  const envelope = isGeoPackage ? envelopeBytes[(bytes.readUInt8(flagsAt) >> 1) & 7] : undefined;
  if (envelope === undefined) throw new BrokenWkb('the cell holds no geometry of a GeoPackage');
  return decodeGeometry(bytes.subarray(headerBytes + envelope));
}
