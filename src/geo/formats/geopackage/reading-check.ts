import { constants, type DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../common/error-facts.ts';
import { isAllowedFunction } from './core-functions.ts';

/** Steps of SQLite's authorizer for one statement; views upon views upon views multiply. */
const maxSteps = 20_000;
/** Functions of one statement that only GDAL knows. */
const maxUnknown = 200;
/** Tables that are made of a value, not of what the machine has. */
const tablesOfValues = ['json_each', 'json_tree', 'rtree', 'rtree_i32'];

/** What SQLite says of a table or view when it is asked to prepare reading it. */
export type Reading =
  | { readonly is: 'sound' }
  /** `why` continues a sentence that begins with the name. */
  | { readonly is: 'forbidden'; readonly why: string }
  | { readonly is: 'broken'; readonly why: string };

/**
 * Has SQLite prepare to read all columns of a table or view, without reading any, and watches what for: functions show
 * wherever they hide, in views upon views and in generated columns.
 */
export function createReadingCheck(database: DatabaseSync): (name: string) => Reading {
  const programs = programTables(database);
  let objection: string | undefined;
  let steps = 0;
  database.setAuthorizer((action, first, second) => {
    steps += 1;
    objection ??= objectionTo(action, { first, second, programs, steps });
    return objection === undefined ? constants.SQLITE_OK : constants.SQLITE_DENY;
  });

  return (name) => {
    const sql = `select * from main."${name.replaceAll('"', '""')}"`;
    for (let unknown = 0; unknown < maxUnknown; unknown += 1) {
      [objection, steps] = [undefined, 0];
      const fault = prepare(database, sql);
      if (objection !== undefined) return { is: 'forbidden', why: objection };
      if (fault === undefined) return { is: 'sound' };
      const unsafe = /^unsafe use of (.+)\(\)$/s.exec(fault)?.[1];
      if (unsafe !== undefined) return { is: 'forbidden', why: callOf(unsafe) };
      const missing = /^(?:no such|unknown) function: (.+?)(?:\(\))?$/s.exec(fault)?.[1];
      if (missing === undefined) return { is: 'broken', why: fault };
      if (!isAllowedFunction(missing)) return { is: 'forbidden', why: callOf(missing) };
      database.function(missing, { varargs: true, deterministic: true }, () => null);
    }
    return { is: 'forbidden', why: 'calls too many functions' };
  };
}

function prepare(database: DatabaseSync, sql: string): string | undefined {
  try {
    database.prepare(sql);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

interface Step {
  readonly first: string | null;
  readonly second: string | null;
  readonly programs: ReadonlySet<string>;
  readonly steps: number;
}

function objectionTo(action: number, { first, second, programs, steps }: Step): string | undefined {
  if (steps > maxSteps) return 'is built on too many others';
  switch (action) {
    case constants.SQLITE_RECURSIVE:
      return 'is recursive, so that it may never end';
    case constants.SQLITE_FUNCTION:
      return second !== null && isAllowedFunction(second) ? undefined : callOf(second ?? '');
    case constants.SQLITE_READ: {
      const table = (first ?? '').toLowerCase();
      const isProgram = programs.has(table) || table.startsWith('pragma_');
      return isProgram ? `reads ${table}, which is no table of the file` : undefined;
    }
    default:
      return undefined;
  }
}

function callOf(name: string): string {
  return `calls the function ${name.replaceAll(/[^\w$]/g, '?').slice(0, 60)}(), which may do anything`;
}

/** Tables that this SQLite makes up without any file. */
function programTables(database: DatabaseSync): ReadonlySet<string> {
  const modules = database.prepare('select name from pragma_module_list').all();
  return new Set(modules.map(({ name }) => String(name)).filter((name) => !tablesOfValues.includes(name)));
}
