import { messageOf } from '../common/error-facts.ts';
import { sqlState } from '../database/transaction.ts';
import { Problem } from '../common/errors.ts';
import { EngineDied } from '../geo/engine.ts';
import { readable } from '../common/readable.ts';

const maxEngineDeaths = 3;
const freeWorkerDeaths = 2;
const maxBackOffSeconds = 60;
const maxReasonLength = 2000;

/** What becomes of a job whose attempt failed. */
export type RetryDecision =
  | { readonly end: 'failed'; readonly reason: string }
  | {
      readonly end: 'again';
      readonly engineDeaths: number;
      readonly workerDeaths: number;
      readonly afterSeconds: number;
      readonly error: string;
    };

/** Judges a failure by its kind; the counts are those before it. */
export function decideRetry(
  error: unknown,
  counts: { engineDeaths: number; workerDeaths: number },
): RetryDecision {
  if (error instanceof Problem) return { end: 'failed', reason: storable(error.message) || untoldReason };
  if (isDataException(error)) return { end: 'failed', reason: dataExceptionReason };
  const message = storable(messageOf(error));
  if (error instanceof EngineDied) {
    const engineDeaths = counts.engineDeaths + 1;
    if (engineDeaths >= maxEngineDeaths) return { end: 'failed', reason: engineDeathReason };
    return { end: 'again', engineDeaths, workerDeaths: counts.workerDeaths, afterSeconds: 0, error: message };
  }
  const workerDeaths = counts.workerDeaths + 1;
  const afterSeconds = backOffSeconds(workerDeaths);
  return { end: 'again', engineDeaths: counts.engineDeaths, workerDeaths, afterSeconds, error: message };
}

/** Twice at once, then after 1, 2, 4 … 60 seconds. */
export function backOffSeconds(workerDeaths: number): number {
  if (workerDeaths <= freeWorkerDeaths) return 0;
  return Math.min(2 ** (workerDeaths - freeWorkerDeaths - 1), maxBackOffSeconds);
}

/** SQLSTATE classes 22 and 54: a value that the database will refuse however often it is sent, for what it is or its size. */
function isDataException(error: unknown): boolean {
  return /^(?:22|54)/.test(sqlState(error) ?? '');
}

const dataExceptionReason =
  'The file holds a value that can not be stored, such as a number or a date out of all bounds or a text that is far too long. Check its values, correct ' +
  'or remove what is out of the ordinary, and upload it again.';

const untoldReason = 'The file can not be processed; check it, and upload it again.';

const engineDeathReason =
  'Reading this file ended the geodata engine three times in a row, so it was given up. The file may be damaged, or need ' +
  'more memory than the engine may use: check it, make it simpler or smaller, and upload it again.';

/** PostgreSQL stores no U+0000, and nobody reads more than this. */
function storable(text: string): string {
  return readable(text, maxReasonLength).trim();
}
