import type { FastifyRequest } from 'fastify';
import { Problem } from '../common/errors.ts';
import type { App } from './fastify/app-type.ts';
import { bodyProblems } from '../messages/request.ts';
import { maxBodyBytes } from './request/body-parser.ts';
import type { Services } from './routes/services.ts';

/** What answers without the database. */
const pathsWithoutDatabase = /^\/(?:healthz|readyz|openapi\.json|(?:docs|assets)(?:\/.*)?)?$/;

/** What holds for every request that may be answered at all, whatever its route. */
export function addRequestRules(app: App, { maxUploadBytes, draining, isPrepared }: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      reply.header('connection', 'close');
      throw new Problem('malformed', 'the Host header is missing');
    }
    checkPrepared(request, isPrepared);
    checkHeaders(request, maxBodyBytes(request, maxUploadBytes));
    checkQuery(request);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (draining.aborted) reply.header('connection', 'close');
  });
}

function checkPrepared({ routeOptions }: FastifyRequest, isPrepared: () => boolean): void {
  const path = routeOptions.url; // none when there is no such route, which needs no database to say
  if (path === undefined || pathsWithoutDatabase.test(path) || isPrepared()) return;
  throw new Problem('unavailable', 'database unavailable');
}

function checkHeaders({ headers }: FastifyRequest, maxBytes: number): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported', 'the body must have no Content-Encoding');
  }
  // Told before the body is read: the client may still be waiting for leave to send it.
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyProblems.tooLarge(maxBytes);
}

function checkQuery({ url, routeOptions }: FastifyRequest): void {
  if (routeOptions.schema?.querystring === undefined) return; // nobody reads it
  const start = url.indexOf('?');
  if (start === -1) return;
  try {
    decodeURIComponent(url.slice(start));
  } catch (cause) {
    throw new Problem('malformed', 'the query holds an escape that is not UTF-8', { cause });
  }
}
