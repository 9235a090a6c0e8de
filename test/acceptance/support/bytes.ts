import assert from 'node:assert/strict';
import { request as requestHttp, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Answer, Client } from '../client.ts';

export interface BytesAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** What comes over the wire, neither decoded nor asked for in an encoding that nobody named. */
export async function fetchBytes(
  { baseUrl }: Client,
  path: string,
  headers: OutgoingHttpHeaders = {},
  method = 'GET',
): Promise<BytesAnswer> {
  const request = baseUrl.startsWith('https:') ? requestHttps : requestHttp;
  const outgoing = request(baseUrl + path, { method, headers, agent: false });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.on('response', resolve).on('error', reject).end();
  const incoming = await promise;
  const bytes = Buffer.concat(await Array.fromAsync(incoming));
  assert.equal(incoming.headers['x-content-type-options'], 'nosniff', path);
  assert.ok(incoming.headers['x-request-id'], `${path} has no X-Request-Id`);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, bytes };
}

export interface RawPart {
  /** Whole lines, without the breaks between them. */
  readonly headers: readonly (string | Buffer)[];
  readonly content: string | Uint8Array;
}

/** Sends a form whose parts are written by hand. */
export async function sendRawParts(client: Client, path: string, parts: readonly RawPart[]): Promise<Answer> {
  const pieces = parts.flatMap(({ headers, content }) => [
    '--edge\r\n',
    ...headers.flatMap((line) => [line, '\r\n']),
    '\r\n',
    content,
    '\r\n',
  ]);
  const body = Buffer.concat([...pieces, '--edge--\r\n'].map((piece) => Buffer.from(piece)));
  return await client.ask('POST', path, {
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  });
}

export function textPart(name: string, content: string): RawPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content };
}
