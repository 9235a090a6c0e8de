import assert from 'node:assert/strict';
import { fetchRaw } from '../http/raw-http.ts';
import type { Row } from './status-rows.ts';

/** Where the service that is walked over is found by others, behind a proxy that keeps a path for it. */
export const publicUrl = 'https://geo.example.kz/steppe';
const origin = 'https://any.example';

/** Headers that every page may read of every answer, that are meant for browsers and caches, or that belong to the connection. */
const needNoExposure =
  /^(?:cache-control|content-(?:encoding|language|length|type|security-policy)|cross-origin-opener-policy|connection|date|expires|keep-alive|referrer-policy|transfer-encoding|vary|x-accel-buffering|x-content-type-options|last-modified|access-control-.*)$/;
/** What is text, and may be compressed: a stream of events is not. */
const textTypes =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?(?:json|xml)\b|application\/javascript)/;

interface Request {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface WalkedRoute extends Request {
  /** Whether it changes nothing. */
  readonly isRead: boolean;
}

/** What is in no description. */
const undescribed = ['/', '/docs', '/docs/', '/docs/static/index.html', '/openapi.json'];
const jsonType = { 'content-type': 'application/json' };
const ping = {
  method: 'POST',
  path: '/mcp',
  headers: jsonType,
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
};
/** What POST only reads. */
const readByPost = /^\/(?:stac\/search|districts\/match|landscape\/(?:plans|gaps|runs\/\{id\}\/areas))$/;

/** Returns every operation by the request with which it succeeds. */
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
      // It says its own address, so that this service has none that is made.
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

/** Finds the addresses of this service in an answer: in its headers, and in its text. */
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

/** Looks at what pages of other origins may do with a route where all of them may read. */
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

/** Calls every tool of the Model Context Protocol. @returns what each has said, where it has failed */
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

/** Looks at how a text goes to a client that accepts encodings: compressed, and equal in all else. */
export async function checkCompression(service: Service, route: Request): Promise<void> {
  const plain = await ask(service, route);
  const type = plain.headers.get('content-type') ?? '';
  // A file with ranges is what its bytes are.
  const isFile =
    plain.headers.has('accept-ranges') && !plain.headers.get('vary')?.includes('Accept-Encoding');
  if (!textTypes.test(type) || plain.bytes.length < 1024 || isFile) return;
  assert.equal(plain.headers.get('content-encoding'), null);
  for (const encoding of ['br', 'gzip']) {
    const packed = await ask(service, route, { 'accept-encoding': encoding });
    const sent = packed.headers.get('content-encoding');
    // What is encoded once and for all, such as a table, may know one encoding alone.
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

/** Looks at how a route treats the conditions of a client, in any encoding: 304 to what it has, 412 to what has gone. */
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
    if (!textTypes.test(headers.get('content-type') ?? '')) return; // it has one encoding
  }
}
