import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Returns whether a route is for the probes of a supervisor, which come every few seconds and say nothing about clients. */
export function isProbe(route: string | undefined): boolean {
  return route === '/healthz' || route === '/readyz';
}

/**
 * A method that no route has, in whose place all others are looked up that Fastify does not know by itself. A route for
 * each of them on every path would take a tenth of the time in which a service starts.
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

/** Where a client whose proxy lets no other methods through may send POST, and name the method that it means (tus 1.0). */
const overridden = /^\/uploads\/[^/?]+$/;
const overriding = new Set(['PATCH', 'DELETE']);

/** Is called as `rewriteUrl`, before a route is looked for: replaces a method, and leaves the URL as it is. */
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

/** Returns the method of a request as the client has sent it. */
export function methodOf({ raw, method }: Pick<FastifyRequest, 'raw' | 'method'>): string {
  return askedMethods.get(raw) ?? method;
}
