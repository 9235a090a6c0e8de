import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnswersUnderWay } from './answers-under-way.ts';
import type { App } from '../fastify/app-type.ts';
import { commonHeaders, requestIdOf } from './common-headers.ts';
import { createSlowBodyGuard } from './slow-body.ts';

/** For `Fastify()`. Waits on the client are bounded here and by the slow-body guard. */
export const serverSettings = {
  // Bodies take as long as they take (the guard looks at their pace); headers do not.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  http: {
    headersTimeout: 15_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false, // Node's own answer has no body; ours is among the request rules
  },
  // Longer than any URL that the header limit lets through.
  routerOptions: { maxParamLength: 64 * 1024 },
  bodyLimit: Number.MAX_SAFE_INTEGER, // our own readers count
  return503OnClosing: false,
} as const;

const maxConnections = 25_000;
const closeGraceMs = 25_000;
const lingerMs = 5_000;

const statusByErrorCode: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['HPE_HEADER_OVERFLOW', 431],
]);

/** For what the HTTP parser itself refuses: bad syntax, headers that are too big or too slow. */
export function answerConnectionErrors(underWay: AnswersUnderWay) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    const answers = underWay.on(socket);
    // More bytes after `Connection: close` change nothing about the answer that closes it.
    if (error.code === 'HPE_CLOSED_CONNECTION' && answers.length > 0) return;
    const isInAnAnswer = answers.some(({ headersSent }) => headersSent); // ours would end up within it
    if (error.code === 'ECONNRESET' || !socket.writable || isInAnAnswer) socket.destroy();
    else answerRaw(socket, statusByErrorCode.get(error.code ?? '') ?? 400);
  };
}

/** Rules for connections rather than requests. */
export function guardConnections(app: App, underWay: AnswersUnderWay): void {
  const { server } = app;
  server.maxConnections = maxConnections;
  server.prependListener('request', underWay.watch);
  // Leave to send a body is given by who is about to read it.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const body = errorBody(417);
    const headers = { ...jsonHeaders(requestIdOf(request)), 'content-length': Buffer.byteLength(body) };
    response.writeHead(417, { ...headers, connection: 'close' });
    response.end(body);
  });
  server.on('connect', (_request, socket) => answerRaw(socket, 405));
  const slowBodies = createSlowBodyGuard((request) => answerRaw(request.socket, 408));
  server.on('request', slowBodies.watch);
  let closing: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    closing = setTimeout(() => server.closeAllConnections(), closeGraceMs);
  });
  app.addHook('onClose', async () => {
    clearTimeout(closing);
    slowBodies.close();
  });
}

/** An answer outside of any request's own; the connection closes after it. */
function answerRaw(socket: Duplex, status: number): void {
  if (socket.writableEnded || socket.destroyed) return;
  const body = errorBody(status);
  const headers = {
    ...jsonHeaders(randomUUID()),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...(status === 405 ? { allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT' } : {}),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  // What still comes in is read to nowhere for a while: a reset would hide the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function errorBody(status: number): string {
  return JSON.stringify({ error: (STATUS_CODES[status] ?? 'bad request').toLowerCase() });
}

function jsonHeaders(requestId: string): Record<string, string> {
  return { 'content-type': 'application/json; charset=utf-8', ...commonHeaders(requestId) };
}
