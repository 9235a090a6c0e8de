import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineDied } from '../../geo/engine.ts';
import { internalError, RunFailed } from '../runs/run-failed.ts';

/** Work whose child dies this often will kill the next one too. */
const maxDeaths = 3;

interface Work {
  /** An existing folder, in which each try gets one of its own. */
  readonly folder: string;
  /** The nodes that it is for; the run fails at the first. */
  readonly codes: readonly string[];
}

/** Does again what a child has died of, which may have had bad luck. @throws {RunFailed} when it always dies. */
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
