/**
 * `npm run reference-systems [-- proj.db]`: writes `seeds/reference-systems/additions.jsonl`, the reference systems that a newer database of
 * PROJ has in addition to Debian's; by default that of the rasterio below.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { installPythonTools } from '../test/support/tools/python-tools.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;

const rasterio = 'rasterio==1.4.4';
/** Database of Debian 12, the oldest one that the service runs with. */
const floorPath = '/usr/share/proj/proj.db';
const floorVersion = 'v10.076';
const authorities = ['EPSG', 'ESRI', 'IAU_2015'];
const output = fileURLToPath(new URL('../seeds/reference-systems/additions.jsonl', import.meta.url));

const systems = ['geodetic_crs', 'vertical_crs', 'projected_crs', 'compound_crs'] as const;
const operations = [
  'helmert_transformation_table',
  'grid_transformation',
  'other_transformation',
  'concatenated_operation',
] as const;
/** Tables with a key, each after those that it refers to. */
const keyed = [
  'unit_of_measure',
  'celestial_body',
  'ellipsoid',
  'prime_meridian',
  'extent',
  'scope',
  'geodetic_datum',
  'vertical_datum',
  'coordinate_system',
  'conversion_method',
  'conversion_table',
  ...systems,
  ...operations,
] as const;
type Keyed = (typeof keyed)[number];

/** Columns that refer to a row of another table, without their endings `_auth_name` and `_code`. */
const references: Readonly<Record<string, (row: Row, table: Keyed) => Keyed | undefined>> = {
  datum: (_, table) => (table === 'vertical_crs' ? 'vertical_datum' : 'geodetic_datum'),
  ellipsoid: () => 'ellipsoid',
  prime_meridian: () => 'prime_meridian',
  celestial_body: () => 'celestial_body',
  coordinate_system: () => 'coordinate_system',
  geodetic_crs: () => 'geodetic_crs',
  horiz_crs: ({ horiz_crs_auth_name: authority, horiz_crs_code: code }) =>
    offered.get('geodetic_crs')?.has(keyOf(authority, code)) === true ? 'geodetic_crs' : 'projected_crs',
  vertical_crs: () => 'vertical_crs',
  conversion: () => 'conversion_table',
  // PROJ checks the methods of conversions only.
  method: (_, table) => (table === 'conversion_table' ? 'conversion_method' : undefined),
};
/** Names of the views that stand for a table in `usage`. */
const objectNames: Partial<Readonly<Record<Keyed, string>>> = {
  conversion_table: 'conversion',
  helmert_transformation_table: 'helmert_transformation',
};
/** Rows that belong to one of a table: table, column prefix of its owner. */
const belongings: Partial<Readonly<Record<Keyed, readonly (readonly [string, string])[]>>> = {
  coordinate_system: [['axis', 'coordinate_system_']],
  geodetic_datum: [['geodetic_datum_ensemble_member', 'ensemble_']],
  vertical_datum: [['vertical_datum_ensemble_member', 'ensemble_']],
  concatenated_operation: [['concatenated_operation_step', 'operation_']],
};

const newerPath = process.argv[2] ?? databaseOfRasterio();
const floor = new DatabaseSync(floorPath, { readOnly: true });
const newer = new DatabaseSync(newerPath, { readOnly: true });
const added = new Map<string, Map<string, Row>>();

if (metadataOf(floor, 'EPSG.VERSION') !== floorVersion)
  throw new Error(
    `${floorPath} is not that of Debian 12 (EPSG ${floorVersion}): run this command on Debian 12`,
  );

const known = new Map(keyed.map((table) => [table, rowsByKey(floor, table)]));
const offered = new Map(keyed.map((table) => [table, rowsByKey(newer, table)]));
const usages = Map.groupBy(rowsOf(newer, 'usage'), (row) =>
  [row['object_table_name'], keyOf(row['object_auth_name'], row['object_code'])].join(' '),
);
const aliases = Map.groupBy(rowsOf(newer, 'alias_name'), (row) =>
  [row['table_name'], keyOf(row['auth_name'], row['code'])].join(' '),
);

for (const table of systems) {
  for (const [key, row] of offered.get(table) ?? [])
    if (isOfAuthority(row) && !isIn(table, key)) add(table, key, row);
}
for (const table of operations) {
  for (const [key, row] of offered.get(table) ?? []) {
    const ends = ['source_crs', 'target_crs'].map((end) =>
      keyOf(row[`${end}_auth_name`], row[`${end}_code`]),
    );
    if (isOfAuthority(row) && !isIn(table, key) && ends.some(isNewSystem)) add(table, key, row);
  }
}
write();

