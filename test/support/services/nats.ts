import { connect } from '@nats-io/transport-node';
import { type Place, thisMachine } from './network.ts';
import { freePort } from '../ports.ts';
import { natsProgram } from './programs.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export type NatsServer = Awaited<ReturnType<typeof startNats>>;

interface NatsOptions {
  readonly moreArguments?: readonly string[];
  readonly place?: Place;
}

/** Starts a nats-server. */
export async function startNats({
  moreArguments = [],
  place: { address, within } = thisMachine,
}: NatsOptions = {}) {
  const program = await natsProgram();
  const port = await freePort();
  const start = async (): Promise<ServerProcess> =>
    await startServer({
      name: 'nats-server',
      command: [program, '-a', address, '-p', String(port), ...moreArguments],
      within,
      isReady: async () => await answers(`${address}:${port}`),
    });
  let server = await start();
  return {
    url: `nats://${address}:${port}`,
    port,
    get process(): ServerProcess {
      return server;
    },
    /** Restarts it on the same port. */
    async restart(): Promise<void> {
      server = await start();
    },
    [Symbol.asyncDispose]: async () => await server.stop(),
  };
}

/** A refusal counts as an answer, because the server may require TLS or a password. */
async function answers(servers: string): Promise<boolean> {
  const connecting = connect({ servers, reconnect: false, timeout: 1000 });
  return await connecting.then(
    async (connection) => {
      await connection.close();
      return true;
    },
    (error: unknown) => !/refused/i.test(String(error)),
  );
}
