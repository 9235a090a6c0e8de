import { codeOf } from '../lib/error-facts.ts';
import { cannotListen } from '../messages/service/english.ts';

/** An address cannot be used for listening; the message is one readable line that names the setting. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
  readonly isInUse: boolean;

  /** @param prefix of the two settings of the address, such as `HTTP` of HTTP_HOST and HTTP_PORT. */
  constructor(
    prefix: 'HTTP' | 'METRICS',
    { host, port }: { readonly host: string; readonly port: number },
    cause: unknown,
  ) {
    const code = codeOf(cause);
    super(cannotListen(prefix, host, port, code ?? String(cause)), { cause });
    this.isInUse = code === 'EADDRINUSE';
  }
}
