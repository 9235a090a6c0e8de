import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { makeCategory, makeGroup, type Page, unreadable } from '../support/catalogue.ts';
import { type Dataset, makeMapped, upload } from '../support/datasets.ts';

/** The names of the datasets that a query finds, sorted. */
async function names({ get }: Client, query: string): Promise<string[]> {
  const page = await get<Page<Dataset>>(`/datasets?page_size=100&${query}`);
  return page.data.map(({ name }) => name).toSorted();
}

claim(
  ['D1 range', 'D1 and'],
  'a range is inclusive at both ends, leaves out what has no date, and is empty when it ends before it starts',
  async (client) => {
    const { id: category_id } = await makeCategory(client);
    for (const [name, start_date, end_date] of [
      ['a', '2020-01-01', '2020-12-31'],
      ['b', '2021-01-01', '2021-12-31'],
      ['c', '2020-06-01', ''],
      ['d', '', ''],
    ] as const) {
      await upload(client, unreadable.raster, { category_id, name, start_date, end_date });
    }
    const found = async (query: string) => await names(client, `category_id=${category_id}&${query}`);
    assert.deepEqual(await found(''), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await found('start_date_from=2020-01-01'), ['a', 'b', 'c']);
    assert.deepEqual(await found('start_date_from=2020-01-02'), ['b', 'c']);
    assert.deepEqual(await found('start_date_to=2020-06-01'), ['a', 'c']);
    assert.deepEqual(await found('start_date_to=2020-05-31'), ['a']);
    assert.deepEqual(await found('start_date_from=2020-06-01&start_date_to=2020-06-01'), ['c']);
    assert.deepEqual(await found('end_date_from=2020-12-31'), ['a', 'b']);
    assert.deepEqual(await found('end_date_from=2021-01-01'), ['b']);
    assert.deepEqual(await found('end_date_to=2020-12-31'), ['a']);
    assert.deepEqual(await found('end_date_to=2020-12-30'), []);
    assert.deepEqual(await found('start_date_from=2020-02-01&end_date_to=2021-12-31'), ['b']);
    assert.deepEqual(await found('start_date_from=2021-01-01&start_date_to=2020-01-01'), []);
    assert.deepEqual(await found('end_date_from=9999-12-31&end_date_to=0001-01-01'), []);
  },
);

claim(
  ['D1 and', 'D1 unknown value', 'D1 unknown parameters'],
  'every filter that is given must hold, unknown values fit nothing, and unknown parameters are nothing',
  async (client) => {
    const [category, group] = [await makeCategory(client), await makeGroup(client)];
    const ids = { category_id: category.id };
    await upload(client, unreadable.raster, { ...ids, name: 'raster', dg_id: group.id, automated: 'true' });
    await upload(client, unreadable.vector, { ...ids, name: 'vector', automated: 'true' });
    await upload(client, unreadable.raster, { ...ids, name: 'plain' });
    const found = async (query: string) => await names(client, `category_code=${category.code}&${query}`);
    assert.deepEqual(await found(''), ['plain', 'raster', 'vector']);
    assert.deepEqual(await found('automated=true'), ['raster', 'vector']);
    assert.deepEqual(await found('automated=false'), ['plain']);
    assert.deepEqual(await found('automated=true&file_type=vector'), ['vector']);
    assert.deepEqual(
      await found(`automated=true&dg_id=${group.id.toUpperCase()}&category_id=${category.id}`),
      ['raster'],
    );
    assert.deepEqual(await found('status=ready'), []);
    assert.deepEqual(await found('file_type=vector_with_kato'), []);
    assert.deepEqual(await found(`dg_id=${randomUUID()}`), []);
    assert.deepEqual(await found(`category_id=${randomUUID()}`), []);
    assert.deepEqual(await found('nobody=knows&nobody=this&x[y]=z&=&&q[]=1&kato_code=1&wait=61'), [
      'plain',
      'raster',
      'vector',
    ]);
    for (const code of ['', 'unknown', 'NO SLUG', '😀', category.code.toUpperCase(), `${category.code}%`]) {
      assert.deepEqual(await names(client, `category_code=${encodeURIComponent(code)}`), [], code);
    }
  },
);

