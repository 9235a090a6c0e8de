import { createServiceClient, type ServiceClient } from '../clients/client/service-client.ts';
import type { CommandContext } from './command.ts';

/**
 * A client of the service that --base-url names, else BASE_URL, else of the one that `npm start` runs here; with the
 * token in STEPPE_TOKEN.
 * @throws {Error} when none is ready there, saying how to start one.
 */
export async function reachService(
  baseUrlOption: string | undefined,
  { config: { httpHost, httpPort }, shutdown }: CommandContext,
): Promise<ServiceClient> {
  const host = httpHost.includes(':') ? `[${httpHost}]` : httpHost;
  const baseUrl =
    readBaseUrl('--base-url', baseUrlOption) ??
    readBaseUrl('BASE_URL', process.env['BASE_URL'] || undefined) ??
    `http://${host}:${httpPort}`;
  const client = createServiceClient(baseUrl, shutdown, readToken(process.env['STEPPE_TOKEN']));
  if (await client.isReady()) return client;
  throw new Error(
    `no service is ready at ${baseUrl}. Start one in another terminal with npm start and wait for "Steppe is ready", or name another with --base-url.`,
  );
}

/** Without a slash at its end. */
function readBaseUrl(source: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(`${source}: ${text} is no http address`);
  }
  return withoutSlashes(url.href);
}

function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** @throws {Error} when it can not be a token; the message does not show it. */
function readToken(text = ''): string | undefined {
  const token = text.trim();
  if (token === '') return undefined;
  if (/^[\w.~+/-]+=*$/.test(token)) return token;
  throw new Error(
    'STEPPE_TOKEN: is no bearer token; set it to the one line that ./steppe token create prints',
  );
}
