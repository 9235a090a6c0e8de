import assert from 'node:assert/strict';
import type { Client } from '../client.ts';
import { claim } from '../claim.ts';
import { makeCategory, makeGroup, type Page } from '../support/catalogue.ts';
import { type Dataset, once, settle, upload } from '../support/datasets.ts';
import { emptyLayer, smallRaster } from '../support/files.ts';
import { linksOf } from '../support/lists.ts';

/** Five datasets a to e, made one after the other, in a category of their own. */
const listed = once(async (client) => {
  const { id: category_id, code } = await makeCategory(client);
  const { id: dg_id } = await makeGroup(client);
  const raster = smallRaster();
  const vector = emptyLayer();
  const ids: Dataset[] = [];
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
    ids.push(await upload(client, file, { category_id, ...fields }));
  }
  return { code, category_id, dg_id, ids };
});

async function list(client: Client, query: Readonly<Record<string, string>>): Promise<Page<Dataset>> {
  return await client.get(`/datasets?${new URLSearchParams(query).toString()}`);
}

async function names(client: Client, query: Readonly<Record<string, string>>): Promise<string> {
  const { category_id } = await listed(client);
  const { data } = await list(client, { category_id, ...query });
  return data.map(({ name }) => name).join('');
}

claim(
  ['4.4 list', '2.4 DatasetSummaryPage', '4.4 list category_id', '4.4 list page', '4.4 list page_size'],
  'a list without more said is the first page of 20, newest first',
  async (client) => {
    const { category_id } = await listed(client);
    const { data, ...page } = await list(client, { category_id });
    assert.deepEqual(page, { page: 1, page_size: 20, total: 5, total_pages: 1 });
    assert.equal(data.map(({ name }) => name).join(''), 'edcba');
  },
);

