import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { App } from '../request/schemas.ts';

const acceptableId = /^[\w.:-]{1,128}$/;

/** Returns the client's `X-Request-Id` if logs and headers can hold it, otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && acceptableId.test(sent) ? sent : randomUUID();
}

export function commonHeaders(requestId: string): Readonly<Record<string, string>> {
  return { 'x-content-type-options': 'nosniff', 'x-request-id': requestId };
}

/** Adds the common headers before any other hook, because refusals carry them too. */
export function addCommonHeaders(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id));
    done();
  });
}

/** Adds a header name to `Vary`, so that caches separate answers by it. */
export function addToVary(reply: FastifyReply, header: string): void {
  const fields = [reply.getHeader('vary') ?? []].flat().join(', ');
  if (fields.toLowerCase().split(', ').includes(header.toLowerCase())) return;
  reply.header('vary', fields === '' ? header : `${fields}, ${header}`);
}
