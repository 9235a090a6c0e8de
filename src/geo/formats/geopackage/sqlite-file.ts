import { closeSync, openSync, readSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Opens an SQLite file such that neither it nor any file beside it can change. */
export function openReadOnly(path: string): DatabaseSync & Disposable {
  const url = pathToFileURL(path);
  url.search = '?mode=ro&immutable=1';
  const database = new DatabaseSync(url, {
    readOnly: true,
    allowExtension: false,
    // Like GDAL's SQLite.
    enableDoubleQuotedStringLiterals: true,
  });
  database.exec('pragma ignore_check_constraints = on; pragma cell_size_check = on');
  return database;
}

/** Quotes the name of a table or column for SQL. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Offsets of the page size in a file and in its log. */
const [pageSizeAt, logPageSizeAt] = [16, 8];

/**
 * Makes SQLite apply a write-ahead log (`-wal`) to its file, which does not refer to a log afterwards. Uncommitted changes are dropped.
 * @param path of a private copy. @returns whether any of the log belongs to the file.
 */
export async function applyLog(path: string, logPath: string): Promise<boolean> {
  // SQLite would not notice pages of another size.
  if (pageBytesIn(path) !== readBytes(logPath, logPageSizeAt, 4).readUInt32BE()) return false;
  await rename(logPath, `${path}-wal`);
  try {
    using database = new DatabaseSync(path, { allowExtension: false });
    // Avoids memory shared with other processes.
    database.exec('pragma locking_mode = exclusive');
    const done = database.prepare('pragma wal_checkpoint').get();
    database.exec('pragma journal_mode = delete');
    return Number(done?.['log']) > 0;
  } catch {
    // Reading the file reports the fault.
    return false;
  }
}

function pageBytesIn(path: string): number {
  const stored = readBytes(path, pageSizeAt, 2).readUInt16BE();
  return stored === 1 ? 65_536 : stored;
}

/** Reads bytes of a file; zeros beyond its end. */
function readBytes(path: string, at: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, count, at);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** First bytes of an active rollback journal (`-journal`); those of an inactive one are zeros. */
const journalMagic = Buffer.from('d9d505f920a163d7', 'hex');

/** Returns whether a journal belongs to an unfinished transaction; then the file may be inconsistent. */
export function isJournalNeeded(path: string): boolean {
  return readBytes(path, 0, journalMagic.length).equals(journalMagic);
}
