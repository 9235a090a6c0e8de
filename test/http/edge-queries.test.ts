import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, insertGroup, send, upload } from '../support/datasets.ts';
import { describedOperations, type Operation, type Schema } from '../support/operations.ts';
import { exchange, request } from '../support/raw-http.ts';

interface Page {
  readonly error?: string;
  readonly data: readonly unknown[];
  readonly total: number;
}

let app: TestApp;
let operations: readonly Operation[] = [];
let category = '';
let group = '';
let dataset = '';
let run = '';
before(async () => {
  app = await startTestApp({ landscape: true });
  operations = await describedOperations(app);
  category = await insertCategory(app.services.db);
  group = await insertGroup(app.services.db);
  dataset = (await upload(app, { category_id: category, dg_id: group })).id;
  run = (await send(app, '/landscape/runs', { method: 'POST' })).body.id;
});
after(async () => await app.close());

/** The path of something that is there. */
function pathOf(path: string, id?: string): string {
  if (path.startsWith('/categories')) return path.replace('{id}', id ?? category);
  if (path.startsWith('/dataset-groups')) return path.replace('{id}', id ?? group);
  if (path.startsWith('/landscape/runs')) return path.replace('{id}', id ?? run);
  return path.replace('{id}', id ?? dataset).replace('{code}', 'landscape-in-dem');
}

const numbers = [
  '-1',
  '1.0',
  '1e3',
  '0x10',
  '%201',
  '1%20',
  '+1',
  '%2B1',
  '%D9%A1',
  '',
  'NaN',
  `1${'0'.repeat(30)}`,
];
const dates = [
  '2024-02-30',
  '2023-02-29',
  '2024-13-01',
  '2024-1-1',
  '10000-01-01',
  '0000-01-01',
  '0001-01-01%20BC',
  'infinity',
  '-infinity',
  'today',
  'now',
  '2024-01-01T00:00:00Z',
  '20240101',
  '2024-W01-1',
  '',
];
const uuids = [
  'x',
  '',
  '{00000000-0000-0000-0000-000000000000}',
  'urn:uuid:00000000-0000-0000-0000-000000000000',
  '0'.repeat(32),
  '00000000-0000-0000-0000-0000000000000',
  '%00',
  '0000000g-0000-0000-0000-000000000000',
];

/** What a parameter of this schema must not be. */
function malformed({ type, format, enum: values }: Schema): readonly string[] {
  if (type === 'integer') return [...numbers, '0x1', '9223372036854775808'];
  if (type === 'boolean') return ['on', '1', 'yes', 'TRUE', 'True', '0', '', '%20true'];
  if (format === 'date') return dates;
  if (format === 'uuid') return uuids;
  if (values !== undefined)
    return [...values.map((value) => value.toUpperCase()), values.join(','), '', 'nope'];
  return [];
}

test('every kind of parameter is among those that are tried', () => {
  const schemas = operations.flatMap(({ query }) => query.map(({ schema }) => schema));
  for (const kind of [
    ({ type }: Schema) => type === 'integer',
    ({ type }: Schema) => type === 'boolean',
    ({ format }: Schema) => format === 'date',
    ({ format }: Schema) => format === 'uuid',
    (schema: Schema) => schema.enum !== undefined,
  ]) {
    assert.ok(schemas.some(kind), kind.toString());
  }
});

test('a parameter that is malformed, sent twice, or holds U+0000 or no UTF-8 is 400, whatever the operation', async () => {
  for (const { method, path, query } of operations) {
    for (const { name, schema } of query) {
      const good = schema.enum?.[0] ?? '1';
      const queries = [...malformed(schema), '%00', '%ff', 'a%00b'].map((value) => `${name}=${value}`);
      for (const sent of [...queries, `${name}=${good}&${name}=${good}`]) {
        const { status, body } = await send<Page>(app, `${pathOf(path)}?${sent}`, { method });
        assert.deepEqual([status, typeof body.error], [400, 'string'], `${method} ${path} ${sent}`);
      }
    }
  }
});

test('bounds hold at each of them', async () => {
  for (const [path, bad] of [
    ['/datasets', 'page=0'],
    ['/datasets', 'page_size=0'],
    ['/datasets', 'page_size=101'],
    ['/datasets/{id}/status', 'wait=61'],
    ['/datasets/{id}/status', 'wait=1000000000'],
    ['/datasets/{id}/status', 'current=nope'],
  ] as const) {
    assert.equal((await send(app, `${pathOf(path)}?${bad}`)).status, 400, bad);
  }
});

