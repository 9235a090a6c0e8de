import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isLoopbackName } from '../../lib/addresses.ts';
import { accessProblems } from '../../messages/request/english.ts';
import { isProbe } from '../connection/request-facts.ts';
import { addToVary } from '../connection/common-headers.ts';
import type { App } from '../request/schemas.ts';
import type { AccessPolicy, HostPolicy } from './access-policy.ts';

/** Response headers that pages may read in addition to those of the CORS safelist. */
const exposedHeaders = [
  'Content-Range, Accept-Ranges, ETag, Content-Length, Content-Disposition, Content-Location, Content-Crs, Link, Location, Retry-After, Allow, WWW-Authenticate',
  'Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset',
  'X-Ignored, X-Request-Id, X-Style-Left-Out, X-Tile-Thinned',
].join(', ');
/**
 * Request headers that pages may send in addition to those of the CORS safelist. `Mcp-Session-Id` has no meaning here, but clients send it.
 */
const allowedHeaders = [
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, Traceparent, X-HTTP-Method-Override, X-Request-Id',
  'Mcp-Protocol-Version, Mcp-Session-Id',
  'Tus-Resumable, Upload-Checksum, Upload-Concat, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset',
].join(', ');
const readingMethods: readonly string[] = ['GET', 'HEAD'];
const preflightSeconds = 600;
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
type CorsOrigins = AccessPolicy['corsOrigins'];

/**
 * Refuses requests with foreign host names (DNS rebinding): to a browser, a page whose host name resolves to our
 * address has our origin. A request without a host name (HTTP/1.0) does not come from a browser.
 */
export function addHostCheck(app: App, policy: HostPolicy): void {
  if (policy.answered === 'any') return;
  app.addHook('onRequest', ({ headers: { host }, routeOptions }, _reply, done) => {
    if (host === undefined) return done();
    const name = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host)?.[1]?.toLowerCase() ?? '';
    if (isLoopbackName(name)) return done();
    if (policy.answered !== 'listed') throw accessProblems.hostNotLoopback();
    // Probes know the address of the machine but not its name.
    if (!policy.names.includes(name) && !isProbe(routeOptions.url)) {
      throw accessProblems.hostNotListed();
    }
    done();
  });
}

/** Lets pages of the given origins use the service and read later refusals. */
export function addCors(app: App, origins: CorsOrigins): void {
  if (origins !== '*' && origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    const allowed = allowedOrigin(request, origins);
    if (allowed === undefined) return;
    // Never with Allow-Credentials: pages send tokens themselves, and there are no cookies.
    reply.headers({
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': exposedHeaders,
    });
    if (!isPreflight(request)) return;
    reply.headers({
      'access-control-allow-methods':
        origins === '*' ? readsOf(request).join(', ') : 'DELETE, GET, HEAD, PATCH, POST, PUT',
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': preflightSeconds,
    });
  });
  // Late, because some routes set Vary themselves.
  if (origins !== '*') app.addHook('onSend', async (_request, reply) => addToVary(reply, 'Origin'));
}

/** Returns the value of `Access-Control-Allow-Origin`; undefined if the page must not read the answer. */
function allowedOrigin(request: FastifyRequest, origins: CorsOrigins): string | undefined {
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  if (origins !== '*') return origins.includes(origin) ? origin : undefined;
  const method = isPreflight(request) ? request.headers['access-control-request-method'] : request.method;
  return readsOf(request).some((reading) => reading === method) ? '*' : undefined;
}

/** Returns the methods that only read the path of a request, which may be a preflight. */
function readsOf({ routeOptions }: FastifyRequest): readonly string[] {
  return routeOptions.config.changesNothing === true ? [...readingMethods, 'POST'] : readingMethods;
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * Refuses writes that a browser sends for a page from another site. A form may post to any address without permission;
 * on a local machine or inside a network, the check of its origin is the only protection of the data.
 */
export function refuseCrossSiteWrites(app: App, policy: AccessPolicy): void {
  app.addHook('onRequest', ({ method, headers, routeOptions: { config } }, _reply, done) => {
    const isOpenRead = policy.corsOrigins === '*' && config.changesNothing === true;
    if (!safeMethods.includes(method) && !isOpenRead && !mayWrite(headers, policy))
      throw accessProblems.foreignPage();
    done();
  });
}

function mayWrite(headers: IncomingHttpHeaders, { corsOrigins, publicUrl }: AccessPolicy): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return true;
  if (origin === undefined) return site !== 'cross-site'; // programs send neither header
  return isOwnOrigin(origin, host, publicUrl) || (corsOrigins !== '*' && corsOrigins.includes(origin));
}

/** Compares the host and port of an `Origin` with those of `publicUrl`, or of the `Host` header if `publicUrl` is undefined. */
export function isOwnOrigin(origin: string, host: string | undefined, publicUrl: URL | undefined): boolean {
  const theirs = parseWebUrl(origin);
  if (theirs === undefined) return false;
  // Behind a proxy that terminates TLS, the scheme of the browser determines the default port.
  const ours = publicUrl ?? parseWebUrl(`${theirs.protocol}//${host ?? ''}`);
  return ours?.hostname === theirs.hostname && portOf(ours) === portOf(theirs);
}

function parseWebUrl(text: string): URL | undefined {
  return /^https?:\/\/[^/?#@\\\s]+$/i.test(text) ? (URL.parse(text) ?? undefined) : undefined;
}

function portOf({ port, protocol }: URL): string | undefined {
  return port === '' ? defaultPorts[protocol] : port;
}
