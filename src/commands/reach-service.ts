import { createServiceClient, type ServiceClient } from '../clients/client/service-client.ts';
import { withoutTrailingSlashes } from '../lib/trailing-slashes.ts';
import { readClientSettings } from '../config.ts';
import { commandFailures } from '../messages/commands.ts';
import type { CommandContext } from './command.ts';

/**
 * Returns a client of the service that --base-url names, else BASE_URL, else of the one that `npm start` runs here; with
 * the token in STEPPE_TOKEN.
 * @throws {Error} when none is ready there, saying how to start one.
 */
export async function reachService(
  baseUrlOption: string | undefined,
  { config: { httpHost, httpPort }, shutdown }: CommandContext,
): Promise<ServiceClient> {
  const settings = readClientSettings();
  const host = httpHost.includes(':') ? `[${httpHost}]` : httpHost;
  const baseUrl =
    readBaseUrl('--base-url', baseUrlOption) ??
    readBaseUrl('BASE_URL', settings.baseUrl) ??
    `http://${host}:${httpPort}`;
  const client = createServiceClient(baseUrl, shutdown, readToken(settings.token));
  if (await client.isReady()) return client;
  throw new Error(commandFailures.noServiceReady(baseUrl));
}

/** Returns the address without a slash at its end. */
function readBaseUrl(source: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(commandFailures.noHttpAddress(source, text));
  }
  return withoutTrailingSlashes(url.href);
}

/** @throws {Error} when it cannot be a token; the message does not show it. */
function readToken(text: string): string | undefined {
  const token = text.trim();
  if (token === '') return undefined;
  if (/^[\w.~+/-]+=*$/.test(token)) return token;
  throw new Error(commandFailures.noBearerToken);
}
