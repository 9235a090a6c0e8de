import { DatabaseError } from 'pg';
import { codeOf } from '../lib/error-facts.ts';

/** The database leaves a question without an answer: it is frozen, or cut off. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
  constructor() {
    super('the database does not answer');
  }
}

/** SQLSTATE classes and codes of a server that cannot work now: connection lost, out of resources, shutting down, read only. */
const awayStates = /^(?:08|53|57P0|58|25006)/;
/** SQLSTATEs of a statement, a lock or a transaction that took longer than it may: 57014, 55P03, 25P03, 25P04, 57P05. */
const lateStates = new Set(['57014', '55P03', '25P03', '25P04', '57P05']);
/** Failures that the driver tells in words only. */
const awayMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered|Cannot use a pool)/;
const connectionErrors = /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH)$/;

/** Returns whether `error` says that the database is away or cannot work now, as opposed to one statement being wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseSilent) return true;
  if (error instanceof DatabaseError) return awayStates.test(error.code ?? '');
  const isConnecting = 'syscall' in error && error.syscall === 'connect'; // a Unix socket that is not there: ENOENT
  return isConnecting || connectionErrors.test(codeOf(error) ?? '') || awayMessages.test(error.message);
}

/** Returns whether the database has ended a statement because it, or its wait for a lock, took too long. */
export function isDatabaseLate(error: unknown): boolean {
  return error instanceof DatabaseError && lateStates.has(error.code ?? '');
}
