import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { codeOf } from '../lib/error-facts.ts';

/** Calls back with all addresses of a name; `found` is undefined after an error. */
export type Resolve = (
  hostname: string,
  callback: (error: Error | null, found: readonly LookupAddress[] | undefined) => void,
) => void;

/** Asks the resolver of the system. */
export const resolveAll: Resolve = (hostname, callback) => lookup(hostname, { all: true }, callback);

class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** Creates a look-up that resolves a name once, to permitted addresses only: a different answer later has no effect. */
export function createGuardedLookup(
  mayConnect: (address: string) => boolean,
  resolve: Resolve,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, found) => {
      const [first, ...rest] = found?.filter(({ address }) => mayConnect(address)) ?? [];
      if (error !== null) callback(error, []);
      else if (first === undefined) callback(new ForbiddenAddress(), []);
      else if (options.all === true) callback(null, [first, ...rest]);
      else callback(null, first.address, first.family);
    });
  };
}

/** The reason why a server gave no answer. */
export type NoAnswer = 'forbidden_address' | 'no_address' | 'refused' | 'timeout' | 'tls' | 'connection';

const reasons: Readonly<Record<string, NoAnswer>> = {
  FORBIDDEN_ADDRESS: 'forbidden_address',
  ENOTFOUND: 'no_address',
  EAI_AGAIN: 'no_address',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
};

/** Returns the reason for the error of a connection. */
export function reasonOf(error: unknown): NoAnswer {
  const code = codeOf(error) ?? '';
  return reasons[code] ?? (/CERT|TLS|SSL|EPROTO|SELF_SIGNED|ISSUER|VERIFY/.test(code) ? 'tls' : 'connection');
}
