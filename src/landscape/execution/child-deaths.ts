import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineDied } from '../../geo/engine.ts';
import { internalError, RunFailed } from '../runs/run-failed.ts';

/** The number of deaths of a child process after which the work is considered the cause. */
const maxDeaths = 3;

interface Work {
  /** An existing folder; each attempt gets a new folder in it. */
  readonly folder: string;
  /** The nodes of the work; the run fails at the first. */
  readonly codes: readonly string[];
}

/** Repeats work whose child process has died, because the cause may be external. @throws {RunFailed} when every attempt dies. */
export async function despiteDeaths<T>(
  { folder, codes }: Work,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  for (let deaths = 0; ; deaths += 1) {
    const scratch = join(folder, `scratch-${deaths}`);
    await mkdir(scratch);
    try {
      return await work(scratch);
    } catch (error) {
      if (!(error instanceof EngineDied)) throw error;
      if (deaths + 1 >= maxDeaths) throw new RunFailed(internalError(codes[0] ?? ''), { cause: error });
    }
  }
}
