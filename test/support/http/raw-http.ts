import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectSecure } from 'node:tls';

/** Writes bytes and reads until the answer is complete or the connection ends. */
export async function exchange(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  const socket = await openSocket(port);
  for (const chunk of chunks) socket.write(chunk);
  return await readAll(socket);
}

/** Like `exchange`, but ends its side with a FIN. */
export async function exchangeAndEnd(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  const socket = await openSocket(port);
  for (const chunk of chunks) socket.write(chunk);
  socket.end();
  return await readAll(socket);
}

/** Writes `totalBytes` of body before it reads any answer. */
export async function exchangeEagerly(
  port: number,
  head: string,
  totalBytes: number,
  chunk: Buffer = Buffer.alloc(64 * 1024),
): Promise<string> {
  const socket = await openSocket(port);
  socket.pause();
  socket.write(head);
  for (let written = 0; written < totalBytes && socket.writable; written += chunk.length) {
    if (!socket.write(chunk)) await drained(socket);
  }
  return await readAll(socket);
}

async function drained(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => resolve();
  socket.once('drain', done).once('close', done);
  await promise;
  socket.off('drain', done).off('close', done);
}

/**
 * Connects to a port or a URL.
 * @param target a port of this machine, or the base URL of a service
 */
export async function openSocket(target: number | string): Promise<Socket> {
  const { protocol, hostname, port } = new URL(
    typeof target === 'number' ? `http://127.0.0.1:${target}` : target,
  );
  const secure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const place = { host, port: Number(port || (secure ? 443 : 80)), allowHalfOpen: true };
  const socket = secure ? connectSecure(place) : connect(place);
  socket.on('error', () => undefined); // bytes that arrived before a reset count
  await once(socket, secure ? 'secureConnect' : 'connect');
  return socket;
}

/** Reads until the last answer is complete by its own length, or the connection ends. */
export async function readAll(socket: Socket, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<string> {
  let text = '';
  const complete = Promise.withResolvers<void>();
  socket.setEncoding(encoding).on('data', (part: string) => {
    text += part;
    const last = text.slice(text.lastIndexOf('HTTP/1.1 '));
    const bodyStart = last.indexOf('\r\n\r\n') + 4;
    const [, length] = /^content-length: (\d+)\r$/im.exec(last.slice(0, bodyStart)) ?? [];
    const bodyBytes = Buffer.byteLength(last.slice(bodyStart), encoding);
    if (length !== undefined && bodyStart > 3 && bodyBytes >= Number(length)) complete.resolve();
  });
  socket.once('end', complete.resolve).once('close', complete.resolve).resume();
  await Promise.race([complete.promise, delay(15_000, undefined, { ref: false })]);
  socket.destroy();
  return text;
}

/** A request with this body and its length. */
export function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = '',
): string {
  const lines = Object.entries({
    host: 'test',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body.toString()}`;
}

export interface RawPart {
  /** Whole lines, without line breaks. */
  readonly headers: readonly (string | Uint8Array)[];
  readonly content: string | Uint8Array;
}

export const formType = { 'content-type': 'multipart/form-data; boundary=edge' } as const;

/** A form with the given part headers and contents, unescaped; its end may be left out. */
export function rawForm(parts: readonly RawPart[], end = '--edge--\r\n'): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap(({ headers, content }) => [
    '--edge\r\n',
    ...headers.flatMap((header) => [header, '\r\n']),
    '\r\n',
    content,
    '\r\n',
  ]);
  return new Uint8Array(Buffer.concat([...pieces, end].map((piece) => Buffer.from(piece))));
}

export function textPart(name: string, content: string | Uint8Array): RawPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content };
}

interface RawRequest {
  readonly method?: string;
  /** Headers including Host and Origin, which `fetch` would set itself. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | undefined;
}

/** Sends exactly these headers, and reads the body without decoding it. */
export async function fetchRaw(url: string, { method = 'GET', headers = {}, body }: RawRequest = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const path = url.replace(/^https?:\/\/[^/]+/, ''); // Unresolved path; a URL would resolve `..`
  const outgoing = send(url, { method, path, headers, agent: false });
  outgoing.on('response', resolve).on('error', reject).end(body);
  const incoming = await promise;
  const received = Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  return {
    status: incoming.statusCode ?? 0,
    headers: new Headers(received),
    bytes: Buffer.concat(await Array.fromAsync(incoming)),
  };
}
