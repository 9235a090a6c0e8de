import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Place, thisMachine } from './network.ts';
import { freePort } from '../ports.ts';
import { versitygwProgram } from './programs.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const bucket = 'steppe';
const credentials = { accessKeyId: 'steppe', secretAccessKey: 'services-secret' };

/**
 * Starts a versitygw over a folder, with an empty bucket.
 * @param folder an existing folder for its objects
 */
export async function startS3(folder: string, { address, within }: Place = thisMachine) {
  const program = await versitygwProgram();
  const port = await freePort();
  const root = join(folder, 's3');
  const bucketFolder = join(root, bucket);
  await mkdir(bucketFolder, { recursive: true });
  const start = async (): Promise<ServerProcess> =>
    await startServer({
      name: 'versitygw',
      command: [program, '--port', `${address}:${port}`, '--quiet', 'posix', root],
      within,
      env: {
        ROOT_ACCESS_KEY: credentials.accessKeyId,
        ROOT_SECRET_KEY: credentials.secretAccessKey,
      },
      isReady: async () => await fetch(`http://${address}:${port}/`, { signal: AbortSignal.timeout(1000) }),
    });
  let server = await start();
  return {
    /** URL of the bucket; parameters may be appended. */
    url: urlOf(port, '', address),
    /** URL of the bucket on another port, such as that of a proxy. */
    urlOf,
    port,
    /** Environment for the service. */
    env: { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    credentials,
    /** Folder of the bucket. */
    bucketFolder,
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

function urlOf(port: number, prefix = '', address = thisMachine.address): string {
  const endpoint = encodeURIComponent(`http://${address}:${port}`);
  return `s3://${bucket}${prefix}?endpoint=${endpoint}&region=us-east-1&path_style=true`;
}
