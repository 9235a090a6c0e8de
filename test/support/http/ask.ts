import assert from 'node:assert/strict';
import { fetchRaw } from './raw-http.ts';

/** Sends a request with exactly these headers, and checks what every answer must carry. */
export async function ask(
  { port }: { readonly port: number },
  method: string,
  path: string,
  asked: Omit<NonNullable<Parameters<typeof fetchRaw>[1]>, 'method'> = {},
) {
  const { status, headers, bytes } = await fetchRaw(`http://127.0.0.1:${port}${path}`, { ...asked, method });
  const answer = { status, headers, text: bytes.toString() };
  assert.equal(headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`);
  assert.ok(headers.get('x-request-id'), `${method} ${path}`);
  if (status >= 400 && method !== 'HEAD') assert.match(answer.text, /^\{"errors?":/);
  return answer;
}
