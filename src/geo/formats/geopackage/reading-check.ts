import { constants, type DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../lib/error-facts.ts';
import { readingObjections, sqliteProblems } from '../../../messages/packages.ts';
import { quotedName } from './open-read-only.ts';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MiB } from '../../../lib/units.ts';
import type { Message } from '../../../lib/message.ts';

/** Steps of SQLite's authorizer for one statement; views upon views upon views multiply. */
const maxSteps = 20_000;
/** Functions of one statement that only GDAL knows. */
const maxUnknown = 200;
/** Tables that are made of a value, not of what the machine has. */
const tablesOfValues = ['json_each', 'json_tree', 'rtree', 'rtree_i32'];

/** The functions of SQLite's core that GDAL's SQLite has too, of which none reaches beyond the values it is given. */
const coreFunctions: ReadonlySet<string> = new Set(
  `-> ->> abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling changes char coalesce cos cosh count cume_dist
   current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format glob
   group_concat hex ifnull iif instr json json_array json_array_length json_each json_extract json_group_array
   json_group_object json_insert json_object json_patch json_quote json_remove json_replace json_set json_tree json_type
   json_valid julianday lag last_insert_rowid last_value lead length like likelihood likely ln log log10 log2 lower ltrim
   match max min mod nth_value ntile nullif percent_rank pi pow power printf quote radians random randomblob rank
   replace round row_number rtrim sign sin sinh soundex sqlite_source_id sqlite_version sqrt strftime substr substring sum
   tan tanh time total total_changes trim trunc typeof unicode unixepoch unlikely upper zeroblob`.split(
    /\s+/,
  ),
);

/** SQLite's answer when it prepares to read a table or view. */
export type Reading =
  | { readonly is: 'sound' }
  /** `why` continues a sentence that begins with the name. */
  | { readonly is: 'forbidden'; readonly why: Message }
  | { readonly is: 'broken'; readonly why: string };

/**
 * Makes SQLite prepare to read all columns of a table or view, without reading any, and watches what for: functions show
 * wherever they hide, in views upon views and in generated columns.
 */
export function createReadingCheck(database: DatabaseSync): (name: string) => Reading {
  const programs = programTables(database);
  let objection: Message | undefined;
  let steps = 0;
  const authorize = (action: number, first: string | null, second: string | null) => {
    steps += 1;
    objection ??= objectionTo(action, { first, second, programs, steps });
    return objection === undefined ? constants.SQLITE_OK : constants.SQLITE_DENY;
  };

  return (name) => {
    const sql = `select * from main.${quotedName(name)}`;
    for (let unknown = 0; unknown < maxUnknown; unknown += 1) {
      [objection, steps] = [undefined, 0];
      const fault = prepare(database, sql, authorize);
      if (objection !== undefined) return { is: 'forbidden', why: objection };
      if (fault === undefined) return { is: 'sound' };
      const unsafe = /^unsafe use of (.+)\(\)$/s.exec(fault)?.[1];
      if (unsafe !== undefined) return { is: 'forbidden', why: readingObjections.callsFunction(unsafe) };
      const missing = /^(?:no such|unknown) function: (.+?)(?:\(\))?$/s.exec(fault)?.[1];
      if (missing === undefined) return { is: 'broken', why: fault };
      if (!isAllowedFunction(missing))
        return { is: 'forbidden', why: readingObjections.callsFunction(missing) };
      database.function(missing, { varargs: true, deterministic: true }, () => null);
    }
    return { is: 'forbidden', why: readingObjections.callsManyFunctions };
  };
}

/** Returns what SQLite has against the statement. */
function prepare(
  database: DatabaseSync,
  sql: string,
  authorize: Parameters<DatabaseSync['setAuthorizer']>[0],
): string | undefined {
  database.setAuthorizer(authorize);
  try {
    database.prepare(sql);
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    database.setAuthorizer(null);
  }
}

interface Step {
  readonly first: string | null;
  readonly second: string | null;
  readonly programs: ReadonlySet<string>;
  readonly steps: number;
}

function objectionTo(action: number, { first, second, programs, steps }: Step): Message | undefined {
  if (steps > maxSteps) return readingObjections.builtOnMany;
  switch (action) {
    case constants.SQLITE_RECURSIVE:
      return readingObjections.recursive;
    case constants.SQLITE_FUNCTION:
      return second !== null && isAllowedFunction(second)
        ? undefined
        : readingObjections.callsFunction(second ?? '');
    case constants.SQLITE_READ: {
      const table = (first ?? '').toLowerCase();
      const isProgram = programs.has(table) || table.startsWith('pragma_');
      return isProgram ? readingObjections.readsNoTable(table) : undefined;
    }
    default:
      return undefined;
  }
}

/** Allows the functions of SQLite's core and those of geometry, which begin with ST_ and are left to GDAL to know. */
function isAllowedFunction(name: string): boolean {
  return coreFunctions.has(name.toLowerCase()) || /^st_\w+$/i.test(name);
}

