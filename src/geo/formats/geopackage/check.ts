import type { DatabaseSync } from 'node:sqlite';
import { Problem } from '../../../lib/errors.ts';
import { MiB } from '../../../lib/units.ts';
import { schemaProblems, sqliteProblems } from '../../../messages/packages/english.ts';
import { openReadOnly, quotedName } from './sqlite-file.ts';
import { createReadingCheck, type Reading } from './reading-check.ts';

/** Maximum number of rows in the list of contents. */
const maxContents = 10_000;
/** The longest real definition has some thousands of letters; PROJ takes minutes for hundreds of megabytes. */
const maxReferenceSystemBytes = MiB;
/** Columns that define coordinate reference systems; the second is that of the extension for WKT 2019. */
const referenceSystemColumns = ['definition', 'definition_12_063'];
/** Tables that GDAL reads even if they are not registered. */
const readByGdal = /^(?:gpkg|rtree_|layer_styles$|spatial_ref_sys|geometry_columns)/i;

/**
 * Checks an SQLite file before GDAL opens it, read-only and without running SQL from the file: its triggers never fire.
 * @returns in lower case the views that must not be read: they are not registered, or fail.
 * @throws {Problem} if it is damaged, or has a table or view that would run more than SQLite's own functions.
 */
export function checkGeoPackage(path: string): ReadonlySet<string> {
  try {
    using database = openReadOnly(path);
    const definitions = readDefinitions(database);
    refuseViewsInIndexes(definitions);
    const readingOf = createReadingCheck(database);
    for (const table of definitions.tables) checkTable(database, table, readingOf(table));
    const contents = readContents(database, definitions);
    if (hasTable(definitions, 'gpkg_spatial_ref_sys')) checkReferenceSystems(database);
    return checkViews(definitions, contents, readingOf);
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(error);
  }
}

/** Opening a spatial index reads three tables. @throws {Problem} */
function refuseViewsInIndexes({ spatialIndexes, views }: Definitions): void {
  const tables = new Set(
    spatialIndexes.flatMap((index) =>
      ['node', 'rowid', 'parent'].map((table) => lowerAscii(`${index}_${table}`)),
    ),
  );
  const view = views.find((name) => tables.has(lowerAscii(name)));
  if (view !== undefined) throw schemaProblems.viewInIndex(view);
}

/**
 * Makes SQLite check the pages of one table. A check of all tables would include spatial indexes, whose nodes may form
 * loops. Invalid values and free pages do not prevent reading.
 * @throws {Problem}
 */
function checkTable(database: DatabaseSync, name: string, reading: Reading): void {
  refuseForbidden('table', name, reading);
  if (reading.is === 'broken') return;
  const fault = database.prepare(`pragma quick_check(${quotedName(name)})`).get();
  if (String(fault?.['quick_check']).startsWith('*** in database')) throw sqliteProblems.brokenTable(name);
}

/** Returns in lower case the names of views that are registered as features or attributes. */
function readContents(database: DatabaseSync, definitions: Definitions): ReadonlySet<string> {
  if (!hasTable(definitions, 'gpkg_contents')) return new Set();
  const rows = database
    .prepare(
      `select substr(table_name, 1, 256) as name, data_type in ('features', 'attributes') as is_layer
       from gpkg_contents limit ${maxContents + 1}`,
    )
    .all();
  if (rows.length > maxContents) throw schemaProblems.manyContents(maxContents);
  return new Set(rows.filter((row) => row['is_layer'] === 1).map((row) => lowerAscii(String(row['name']))));
}

/** @throws {Problem} if the definition of a coordinate reference system is absurdly long. */
function checkReferenceSystems(database: DatabaseSync): void {
  const isKnown = database.prepare(
    `select 1 from pragma_table_info('gpkg_spatial_ref_sys') where name = ? collate nocase`,
  );
  for (const column of referenceSystemColumns) {
    if (isKnown.get(column) === undefined) continue;
    const tooLong = database
      .prepare(`select 1 from gpkg_spatial_ref_sys where octet_length(${column}) > ? limit 1`)
      .get(maxReferenceSystemBytes);
    if (tooLong !== undefined) throw schemaProblems.longReferenceSystem(maxReferenceSystemBytes / MiB);
  }
}

