import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from './authentication.ts';
import type { App } from '../request/schemas.ts';
import { isProbe, methodOf } from '../connection/request-facts.ts';

/**
 * Logs one line per answer: request id, method, path without its query, status, milliseconds from the first byte of the request to the last
 * byte of the answer, bytes sent with headers, and the principal, if any. The line says when the client did not read the answer to its end.
 */
export function addAccessLog(app: App, log: Pick<FastifyBaseLogger, 'info'> | undefined): void {
  if (log === undefined) return;
  const sentBefore = new WeakMap<Socket, number>();
  app.addHook('onResponse', (request, reply, done) => {
    const bytes = bytesSent(request.socket, sentBefore);
    if (!isProbe(request.routeOptions.url)) log.info(describe(request, reply, bytes), 'answered');
    done();
  });
}

/** Returns the bytes that a connection has sent since the previous call. */
function bytesSent(socket: Socket, sentBefore: WeakMap<Socket, number>): number {
  const bytes = socket.bytesWritten - (sentBefore.get(socket) ?? 0);
  sentBefore.set(socket, socket.bytesWritten);
  return bytes;
}

function describe(request: FastifyRequest, reply: FastifyReply, bytes: number): object {
  const principal = principalOf(request)?.subject;
  const [path] = request.url.split('?', 1);
  return {
    reqId: request.id,
    method: methodOf(request),
    path,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes,
    ...(principal === undefined ? {} : { principal }),
    ...(reply.raw.writableFinished ? {} : { aborted: true }),
  };
}
