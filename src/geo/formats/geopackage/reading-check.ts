import { constants, type DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../lib/error-facts.ts';
import { readingObjections } from '../../../messages/packages/english.ts';
import { quotedName } from './sqlite-file.ts';
import type { Message } from '../../../lib/message.ts';

/** Maximum authorizer steps of one statement; nested views multiply them. */
const maxSteps = 20_000;
/** Maximum number of GDAL functions in one statement. */
const maxUnknown = 200;
/** Table-valued functions without access to the machine. */
const tablesOfValues = ['json_each', 'json_tree', 'rtree', 'rtree_i32'];

/** Core functions of SQLite that GDAL's SQLite has as well, and that have no effect beyond their arguments. */
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

/** Result of preparing to read a table or view. */
export type Reading =
  | { readonly is: 'sound' }
  /** `why` continues a sentence that begins with the name. */
  | { readonly is: 'forbidden'; readonly why: Message }
  | { readonly is: 'broken'; readonly why: string };

/**
 * Prepares a read of all columns of a table or view without executing it, and observes the authorizer: functions are
 * visible even in nested views and generated columns.
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

/** Returns SQLite's objection to the statement. */
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

/** Allows core functions of SQLite, and those of geometry with the prefix ST_, which GDAL resolves. */
function isAllowedFunction(name: string): boolean {
  return coreFunctions.has(name.toLowerCase()) || /^st_\w+$/i.test(name);
}

/** Returns the virtual tables that this SQLite provides without a file. */
function programTables(database: DatabaseSync): ReadonlySet<string> {
  const modules = database.prepare('select name from pragma_module_list').all();
  return new Set(modules.map(({ name }) => String(name)).filter((name) => !tablesOfValues.includes(name)));
}
