import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { type GroupBody, makeCategory, makeGroup, type Page } from '../support/catalogue.ts';
import { type Dataset, makeTable, map } from '../support/datasets.ts';
import { readDescription } from '../support/description.ts';
import { fiveDatasets, lists } from '../support/lists.ts';
import type { Observation } from '../support/observations.ts';
import { listRuns } from '../support/landscape.ts';

const envelope = ['data', 'page', 'page_size', 'total', 'total_pages'];

async function read(client: Client, path: string): Promise<Page<Dataset>> {
  return await client.get(path);
}

claim(
  [
    '8 page',
    '8 page_size',
    '2.4 DatasetSummaryPage',
    '2.4 ObservationPage',
    '2.4 DatasetGroupPage',
    '2.4 LandscapeRunPage',
    'D0 extras',
  ],
  'every paginated list is an envelope of five fields, page 1 of 20 when nothing is said',
  async (client) => {
    for (const path of await lists(client)) {
      const page = await read(client, path);
      assert.deepEqual(Object.keys(page).toSorted(), envelope, path);
      assert.deepEqual([page.page, page.page_size], [1, 20], path);
      assert.ok(Array.isArray(page.data) && page.data.length <= 20, path);
      assert.ok(Number.isInteger(page.total) && page.data.length <= page.total, path);
      assert.equal(page.total_pages, Math.ceil(page.total / 20), path);
    }
  },
);

claim(
  ['8 page', '8 page_size', '4.3 GET /dataset-groups page', 'D2 past the end'],
  'on every paginated list a page may be 1 or as large as a number holds exactly, its size 1 to 100',
  async (client) => {
    for (const path of await lists(client)) {
      for (const size of [1, 2, 99, 100]) {
        const page = await read(client, `${path}page=1&page_size=${size}`);
        assert.equal(page.page_size, size, path);
        assert.equal(page.data.length, Math.min(size, page.total), path);
        assert.equal(page.total_pages, Math.ceil(page.total / size), path);
      }
      for (const number of [1_000_000, 2 ** 31, 2 ** 53 - 1]) {
        const page = await read(client, `${path}page=${number}&page_size=100`);
        assert.deepEqual([page.data, page.page], [[], number], path);
      }
    }
  },
);

claim(
  ['8 page', '8 page_size', '4.3 GET /dataset-groups 400', '7 400 query', 'D1 400 query', '4 query'],
  'on every paginated list any other page or size, or two of one, is 400',
  async (client) => {
    const never = [
      '',
      '0',
      '-1',
      '1.0',
      '1.5',
      '1e1',
      '0x1',
      '%201',
      '1%20',
      '%2B1',
      '١',
      'a',
      'null',
      '1,2',
      '%00',
    ];
    const queries = [
      ...never.flatMap((text) => [`page=${text}`, `page_size=${text}`]),
      'page_size=101',
      'page_size=1000000',
      'page=1&page=1',
      'page=1&page=2',
      'page_size=10&page_size=10',
      'page=%ff',
    ];
    for (const path of await lists(client)) {
      for (const query of queries) await client.refused(400, 'GET', path + query);
    }
  },
);

claim(
  ['D0 described', 'D1 400 query', '8 page'],
  'the bound of a page, 2^53 - 1, is described; above it is 400',
  async (client) => {
    const { paths } = await readDescription(client);
    for (const path of await lists(client)) {
      const described = path.replace(/\?.*$/, '').replace(/\/datasets\/.*\//, '/datasets/{id}/');
      const page = paths[described]?.['get']?.parameters?.find(({ name }) => name === 'page');
      assert.deepEqual([page?.schema['minimum'], page?.schema['maximum']], [1, 2 ** 53 - 1], described);
      for (const number of ['9007199254740992', '9007199254740993', '9'.repeat(40)]) {
        await client.refused(400, 'GET', `${path}page=${number}`);
      }
    }
  },
);

claim(
  ['D1 total_pages', '2.4 DatasetSummaryPage', 'D2 list datasets', 'D2 past the end'],
  'the pages of a list hold each row once, newest first, and the last what is left',
  async (client) => {
    const { category, ids } = await fiveDatasets(client);
    for (const size of [1, 2, 3, 4, 5, 6]) {
      const found: string[] = [];
      const pages = Math.ceil(5 / size);
      for (let page = 1; page <= pages; page += 1) {
        const { data, ...counts } = await read(
          client,
          `/datasets?category_id=${category.id}&page=${page}&page_size=${size}`,
        );
        assert.deepEqual(counts, { page, page_size: size, total: 5, total_pages: pages });
        found.push(...data.map(({ id }) => id));
      }
      assert.deepEqual(found, ids.toReversed());
      const past = await read(
        client,
        `/datasets?category_id=${category.id}&page=${pages + 1}&page_size=${size}`,
      );
      assert.deepEqual(past, { data: [], page: pages + 1, page_size: size, total: 5, total_pages: pages });
    }
  },
);

claim(['D1 total_pages'], 'a list of nothing has no pages', async (client) => {
  const { id } = await makeCategory(client);
  const nothing = { data: [], page: 1, page_size: 20, total: 0, total_pages: 0 };
  assert.deepEqual(await read(client, `/datasets?category_id=${id}`), nothing);
  assert.deepEqual(await read(client, `/datasets?category_id=${id}&page=7&page_size=3`), {
    ...nothing,
    page: 7,
    page_size: 3,
  });
  const { ids } = await fiveDatasets(client);
  assert.deepEqual(await read(client, `/datasets/${ids[1]}/observations`), nothing);
});

claim(
  ['D1 total_pages', '2.4 DatasetGroupPage'],
  'a page of groups holds groups as they are read one by one',
  async (client) => {
    const group = await makeGroup(client, { description: 'd' });
    const { data } = await client.get<Page<GroupBody>>(`/dataset-groups?code=${group.code}`);
    assert.deepEqual(data, [group]);
  },
);

claim(
  ['D2 list observations', 'D1 text order', '2.4 ObservationPage'],
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
      periods.flatMap((period) => sorted.filter((each) => each === kato).map(() => `${kato} ${period}`)),
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

claim(
  ['D2 list runs', '2.4 LandscapeRunPage'],
  'runs come newest first, and a page of them lists a run that was just made before those of before',
  async (client) => {
    const made: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      made.push((await client.read<{ id: string }>(202, 'POST', '/landscape/runs')).id);
    }
    const { data } = await listRuns(client, '?page_size=100');
    const times = data.map(({ created_at }) => created_at);
    assert.deepEqual(times, times.toSorted().toReversed());
    const listed = data.map(({ id }) => id).filter((id) => made.includes(id));
    assert.deepEqual(listed, made.toReversed());
  },
);
