import { codeOf, messageOf } from '../lib/error-facts.ts';
import { isResourceError, Problem } from '../lib/errors.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { jobFailures } from '../messages/raster/english.ts';
import { sqlState } from '../database/transaction.ts';
import { EngineDied } from '../geo/engine.ts';
import { readable } from '../lib/readable.ts';
import { Message } from '../lib/message.ts';

const maxEngineDeaths = 3;
const maxUnexpectedErrors = 6;
const freeWorkerDeaths = 2;
const maxBackOffSeconds = 60;
const maxReasonLength = 2000;

/** The number of failures of a job, by kind of failure. */
export interface FailureCounts {
  readonly engineDeaths: number;
  readonly workerDeaths: number;
  readonly unexpectedErrors: number;
}

/** The next step after a failed attempt: the end of the job, or another attempt after a pause. */
export type RetryDecision =
  | { readonly end: 'failed'; readonly reason: Message }
  | (FailureCounts & { readonly end: 'again'; readonly afterSeconds: number; readonly error: string });

/** Decides by the kind of failure; the counts do not include this failure. */
export function decideRetry(error: unknown, counts: FailureCounts, jobId: string): RetryDecision {
  if (error instanceof Problem) {
    const english = storable(error.message);
    const reason = english === '' ? jobFailures.untold : new Message(english, error.sentence);
    return { end: 'failed', reason };
  }
  if (isDataException(error)) return { end: 'failed', reason: jobFailures.unstorableValue };
  const again = { end: 'again', ...counts, error: storable(messageOf(error)) } as const;
  if (error instanceof EngineDied) {
    const engineDeaths = counts.engineDeaths + 1;
    if (engineDeaths >= maxEngineDeaths) return { end: 'failed', reason: jobFailures.engineDeath };
    return { ...again, engineDeaths, afterSeconds: 0 };
  }
  if (!isOutage(error)) {
    const unexpectedErrors = counts.unexpectedErrors + 1;
    if (unexpectedErrors >= maxUnexpectedErrors)
      return { end: 'failed', reason: jobFailures.unexpected(jobId) };
    return { ...again, unexpectedErrors, afterSeconds: backOffSeconds(unexpectedErrors + freeWorkerDeaths) };
  }
  const workerDeaths = counts.workerDeaths + 1;
  return { ...again, workerDeaths, afterSeconds: backOffSeconds(workerDeaths) };
}

/** Returns the pause before the next attempt, in seconds: none twice, then 1, 2, 4 … 60. */
export function backOffSeconds(workerDeaths: number): number {
  if (workerDeaths <= freeWorkerDeaths) return 0;
  return Math.min(2 ** (workerDeaths - freeWorkerDeaths - 1), maxBackOffSeconds);
}

const crowdedStates = new Set(['40001', '40P01', '55P03']);
const crowdedCodes = new Set(['EAGAIN', 'ENOMEM']);

/** Returns whether a resource is unavailable, full or contended, which is temporary, unlike a programming error. */
function isOutage(error: unknown): boolean {
  if (isDatabaseUnavailable(error) || isResourceError(error)) return true;
  return crowdedStates.has(sqlState(error) ?? '') || crowdedCodes.has(codeOf(error) ?? '');
}

/** Returns whether the database rejects a value for its content or size, which a retry cannot change (SQLSTATE classes 22 and 54). */
function isDataException(error: unknown): boolean {
  return /^(?:22|54)/.test(sqlState(error) ?? '');
}

/** Makes a text storable: PostgreSQL does not store U+0000, and the text is cut to `maxReasonLength` characters. */
function storable(text: string): string {
  return readable(text, maxReasonLength).trim();
}
