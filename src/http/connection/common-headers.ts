import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../fastify/app-type.ts';

const acceptableId = /^[\w.:-]{1,128}$/;

/** The client's own `X-Request-Id` when it can be shown in logs and headers, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && acceptableId.test(sent) ? sent : randomUUID();
}

/** What every answer carries. */
export function commonHeaders(requestId: string): Readonly<Record<string, string>> {
  return { 'x-content-type-options': 'nosniff', 'x-request-id': requestId };
}

/** First of all: refusals carry them too. */
export function addCommonHeaders(app: App): void {
  app.addHook('onRequest', async (request, reply) => setCommonHeaders(request, reply));
}

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(request.id));
}
