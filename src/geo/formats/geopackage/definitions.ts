import type { DatabaseSync } from 'node:sqlite';
import { schemaProblems, sqliteProblems } from '../../../messages/geopackage.ts';

/** With the four other tables of a spatial index, about two thousand layers. */
export const maxTables = 10_000;
const maxNameLength = 255;

/** SQLite writes definitions down in this way, whatever they were typed like. */
const beginnings: ReadonlyMap<string, RegExp> = new Map([
  ['table', /^create\s+table\b/i],
  ['view', /^create\s+view\b/i],
  ['index', /^create\s+(?:unique\s+)?index\b/i],
  ['trigger', /^create\s+trigger\b/i],
]);
const virtualTable = /^create\s+virtual\s+table\b/i;
/** The one kind of virtual table that GeoPackages have: a spatial index. */
const spatialIndex =
  /^create\s+virtual\s+table\s+(?:if\s+not\s+exists\s+)?(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\u0080-\uffff]+)\s+using\s+rtree(?:_i32)?\s*\(/i;

export interface Definitions {
  readonly tables: readonly string[];
  readonly spatialIndexes: readonly string[];
  readonly views: readonly string[];
}

/**
 * Lists the tables and views.
 * @throws {Problem} when one of them is a virtual table other than a spatial index, or may load a program.
 */
export function readDefinitions(database: DatabaseSync): Definitions {
  const names = { table: new Array<string>(), spatialIndex: new Array<string>(), view: new Array<string>() };
  let count = 0;
  for (const { type, name, sql } of database.prepare('select type, name, sql from sqlite_schema').iterate()) {
    if (typeof type !== 'string' || typeof name !== 'string') throw sqliteProblems.brokenSchema();
    if (sql !== null && typeof sql !== 'string') throw sqliteProblems.brokenSchema();
    const kind = kindOf(type, name, sql);
    if (kind === undefined) continue;
    names[kind].push(name);
    count += 1;
    if (count > maxTables) throw schemaProblems.tooManyTables(maxTables);
  }
  return { tables: names.table, spatialIndexes: names.spatialIndex, views: names.view };
}

/** Returns what kind of content a definition has; undefined for indexes and triggers. @throws {Problem} */
function kindOf(type: string, name: string, sql: string | null) {
  if (name.length > maxNameLength) throw schemaProblems.longName(type, name, maxNameLength);
  // The index of a primary key needs none.
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
