import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { App } from '../request/schemas.ts';
import { commonHeaders, requestIdOf } from './common-headers.ts';
import { createSlowBodyGuard } from './slow-clients.ts';

/** Options for `Fastify()`. These and the guards of slow clients limit the time spent waiting for a client. */
export const serverSettings = {
  // The slow-body guard limits the pace of bodies, not their duration.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  http: {
    // A client that keeps to `Keep-Alive: timeout=65`, but is late, still finds its connection open.
    keepAliveTimeoutBuffer: 10_000,
    headersTimeout: 15_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false, // Node's own answer has no body; the request rules check the header
  },
  // Longer than any URL within the header limit.
  routerOptions: { maxParamLength: 64 * 1024 },
  bodyLimit: Number.MAX_SAFE_INTEGER, // our own readers limit bodies
  return503OnClosing: false,
} as const;

const maxConnections = 25_000;
const lingerMs = 5_000;

const statusByErrorCode: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['HPE_HEADER_OVERFLOW', 431],
]);

/** Creates the guard that limits connections and answers CONNECT, upgrades and parse errors on them. */
export function createConnectionGuard() {
  const underWay = new WeakMap<Duplex, Set<ServerResponse>>();

  function watch({ socket }: IncomingMessage, response: ServerResponse): void {
    const answers = underWay.get(socket) ?? new Set();
    underWay.set(socket, answers.add(response));
    response.once('close', () => answers.delete(response));
  }

  /** Answers errors of the HTTP parser: bad syntax, headers that are too large or too slow. */
  function answerError(error: Error & { code?: string }, socket: Duplex): void {
    const answers = [...(underWay.get(socket) ?? [])];
    // Bytes after `Connection: close` do not affect the answer that closes it.
    if (error.code === 'HPE_CLOSED_CONNECTION' && answers.length > 0) return;
    const isInAnAnswer = answers.some(({ headersSent }) => headersSent); // a second answer would end up inside it
    if (error.code === 'ECONNRESET' || !socket.writable || isInAnAnswer) socket.destroy();
    else answerRaw(socket, statusByErrorCode.get(error.code ?? '') ?? 400);
  }

  function guard(app: App): void {
    const { server } = app;
    server.maxConnections = maxConnections;
    server.prependListener('request', watch);
    // The body reader sends 100 Continue.
    server.on('checkContinue', (request, response) => void server.emit('request', request, response));
    server.on('checkExpectation', (request, response) => {
      const { headers, body } = lastAnswer(417, requestIdOf(request));
      response.writeHead(417, headers).end(body);
    });
    server.on('connect', (_request, socket) => answerRaw(socket, 405));
    const slowBodies = createSlowBodyGuard((request) => answerRaw(request.socket, 408));
    server.on('request', slowBodies.watch);
    app.addHook('onClose', async () => slowBodies.close());
  }

  return { answerError, guard };
}

/** Writes an answer without a request and closes the connection. */
function answerRaw(socket: Duplex, status: number): void {
  if (socket.writableEnded || socket.destroyed) return;
  const { headers, body } = lastAnswer(status, randomUUID());
  if (status === 405) headers['allow'] = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  // Discards incoming bytes for a while: a reset would hide the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Returns an error answer after which the connection closes. */
function lastAnswer(status: number, requestId: string) {
  const body = JSON.stringify({ error: (STATUS_CODES[status] ?? 'bad request').toLowerCase() });
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    ...commonHeaders(requestId),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { headers, body };
}
