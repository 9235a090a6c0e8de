import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client, Answer } from '../../client.ts';
import { makeCategory, type Page, unreadable, makeGroup } from '../../support/catalogue.ts';
import { type Dataset, makeTable, map, upload, once, settle } from '../../support/datasets.ts';
import { readDescription } from '../../support/description.ts';
import type { Observation } from '../../support/observations.ts';
import { sharedTable } from '../../support/shared.ts';
import { emptyLayer, smallRaster } from '../../support/files.ts';

/** Five datasets a to e, created in this order in their own category. */
const fiveDatasets = once(async (client) => {
  const { id: category_id, code } = await makeCategory(client);
  const { id: dg_id } = await makeGroup(client);
  const [raster, vector] = [smallRaster(), emptyLayer()];
  const datasets: Dataset[] = [];
  for (const [file, fields] of [
    [raster, { name: 'a', start_date: '2020-01-01', end_date: '2020-12-31' }],
    [raster, { name: 'b', automated: 'true', dg_id, start_date: '2021-01-01' }],
    [vector, { name: 'c', automated: 'true', end_date: '2021-12-31' }],
    [vector, { name: 'd', dg_id, description: 'Озёра', unit: 'га' }],
    [
      new File(['II*\0 broken'], 'broken.tif'),
      { name: 'e', start_date: '2022-01-01', end_date: '2022-01-01' },
    ],
  ] as const) {
    datasets.push(await upload(client, file, { category_id, ...fields }));
  }
  assert.equal((await settle(client, datasets[4]?.id ?? '')).status, 'failed');
  return { code, category_id, dg_id, datasets, ids: datasets.map(({ id }) => id) };
});

/** One list of each kind; no other claim adds rows to them, except to the list of runs. */
async function lists(client: Client): Promise<readonly string[]> {
  const { category_id, ids } = await fiveDatasets(client);
  const observations = `/datasets/${ids[0]}/observations?`;
  return ['/dataset-groups?', `/datasets?category_id=${category_id}&`, observations, '/landscape/runs?'];
}

/** Relations of a Link header with their targets. */
function linksOf({ headers }: Pick<Answer, 'headers'>): Readonly<Record<string, string>> {
  const found = (headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, target = '', relation = '']) => [relation, target]));
}

const envelope = ['data', 'page', 'page_size', 'total', 'total_pages'];

async function read(client: Client, path: string): Promise<Page<Dataset>> {
  return await client.get(path);
}

async function links({ expect }: Client, path: string): Promise<Readonly<Record<string, string>>> {
  return linksOf(await expect(200, 'GET', path));
}

claim(
  [
    '8 page | 8 page_size | 2.4 DatasetSummaryPage | 2.4 ObservationPage | 2.4 DatasetGroupPage',
    '2.4 LandscapeRunPage | D0 extras | 4.3 GET /dataset-groups page | D2 past the end | D1 total_pages',
    '4.5 GET runs paging | 4.4 observations page, page_size | 4.4 list page | 4.4 list page_size',
  ],
  'every paginated list is an envelope of five fields, page 1 of 20 by default, of 1 to 100 rows; past its end it is empty',
  async (client) => {
    for (const path of await lists(client)) {
      const first = await read(client, path);
      assert.deepEqual(Object.keys(first).toSorted(), envelope, path);
      assert.deepEqual([first.page, first.page_size], [1, 20], path);
      for (const size of [1, 2, 100]) {
        const page = await read(client, `${path}page=1&page_size=${size}`);
        assert.equal(page.page_size, size, path);
        assert.equal(page.data.length, Math.min(size, page.total), path);
        assert.equal(page.total_pages, Math.ceil(page.total / size), path);
      }
      for (const number of [1_000_000, 2 ** 53 - 1]) {
        const page = await read(client, `${path}page=${number}&page_size=100`);
        assert.deepEqual([page.data, page.page], [[], number], path);
      }
    }
  },
);