/** Returns in lower case the views that must not be read. @throws {Problem} */
function checkViews(
  { views }: Definitions,
  registered: ReadonlySet<string>,
  readingOf: (name: string) => Reading,
): ReadonlySet<string> {
  const unread = new Set<string>();
  for (const view of views) {
    const isRegistered = registered.has(lowerAscii(view));
    if (!isRegistered) unread.add(lowerAscii(view));
    if (!isRegistered && !readByGdal.test(view)) continue;
    const reading = readingOf(view);
    refuseForbidden('view', view, reading);
    if (reading.is === 'broken') unread.add(lowerAscii(view));
  }
  return unread;
}

function refuseForbidden(kind: 'table' | 'view', name: string, reading: Reading): void {
  if (reading.is === 'forbidden') throw schemaProblems.forbidden(kind, name, reading.why);
}

function hasTable({ tables }: Definitions, name: string): boolean {
  return tables.some((table) => lowerAscii(table) === name);
}

function unreadable(error: unknown): Problem {
  const hasManyColumns = error instanceof Error && error.message.includes('too many columns');
  return (hasManyColumns ? sqliteProblems.tooManyColumns() : sqliteProblems.brokenSchema()).because(error);
}

/** Converts a name to lower case like SQLite: ASCII letters only. */
export function lowerAscii(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** About two thousand layers, each with the four other tables of its spatial index. */
export const maxTables = 10_000;
const maxNameLength = 255;

/** SQLite stores definitions with these normalized beginnings. */
const beginnings: ReadonlyMap<string, RegExp> = new Map([
  ['table', /^create\s+table\b/i],
  ['view', /^create\s+view\b/i],
  ['index', /^create\s+(?:unique\s+)?index\b/i],
  ['trigger', /^create\s+trigger\b/i],
]);
const virtualTable = /^create\s+virtual\s+table\b/i;
/** The only kind of virtual table in GeoPackages: a spatial index. */
const spatialIndex =
  /^create\s+virtual\s+table\s+(?:if\s+not\s+exists\s+)?(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\u0080-\uffff]+)\s+using\s+rtree(?:_i32)?\s*\(/i;

interface Definitions {
  readonly tables: readonly string[];
  readonly spatialIndexes: readonly string[];
  readonly views: readonly string[];
}

/**
 * Lists the tables and views.
 * @throws {Problem} for a virtual table other than a spatial index, or one that may load a program.
 */
function readDefinitions(database: DatabaseSync): Definitions {
  const names = { table: new Array<string>(), spatialIndex: new Array<string>(), view: new Array<string>() };
  let count = 0;
  for (const { type, name, sql } of database.prepare('select type, name, sql from sqlite_schema').iterate()) {
    if (typeof type !== 'string' || typeof name !== 'string') throw sqliteProblems.brokenSchema();
    if (sql !== null && typeof sql !== 'string') throw sqliteProblems.brokenSchema();
    const kind = definitionKind(type, name, sql);
    if (kind === undefined) continue;
    names[kind].push(name);
    count += 1;
    if (count > maxTables) throw schemaProblems.tooManyTables(maxTables);
  }
  return { tables: names.table, spatialIndexes: names.spatialIndex, views: names.view };
}

/** Returns the kind of a definition's contents; undefined for indexes and triggers. @throws {Problem} */
function definitionKind(type: string, name: string, sql: string | null) {
  if (name.length > maxNameLength) throw schemaProblems.longName(type, name, maxNameLength);
  // The index of a primary key has no SQL.
  if (sql === null && type === 'index') return undefined;
  const text = sql ?? '';
  if (/load_extension/i.test(text)) throw schemaProblems.loadsPrograms(type, name);
  if (type === 'table' && spatialIndex.test(text)) return 'spatialIndex';
  if (type === 'table' && virtualTable.test(text)) throw schemaProblems.virtualTable(name);
  const beginning = beginnings.get(type);
  if (beginning === undefined) throw sqliteProblems.brokenSchema();
  if (!beginning.test(text)) throw schemaProblems.wrongDefinition(type, name);
  return type === 'table' || type === 'view' ? type : undefined;
}
