import { connect } from '@nats-io/transport-node';
import type { NatsAddress } from './address.ts';
import { natsOptions } from './options.ts';

/** Asks a server what it is, and changes nothing there. @throws what keeps it from answering. */
export async function askNats(address: NatsAddress) {
  const connection = await connect({ ...(await natsOptions(address)), reconnect: false });
  const { version = '', jetstream = false } = connection.info ?? {};
  await connection.close();
  return { version, hasJetStream: jetstream };
}
