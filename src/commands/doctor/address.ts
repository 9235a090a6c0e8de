import { reasonOf } from '../../common/error-facts.ts';
import { CanNotListen, tryListening } from '../../compose/listening.ts';
import type { Config } from '../../config.ts';
import type { Finding } from './finding.ts';

const title = 'Address';

/** Whether the service can listen where it is told to; the one that runs has a port already. */
export async function examineAddress(config: Config, serviceRuns: boolean): Promise<Finding> {
  const { httpHost, httpPort } = config;
  const address = `${httpHost} port ${httpPort}`;
  try {
    await tryListening(config);
    if (httpPort === 0) return { title, lines: [`${httpHost}, any free port`] };
    const state = serviceRuns ? 'free; the service that runs listens elsewhere, or not yet' : 'free';
    return { title, lines: [`${address}: ${state}`] };
  } catch (error) {
    if (serviceRuns && error instanceof CanNotListen && error.isInUse) {
      return { title, lines: [`${address}: in use, while the service of this DATA_DIR runs`] };
    }
    return { title, lines: [reasonOf(error)], isFault: true };
  }
}
