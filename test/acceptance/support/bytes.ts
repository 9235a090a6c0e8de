import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { fetchRaw, formType, rawForm, type RawPart } from '../../support/raw-http.ts';
import type { Answer, Client } from '../client.ts';

/** Fetches bytes as they come over the wire, neither decoded nor asked for in an encoding that nobody named. */
export async function fetchBytes(
  { baseUrl }: Client,
  path: string,
  headers: OutgoingHttpHeaders = {},
  method = 'GET',
) {
  const answer = await fetchRaw(baseUrl + path, { method, headers });
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
  assert.ok(answer.headers.get('x-request-id'), `${path} has no X-Request-Id`);
  return { ...answer, headers: Object.fromEntries(answer.headers) };
}

/** Sends a form whose parts are written by hand. */
export async function sendRawParts(client: Client, path: string, parts: readonly RawPart[]): Promise<Answer> {
  return await client.ask('POST', path, { body: rawForm(parts), headers: formType });
}
