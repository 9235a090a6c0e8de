import { once } from 'node:events';
import { createServer } from 'node:net';
import { reasonOf } from '../../lib/error-facts.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import { CannotListen } from '../../runtime/cannot-listen.ts';
import type { Config } from '../../config.ts';
import type { Finding } from './finding.ts';

const title = 'Address';
const answerMilliseconds = 5000;

/** Examines whether the service can listen on its address; a running service already holds its port. */
export async function examineAddress(config: Config, serviceRuns: boolean): Promise<Finding> {
  const { httpHost, httpPort } = config;
  const address = `${httpHost} port ${httpPort}`;
  try {
    await tryListening(config);
    if (httpPort === 0) return { title, lines: [`${httpHost}, any free port`] };
    const state = serviceRuns ? 'free; the service that runs listens elsewhere, or not yet' : 'free';
    return { title, lines: [`${address}: ${state}`] };
  } catch (error) {
    if (serviceRuns && error instanceof CannotListen && error.isInUse) {
      return { title, lines: [`${address}: in use, while the service of this DATA_DIR runs`] };
    }
    return { title, lines: [reasonOf(error)], isFault: true };
  }
}

/** Listens on HTTP_HOST and HTTP_PORT briefly. @throws {CannotListen} */
async function tryListening(config: Config): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host: config.httpHost, port: config.httpPort, exclusive: true });
    await withTimeout(answerMilliseconds, once(server, 'listening'));
  } catch (cause) {
    throw new CannotListen('HTTP', { host: config.httpHost, port: config.httpPort }, cause);
  } finally {
    server.close();
  }
}
