import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MiB } from '../../src/common/units.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  insertCategory,
  insertGroup,
  send,
  sendJson,
  setState,
  upload,
  type DatasetBody,
} from '../support/datasets.ts';

interface Page {
  readonly data: readonly DatasetBody[];
  readonly page: number;
  readonly page_size: number;
  readonly total: number;
  readonly total_pages: number;
}

const unknownId = '00000000-0000-0000-0000-00000000000f';

describe('GET /datasets', () => {
  let app: TestApp;
  let relief: string;
  let water: string;
  let group: string;
  before(async () => {
    app = await startTestApp();
    const { db } = app.services;
    relief = await insertCategory(db, 'relief');
    water = await insertCategory(db, 'water');
    group = await insertGroup(db);
    await upload(app, { category_id: relief, name: 'A', start_date: '2020-01-01', end_date: '2020-12-31' });
    await upload(app, { category_id: relief, name: 'Б_100%', description: 'Қазақстан', dg_id: group });
    await upload(app, { category_id: water, name: 'C', automated: 'true', start_date: '2021-01-01' });
    const d = await upload(app, {
      category_id: water,
      name: 'D',
      file_type: 'vector',
      end_date: '2021-12-31',
    });
    await setState(app.services, d.id, { status: 'ready' });
  });
  after(async () => await app.close());

  async function names(query: string): Promise<string> {
    const { status, body, text } = await send<Page>(app, `/datasets?${query}`);
    assert.equal(status, 200, text);
    assert.equal(body.total, body.data.length);
    return body.data.map(({ name }) => name).join(' ');
  }

  it('gives summaries, newest first', async () => {
    const { body } = await send<Page>(app, '/datasets');
    assert.deepEqual({ ...body, data: [] }, { data: [], page: 1, page_size: 20, total: 4, total_pages: 1 });
    assert.deepEqual(
      body.data.map(({ name }) => name),
      ['D', 'C', 'Б_100%', 'A'],
    );
    const [, , second] = body.data;
    assert.ok(second !== undefined);
    const { id, created_at, updated_at, ...rest } = second;
    assert.ok(created_at === updated_at && id.length === 36);
    assert.deepEqual(rest, {
      category_id: relief,
      dg_id: group,
      start_date: null,
      end_date: null,
      name: 'Б_100%',
      description: 'Қазақстан',
      unit: null,
      file_type: 'raster',
      size_bytes: rest['size_bytes'],
      status: 'pending',
    });
  });

  const filters: readonly (readonly [query: () => string, expected: string])[] = [
    [() => `category_id=${water}`, 'D C'],
    [() => `category_id=${water.toUpperCase()}`, 'D C'],
    [() => `category_id=${unknownId}`, ''],
    [() => 'category_code=relief', 'Б_100% A'],
    [() => 'category_code=Relief', ''],
    [() => 'category_code=', ''],
    [() => 'file_type=vector', 'D'],
    [() => 'file_type=vector_with_kato', ''],
    [() => 'automated=true', 'C'],
    [() => 'automated=false', 'D Б_100% A'],
    [() => 'status=ready', 'D'],
    [() => 'status=pending', 'C Б_100% A'],
    [() => `dg_id=${group}`, 'Б_100%'],
    [() => `dg_id=${unknownId}`, ''],
    [() => 'start_date_from=2020-01-02', 'C'],
    [() => 'start_date_from=2020-01-01', 'C A'],
    [() => 'start_date_to=2020-01-01', 'A'],
    [() => 'start_date_from=2021-01-01&start_date_to=2020-01-01', ''],
    [() => 'end_date_from=2020-12-31', 'D A'],
    [() => 'end_date_to=2021-12-30', 'A'],
    [() => `category_id=${water}&status=pending&automated=true`, 'C'],
    [() => 'q=', 'D C Б_100% A'],
    [() => `q=${encodeURIComponent('б_')}`, 'Б_100%'],
    [() => `q=${encodeURIComponent('ҚАЗАҚ')}`, 'Б_100%'],
    [() => 'q=%25', 'Б_100%'],
    [() => 'q=_', 'Б_100%'],
    [() => 'q=%5C', ''],
    [() => 'q=LAKES', 'D'],
    [() => 'q=%20', ''],
    [() => 'unknown=1&category_code=water', 'D C'],
  ];
  for (const [query, expected] of filters) {
    it(`?${query.toString().slice(6)} finds ${expected || 'nothing'}`, async () => {
      assert.equal(await names(query()), expected);
    });
  }

  it('pages with Link headers that keep the other parameters', async () => {
    const { body, headers } = await send<Page>(app, '/datasets?page=2&page_size=1&q=&status=pending');
    assert.deepEqual(
      body.data.map(({ name }) => name),
      ['Б_100%'],
    );
    assert.deepEqual([body.page, body.page_size, body.total, body.total_pages], [2, 1, 3, 3]);
    const links = (headers.get('link') ?? '')
      .split(', ')
      .map((link) => /<(.*)>; rel="(.*)"/.exec(link)?.slice(1));
    assert.deepEqual(
      links.map((link) => [link?.[1], new URLSearchParams(link?.[0]).get('page')]),
      [
        ['first', '1'],
        ['prev', '1'],
        ['next', '3'],
        ['last', '3'],
      ],
    );
    for (const link of links) assert.equal(new URLSearchParams(link?.[0]).get('status'), 'pending');
  });

  it('gives an empty page past the end', async () => {
    for (const page of ['5', '2147483648', '9007199254740991']) {
      const { status, body } = await send<Page>(app, `/datasets?page=${page}`);
      assert.deepEqual([status, body.data, body.page, body.total], [200, [], Number(page), 4]);
    }
  });

  const malformed = [
    'page=0',
    'page=9007199254740992',
    `page=1${'0'.repeat(30)}`,
    'page=-1',
    'page=1.0',
    'page=1e3',
    'page=0x10',
    'page=%201',
    'page=%2B1',
    'page=',
    'page=%D9%A1',
    'page=1&page=2',
    'page_size=0',
    'page_size=101',
    'page_size=',
    'category_id=1',
    'category_code=%00',
    'category_code=a&category_code=b',
    'file_type=Raster',
    'automated=1',
    'automated=',
    'status=ready,failed',
    'dg_id=x',
    'start_date_from=2024-02-30',
    'start_date_to=today',
    'end_date_from=0000-01-01',
    'end_date_to=10000-01-01',
    'q=%00',
    'q=a&q=b',
  ];
  for (const query of malformed) {
    it(`?${query} is 400`, async () => {
      const { status, body } = await send<{ error: string }>(app, `/datasets?${query}`);
      assert.deepEqual([status, typeof body.error], [400, 'string']);
    });
  }
});

