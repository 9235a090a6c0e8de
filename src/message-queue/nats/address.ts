import { queueUrlFailures as failures } from '../../messages/service/english.ts';

/** Address and credentials of NATS from MESSAGE_QUEUE_URL. */
export interface NatsAddress {
  /** For example `a.example:4222`. */
  readonly servers: readonly string[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly credsPath: string | undefined;
  /** Path of CA certificates; if set, connections use TLS. */
  readonly caPath: string | undefined;
}

const form = /^nats:\/\/(?:([^@/?]*)@)?([^@/?]+)\/?(?:\?(.*))?$/;
const server = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;
const knownParameters = new Set(['creds', 'ca']);

/**
 * Parses `nats://[user:password@]a:4222,b:4222?creds=…&ca=…`.
 * @throws {Error} with one readable line that names the variable.
 */
export function readNatsUrl(text: string): NatsAddress {
  const [, account = '', hosts = '', query = ''] = form.exec(text) ?? [];
  const servers = hosts.split(',');
  if (!servers.every((each) => server.test(each))) throw new Error(failures.servers);
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!knownParameters.has(name)) throw new Error(failures.unknownParameter(name));
  }
  const [user = '', password = ''] = account.split(':', 2).map(decodeURIComponent);
  return {
    servers,
    user: user || undefined,
    password: password || undefined,
    credsPath: parameters.get('creds') ?? undefined,
    caPath: parameters.get('ca') ?? undefined,
  };
}
