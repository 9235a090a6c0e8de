import { connect } from '@nats-io/transport-node';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { natsProgram } from './programs.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export type NatsServer = Awaited<ReturnType<typeof startNats>>;

/** Starts a nats-server with JetStream. @param folder an existing folder, in which it keeps its streams. */
export async function startNats(folder: string, moreArguments: readonly string[] = []) {
  const program = await natsProgram();
  const port = await freePort();
  const store = join(folder, 'nats');
  const start = async (): Promise<ServerProcess> =>
    await startServer({
      name: 'nats-server',
      command: [program, '-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store, ...moreArguments],
      isReady: async () => await answers(port),
    });
  let server = await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    /** The folder of its streams. */
    store,
    get process(): ServerProcess {
      return server;
    },
    /** Starts it again on the same port, after a stop. */
    async restart(): Promise<void> {
      server = await start();
    },
    [Symbol.asyncDispose]: async () => await server.stop(),
  };
}

/** A server that asks for TLS or a password answers with a refusal, which is an answer. */
async function answers(port: number): Promise<boolean> {
  const connecting = connect({ servers: `127.0.0.1:${port}`, reconnect: false, timeout: 1000 });
  return await connecting.then(
    async (connection) => {
      await connection.close();
      return true;
    },
    (error: unknown) => !/refused/i.test(String(error)),
  );
}