describe('GET /dataset-groups/{id}/latest', () => {
  let app: TestApp;
  let category: string;
  before(async () => {
    app = await startTestApp();
    category = await insertCategory(app.services.db);
  });
  after(async () => await app.close());

  async function latest(group: string, query = ''): Promise<string> {
    const { status, body } = await send(app, `/dataset-groups/${group}/latest${query}`);
    return status === 200 ? body.name : String(status);
  }

  it('is the one that ends last, those without an end after all others, then the newest', async () => {
    const group = await insertGroup(app.services.db);
    const add = async (name: string, end: string) =>
      await upload(app, { category_id: category, dg_id: group, name, end_date: end });
    await add('undated', '');
    assert.equal(await latest(group), 'undated');
    await add('undated, newer', '');
    assert.equal(await latest(group), 'undated, newer');
    const dated = await add('2021', '2021-12-31');
    assert.equal(await latest(group), '2021');
    await add('2020', '2020-12-31');
    assert.equal(await latest(group), '2021');
    await add('2021, newer', '2021-12-31');
    assert.equal(await latest(group), '2021, newer');
    await sendJson(app, 'PATCH', `/datasets/${dated.id}`, { end_date: '2022-01-01' });
    assert.equal(await latest(group), '2021');
  });

  it('considers only what matches the filters, and gives the whole dataset', async () => {
    const group = await insertGroup(app.services.db);
    const old = await upload(app, { category_id: category, dg_id: group, name: 'old', meta: '{"n":1.0}' });
    await upload(app, { category_id: category, dg_id: group, name: 'new', file_type: 'vector' });
    await setState(app.services, old.id, { status: 'ready' });
    assert.equal(await latest(group), 'new');
    assert.equal(await latest(group, '?file_type=raster'), 'old');
    assert.equal(await latest(group, '?status=ready'), 'old');
    assert.equal(await latest(group, '?status=ready&file_type=vector'), '404');
    const { text } = await send(app, `/dataset-groups/${group}/latest?status=ready`);
    assert.equal(text, (await send(app, `/datasets/${old.id}`)).text);
  });

  it('is 404 for an unknown or empty group and 400 for a malformed one', async () => {
    assert.equal(await latest(unknownId), '404');
    assert.equal(await latest(await insertGroup(app.services.db)), '404');
    assert.equal(await latest('x'), '400');
    assert.equal(await latest(unknownId, '?status=nope'), '400');
    assert.equal(await latest(unknownId, '?file_type=nope'), '400');
  });
});

describe('a page of very long descriptions', () => {
  const longest = '\u001f'.repeat(MiB); // six characters each in JSON
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(async () => await app.close());

  it('comes whole, though no text could hold it', async () => {
    const category = await insertCategory(app.services.db);
    const count = 50; // 600 MiB of JSON, more than a string of V8 can have
    let id = '';
    for (let n = 0; n < count; n += 1) ({ id } = await upload(app, { category_id: category }));
    const body = { description: longest, unit: longest };
    assert.equal((await sendJson(app, 'PATCH', `/datasets/${id}`, body)).status, 200);
    await app.services.db.updateTable('datasets').set(body).execute();
    const answer = await fetch(`${app.baseUrl}/datasets?page_size=100`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    let [bytes, end] = [0, ''];
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      end = (end + Buffer.from(chunk.subarray(-200)).toString()).slice(-200);
    }
    assert.ok(bytes > count * 2 * 6 * MiB, String(bytes));
    assert.ok(end.endsWith(`],"page":1,"page_size":100,"total":${count},"total_pages":1}`), end);
    const one = await send<Page>(app, '/datasets?page_size=1');
    assert.equal(one.body.data[0]?.['description'], longest);
  });

  it('can not be made of longer ones', async () => {
    const { id } = await upload(app, { category_id: await insertCategory(app.services.db) });
    for (const field of ['description', 'unit']) {
      const { status, body } = await sendJson<{ errors: object }>(app, 'PATCH', `/datasets/${id}`, {
        [field]: 'x'.repeat(MiB + 1),
      });
      assert.equal(status, 422);
      assert.deepEqual(body.errors, { [field]: 'must have at most 1048576 characters' });
    }
  });
});
