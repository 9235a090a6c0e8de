import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../claim.ts';
import { linksOf } from '../support/lists.ts';
import { firstRun, getRun, listRuns } from '../support/landscape.ts';
import { assertKeys, runFields } from '../support/fields.ts';

claim(
  ['4.5 GET runs', 'D6 nodes', '2.6 LandscapeRun.nodes'],
  'the list of runs is newest first, each as it is alone but without its nodes',
  async (client) => {
    const alone = await firstRun(client);
    const { data, total } = await listRuns(client, '?page_size=100');
    assert.ok(total >= data.length);
    for (const [place, run] of data.entries()) {
      assertKeys(run, runFields);
      const newer = data[place - 1];
      assert.ok(newer === undefined || newer.created_at >= run.created_at);
    }
    const listed = data.find(({ id }) => id === alone.id);
    assert.deepEqual(listed, { ...alone, nodes: null });
  },
);

claim(
  ['4.5 GET runs', '4.5 GET runs paging'],
  'runs come in pages of 20, or as many as asked for',
  async (client) => {
    await firstRun(client);
    const standard = await listRuns(client);
    assertKeys(standard, ['data', 'page', 'page_size', 'total', 'total_pages']);
    assert.deepEqual([standard.page, standard.page_size], [1, 20]);
    const page = await listRuns(client, '?page=1&page_size=1');
    assert.deepEqual([page.page, page.page_size, page.data.length], [1, 1, 1]);
    assert.equal(page.total_pages, page.total);
    const beyond = await listRuns(client, '?page=1000000&page_size=100');
    assert.deepEqual([beyond.page, beyond.data], [1_000_000, []]);
    assert.equal(beyond.total_pages, Math.ceil(beyond.total / 100));
  },
);

claim(['4.5 GET runs paging'], 'pages of runs link to each other', async (client) => {
  await firstRun(client);
  const { first = '' } = linksOf(await client.expect(200, 'GET', '/landscape/runs?page_size=1'));
  const { pathname, searchParams } = new URL(first, `${client.baseUrl}/landscape/runs?page_size=1`);
  assert.ok(pathname.endsWith('/landscape/runs'));
  assert.deepEqual([searchParams.get('page'), searchParams.get('page_size')], ['1', '1']);
});

claim(['4.5 GET runs 400'], 'a page that is none is malformed', async ({ refused }) => {
  for (const query of [
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=',
    'page_size=0',
    'page_size=101',
    'page=1&page=2',
  ]) {
    await refused(400, 'GET', `/landscape/runs?${query}`);
  }
});

claim(
  ['4.5 GET run 404', '4.5 GET run 400'],
  'an unknown run is 404, an id that is none is 400',
  async ({ refused }) => {
    await refused(404, 'GET', `/landscape/runs/${randomUUID()}`);
    for (const id of ['1', 'latest', `${randomUUID()}0`, `{${randomUUID()}}`]) {
      await refused(400, 'GET', `/landscape/runs/${id}`);
    }
  },
);

claim(['4.5 GET run'], 'the id of a run may be written in upper case', async (client) => {
  const { id } = await firstRun(client);
  assert.equal((await getRun(client, id.toUpperCase())).id, id);
});
