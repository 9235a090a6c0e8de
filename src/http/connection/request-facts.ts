import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Returns true if a route serves the probes of a supervisor, which come every few seconds and do not concern clients. */
export function isProbe(route: string | undefined): boolean {
  return route === '/healthz' || route === '/readyz';
}

/**
 * A method without routes. Methods that Fastify does not know are looked up under it; registering each of them on every
 * path would take a tenth of the startup time.
 */
export const unknownMethod = 'SEARCH';
const lookedUp = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
  unknownMethod,
]);
const askedMethods = new WeakMap<IncomingMessage, string>();

/** Paths where a client whose proxy blocks other methods may send POST with the name of the intended method (tus 1.0). */
const overridden = /^\/uploads\/[^/?]+$/;
const overriding = new Set(['PATCH', 'DELETE']);

/** Overrides the method of a request. Runs as `rewriteUrl`, before routing, and leaves the URL unchanged. */
export function replaceMethod(request: IncomingMessage): string {
  const { method = '', url = '' } = request;
  const meant = String(request.headers['x-http-method-override']).toUpperCase();
  if (method === 'POST' && overriding.has(meant) && overridden.test(url)) request.method = meant;
  if (!lookedUp.has(method)) {
    askedMethods.set(request, method);
    request.method = unknownMethod;
  }
  return url;
}

/** Returns the method that the client has sent. */
export function methodOf({ raw, method }: Pick<FastifyRequest, 'raw' | 'method'>): string {
  return askedMethods.get(raw) ?? method;
}
