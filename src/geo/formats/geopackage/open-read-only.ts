import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Opens an SQLite file so that nothing in it, and nothing beside it, can change or be changed. */
export function openReadOnly(path: string): DatabaseSync & Disposable {
  const url = pathToFileURL(path);
  url.search = '?mode=ro&immutable=1';
  const database = new DatabaseSync(url, {
    readOnly: true,
    allowExtension: false,
    // As GDAL's SQLite has it.
    enableDoubleQuotedStringLiterals: true,
  });
  database.exec('pragma ignore_check_constraints = on; pragma cell_size_check = on');
  return database;
}

/** Returns the name of a table or column as SQL has it, whatever characters it holds. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
