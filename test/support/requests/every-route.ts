import assert from 'node:assert/strict';
import { fetchRaw } from '../http/raw-http.ts';
import type { Row } from './status-rows.ts';

/** Public URL of the tested service, behind a proxy that serves it below a path. */
export const publicUrl = 'https://geo.example.kz/steppe';
const origin = 'https://any.example';

/** Headers that every page may read without exposure, that are meant for browsers and caches, or that belong to the connection. */
const needNoExposure =
  /^(?:cache-control|content-(?:encoding|language|length|type|security-policy)|cross-origin-opener-policy|connection|date|expires|keep-alive|referrer-policy|transfer-encoding|vary|x-accel-buffering|x-content-type-options|last-modified|access-control-.*)$/;
/** Text types, which may be compressed; event streams are not. */
const textTypes =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?(?:json|xml)\b|application\/javascript)/;

interface Request {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface WalkedRoute extends Request {
  /** True if the request changes nothing. */
  readonly isRead: boolean;
}

/** Paths that the description does not list. */
const undescribed = ['/', '/docs', '/docs/', '/docs/static/index.html', '/openapi.json'];
const jsonType = { 'content-type': 'application/json' };
const ping = {
  method: 'POST',
  path: '/mcp',
  headers: jsonType,
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
};
/** Paths whose POST only reads. */
const readByPost =
  /^\/(?:stac\/search|districts\/match|form-templates\/\{id\}\/forms|landscape\/(?:plans|gaps|runs\/\{id\}\/areas))$/;

/** Returns each operation with the request for which it succeeds. */
export function walkedRoutes(
  rows: readonly Row[],
  urlOf: (row: Row) => string,
  resolve: (text: string) => string,
): readonly WalkedRoute[] {
  const described = rows
    .filter(({ status, asked: { from } }) => status === 200 && from === undefined)
    .map((row) => {
      const { method, path, asked } = row;
      const isRead = method === 'GET' || (method === 'POST' && readByPost.test(path));
      const sent = asked.json === undefined ? undefined : resolve(JSON.stringify(asked.json));
      const headers = { ...asked.headers, ...(sent !== undefined && jsonType) };
      // With `wait=0`, the request succeeds also where no atlas has been made.
      const query = path.endsWith('/atlas.pdf') ? '?wait=0' : '';
      return { method, path: urlOf(row) + query, headers, body: sent, isRead };
    });
  const pages = undescribed.map((path) => ({ method: 'GET', path, isRead: true }));
  return [...described, ...pages, { ...ping, isRead: true }];
}

type Service = { readonly baseUrl: string };

async function ask({ baseUrl }: Service, { method, path, headers, body }: Request, more: object = {}) {
  return await fetchRaw(baseUrl + path, { method, headers: { origin, ...headers, ...more }, body });
}

/** Finds the addresses of this service in the headers and the body of an answer. */
export async function wrongAddresses(service: Service, route: Request): Promise<readonly string[]> {
  const { headers, bytes } = await ask(service, route);
  const named = [headers.get('location'), headers.get('content-location')].filter((value) => value !== null);
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>/g)].map(([, target = '']) => target);
  const isText = textTypes.test(headers.get('content-type') ?? '');
  const text = isText && !headers.has('content-encoding') ? bytes.toString() : '';
  const ofPage = [...text.matchAll(/(?:href|src|action)=["']([^"'#]*)/gi)].map(([, target = '']) => target);
  const own = new RegExp(`https?://${new URL(service.baseUrl).host}[^"'\\s<]*`, 'g');
  const written = [...text.matchAll(own)].map(([address]) => address);
  const asked = `${publicUrl}${route.path}`;
  const outside = [...named, ...links, ...ofPage]
    .filter((target) => target !== '' && !target.startsWith('data:'))
    .map((target) => new URL(target, asked).href)
    .filter((address) => address.startsWith(new URL(publicUrl).origin))
    .filter((address) => address !== publicUrl && !address.startsWith(`${publicUrl}/`));
  return [...outside, ...written];
}

/** Checks what pages of other origins may do with a route that all of them may read. */
export async function checkForPages(service: Service, route: WalkedRoute): Promise<void> {
  const preflight = await ask(
    service,
    { method: 'OPTIONS', path: route.path },
    {
      'access-control-request-method': route.method,
      'access-control-request-headers': 'content-type',
    },
  );
  const methods = preflight.headers.get('access-control-allow-methods')?.split(', ') ?? [];
  assert.equal(methods.includes(route.method), route.isRead);
  if (!route.isRead) {
    const refused = await ask(service, route);
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
    return;
  }
  const { status, headers } = await ask(service, route);
  assert.notEqual(status, 403);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? [];
  const unread = [...headers.keys()].filter((name) => !needNoExposure.test(name) && !exposed.includes(name));
  assert.deepEqual(unread, []);
}

/**
 * Calls every tool of the Model Context Protocol.
 * @returns the messages of those that failed
 */
export async function failedTools(
  service: Service,
  { raster, table, run }: { readonly raster: string; readonly table: string; readonly run: string },
): Promise<readonly string[]> {
  const place = { run_id: run, lon: 68.5, lat: 52 };
  const calls: readonly (readonly [tool: string, args: object])[] = [
    ['search_datasets', {}],
    ['describe_dataset', { dataset_id: raster }],
    ['describe_dataset', { dataset_id: table }],
    ['series', { dataset_id: table }],
    ['areas', { dataset_id: raster, by: 'district' }],
    ['areas', { dataset_id: raster, by: 'district', kato: '111000000' }],
    ['sheet_link', { dataset_id: raster }],
    ['districts', {}],
    ['districts', { level: 'district', at: '2020-01-01' }],
    ['districts', { names: ['Район', 'Восток'] }],
    ['runs', {}],
    ['runs', { run_id: run }],
    ['runs', { run_id: run, compare_with: run, node: '33' }],
    ['plan_run', {}],
    ['whatif', { run_id: run, v1_min_s_e3: 5 }],
    ['explain_place', place],
  ];
  const failed: string[] = [];
  for (const [name, args] of calls) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const { bytes } = await ask(service, { ...ping, body: JSON.stringify(message) });
    const { result, error } = JSON.parse(bytes.toString());
    if (result?.structuredContent === undefined) failed.push(`${name}: ${error ?? result?.content[0].text}`);
  }
  return failed;
}

/** Checks that text is sent compressed to a client that accepts encodings, and is otherwise equal. */
export async function checkCompression(service: Service, route: Request): Promise<void> {
  const plain = await ask(service, route);
  const type = plain.headers.get('content-type') ?? '';
  // A file with ranges is never encoded on the fly.
  const isFile =
    plain.headers.has('accept-ranges') && !plain.headers.get('vary')?.includes('Accept-Encoding');
  if (!textTypes.test(type) || plain.bytes.length < 1024 || isFile) return;
  assert.equal(plain.headers.get('content-encoding'), null);
  for (const encoding of ['br', 'gzip']) {
    const packed = await ask(service, route, { 'accept-encoding': encoding });
    const sent = packed.headers.get('content-encoding');
    // Content that is stored encoded, such as a table, may have only one encoding.
    if (sent === null && plain.headers.has('accept-ranges')) continue;
    assert.equal(sent, encoding);
    assert.match(packed.headers.get('vary') ?? '', /\bAccept-Encoding\b/);
    assert.ok(packed.bytes.length < plain.bytes.length);
    const tag = packed.headers.get('etag');
    if (tag !== null) assert.notEqual(tag, plain.headers.get('etag'));
    if (route.method !== 'GET') continue;
    const head = await ask(service, { ...route, method: 'HEAD' }, { 'accept-encoding': encoding });
    assert.equal(head.headers.get('content-encoding'), encoding);
    assert.equal(head.headers.get('etag'), tag);
  }
}

/** Checks conditional requests in each encoding: 304 when the client has the current version, 412 when its version is gone. */
export async function checkConditions(service: Service, route: Request): Promise<void> {
  for (const encoding of ['identity', 'gzip']) {
    const accepting = { 'accept-encoding': encoding };
    const { headers } = await ask(service, route, accepting);
    const etag = headers.get('etag');
    if (etag === null) return;
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const answer = await ask(service, route, { ...accepting, 'if-none-match': known });
      assert.deepEqual([answer.status, answer.bytes.length], [304, 0], known);
      if (known !== '*') assert.equal(answer.headers.get('etag'), etag);
      assert.equal(answer.headers.get('cache-control'), headers.get('cache-control'));
      const varied = answer.headers.get('vary')?.split(', ') ?? [];
      for (const name of headers.get('vary')?.split(', ') ?? []) assert.ok(varied.includes(name), name);
    }
    assert.equal((await ask(service, route, { ...accepting, 'if-match': '"other"' })).status, 412);
    assert.notEqual((await ask(service, route, { ...accepting, 'if-match': '*' })).status, 412);
    if (!textTypes.test(headers.get('content-type') ?? '')) return; // only one encoding is stored
  }
}
