import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

export interface RawAnswer {
  /** Statuses of the answers before the last, such as 100. */
  readonly interim: readonly number[];
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const patienceMs = 30_000;

/** Writes bytes that no HTTP client would, and reads the answer; `saidAll` ends with a FIN. */
export async function exchange(
  baseUrl: string,
  chunks: readonly (string | Uint8Array)[],
  { saidAll = false } = {},
): Promise<RawAnswer> {
  const socket = await openSocket(baseUrl);
  try {
    for (const chunk of chunks) socket.write(chunk);
    if (saidAll) socket.end();
    return parseAnswer(await readAnswer(socket));
  } finally {
    socket.destroy();
  }
}

/** A request whose path and headers are sent as they stand here. */
export function request(
  baseUrl: string,
  line: `${string} ${string}`,
  headers: readonly string[] = [],
): string {
  const [method = '', path = ''] = line.split(' ');
  const { host, pathname } = new URL(baseUrl);
  const start = `${method} ${pathname.replace(/\/$/, '')}${path} HTTP/1.1\r\n`;
  return `${start}host: ${host}\r\nconnection: close\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
}

/** One chunk of a chunked body, or its end. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

export interface RawPart {
  readonly headers: readonly (string | Uint8Array)[];
  readonly content: string | Uint8Array;
}

export const formType = { 'content-type': 'multipart/form-data; boundary=edge' } as const;

/** A form whose part headers and contents are sent as they stand here; it may lack its end. */
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

/** A text part as any client would send it. */
export function textPart(name: string, content: string | Uint8Array): RawPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content };
}

export function filePart(filename: string, content: string | Uint8Array): RawPart {
  return { headers: [`Content-Disposition: form-data; name="file"; filename="${filename}"`], content };
}

async function openSocket(baseUrl: string): Promise<Socket> {
  const { protocol, hostname, port } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'https:';
  const target = { host, port: Number(port === '' ? (secure ? 443 : 80) : port), allowHalfOpen: true };
  const socket = secure ? connectSecure(target) : connectPlain(target);
  socket.on('error', () => undefined); // what was read before a reset is what counts
  await once(socket, secure ? 'secureConnect' : 'connect');
  return socket;
}

/** Reads until the answer is complete by its own length, or the connection ends. */
async function readAnswer(socket: Socket): Promise<string> {
  let text = '';
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(resolve, patienceMs);
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
    if (isComplete(text)) resolve();
  });
  socket.once('end', resolve).once('close', resolve);
  await complete;
  clearTimeout(late);
  return text;
}

function isComplete(text: string): boolean {
  const { rest } = skipInterim(text);
  const bodyStart = rest.indexOf('\r\n\r\n') + 4;
  const [, length] = /^content-length: (\d+)\r$/im.exec(rest.slice(0, bodyStart)) ?? [];
  return bodyStart > 3 && length !== undefined && rest.length - bodyStart >= Number(length);
}

function skipInterim(text: string): { readonly interim: readonly number[]; readonly rest: string } {
  const [, status] = /^HTTP\/1\.1 (1\d\d) .*?\r\n\r\n/s.exec(text) ?? [];
  if (status === undefined) return { interim: [], rest: text };
  const { interim, rest } = skipInterim(text.slice(text.indexOf('\r\n\r\n') + 4));
  return { interim: [Number(status), ...interim], rest };
}

function parseAnswer(bytes: string): RawAnswer {
  const { interim, rest } = skipInterim(bytes);
  const bodyStart = rest.indexOf('\r\n\r\n') + 4;
  const [statusLine = '', ...lines] = rest.slice(0, bodyStart - 4).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  assert.equal(headers.get('x-content-type-options'), 'nosniff', rest);
  assert.ok(headers.get('x-request-id'), rest);
  const text = Buffer.from(rest.slice(bodyStart), 'latin1').toString();
  return { interim, status: Number(statusLine.split(' ')[1]), headers, text };
}
