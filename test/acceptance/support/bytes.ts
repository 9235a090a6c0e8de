import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { fetchRaw, type RawPart, textPart } from '../../support/raw-http.ts';
import type { Asked, Client } from '../client.ts';
import { sharedCategory } from './datasets.ts';

/** Fetches bytes as they come over the wire, neither decoded nor asked for in an unnamed encoding; expects the status, unless it is undefined. */
export async function fetchBytes(
  { baseUrl }: Pick<Client, 'baseUrl'>,
  status: number | undefined,
  path: string,
  { method = 'GET', headers = {} }: { readonly method?: string; readonly headers?: OutgoingHttpHeaders } = {},
) {
  const answer = await fetchRaw(baseUrl + path, { method, headers });
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
  content = 'II*\0 x',
  file_type = 'raster',
): Promise<Asked> {
  const category = textPart('category_id', await sharedCategory(client));
  return { raw: [textPart('file_type', file_type), category, { headers, content }] };
}
