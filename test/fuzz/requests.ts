import * as fc from 'fast-check';
import type { Document, Operation, Parameter } from './document.ts';
import { type Form, formsOf, writeForm } from './forms.ts';
import { jsonBodies } from './json-bodies.ts';
import { nastyUrlText, strangeQuery } from './nasty.ts';
import type { Pool, ResourceKind } from './pool.ts';
import { idOf, valuesOf } from './values.ts';

/** A request as it goes out. */
export interface FuzzRequest {
  readonly operation: Operation;
  /** That of the operation, or another one. */
  readonly method: string;
  /** Values of the parameters in the path, as they are before they are escaped. */
  readonly pathValues: Readonly<Record<string, string>>;
  /** Text added behind the path, which then leads nowhere or cannot be read. */
  readonly pathEnd: string;
  /** The text behind the question mark. */
  readonly query: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** The form that `body` was written from, if any. */
  readonly form: Form | undefined;
}

/** A request whose ids are references still, so that it can be drawn, shrunk and drawn again. */
export interface Draft {
  readonly operation: Operation;
  readonly method: string;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly pathEnd: string;
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly moreQuery: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Form | undefined;
}

const ownerOfPath: readonly (readonly [prefix: string, ResourceKind])[] = [
  ['/categories/', 'category'],
  ['/dataset-groups/', 'group'],
  ['/datasets/', 'dataset'],
  ['/landscape/runs/', 'run'],
];

/** The kind of resource that the id in a path names; undefined when there is none. */
export function kindOfPath(path: string): ResourceKind | undefined {
  if (!path.includes('{id}')) return undefined;
  return ownerOfPath.find(([prefix]) => path.startsWith(prefix))?.[1];
}

/** The kinds of resource that suit an operation: an id of any other dataset is refused for its type. */
function drawnKinds(path: string): readonly ResourceKind[] {
  const kind = kindOfPath(path);
  if (kind === undefined) return [];
  if (/\.(?:cog|png)$|wmts$/.test(path)) return [kind, 'raster'];
  if (/\.(?:geojson|mvt)$/.test(path)) return [kind, 'vector', 'vector_with_kato'];
  return /mapping$|observations$|series$/.test(path)
    ? [kind, 'vector_with_kato', 'vector_with_kato']
    : [kind];
}

/** Work for a child process or the queue, and what empties the pool, comes less often. */
function weightOf({ method, path }: Operation): number {
  if (method === 'POST' && (path === '/datasets' || path.startsWith('/landscape/slots'))) return 2;
  if (method === 'DELETE' || path === '/landscape/runs') return 2;
  if (['/readyz', '/healthz', '/capabilities', '/districts.geojson'].includes(path)) return 1;
  return method === 'GET' ? 3 : 5;
}

/** Requests for every operation of a service. `codes` are those of its slots. */
export function drafts(document: Document, codes: readonly string[]): fc.Arbitrary<Draft> {
  return fc.oneof(
    ...document.operations.map((operation) => ({
      weight: weightOf(operation),
      arbitrary: draftsOf(operation, document, codes),
    })),
  );
}

const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND QUERY'.split(' ');
const pathEnds = '%zz % %ff %00 %ED%A0%80 / /.. ;x .json /%2e%2e %2F'.split(' ');

const mediaTypes = [
  'application/json',
  'text/plain',
  'garbage',
  'multipart/form-data',
  'application/x-www-form-urlencoded; charset=x',
];
const harmlessHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.record(
  {
    range: fc.constantFrom(
      'bytes=0-0',
      'bytes=-1',
      'bytes=999999999-',
      'bytes=5-1',
      'bytes=0-1,3-4',
      'lines=1-2',
      'x',
      `bytes=0-${'9'.repeat(40)}`,
    ),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"x"', 'x'),
    'if-range': fc.constantFrom('"x"', 'Wed, 21 Oct 2015 07:28:00 GMT', 'x'),
    'accept-encoding': fc.constantFrom('gzip', 'br;q=0', 'identity;q=0', '*;q=0', ';;', 'gzip;q=x'),
    accept: fc.constantFrom('text/html', 'x', 'application/json;q=0'),
    'x-request-id': fc.constantFrom('my-id', 'a b', 'x'.repeat(200), '"><'),
    'x-http-method-override': fc.constant('DELETE'),
    'x-forwarded-proto': fc.constant('https'),
    cookie: fc.constant('a=b; c'),
  },
  { requiredKeys: [], noNullPrototype: true },
);