claim(
  ['D1 unknown parameters'],
  'unknown parameters are ignored on every list and resource',
  async (client) => {
    const { id } = await makeCategory(client);
    for (const path of [
      '/healthz',
      '/readyz',
      '/categories',
      `/categories/${id}`,
      '/dataset-groups',
      '/landscape/slots',
      '/landscape/runs',
      '/landscape/results',
    ]) {
      await client.expect(
        200,
        'GET',
        `${path}?nobody=knows&nobody=this&a%00=%00&__proto__=1&x=${'x'.repeat(4000)}`,
      );
    }
  },
);

claim(
  ['4 query', '7 400 query', 'D1 400 query', '4.2 GET /categories 400', '4.3 GET /dataset-groups 400'],
  'a parameter that is malformed or given twice is 400, wherever it means something',
  async (client) => {
    const { id } = await upload(client, unreadable.raster);
    const uuid = randomUUID();
    const wrong = {
      '/categories': ['parent_id=', 'parent_id=x', 'parent_id=null', `parent_id=${uuid}&parent_id=${uuid}`],
      '/dataset-groups': ['code=a&code=a', 'code=%00', 'code=%ff', 'code=%'],
      '/datasets': [
        ...['category_id', 'dg_id'].flatMap((name) => [
          `${name}=`,
          `${name}=x`,
          `${name}=${uuid}&${name}=${uuid}`,
        ]),
        ...['category_code', 'q'].flatMap((name) => [`${name}=%00`, `${name}=a&${name}=b`, `${name}=%c0%80`]),
        ...['', 'Raster', 'raster,vector', 'tif'].map((text) => `file_type=${text}`),
        ...['', 'READY', 'done', 'ready|failed'].map((text) => `status=${text}`),
        ...['', '1', '0', 'TRUE', 'True', 'yes', 'on', 'null'].map((text) => `automated=${text}`),
        'automated=true&automated=true',
        'file_type=raster&file_type=vector',
        'status=ready&status=ready',
        'start_date_from=2020-01-01&start_date_from=2020-01-01',
      ],
      [`/datasets/${id}/status`]: [
        ...['', '61', '-1', '1.5', '1e1', '0x1', '+1', '%201', 'x', '99999999999999999999'].map(
          (text) => `wait=${text}`,
        ),
        'wait=1&wait=1',
        'current=',
        'current=nope',
        'current=Ready',
        'current=ready&current=ready',
      ],
      [`/datasets/${id}/observations`]: ['kato_code=%00', 'kato_code=1&kato_code=2', 'page=0'],
      '/landscape/runs': ['page=0', 'page_size=101', 'page=1&page=2'],
    };
    for (const [path, queries] of Object.entries(wrong)) {
      for (const query of queries) await client.refused(400, 'GET', `${path}?${query}`);
    }
    for (const query of ['dry_run=', 'dry_run=1', 'dry_run=TRUE', 'dry_run=true&dry_run=true']) {
      await client.refused(400, 'POST', `/landscape/runs?${query}`);
    }
  },
);

claim(
  ['D1 400 query', 'D1 order path'],
  'a malformed query is 400 before anything is looked for',
  async ({ refused }) => {
    const nothing = `/datasets/${randomUUID()}`;
    await refused(400, 'GET', `${nothing}/status?wait=61`);
    await refused(400, 'GET', `${nothing}/observations?page=0`);
    await refused(400, 'GET', `/dataset-groups/${randomUUID()}/latest?status=x`);
    await refused(400, 'POST', '/landscape/runs?dry_run=x', { body: '{' });
  },
);

