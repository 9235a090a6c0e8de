import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Problem } from '../../../common/errors.ts';
import { readDefinitions, type Definitions } from './definitions.ts';
import { createReadingCheck, type Reading } from './reading-check.ts';
import { openPages } from './pages.ts';
import { quoted } from '../../../common/readable.ts';
import { damaged, refused } from './refusals.ts';
import { checkReferenceSystems } from './reference-systems.ts';
import { readRootPages } from './schema-size.ts';
import { walkTree } from './tree.ts';

/** Rows of the list of contents. */
const maxContents = 10_000;
/** Tables that GDAL reads by itself, whoever registered them. */
const readByGdal = /^(?:gpkg|rtree_|layer_styles$|spatial_ref_sys|geometry_columns)/i;

/**
 * Checks an SQLite file before GDAL opens it, read only and without running any SQL of its own: its triggers never fire.
 * @returns the views, in lower case, whose content is not to be read: nobody registered them, or they do not work.
 * @throws {Problem} when it loops, or has a table or view that would run more than SQLite's own functions.
 */
export function checkGeoPackage(path: string): ReadonlySet<string> {
  checkPages(path);
  using database = openReadOnly(path);
  try {
    const definitions = readDefinitions(database);
    refuseViewsInIndexes(definitions);
    const contents = readContents(database, definitions);
    if (definitions.tables.some((name) => lowerAscii(name) === 'gpkg_spatial_ref_sys'))
      checkReferenceSystems(database);
    return checkReadings(database, definitions, contents);
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(error);
  }
}

/** Every page belongs to one table or index at most, or reading would not end. @throws {Problem} */
function checkPages(path: string): void {
  using pages = openPages(path);
  for (const root of readRootPages(pages)) walkTree(pages, root);
}

function openReadOnly(path: string): DatabaseSync & Disposable {
  const url = pathToFileURL(path);
  url.search = '?mode=ro&immutable=1';
  return new DatabaseSync(url, {
    readOnly: true,
    allowExtension: false,
    // As GDAL's SQLite has it.
    enableDoubleQuotedStringLiterals: true,
  });
}

/** A spatial index reads three tables as soon as it is opened. @throws {Problem} */
function refuseViewsInIndexes({ spatialIndexes, views }: Definitions): void {
  const parts = new Set(
    spatialIndexes.flatMap((index) =>
      ['node', 'rowid', 'parent'].map((part) => lowerAscii(`${index}_${part}`)),
    ),
  );
  const view = views.find((name) => parts.has(lowerAscii(name)));
  if (view !== undefined) throw damaged(`${quoted(view)} in it should be a part of a spatial index`);
}

/** The names of the views that are registered as features or attributes, in lower case. */
function readContents(database: DatabaseSync, { tables }: Definitions): ReadonlySet<string> {
  if (!tables.some((name) => lowerAscii(name) === 'gpkg_contents')) return new Set();
  const rows = database
    .prepare(
      `select substr(table_name, 1, 256) as name, data_type in ('features', 'attributes') as is_layer
       from gpkg_contents limit ${maxContents + 1}`,
    )
    .all();
  if (rows.length > maxContents)
    throw refused(
      `its table gpkg_contents has more than ${maxContents.toLocaleString('en')} rows`,
      'Save the layer that you need to a new GeoPackage',
    );
  return new Set(rows.filter((row) => row['is_layer'] === 1).map((row) => lowerAscii(String(row['name']))));
}

/** @returns the views that are not to be read, in lower case. @throws {Problem} */
function checkReadings(
  database: DatabaseSync,
  { tables, views }: Definitions,
  registered: ReadonlySet<string>,
): ReadonlySet<string> {
  const readingOf = createReadingCheck(database);
  for (const table of tables) refuseForbidden('table', table, readingOf(table));
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
  if (reading.is !== 'forbidden') return;
  throw refused(
    `its ${kind} ${quoted(name)} ${reading.why}`,
    `Save what it shows as an ordinary table, delete the ${kind}`,
  );
}

function unreadable(error: unknown): Problem {
  const message = error instanceof Error ? error.message : '';
  if (/too many columns/.test(message))
    return refused(
      'one of its tables has more than 2,000 columns',
      'Leave out the columns that you do not need',
      error,
    );
  return damaged('its tables can not be listed', error);
}

/** As SQLite compares names: only the letters of ASCII have a lower case. */
export function lowerAscii(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
