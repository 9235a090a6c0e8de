import { codeOf, messageOf } from '../lib/error-facts.ts';
import { isResourceError, Problem } from '../lib/errors.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { jobFailures } from '../messages/raster.ts';
import { sqlState } from '../database/transaction.ts';
import { EngineDied } from '../geo/engine.ts';
import { readable } from '../lib/readable.ts';
import { Message } from '../lib/message.ts';

const maxEngineDeaths = 3;
const maxUnexpectedErrors = 6;
const freeWorkerDeaths = 2;
const maxBackOffSeconds = 60;
const maxReasonLength = 2000;

/** How often a job has failed, by the kind of failure. */
export interface FailureCounts {
  readonly engineDeaths: number;
  readonly workerDeaths: number;
  readonly unexpectedErrors: number;
}

/** The fate of a job whose attempt failed: the end, or another attempt after a pause. */
export type RetryDecision =
  | { readonly end: 'failed'; readonly reason: Message }
  | (FailureCounts & { readonly end: 'again'; readonly afterSeconds: number; readonly error: string });

/** Decides by the kind of a failure; the counts are those before it. */
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

/** Returns the pause before the next attempt: none twice, then 1, 2, 4 … 60 seconds. */
export function backOffSeconds(workerDeaths: number): number {
  if (workerDeaths <= freeWorkerDeaths) return 0;
  return Math.min(2 ** (workerDeaths - freeWorkerDeaths - 1), maxBackOffSeconds);
}

const crowdedStates = new Set(['40001', '40P01', '55P03']);
const crowdedCodes = new Set(['EAGAIN', 'ENOMEM']);

/** Returns whether something is away, full or contended, which passes, as opposed to an unforeseen fault. */
function isOutage(error: unknown): boolean {
  if (isDatabaseUnavailable(error) || isResourceError(error)) return true;
  return crowdedStates.has(sqlState(error) ?? '') || crowdedCodes.has(codeOf(error) ?? '');
}

/** SQLSTATE classes 22 and 54: a value that the database will refuse however often it is sent, for what it is or its size. */
function isDataException(error: unknown): boolean {
  return /^(?:22|54)/.test(sqlState(error) ?? '');
}

/** Makes a text storable: PostgreSQL stores no U+0000, and more than `maxReasonLength` characters are of no use. */
function storable(text: string): string {
  return readable(text, maxReasonLength).trim();
}
