import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessPolicy } from './access-policy.ts';
import type { App } from '../request/schemas.ts';

const exposedHeaders =
  'Content-Range, Accept-Ranges, ETag, Content-Length, Content-Disposition, Link, Location, X-Request-Id';
const allowedHeaders = 'Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range, X-Request-Id';
const readMethods = 'GET, HEAD';
const allMethods = 'DELETE, GET, HEAD, PATCH, POST, PUT';
const preflightSeconds = 600;

type Origins = AccessPolicy['corsOrigins'];

/** Lets pages of the given origins use the service and read all refusals that come after this. */
export function addCors(app: App, origins: Origins): void {
  if (origins !== '*' && origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    const allowed = allowedOrigin(request, origins);
    if (allowed === undefined) return;
    // Never with Allow-Credentials: tokens are sent by the page itself, and there are no cookies.
    reply.headers({
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': exposedHeaders,
    });
    if (!isPreflight(request)) return;
    reply.headers({
      'access-control-allow-methods': origins === '*' ? readMethods : allMethods,
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': preflightSeconds,
    });
  });
  // Late, because some answers set Vary themselves.
  if (origins !== '*') app.addHook('onSend', async (_request, reply) => addToVary(reply));
}

/** Returns the value of `Access-Control-Allow-Origin`; undefined when the page must not read the answer. */
function allowedOrigin(request: FastifyRequest, origins: Origins): string | undefined {
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  if (origins !== '*') return origins.includes(origin) ? origin : undefined;
  const method = isPreflight(request) ? request.headers['access-control-request-method'] : request.method;
  return method === 'GET' || method === 'HEAD' ? '*' : undefined;
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Keeps caches from giving one origin's answer to another. */
function addToVary(reply: FastifyReply): void {
  const vary = [reply.getHeader('vary') ?? []].flat().join(', ');
  reply.header('vary', vary === '' ? 'Origin' : `${vary}, Origin`);
}
