import type { Logger } from 'pino';
import { startRepeating } from '../../lib/concurrency/repeating.ts';
import { lookAtInputs } from './look.ts';
import type { ComparingDependencies } from './prepare-comparison.ts';

const everyMs = 2000;

/** Checks the inputs of the program every two seconds until it is closed; one query if the watch is off. */
export function startWatch(dependencies: ComparingDependencies, log: Pick<Logger, 'info' | 'warn'>) {
  return startRepeating(async () => {
    const runId = await lookAtInputs(dependencies).catch((err: unknown) => {
      log.warn({ err }, 'the inputs of the landscape program are looked at again');
    });
    if (runId !== undefined) log.info({ runId }, 'the watch has made a draft run');
    return everyMs;
  }, everyMs);
}
