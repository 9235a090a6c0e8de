import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';

export interface Asked {
  /** Host and Origin too, which `fetch` would write itself. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with exactly these headers. Whatever the answer, it carries what every answer carries. */
export async function ask(
  { port }: { readonly port: number },
  method: string,
  path: string,
  { headers = {}, body }: Asked = {},
) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  outgoing.on('response', resolve).on('error', reject).end(body);
  const incoming = await promise;
  const received = Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  const answer = {
    status: incoming.statusCode ?? 0,
    headers: new Headers(received),
    text: Buffer.concat(await Array.fromAsync(incoming)).toString(),
  };
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`);
  assert.ok(answer.headers.get('x-request-id'), `${method} ${path}`);
  if (answer.status >= 400 && method !== 'HEAD') assert.match(answer.text, /^\{"errors?":/);
  return answer;
}
