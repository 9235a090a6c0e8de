import { DatabaseError } from 'pg';
import { codeOf } from '../lib/error-facts.ts';

/** The database does not answer: it is frozen or unreachable. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
  constructor() {
    super('the database does not answer');
  }
}

/** SQLSTATE classes and codes of a server that cannot work now: connection lost, out of resources, shutting down, read-only. */
const awayStates = /^(?:08|53|57P0|58|25006)/;
/** SQLSTATEs of a statement, lock or transaction that exceeded its time limit. */
const lateStates = new Set(['57014', '55P03', '25P03', '25P04', '57P05']);
/** Failures that the driver reports as text only. */
const awayMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered|Cannot use a pool)/;
const connectionErrors = /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH)$/;

/** Returns whether `error` means that the database is unreachable or cannot work now, rather than that one statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseSilent) return true;
  if (error instanceof DatabaseError) return awayStates.test(error.code ?? '');
  const isConnecting = 'syscall' in error && error.syscall === 'connect'; // a missing Unix socket: ENOENT
  return isConnecting || connectionErrors.test(codeOf(error) ?? '') || awayMessages.test(error.message);
}

/** Returns whether the database has cancelled a statement because it, or its wait for a lock, took too long. */
export function isDatabaseLate(error: unknown): boolean {
  return error instanceof DatabaseError && lateStates.has(error.code ?? '');
}
