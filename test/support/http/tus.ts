import assert from 'node:assert/strict';
import { openSocket } from './raw-http.ts';

export const tus = { 'tus-resumable': '1.0.0' } as const;
export const octets = { ...tus, 'content-type': 'application/offset+octet-stream' } as const;

/** The header `Upload-Metadata` with these values. */
export function metadataOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`.trim())
    .join(',');
}

/** Begins an upload and returns its path. */
export async function begin(
  baseUrl: string,
  length: number,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const headers = { ...tus, 'upload-length': String(length), 'upload-metadata': metadataOf(values) };
  const answer = await fetch(`${baseUrl}/uploads`, { method: 'POST', headers });
  assert.equal(answer.status, 201, await answer.text());
  return answer.headers.get('location') ?? assert.fail('no location');
}

/** Sends bytes from an offset. */
export async function append(
  url: string,
  offset: number,
  bytes: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const all = { ...octets, 'upload-offset': String(offset), ...headers };
  return await fetch(url, { method: 'PATCH', headers: all, body: bytes });
}

/** Number of bytes of an upload that the service has received. */
export async function offsetOf(url: string): Promise<number> {
  const answer = await fetch(url, { method: 'HEAD', headers: tus });
  assert.equal(answer.status, 200);
  return Number(answer.headers.get('upload-offset'));
}

/** Announces `length` bytes, sends only these, and leaves the connection open. */
export async function beginToSend(
  url: string,
  {
    offset,
    length,
    bytes,
  }: { readonly offset: number; readonly length: number; readonly bytes: string | Buffer },
) {
  const { origin, host, pathname } = new URL(url);
  const socket = await openSocket(origin);
  const lines = { host, ...octets, 'upload-offset': offset, 'content-length': length };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PATCH ${pathname} HTTP/1.1\r\n${head.join('')}\r\n`);
  socket.write(bytes);
  return socket;
}
