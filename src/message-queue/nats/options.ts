import { readFile } from 'node:fs/promises';
import { credsAuthenticator, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { NatsAddress } from './address.ts';

const connectWithinMs = 3000;
const pingEveryMs = 5000;

/** Options with which the client connects, and connects again for ever. @throws when the credentials cannot be read. */
export async function natsOptions(address: NatsAddress): Promise<NodeConnectionOptions> {
  const { servers, user, password, credsPath, caPath } = address;
  const creds = credsPath === undefined ? undefined : await readFile(credsPath);
  return {
    servers: [...servers],
    name: 'steppe',
    timeout: connectWithinMs,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    pingInterval: pingEveryMs,
    maxPingOut: 2,
    ...(user === undefined ? {} : { user, pass: password ?? '' }),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(creds) }),
    ...(caPath === undefined ? {} : { tls: { caFile: caPath } }),
  };
}
