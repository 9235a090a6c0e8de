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

/** Is called as `rewriteUrl`, before a route is looked for: replaces a method, and leaves the URL as it is. */
export function replaceUnknownMethod(request: IncomingMessage): string {
  const { method = '', url = '' } = request;
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