test('a page past the end is empty and knows the total, however far it is', async () => {
  const paged = operations.filter(({ query }) => query.some(({ name }) => name === 'page'));
  assert.equal(paged.length, 4);
  for (const { path } of paged) {
    const first = await send<Page>(app, pathOf(path));
    for (const page of ['2', '2147483648', '4611686018427387904'.slice(0, 15), '9007199254740991']) {
      const { status, body } = await send<Page>(app, `${pathOf(path)}?page=${page}&page_size=100`);
      assert.deepEqual([status, body.data, body.total], [200, [], first.body.total], `${path} ${page}`);
    }
  }
});

test('an id that is no uuid is 400, and one in upper case is the same resource', async () => {
  const withId = operations.filter(({ path }) => path.includes('{id}'));
  assert.ok(withId.length >= 20);
  for (const { method, path, bodyKind } of withId) {
    const body = bodyKind === 'json' ? { body: '{}' } : {};
    for (const id of uuids.filter((each) => each !== '')) {
      const { status } = await send(app, pathOf(path, id), { method, ...body });
      assert.equal(status, 400, `${method} ${path} ${id}`);
    }
    if (method !== 'GET') continue;
    const lower = await send(app, pathOf(path));
    const upper = await send(
      app,
      pathOf(path)
        .toUpperCase()
        .replace(/^\/[^0-9]+\/|[./][A-Z]+$/g, (part) => part.toLowerCase()),
    );
    assert.deepEqual([upper.status, upper.text], [lower.status, lower.text], path);
  }
});

describe('what nobody knows', () => {
  test('in a query is ignored: names with brackets, names that objects inherit, ten thousand of them', async () => {
    for (const query of [
      'page[]=2&page[0]=2&page%5B%5D=2',
      'a[__proto__][x]=1&__proto__=1&constructor=1&__proto__[page]=2&constructor.prototype.page=2',
      'a&'.repeat(7500),
      Array.from({ length: 2500 }, (_, index) => `x${index}`).join('&'),
      '&&&==&=&',
      'Page=0&PAGE=0&page%00=0',
    ]) {
      const answer = await exchange(
        app.port,
        request('GET', `/datasets?${query}`, { host: 'localhost', connection: 'close' }),
      );
      assert.match(answer, /^HTTP\/1\.1 200 .*"page":1,"page_size":20,"total":1,/s, query.slice(0, 60));
    }
    assert.equal('page' in {}, false);
  });

  test('in a path is refused, with what every answer has', async () => {
    const id = randomUUID();
    for (const path of [
      '/datasets/%00',
      '/datasets/..%2f..%2fetc%2fpasswd',
      '/datasets/../../etc/passwd',
      '/datasets/.',
      '/datasets/',
      '/datasets//',
      '//datasets',
      `/datasets/${dataset}/`,
      `/datasets/${dataset};x`,
      `/datasets/${dataset}%20`,
      `/datasets/${dataset}.geojson%00.cog`,
      `/datasets/${dataset}.GEOJSON`,
      `/datasets/${dataset}.cog.geojson`,
      `/datasets/${dataset}.cog/`,
      `/datasets/${dataset}.`,
      `/datasets/${dataset}/STATUS`,
      `/datasets/${dataset}%2fstatus`,
      `/datasets/${id}/../${dataset}`,
      `/DATASETS/${dataset}`,
      '/docs/static/..%2f..%2f..%2f..%2fetc%2fpasswd',
      '/docs/static/%2e%2e/%2e%2e/package.json',
      '/landscape/slots/__proto__',
      '/landscape/runs/constructor',
      '/.git/config',
      '/%',
      '/%zz',
      '/%c0%af',
      `/${'x/'.repeat(5000)}`,
      `/categories/${'x'.repeat(15_000)}`,
    ]) {
      const answer = await exchange(
        app.port,
        request('GET', path, { host: 'localhost', connection: 'close' }),
      );
      assert.match(
        answer,
        /^HTTP\/1\.1 (400|403|404|405) .*x-content-type-options: nosniff.*\{"error":/is,
        path.slice(0, 80),
      );
      assert.doesNotMatch(answer, /root:|"name": "steppe"/);
    }
  });
});
