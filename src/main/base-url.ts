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

/**
 * The bearer token in STEPPE_TOKEN, undefined when there is none.
 * @throws {Error} when it can not be one; the message does not show it.
 */
export function tokenOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const text = environment['STEPPE_TOKEN']?.trim() ?? '';
  if (text === '') return undefined;
  if (/^[\w.~+/-]+=*$/.test(text)) return text;
  throw new Error(
    'STEPPE_TOKEN: is no bearer token; set it to the one line that ./steppe token create prints',
  );
}

/** @throws {Error} that says how to start one. */
export async function requireService(client: ServiceClient): Promise<void> {
  if (await client.isReady()) return;
  throw new Error(
    `no service is ready at ${client.baseUrl}. Start one in another terminal with npm start and wait for "Steppe is ready", or name another with --base-url.`,
  );
}