claim(['D0 described', '8 page'], 'the bound of a page, 2^53 - 1, is described', async (client) => {
  const { paths } = await readDescription(client);
  for (const path of await lists(client)) {
    const described = path.replace(/\?.*$/, '').replace(/\/datasets\/.*\//, '/datasets/{id}/');
    const page = paths[described]?.['get']?.parameters?.find(({ name }) => name === 'page');
    assert.deepEqual([page?.schema['minimum'], page?.schema['maximum']], [1, 2 ** 53 - 1], described);
  }
});

claim(
  ['D1 total_pages', '2.4 DatasetSummaryPage', 'D2 list datasets', 'D2 past the end', '4.4 list page'],
  'the pages of a list hold each row once, newest first, and the last what is left',
  async (client) => {
    const { category_id, ids } = await fiveDatasets(client);
    for (const size of [1, 2, 5, 6]) {
      const found: string[] = [];
      const total_pages = Math.ceil(5 / size);
      for (let page = 1; page <= total_pages + 1; page += 1) {
        const path = `/datasets?category_id=${category_id}&page=${page}&page_size=${size}`;
        const { data, ...counts } = await read(client, path);
        assert.deepEqual(counts, { page, page_size: size, total: 5, total_pages });
        found.push(...data.map(({ id }) => id));
      }
      assert.deepEqual(found, ids.toReversed());
    }
    const nothing = { data: [], page: 7, page_size: 3, total: 0, total_pages: 0 };
    assert.deepEqual(await read(client, `/datasets?category_id=${randomUUID()}&page=7&page_size=3`), nothing);
    assert.deepEqual(await read(client, `/datasets/${ids[1]}/observations?page=7&page_size=3`), nothing);
  },
);

claim(
  ['D4 Link', 'D4 Link past the end', 'D4 Link empty'],
  'links of a list lead to its pages, stay relative, and keep every other parameter as it was meant',
  async (client) => {
    const { category_id, ids } = await fiveDatasets(client);
    const rest = `category_id=${category_id}&q=%2B%26%20.tif&q2=a&q2=b&page_size=2`;
    const plain = `/datasets?category_id=${category_id}&page_size=2`;
    const relations = async (page: number) =>
      Object.keys(await links(client, `${plain}&page=${page}`)).toSorted();
    assert.deepEqual(await relations(1), ['first', 'last', 'next']);
    assert.deepEqual(await relations(2), ['first', 'last', 'next', 'prev']);
    assert.deepEqual(await relations(3), ['first', 'last', 'prev']);
    assert.deepEqual(await relations(9), ['first', 'last', 'prev']);
    const pageOf = (link = ''): string | null =>
      new URLSearchParams(link.slice(link.indexOf('?'))).get('page');
    const past = await links(client, `${plain}&page=9`);
    assert.deepEqual([pageOf(past['first']), pageOf(past['prev']), pageOf(past['last'])], ['1', '3', '3']);
    const kept = await links(client, `/datasets?${rest}`);
    assert.deepEqual(Object.keys(kept), ['first']); // no name matches
    const target = new URL(kept['first'] ?? '', `${client.baseUrl}/datasets`);
    assert.deepEqual([...target.searchParams], [...new URLSearchParams(`${rest}&page=1`)]);
    assert.equal(target.pathname, new URL(`${client.baseUrl}/datasets`).pathname);
    const found: string[] = [];
    for (let next: string | undefined = plain.slice('/datasets'.length); next !== undefined;) {
      assert.doesNotMatch(next, /^\w+:/);
      const path: string = `/datasets${next.slice(next.indexOf('?'))}`;
      found.push(...(await read(client, path)).data.map(({ id }) => id));
      next = (await links(client, path))['next'];
    }
    assert.deepEqual(found, ids.toReversed());
    for (const length of [4000, 15_000]) {
      const { headers } = await client.expect(200, 'GET', `${plain}&page=2&x=${'x'.repeat(length)}`);
      assert.ok((headers.get('link') ?? '').length <= 8192, 'an answer that clients can read');
    }
  },
);

claim(
  ['D4 Link places', 'D4 after', '2.4 DatasetSummaryPage'],
  'a client that follows next meets each dataset once while others come and go, and no other text is a place',
  async (client) => {
    const { id: category_id } = await makeCategory(client);
    const add = async () =>
      (await upload(client, unreadable.vector, { category_id, file_type: 'vector' })).id;
    const [oldest, doomed, ...newer] = [await add(), await add(), await add(), await add()];
    const found: string[] = [];
    const pages: unknown[] = [];
    const first = `?category_id=${category_id}&page_size=2`;
    for (let next: string | undefined = first; next !== undefined;) {
      const path: string = `/datasets${next}`;
      const { data, page, total } = await read(client, path);
      found.push(...data.map(({ id }) => id));
      pages.push([page, total]);
      next = (await links(client, path))['next'];
      if (pages.length > 1) continue;
      assert.match(next ?? '', /&after=[\w-]{32}$/);
      for (let added = 0; added < 3; added += 1) await add();
      await client.expect(204, 'DELETE', `/datasets/${doomed}`);
    }
    assert.deepEqual(found, [...newer.toReversed(), oldest]);
    assert.deepEqual(pages, [
      [1, 4],
      [2, 6],
    ]); // rows added in front count in the total, but are not found
    for (const after of ['', 'AQ', 'x'.repeat(32), `${'A'.repeat(31)}=`]) {
      await client.expect(400, 'GET', `/datasets?after=${after}`);
    }
  },
);

checkedElsewhere('src/datasets/list/counts.test.ts', {
  'equal the rows of their snapshot for every combination of filters, while several write': ['D1 total'],
});
checkedElsewhere('src/datasets/list/list.test.ts', {
  'a search that takes longer than a second is refused, and leaves the connection as it was': [
    'D1 list bound',
  ],
});

claim(
  ['D4 Link', 'D4 Link empty'],
  'every paginated list has links, an empty one to its first page only',
  async (client) => {
    for (const path of await lists(client)) {
      assert.ok('first' in (await links(client, path)), path);
      const past = await links(client, `${path}page=1000000`);
      const { total } = await read(client, `${path}page_size=1`);
      if (total === 0) assert.deepEqual(Object.keys(past), ['first'], path);
      else assert.deepEqual(Object.keys(past).toSorted(), ['first', 'last', 'prev'], path);
    }
  },
);

const period = ['4.4 list start_date_from, start_date_to', '4.4 list end_date_from, end_date_to', 'D1 range'];
/** Queries and which of the five datasets they find, the newest first; {category}, {code} and {group} stand for theirs. */
const filters: readonly (readonly [rows: readonly string[], found: string, queries: string])[] = [
  [
    ['4.4 list | 4.4 list category_id | 4.4 list category_code | D1 unknown parameters'],
    'edcba',
    'q= category_code={code} nobody=knows&nobody=this&x[y]=z&=&&q[]=1&kato_code=1&wait=61',
  ],
  [['4.4 list file_type'], 'eba', 'file_type=raster'],
  [['4.4 list file_type'], 'dc', 'file_type=vector'],
  [['4.4 list automated'], 'cb', 'automated=true'],
  [['4.4 list automated'], 'eda', 'automated=false'],
  [['4.4 list dg_id'], 'db', 'dg_id={group} dg_id={GROUP}&category_code={code}'],
  [['4.4 list status'], 'e', 'status=failed'],
  [['D1 and'], 'b', 'automated=true&file_type=raster automated=true&dg_id={group}'],
  [period, 'eb', 'start_date_from=2021-01-01'],
  [period, 'ec', 'end_date_from=2021-12-31'],
  [
    period,
    'e',
    'start_date_from=2021-01-02 end_date_from=2022-01-01 start_date_from=2021-01-01&end_date_to=2022-01-01',
  ],
  [period, 'ba', 'start_date_to=2021-01-01'],
  [period, 'ca', 'end_date_to=2021-12-31'],
  [period, 'b', 'start_date_from=2021-01-01&start_date_to=2021-01-01'],
  [
    period,
    'a',
    'start_date_to=2020-12-31 end_date_to=2021-12-30 start_date_from=2020-01-01&end_date_to=2021-12-31',
  ],
  [
    period,
    '',
    'end_date_from=2023-01-01&end_date_to=2022-01-01 start_date_from=9999-12-31&start_date_to=0001-01-01',
  ],
  [
    ['D1 unknown value', '4.4 list category_code'],
    '',
    'category_code= category_code={CODE} category_code={code}%25 category_code=no-such-code category_code=%F0%9F%98%80',
  ],
  [
    ['D1 unknown value', '4.4 list file_type', '4.4 list status'],
    '',
    `file_type=vector_with_kato status=awaiting_mapping q=nothing+like+it dg_id=${randomUUID()}`,
  ],
];

for (const [rows, expected, queries] of filters) {
  claim(rows, `${expected || 'nothing'} of five datasets is found by ${queries}`, async (client) => {
    const { category_id, code, dg_id } = await fiveDatasets(client);
    for (const query of queries.split(' ')) {
      const filled = query
        .replace('{code}', code)
        .replace('{CODE}', code.toUpperCase())
        .replace('{group}', dg_id)
        .replace('{GROUP}', dg_id.toUpperCase());
      const { data } = await read(client, `/datasets?category_id=${category_id}&${filled}`);
      assert.equal(data.map(({ name }) => name).join(''), expected, query);
    }
  });
}

claim(['2.3 DatasetSummary'], 'an item of a list is a summary, and nothing but that', async (client) => {
  const { category_id, dg_id, datasets } = await fiveDatasets(client);
  const { data } = await read(client, `/datasets?category_id=${category_id}`);
  const { status, updated_at, ...rest } = data.find(({ name }) => name === 'd') ?? assert.fail();
  assert.ok(['pending', 'processing', 'ready'].includes(status));
  assert.match(updated_at, /^\d{4}-\d\d-\d\dT/);
  const said = { name: 'd', description: 'Озёра', unit: 'га', file_type: 'vector', category_id, dg_id };
  const { id, size_bytes, created_at } = datasets[3] ?? assert.fail();
  assert.deepEqual(rest, { id, ...said, start_date: null, end_date: null, size_bytes, created_at });
});

claim(
  ['D1 unknown parameters'],
  'unknown parameters are ignored on every list and resource',
  async (client) => {
    const { id } = await makeCategory(client);
    const roots = ['/healthz', '/readyz', '/categories', `/categories/${id}`, '/dataset-groups'];
    for (const path of [...roots, '/landscape/slots', '/landscape/runs', '/landscape/results']) {
      const query = `nobody=knows&nobody=this&a%00=%00&__proto__=1&x=${'x'.repeat(4000)}`;
      await client.expect(200, 'GET', `${path}?${query}`);
    }
  },
);

claim(
  ['D1 category_id', '4.4 list category_id', '4.4 list category_code'],
  'category_id and category_code mean that category alone, not what is below it',
  async (client) => {
    const { category_id: parent_id, code } = await fiveDatasets(client);
    const child = await makeCategory(client, { parent_id });
    await upload(client, unreadable.raster, { category_id: child.id, name: 'below' });
    for (const [query, names] of [
      [`category_id=${parent_id}`, 'edcba'],
      [`category_code=${code}`, 'edcba'],
      [`category_id=${child.id.toUpperCase()}`, 'below'],
    ] as const) {
      const { data } = await read(client, `/datasets?${query}`);
      assert.equal(data.map(({ name }) => name).join(''), names);
    }
  },
);

claim(
  ['D1 unknown value'],
  'a KATO code that a dataset does not have gives an empty page',
  async (client) => {
    const { id } = await sharedTable(client);
    for (const code of ['', '11', '110000000%20', '1100000000', '%25', 'x'.repeat(3000)])
      assert.equal((await read(client, `/datasets/${id}/observations?kato_code=${code}`)).total, 0);
  },
);

claim(
  ['D2 list observations', 'D1 text order', '2.4 ObservationPage', 'D3K observation order', 'D3K all stay'],
  'observations come by code point of their code, then start, then end with none first, then id, page by page',
  async (client) => {
    const cells = { a: 1, b: 2, c: 3, d: 4 };
    const codes = ['b', '10', '9', 'Я', 'a', '～', '😀', 'B', 'a', 'Қ'];
    const table = await makeTable(
      client,
      codes.map((kato) => ({ kato, ...cells })),
    );
    await map(client, table.id, 'kato', [
      { column: 'a', start_date: '2021-01-01' },
      { column: 'b', start_date: '2020-01-01', end_date: '2021-12-31' },
      { column: 'c', start_date: '2020-01-01', end_date: '2020-12-31' },
      { column: 'd', start_date: '2020-01-01' },
    ]);
    const found: Observation[] = [];
    for (let page = 1; page <= 6; page += 1) {
      const path = `/datasets/${table.id}/observations?page=${page}&page_size=7`;
      const { data, ...counts } = await client.get<Page<Observation>>(path);
      assert.deepEqual(counts, { page, page_size: 7, total: 40, total_pages: 6 });
      found.push(...data);
    }
    const sorted = ['10', '9', 'B', 'a', 'a', 'b', 'Я', 'Қ', '～', '😀'];
    const periods = ['2020-01-01 null', '2020-01-01 2020-12-31', '2020-01-01 2021-12-31', '2021-01-01 null'];
    const expected = [...new Set(sorted)].flatMap((kato) =>
      periods.flatMap((each) => sorted.filter((code) => code === kato).map(() => `${kato} ${each}`)),
    );
    assert.deepEqual(
      found.map(({ kato_code, start_date, end_date }) => `${kato_code} ${start_date} ${end_date}`),
      expected,
    );
    const twins = found.filter(({ kato_code }) => kato_code === 'a').map(({ id }) => id);
    for (let index = 0; index < twins.length; index += 2) {
      assert.ok(String(twins[index]) < String(twins[index + 1]));
    }
  },
);
