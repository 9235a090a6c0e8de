import { closeSync, openSync, readSync } from 'node:fs';
import { rename } from 'node:fs/promises';
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

/** Where a file and its log say how large their pages are. */
const [pageSizeAt, logPageSizeAt] = [16, 8];

/**
 * Makes SQLite put what a write-ahead log (`-wal`) has saved into its file, which does not mention a log any more
 * afterwards. What was not committed is left out.
 * @param path of a file of our own. @returns whether the log has anything that belongs to it.
 */
export async function applyLog(path: string, logPath: string): Promise<boolean> {
  // SQLite would take pages of another size for those of the file.
  if (pageBytesIn(path) !== readBytes(logPath, logPageSizeAt, 4).readUInt32BE()) return false;
  await rename(logPath, `${path}-wal`);
  try {
    using database = new DatabaseSync(path, { allowExtension: false });
    // Without memory that it would share with other programs.
    database.exec('pragma locking_mode = exclusive');
    const done = database.prepare('pragma wal_checkpoint').get();
    database.exec('pragma journal_mode = delete');
    return Number(done?.['log']) > 0;
  } catch {
    // What is wrong with the file is said where it is read.
    return false;
  }
}

function pageBytesIn(path: string): number {
  const stored = readBytes(path, pageSizeAt, 2).readUInt16BE();
  return stored === 1 ? 65_536 : stored;
}

/** Reads some bytes of a file; zeros behind its end. */
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

/** The first bytes of a rollback journal (`-journal`) that is needed: those of one that is not are zeros. */
const journalMagic = Buffer.from('d9d505f920a163d7', 'hex');

/** Returns whether a journal belongs to an unfinished transaction; the file beside it may then be half written. */
export function isJournalNeeded(path: string): boolean {
  return readBytes(path, 0, journalMagic.length).equals(journalMagic);
}
