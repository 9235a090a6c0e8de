import type { CommandContext } from '../src/commands/command.ts';
import { withoutTrailingSlashes } from '../src/lib/addresses.ts';
import { createServiceClient, type ServiceClient } from './service-client.ts';

/**
 * Returns a client of the service at --base-url, otherwise BASE_URL, otherwise of the one that `npm start` runs here, with the token in
 * STEPPE_TOKEN.
 * @throws {Error} when the service is not ready, with the command to start one.
 */
export async function reachService(
  baseUrlOption: string | undefined,
  { config: { httpHost, httpPort }, shutdown }: CommandContext,
): Promise<ServiceClient> {
  const { BASE_URL, STEPPE_TOKEN = '' } = process.env;
  const host = httpHost.includes(':') ? `[${httpHost}]` : httpHost;
  const baseUrl =
    readBaseUrl('--base-url', baseUrlOption) ??
    readBaseUrl('BASE_URL', BASE_URL || undefined) ??
    `http://${host}:${httpPort}`;
  const client = createServiceClient(baseUrl, shutdown, readToken(STEPPE_TOKEN));
  if (await client.isReady()) return client;
  throw new Error(
    `no service is ready at ${baseUrl}. Start one in another terminal with npm start and wait for "Steppe is ready", or name another with --base-url.`,
  );
}

/** Returns the address without a trailing slash. */
function readBaseUrl(source: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(`${source}: ${text} is not an http address`);
  }
  return withoutTrailingSlashes(url.href);
}

/** Reads the token. @throws {Error} when it is invalid; the message does not contain it. */
function readToken(text: string): string | undefined {
  const token = text.trim();
  if (token === '') return undefined;
  if (/^[\w.~+/-]+=*$/.test(token)) return token;
  throw new Error(
    'STEPPE_TOKEN is not a bearer token; set it to the one line that ./steppe token create prints',
  );
}
