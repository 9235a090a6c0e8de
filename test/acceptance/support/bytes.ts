import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { askAgainWhileBusy } from '../../support/http/ask-again.ts';
import { fetchRaw, openSocket, type RawPart, readAll, textPart } from '../../support/http/raw-http.ts';
import type { Asked, Client } from '../client.ts';
import { sharedCategory } from './datasets.ts';

/**
 * Fetches a body as sent over the wire, without decoding it and without accepting an encoding by default.
 * Expects the status, unless it is undefined.
 */
export async function fetchBytes(
  { baseUrl }: Pick<Client, 'baseUrl'>,
  status: number | undefined,
  path: string,
  { method = 'GET', headers = {} }: { readonly method?: string; readonly headers?: OutgoingHttpHeaders } = {},
) {
  const ask = async () => await fetchRaw(baseUrl + path, { method, headers });
  const answer = await (status === 503 ? ask() : askAgainWhileBusy(ask));
  if (status !== undefined)
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(headers)}`);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
  assert.ok(answer.headers.get('x-request-id'), `${path} has no X-Request-Id`);
  return { ...answer, headers: Object.fromEntries(answer.headers) };
}

/** The form of an upload whose file part has these headers. */
export async function rawUpload(
  client: Client,
  headers: RawPart['headers'],
  content: RawPart['content'] = 'II*\0 x',
  file_type = 'raster',
): Promise<Asked> {
  const category = textPart('category_id', await sharedCategory(client));
  return { raw: [textPart('file_type', file_type), category, { headers, content }] };
}

export interface RawAnswer {
  /** Statuses of interim answers, such as 100. */
  readonly interim: readonly number[];
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Writes bytes that an HTTP client would not send, and reads the answer, which must have this status; `saidAll` ends with a FIN. */
export async function exchange(
  baseUrl: string,
  status: number,
  chunks: readonly (string | Uint8Array)[],
  { saidAll = false } = {},
): Promise<RawAnswer> {
  const socket = await openSocket(baseUrl);
  for (const chunk of chunks) socket.write(chunk);
  if (saidAll) socket.end();
  const answer = parseAnswer(await readAll(socket, 'latin1'));
  assert.equal(answer.status, status, `${String(chunks[0]).slice(0, 200)} ${answer.text}`);
  return answer;
}

/** A request with an unescaped path and headers. */
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

export function filePart(filename: string, content: string | Uint8Array): RawPart {
  return { headers: [`Content-Disposition: form-data; name="file"; filename="${filename}"`], content };
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