claim(
  ['D1 category_id'],
  'category_id and category_code mean that category alone, not what is below it',
  async (client) => {
    const parent = await makeCategory(client);
    const child = await makeCategory(client, { parent_id: parent.id });
    await upload(client, unreadable.raster, { category_id: parent.id, name: 'above' });
    await upload(client, unreadable.raster, { category_id: child.id, name: 'below' });
    assert.deepEqual(await names(client, `category_id=${parent.id}`), ['above']);
    assert.deepEqual(await names(client, `category_code=${parent.code}`), ['above']);
    assert.deepEqual(await names(client, `category_id=${child.id.toUpperCase()}`), ['below']);
  },
);

claim(['D1 unknown value'], 'a KATO code that a dataset has not gives an empty page', async (client) => {
  const table = await makeMapped(client, [{ kato: '110000000', value: 1 }], 'value');
  const total = async (code: string) =>
    (await client.get<Page<unknown>>(`/datasets/${table.id}/observations?kato_code=${code}`)).total;
  assert.equal(await total('110000000'), 1);
  for (const code of ['', '11', '110000000%20', '1100000000', '%25', 'x'.repeat(3000)])
    assert.equal(await total(code), 0);
});

/** A category of datasets with these names, descriptions and files. */
async function searched(client: Client) {
  const { id: category_id } = await makeCategory(client);
  const put = async (name: string, description = '', file = unreadable.raster) =>
    await upload(client, file, { category_id, name, description });
  const found = async (q: string) => await names(client, new URLSearchParams({ category_id, q }).toString());
  return { put, found };
}

claim(
  ['D1 q', 'D1 and'],
  'q finds a part of name, description or file name in either case, in any script',
  async (client) => {
    const { put, found } = await searched(client);
    await put('Жер бедері Қазақстан', 'SRTM 30 m');
    await put('Slope', 'Ёлки в СНЕГУ', new File(['II*\0'], 'Высоты_2024.TIF'));
    await put('Orman straße', '', new File(['II*\0'], 'srtm.tiff'));
    assert.deepEqual(await found('БЕДЕРІ'), ['Жер бедері Қазақстан']);
    assert.deepEqual(await found('қазақ'), ['Жер бедері Қазақстан']);
    assert.deepEqual(await found('снег'), ['Slope']);
    assert.deepEqual(await found('ёЛКИ'), ['Slope']);
    assert.deepEqual(await found('высоты_2024.tif'), ['Slope']);
    assert.deepEqual(await found('srtm'), ['Orman straße', 'Жер бедері Қазақстан']);
    assert.deepEqual(await found('STRAßE'), ['Orman straße']);
    assert.deepEqual(await found('slope steep'), []);
  },
);

claim(['D1 q'], 'signs that mean something to a database mean themselves in q', async (client) => {
  const { put, found } = await searched(client);
  for (const name of ['100%', '100', 'a_b', 'aXb', String.raw`c:\d`, "it's", '.*', '[a]']) await put(name);
  assert.deepEqual(await found('%'), ['100%']);
  assert.deepEqual(await found('a_b'), ['a_b']);
  assert.deepEqual(await found('\\'), [String.raw`c:\d`]);
  assert.deepEqual(await found("'"), ["it's"]);
  assert.deepEqual(await found('.*'), ['.*']);
  assert.deepEqual(await found('[A]'), ['[a]']);
  assert.deepEqual(await found('\\%'), []);
});

claim(['D1 q as it is'], 'q is not trimmed, and filters nothing when it is empty', async (client) => {
  const { put, found } = await searched(client);
  await put('a b', 'd');
  await put('ab');
  assert.deepEqual(await found(''), ['a b', 'ab']);
  assert.deepEqual(await found(' '), ['a b']);
  assert.deepEqual(await found('a '), ['a b']);
  assert.deepEqual(await found(' a'), []);
});

claim(
  ['D1 q', 'D1 unknown value'],
  'q may be long, and finds nothing when nothing has it',
  async (client) => {
    const { put, found } = await searched(client);
    await put('x'.repeat(255));
    assert.deepEqual(await found('x'.repeat(255)), ['x'.repeat(255)]);
    assert.deepEqual(await found('x'.repeat(256)), []);
    assert.deepEqual(await found('%_'.repeat(2000)), []);
  },
);