function databaseOfRasterio(): string {
  const folder = installPythonTools({ name: 'rasterio-of-reference-systems', packages: [rasterio] });
  const [path] = globSync(join(dirname(folder), 'lib/python3*/site-packages/rasterio/proj_data/proj.db'));
  if (path === undefined) throw new Error(`${rasterio} has no proj.db`);
  return path;
}

function metadataOf(database: DatabaseSync, key: string): string {
  return String(database.prepare('select value from metadata where key = ?').get(key)?.['value']);
}

function rowsOf(database: DatabaseSync, table: string): Row[] {
  const rows = database.prepare(`select * from "${table}"`).all();
  const byText = new Map(rows.map((row) => [JSON.stringify(row), row]));
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function rowsByKey(database: DatabaseSync, table: string): ReadonlyMap<string, Row> {
  return new Map(rowsOf(database, table).map((row) => [keyOf(row['auth_name'], row['code']), row]));
}

function keyOf(authority: SQLOutputValue | undefined, code: SQLOutputValue | undefined): string {
  return `${String(authority)}:${String(code)}`;
}

function isIn(table: Keyed, key: string): boolean {
  return known.get(table)?.has(key) === true;
}

function isOfAuthority(row: Row): boolean {
  return authorities.includes(String(row['auth_name']));
}

function isNewSystem(key: string): boolean {
  return systems.some((table) => added.get(table)?.has(key) === true);
}

/** Adds a row after everything that it refers to. */
function add(table: Keyed, key: string, row: Row): void {
  if (added.get(table)?.has(key) === true) return;
  // It stands before its belongings, which refer to it.
  put(table, key, row);
  for (const [name, tableOf] of Object.entries(references)) need(tableOf(row, table), row, name);
  for (const column of Object.keys(row))
    if (column.endsWith('uom_code')) need('unit_of_measure', row, column.replace(/_code$/, ''));
  const object = objectNames[table] ?? table;
  for (const usage of usages.get(`${object} ${key}`) ?? []) {
    need('extent', usage, 'extent');
    need('scope', usage, 'scope');
    put('usage', JSON.stringify(usage), usage);
  }
  for (const alias of aliases.get(`${table} ${key}`) ?? []) put('alias_name', JSON.stringify(alias), alias);
  for (const [other, prefix] of belongings[table] ?? []) {
    for (const each of rowsOf(newer, other)) {
      if (keyOf(each[`${prefix}auth_name`], each[`${prefix}code`]) !== key) continue;
      if (other === 'geodetic_datum_ensemble_member') need('geodetic_datum', each, 'member');
      if (other === 'vertical_datum_ensemble_member') need('vertical_datum', each, 'member');
      put(other, JSON.stringify(each), each);
    }
  }
}

/** Adds the row to which `name` of another one refers, unless Debian's database has it. */
function need(table: Keyed | undefined, row: Row, name: string): void {
  const [authority, code] = [row[`${name}_auth_name`], row[`${name}_code`]];
  if (
    table === undefined ||
    authority === undefined ||
    authority === null ||
    code === undefined ||
    code === null
  )
    return;
  const key = keyOf(authority, code);
  if (isIn(table, key)) return;
  const needed = offered.get(table)?.get(key);
  if (needed === undefined) throw new Error(`${table} ${key} is referred to, and not there`);
  add(table, key, needed);
}

function put(table: string, key: string, row: Row): void {
  const rows = added.get(table) ?? new Map<string, Row>();
  added.set(table, rows.set(key, row));
}

/** One line of JSON each: what this is, then for each table its columns and its rows. */
function write(): void {
  const about = {
    source: `PROJ ${metadataOf(newer, 'PROJ.VERSION')}`,
    epsg: metadataOf(newer, 'EPSG.VERSION'),
    epsgDate: metadataOf(newer, 'EPSG.DATE'),
    esri: metadataOf(newer, 'ESRI.VERSION'),
    floor: `EPSG ${floorVersion}`,
  };
  const lines: unknown[] = [about];
  const tables = [...keyed, ...[...added.keys()].filter((table) => !keyed.some((each) => each === table))];
  for (const table of tables) {
    const rows = [...(added.get(table)?.values() ?? [])];
    const [first] = rows;
    if (first === undefined) continue;
    const columns = Object.keys(first).filter((column) => rows.some((row) => row[column] !== null));
    lines.push({ table, columns }, ...rows.map((row) => columns.map((column) => row[column])));
    console.log(`${table}: ${rows.length}`);
  }
  writeFileSync(output, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  console.log(
    `${readFileSync(output).length} bytes of EPSG ${about.epsg} in seeds/reference-systems/additions.jsonl`,
  );
}