function draftsOf(operation: Operation, document: Document, codes: readonly string[]): fc.Arbitrary<Draft> {
  const { definitions } = document;
  const { method, path, parameters, requestBody } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const siblings = document.operations.filter((each) => each.path === path).map((each) => each.method);
  const otherMethods = methods.filter((each) => !siblings.includes(each));
  const kinds = drawnKinds(path);
  const pathValue = orNasty(kinds.length === 0 ? fc.constantFrom(...codes) : fc.oneof(...kinds.map(idOf)));
  const named = inPath.filter(({ name }) => !isOfTile(name));
  const isOfPixels = path.endsWith('.png');
  const [[mediaType, media] = ['', undefined]] = Object.entries(requestBody?.content ?? {});
  const schema = media?.schema ?? {};
  const bodies: fc.Arbitrary<string | Form | undefined> =
    media === undefined
      ? fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constantFrom('{}', '{', 'x'))
      : mediaType === 'multipart/form-data'
        ? formsOf(schema, definitions)
        : fc.oneof({ weight: 9, arbitrary: jsonBodies(schema, definitions) }, fc.constant(undefined));
  return fc.record({
    operation: fc.constant(operation),
    method: fc.oneof({ weight: 30, arbitrary: fc.constant(method) }, fc.constantFrom(...otherMethods)),
    pathValues: fc
      .tuple(
        fc.record(Object.fromEntries(named.map(({ name }) => [name, pathValue])), { noNullPrototype: true }),
        named.length === inPath.length ? fc.constant({}) : tilesOf(isOfPixels),
      )
      .map(([names, tile]) => ({ ...names, ...tile })),
    pathEnd: fc.oneof({ weight: 60, arbitrary: fc.constant('') }, fc.constantFrom(...pathEnds)),
    pairs: fc
      .tuple(...inQuery.map((parameter) => pairsOf(parameter, document)))
      .map((pairs) => keepingWaitsShort(pairs.flat())),
    moreQuery: fc.oneof({ weight: 15, arbitrary: fc.constant('') }, strangeQuery),
    headers: fc
      .tuple(
        fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, harmlessHeaders),
        fc.oneof({ weight: 6, arbitrary: fc.constant('application/json') }, fc.constantFrom(...mediaTypes)),
      )
      .map(([headers, contentType]) => ({ ...headers, 'content-type': contentType })),
    body: bodies,
  });
}

function orNasty(ordinary: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: ordinary },
    { weight: 1, arbitrary: nastyUrlText.filter(staysInItsPlace) },
  );
}

const maxZoom = 22;
const maxPlace = 2 ** 24;

/** Places of tiles, most of them within their zoom, and those near the world as a whole most often. */
function tilesOf(isOfPixels: boolean): fc.Arbitrary<Readonly<Record<string, string>>> {
  const index = fc.nat({ max: maxPlace });
  const ordinary = fc
    .tuple(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: maxZoom })), index, index)
    .map(([z, x, y]) => [z, x % 2 ** z, y % 2 ** z]);
  const anywhere = fc.tuple(fc.nat({ max: maxZoom }), index, index);
  const end = fc.constantFrom('', ...(isOfPixels ? ['@2x'] : []));
  return fc
    .oneof({ weight: 9, arbitrary: ordinary }, { weight: 1, arbitrary: anywhere })
    .chain(([z = 0, x = 0, y = 0]) =>
      fc.record(
        {
          z: orNasty(fc.constant(`${z}`)),
          x: orNasty(fc.constant(`${x}`)),
          y: orNasty(end.map((text) => `${y}${text}`)),
        },
        { noNullPrototype: true },
      ),
    );
}

function isOfTile(name: string): boolean {
  return ['z', 'x', 'y'].includes(name);
}

/** Not sent, sent as it should be, sent with any value, sent twice. */
function pairsOf(
  { name, schema }: Parameter,
  { definitions }: Document,
): fc.Arbitrary<readonly (readonly [string, string])[]> {
  const valid = valuesOf(schema, definitions, name)
    .map((value): readonly [string, string] => [name, String(value).toWellFormed()])
    .filter(([, text]) => encodeURIComponent(text).length < 3000);
  const any = nastyUrlText.map((text): readonly [string, string] => [name, text]);
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: valid.map((pair) => [pair]) },
    { weight: 1, arbitrary: any.map((pair) => [pair]) },
    { weight: 1, arbitrary: fc.tuple(valid, valid) },
  );
}

/** Whoever names the status that a dataset has is made to wait, for 25 seconds unless told. */
function keepingWaitsShort(
  pairs: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  if (!pairs.some(([name]) => name === 'current')) return pairs;
  return pairs
    .filter(([name, value]) => name !== 'wait' || !(Number(value) > 1))
    .concat(pairs.some(([name, value]) => name === 'wait' && !(Number(value) > 1)) ? [] : [['wait', '0']]);
}

/**
 * Tells whether a value leads to the operation that it is meant for: `.cog` is an operation of its own, and the router looks
 * for it on the first line only. What it takes for the id of a dataset instead is as malformed.
 */
function staysInItsPlace(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/\.(?:cog|geojson)$|[\n\r\u2028\u2029]/.test(text);
}

/** The request that a draft stands for now. */
export function requestOf(draft: Draft, pool: Pool): FuzzRequest {
  const { operation, method, moreQuery } = draft;
  const escape = (text: string): string => encodeURIComponent(text.toWellFormed());
  const pathValues = Object.fromEntries(
    Object.entries(draft.pathValues).map(([name, value]) => [name, pool.resolve(value)]),
  );
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    escape(pathValues[name] ?? ''),
  );
  const pairs = draft.pairs.map(([name, value]) => `${escape(name)}=${escape(pool.resolve(value))}`);
  const query = (pairs.join('&') + moreQuery).replace(/^&/, '');
  const form = typeof draft.body === 'object' ? resolveForm(draft.body, pool) : undefined;
  const written = form === undefined ? undefined : writeForm(form);
  const text = typeof draft.body === 'string' ? pool.resolve(draft.body) : written?.bytes;
  return {
    operation,
    method,
    pathValues,
    pathEnd: draft.pathEnd,
    query,
    url: path + draft.pathEnd + (query === '' && !moreQuery.startsWith('?') ? '' : `?${query}`),
    headers:
      written === undefined ? draft.headers : { ...draft.headers, 'content-type': written.contentType },
    body: text === undefined ? undefined : Buffer.from(text, 'latin1'),
    form,
  };
}

function resolveForm(form: Form, pool: Pool): Form {
  const parts = form.parts.map((part) => ({ ...part, bytes: pool.resolve(part.bytes) }));
  return { ...form, parts };
}