claim(['2.3 DatasetSummary'], 'an item of a list is a summary, and nothing but that', async (client) => {
  const { category_id, dg_id, ids } = await listed(client);
  const { data } = await list(client, { category_id });
  const item = data.find(({ name }) => name === 'd');
  const { status, updated_at, ...rest } = item ?? assert.fail();
  assert.ok(['pending', 'processing', 'ready'].includes(status));
  assert.match(updated_at, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(rest, {
    id: ids[3]?.id,
    category_id,
    dg_id,
    start_date: null,
    end_date: null,
    name: 'd',
    description: 'Озёра',
    unit: 'га',
    file_type: 'vector',
    size_bytes: ids[3]?.size_bytes,
    created_at: ids[3]?.created_at,
  });
});

for (const [row, query, expected] of [
  ['4.4 list file_type', { file_type: 'raster' }, 'eba'],
  ['4.4 list file_type', { file_type: 'vector' }, 'dc'],
  ['4.4 list file_type', { file_type: 'vector_with_kato' }, ''],
  ['4.4 list automated', { automated: 'true' }, 'cb'],
  ['4.4 list automated', { automated: 'false' }, 'eda'],
  ['4.4 list start_date_from, start_date_to', { start_date_from: '2021-01-01' }, 'eb'],
  ['4.4 list start_date_from, start_date_to', { start_date_from: '2021-01-02' }, 'e'],
  ['4.4 list start_date_from, start_date_to', { start_date_to: '2021-01-01' }, 'ba'],
  ['4.4 list start_date_from, start_date_to', { start_date_to: '2020-12-31' }, 'a'],
  ['4.4 list end_date_from, end_date_to', { end_date_from: '2021-12-31' }, 'ec'],
  ['4.4 list end_date_from, end_date_to', { end_date_from: '2022-01-01' }, 'e'],
  ['4.4 list end_date_from, end_date_to', { end_date_to: '2021-12-31' }, 'ca'],
  ['4.4 list end_date_from, end_date_to', { end_date_to: '2021-12-30' }, 'a'],
  ['4.4 list end_date_from, end_date_to', { end_date_from: '2023-01-01', end_date_to: '2022-01-01' }, ''],
  ['4.4 list automated', { automated: 'true', file_type: 'raster' }, 'b'],
  ['4.4 list category_code', { category_code: 'no-such-code-there-is' }, ''],
] as const) {
  claim(
    [row],
    `${new URLSearchParams(query).toString()} keeps ${expected || 'nothing'} of the five`,
    async (client) => {
      assert.equal(await names(client, query), expected);
    },
  );
}

claim(
  ['4.4 list dg_id', '4.4 list category_code', '4.4 list category_id'],
  'a group and a category, by id and by code, filter by themselves and together',
  async (client) => {
    const { code, dg_id } = await listed(client);
    assert.equal(await names(client, { dg_id }), 'db');
    assert.equal(await names(client, { dg_id: dg_id.toUpperCase(), category_code: code }), 'db');
    const other = await makeCategory(client);
    assert.equal(await names(client, { category_id: other.id }), '');
    const { data } = await list(client, { category_code: code });
    assert.equal(data.map(({ name }) => name).join(''), 'edcba');
  },
);

claim(['4.4 list status'], 'the status filters, and each dataset is in one status alone', async (client) => {
  const { ids } = await listed(client);
  const last = ids[4] ?? assert.fail();
  assert.equal((await settle(client, last.id)).status, 'failed');
  assert.equal(await names(client, { status: 'failed' }), 'e');
  assert.equal(await names(client, { status: 'awaiting_mapping' }), '');
});

claim(
  ['4.4 list page', '4.4 list page_size', 'D4 Link'],
  'pages follow each other, and their links keep the other parameters',
  async (client) => {
    const { category_id } = await listed(client);
    const path = `/datasets?page=2&category_id=${category_id}&page_size=2&note=%D1%8F`;
    const answer = await client.expect(200, 'GET', path);
    const { data, ...page } = answer.read<Page<Dataset>>();
    assert.deepEqual(page, { page: 2, page_size: 2, total: 5, total_pages: 3 });
    assert.equal(data.map(({ name }) => name).join(''), 'cb');
    const links = linksOf(answer);
    assert.deepEqual(Object.keys(links).toSorted(), ['first', 'last', 'next', 'prev']);
    for (const [rel, number] of [
      ['first', '1'],
      ['prev', '1'],
      ['next', '3'],
      ['last', '3'],
    ] as const) {
      const target = links[rel] ?? '';
      assert.doesNotMatch(target, /^\w+:/);
      const { pathname, searchParams } = new URL(target, `${client.baseUrl}/datasets`);
      assert.equal(pathname, new URL(`${client.baseUrl}/datasets`).pathname);
      const expected = { category_id, note: 'я', page: number, page_size: '2' };
      assert.deepEqual(Object.fromEntries(searchParams), expected);
    }
  },
);

claim(
  ['D4 Link empty', 'D4 Link past the end', '4.4 list page'],
  'an empty list links to its first page only, and a page past the end back to the last one',
  async (client) => {
    const { category_id } = await listed(client);
    const none = await client.expect(200, 'GET', `/datasets?category_id=${category_id}&q=nothing+like+it`);
    assert.deepEqual(none.read(), { data: [], page: 1, page_size: 20, total: 0, total_pages: 0 });
    assert.deepEqual(Object.keys(linksOf(none)), ['first']);
    const past = await client.expect(200, 'GET', `/datasets?category_id=${category_id}&page_size=3&page=7`);
    assert.deepEqual(past.read(), { data: [], page: 7, page_size: 3, total: 5, total_pages: 2 });
    const links = linksOf(past);
    assert.equal(new URLSearchParams(links['prev']?.split('?')[1]).get('page'), '2');
    assert.ok(!('next' in links));
  },
);

claim(
  ['4.4 list', '4.4 list page', '4.4 list page_size', '4.4 list status', '4.4 list automated'],
  'a malformed, repeated or impossible parameter of the list is 400',
  async (client) => {
    for (const query of [
      'page=0',
      'page=1.5',
      'page=',
      'page_size=0',
      'page_size=101',
      'category_id=1',
      'dg_id=x',
      'file_type=Raster',
      'automated=1',
      'status=done',
      'start_date_from=2021-02-30',
      'start_date_to=2021-1-1',
      'end_date_from=0000-01-01',
      'end_date_to=tomorrow',
      'page=1&page=2',
      'category_code=a&category_code=b',
    ]) {
      await client.refused(400, 'GET', `/datasets?${query}`);
    }
  },
);
