import type { IncomingHttpHeaders } from 'node:http';
import { accessProblems } from '../../messages/access.ts';
import type { App } from '../request/schemas.ts';
import type { AccessPolicy } from './access-policy.ts';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

type Origins = Pick<AccessPolicy, 'corsOrigins' | 'publicUrl'>;

/**
 * Refuses writes that a browser sends for a page from another site. A form may post anywhere without permission, and on
 * one's own machine or inside a network its origin is all that protects the data.
 */
export function refuseCrossSiteWrites(app: App, origins: Origins): void {
  app.addHook('onRequest', async ({ method, headers }) => {
    if (!safeMethods.includes(method) && !mayWrite(headers, origins)) throw accessProblems.foreignPage();
  });
}

function mayWrite(headers: IncomingHttpHeaders, { corsOrigins, publicUrl }: Origins): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return true;
  if (origin === undefined) return site !== 'cross-site'; // programs send neither
  return isOwnOrigin(origin, { publicUrl, host }) || (corsOrigins !== '*' && corsOrigins.includes(origin));
}

/** Compares host and port of an `Origin` with those of `publicUrl`, or of the `Host` header when it is undefined. */
export function isOwnOrigin(
  origin: string,
  { publicUrl, host }: { readonly publicUrl: URL | undefined; readonly host: string | undefined },
): boolean {
  const theirs = parseWebUrl(origin);
  if (theirs === undefined) return false;
  // Behind a proxy that terminates TLS, the default port is that of the browser's scheme.
  const ours = publicUrl ?? parseWebUrl(`${theirs.protocol}//${host ?? ''}`);
  return ours !== undefined && ours.hostname === theirs.hostname && portOf(ours) === portOf(theirs);
}

function parseWebUrl(text: string): URL | undefined {
  return /^https?:\/\/[^/?#@\\\s]+$/i.test(text) ? (URL.parse(text) ?? undefined) : undefined;
}

function portOf({ port, protocol }: URL): string | undefined {
  return port === '' ? defaultPorts[protocol] : port;
}