/** Tables that this SQLite makes up without any file. */
function programTables(database: DatabaseSync): ReadonlySet<string> {
  const modules = database.prepare('select name from pragma_module_list').all();
  return new Set(modules.map(({ name }) => String(name)).filter((name) => !tablesOfValues.includes(name)));
}

const fileHeaderBytes = 100;
const pageSizeAt = 16;
/** Kinds of pages: those with pages below them, and those at the bottom, of indexes and of tables. */
const interiorKinds: readonly number[] = [2, 5];
const leafKinds: readonly number[] = [10, 13];
/** SQLite itself reads no deeper, but its check follows a chain of pages until it is out of stack. */
const maxDepth = 20;

/** A page at the bottom of a tree, and where its cells begin. */
interface Leaf {
  readonly page: Buffer;
  readonly cells: readonly number[];
}

/** The trees of an SQLite file, read without SQLite. */
export interface Trees extends Disposable {
  /**
   * Goes through the tree at the page `root`. All trees together end after as many pages as the file has.
   * @throws {Problem} when pages are used twice, or hold no part of a tree.
   */
  leaves(root: number): Generator<Leaf, void, void>;
}

/** Opens an SQLite file. Source of its layout: "Database File Format", sections 1.3 and 1.6. @throws {Problem} */
export function openTrees(path: string): Trees {
  const file = openSync(path, 'r');
  const close = () => closeSync(file);
  try {
    const header = Buffer.alloc(fileHeaderBytes);
    if (readSync(file, header, 0, fileHeaderBytes, 0) < fileHeaderBytes) throw sqliteProblems.cutShort();
    const stored = header.readUInt16BE(pageSizeAt);
    const pageBytes = stored === 1 ? 65_536 : stored;
    if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0) throw sqliteProblems.impossiblePageSize();
    let pagesLeft = Math.floor(fstatSync(file).size / pageBytes);

    const readPage = (number: number): Buffer => {
      const page = Buffer.allocUnsafe(pageBytes);
      if (number === 0 || readSync(file, page, 0, pageBytes, (number - 1) * pageBytes) < pageBytes)
        throw sqliteProblems.cutShort();
      return page;
    };
    function* leaves(root: number): Generator<Leaf, void, void> {
      const open = [{ number: root, depth: 1 }];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const { number, depth } = next;
        const page = readPage(number);
        if (pagesLeft === 0 || depth > maxDepth) throw sqliteProblems.repeatedPages();
        pagesLeft -= 1;
        const start = number === 1 ? fileHeaderBytes : 0;
        const kind = page.readUInt8(start);
        const isInterior = interiorKinds.includes(kind);
        if (!isInterior && !leafKinds.includes(kind))
          throw number === 1 ? sqliteProblems.encrypted() : sqliteProblems.brokenTree(number);
        const cells = cellsOf(page, start, isInterior);
        if (cells === undefined) throw sqliteProblems.brokenTree(number);
        if (!isInterior) yield { page, cells };
        else
          for (const at of [start + 8, ...cells])
            open.push({ number: page.readUInt32BE(at), depth: depth + 1 });
      }
    }
    return { leaves, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The places of the cells of a page, of which at least four bytes lie on it; absent when they cannot be right. */
function cellsOf(page: Buffer, start: number, isInterior: boolean): readonly number[] | undefined {
  const pointersAt = start + (isInterior ? 12 : 8);
  const count = page.readUInt16BE(start + 3);
  if (pointersAt + 2 * count > page.length) return undefined;
  const cells = Array.from({ length: count }, (_, index) => page.readUInt16BE(pointersAt + 2 * index));
  return cells.every((at) => at + 4 <= page.length) ? cells : undefined;
}

/** Tables, views, indexes and triggers; a layer has about fifteen. SQLite's time grows with the square: these take it seconds. */
const maxSchemaEntries = 20_000;
/** The text by which they are defined. */
const maxSchemaBytes = 32 * MiB;

/**
 * Reads how long SQLite's list of tables is, which SQLite would take into memory as a whole.
 * @throws {Problem} when it is longer than that of any geodata, or damaged.
 */
export function checkSchemaSize(trees: Trees): void {
  let [entries, bytes] = [0, 0];
  for (const { page, cells } of trees.leaves(1)) {
    entries += cells.length;
    for (const at of cells) bytes += readVarint(page, at);
    if (entries > maxSchemaEntries) throw sqliteProblems.tooManyEntries(maxSchemaEntries);
    if (bytes > maxSchemaBytes) throw sqliteProblems.longDefinitions(maxSchemaBytes / MiB);
  }
}

/** SQLite's number of up to nine bytes, with seven bits in each; right for all that are no larger than any limit. */
function readVarint(page: Buffer, at: number): number {
  let value = 0;
  for (const byte of page.subarray(at, at + 9)) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return value;
  }
  return value;
}
