import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { codeOf } from '../common/error-facts.ts';
import { withTimeout } from '../common/with-timeout.ts';

const answerMilliseconds = 5000;

/** HTTP_HOST and HTTP_PORT can not be listened on; the message is one readable line that says what to set. */
export class CanNotListen extends Error {
  override readonly name = 'CanNotListen';
  /** Whether another socket has the port. */
  readonly isInUse: boolean;

  constructor(config: Config, cause: unknown) {
    const code = codeOf(cause);
    super(whyNot(config, code ?? cause), { cause });
    this.isInUse = code === 'EADDRINUSE';
  }
}

/** Listens on HTTP_HOST and HTTP_PORT for a moment. @throws {CanNotListen} */
export async function tryListening(config: Config): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host: config.httpHost, port: config.httpPort, exclusive: true });
    await withTimeout(answerMilliseconds, once(server, 'listening'));
  } catch (cause) {
    throw new CanNotListen(config, cause);
  } finally {
    server.close();
  }
}

function whyNot({ httpHost, httpPort }: Config, reason: unknown): string {
  switch (reason) {
    case 'EADDRINUSE':
      return `HTTP_PORT: port ${httpPort} of ${httpHost} is already in use. Stop what uses it, or set HTTP_PORT to another one.`;
    case 'EACCES':
      return `HTTP_PORT: port ${httpPort} is not open to this user. Set HTTP_PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
      return `HTTP_HOST: ${httpHost} is no address of this machine. Set HTTP_HOST to one, or to 0.0.0.0 for all of them.`;
    case 'ENOTFOUND':
      return `HTTP_HOST: nothing is known by the name ${httpHost}. Set HTTP_HOST to an address of this machine.`;
    default:
      return `HTTP_HOST: ${httpHost} port ${httpPort} can not be listened on (${String(reason)}).`;
  }
}
