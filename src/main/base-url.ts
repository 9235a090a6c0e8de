import type { ServiceClient } from '../client/service-client.ts';
import type { Config } from '../config.ts';

/** Where the service is: as the command line says, else BASE_URL, else where `npm start` listens. No slash at the end. */
export function baseUrlOf(option: string | undefined, { httpHost, httpPort }: Config): string {
  const host = httpHost.includes(':') ? `[${httpHost}]` : httpHost;
  const text = option ?? process.env['BASE_URL'] ?? `http://${host}:${httpPort}`;
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(`--base-url: ${text} is no http address`);
  }
  return url.href.replace(/\/+$/, '');
}

/** @throws {Error} that says how to start one. */
export async function requireService(client: ServiceClient): Promise<void> {
  if (await client.isReady()) return;
  throw new Error(
    `no service is ready at ${client.baseUrl}. Start one in another terminal with npm start and wait for "Steppe is ready", or name another with --base-url.`,
  );
}
