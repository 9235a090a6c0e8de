import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { KiB } from '../../src/common/units.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, send, sendJson, upload } from '../support/datasets.ts';

interface Group {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
}
interface Page {
  readonly data: readonly Group[];
  readonly page: number;
  readonly page_size: number;
  readonly total: number;
  readonly total_pages: number;
}
interface Failure {
  readonly errors?: Readonly<Record<string, string>>;
}

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(async () => await app.close());

async function create(code: string, fields: Record<string, unknown> = {}): Promise<Group> {
  const answer = await sendJson<Group>(app, 'POST', '/dataset-groups', { code, name: 'n', ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function list(query: string) {
  const { status, headers, body } = await send<Page>(app, `/dataset-groups${query}`);
  assert.equal(status, 200);
  return { ...body, codes: body.data.map(({ code }) => code), link: headers.get('link') };
}

describe('GET /dataset-groups', () => {
  test('is an empty page while there is none, and links to the first page only', async () => {
    const { codes: _codes, link, ...page } = await list('');
    assert.deepEqual(page, { data: [], page: 1, page_size: 20, total: 0, total_pages: 0 });
    assert.equal(link, '<?page=1>; rel="first"');
  });

  test('pages by code in code point order, with links that keep the other parameters', async () => {
    for (const code of ['b', 'a-b', 'a0', '1', 'a']) await create(code);
    const first = await list('?page_size=2&x=%D2%9A');
    assert.deepEqual(first.codes, ['1', 'a']);
    assert.deepEqual([first.page, first.page_size, first.total, first.total_pages], [1, 2, 5, 3]);
    const query = 'page_size=2&x=%D2%9A';
    assert.equal(
      first.link,
      `<?${query}&page=1>; rel="first", <?${query}&page=2>; rel="next", <?${query}&page=3>; rel="last"`,
    );
    const second = await list('?page_size=2&page=2');
    assert.deepEqual(second.codes, ['a-b', 'a0']);
    assert.deepEqual(
      [...(second.link ?? '').matchAll(/page=(\d)>; rel="(\w+)"/g)].map(([, page, rel]) => `${rel} ${page}`),
      ['first 1', 'prev 1', 'next 3', 'last 3'],
    );
    assert.deepEqual((await list('?page_size=2&page=3')).codes, ['b']);
  });

  test('leaves its links out when a long query would make them more than clients read', async () => {
    const ofLength = async (characters: number) =>
      (await list(`?page_size=2&page=2&x=${'x'.repeat(characters)}`)).link;
    assert.ok(Buffer.byteLength((await ofLength(1900)) ?? '') > 7 * KiB);
    assert.equal(await ofLength(2100), null);
    assert.equal(await ofLength(12_000), null);
  });

  test('is empty past the end, however far, and goes back to the last page', async () => {
    for (const page of ['4', '2147483648', '9007199254740991']) {
      const past = await list(`?page_size=2&page=${page}`);
      assert.deepEqual([past.codes, past.total, past.total_pages], [[], 5, 3]);
      assert.match(past.link ?? '', /<\?page_size=2&page=3>; rel="prev"/);
      assert.doesNotMatch(past.link ?? '', /next/);
    }
  });

  test('finds one by its exact code', async () => {
    assert.deepEqual((await list('?code=a')).codes, ['a']);
    assert.deepEqual((await list('?code=A')).codes, []);
    assert.deepEqual((await list('?code=')).codes, []);
  });

  test('answers 400 for parameters that are malformed, out of range or repeated', async () => {
    for (const query of [
      'page=0',
      'page=',
      'page=1e3',
      'page_size=101',
      'page_size=0',
      'page=1&page=2',
      'code=%00',
    ]) {
      assert.equal((await send(app, `/dataset-groups?${query}`)).status, 400, query);
    }
  });
});

describe('POST /dataset-groups', () => {
  test('answers with the whole group', async () => {
    const { id, created_at, updated_at, ...rest } = await create('whole', { description: 'd' });
    assert.deepEqual(rest, {
      code: 'whole',
      name: 'n',
      description: 'd',
      sld_storage_key: null,
      sld_filename: null,
      sld_content_type: null,
    });
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(updated_at, created_at);
  });

  test('names every failing field', async () => {
    const body = { code: 'No', name: '', description: 'x'.repeat(2001) };
    const answer = await sendJson<Failure>(app, 'POST', '/dataset-groups', body);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors ?? {}).toSorted(), ['code', 'description', 'name']);
  });

  test('makes one group of 50 requests with one code at once', async () => {
    const answers = await Promise.all(
      Array.from(
        { length: 50 },
        async () => await sendJson(app, 'POST', '/dataset-groups', { code: 'raced', name: 'n' }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [201, ...Array.from({ length: 49 }, () => 409)]);
  });
});

describe('/dataset-groups/{id}', () => {
  test('is read with GET', async () => {
    const group = await create('read');
    assert.deepEqual((await send(app, `/dataset-groups/${group.id}`)).body, group);
  });

  test('is 404 when unknown and 400 when malformed, whatever the method', async () => {
    for (const [id, status] of [
      [randomUUID(), 404],
      ['x', 400],
    ] as const) {
      const path = `/dataset-groups/${id}`;
      assert.equal((await send(app, path)).status, status);
      assert.equal((await send(app, path, { method: 'DELETE' })).status, status);
      assert.equal((await sendJson(app, 'PUT', path, {})).status, status);
    }
  });

  test('may change its code with PUT, but not to one that is taken', async () => {
    const group = await create('before');
    const path = `/dataset-groups/${group.id}`;
    const changed = await sendJson<Group>(app, 'PUT', path, { code: 'after', name: 'new' });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.code, 'after');
    assert.ok(changed.body.updated_at > group.updated_at);
    assert.equal(changed.body.created_at, group.created_at);
    await create('taken');
    assert.equal((await sendJson(app, 'PUT', path, { code: 'taken', name: 'n' })).status, 409);
    assert.equal((await sendJson(app, 'PUT', path, { code: 'after' })).status, 422);
    assert.equal((await sendJson(app, 'PUT', path, '[]')).status, 400);
  });

  test('stays while a dataset refers to it, and is gone after DELETE', async () => {
    const { id } = await create('used');
    const category_id = await insertCategory(app.services.db);
    const dataset = await upload(app, { category_id, dg_id: id });
    assert.equal((await send(app, `/dataset-groups/${id}`, { method: 'DELETE' })).status, 409);
    assert.equal((await send(app, `/datasets/${dataset.id}`, { method: 'DELETE' })).status, 204);
    assert.equal((await send(app, `/dataset-groups/${id}`, { method: 'DELETE' })).status, 204);
    assert.equal((await send(app, `/dataset-groups/${id}`)).status, 404);
  });

  test('leaves no dangling reference when it is deleted while a dataset joins it', async () => {
    const category_id = await insertCategory(app.services.db);
    const dataset = await upload(app, { category_id });
    for (let round = 0; round < 30; round += 1) {
      const { id: dg_id } = await create(`round-${round}`);
      const [deletion, joining] = await Promise.all([
        send(app, `/dataset-groups/${dg_id}`, { method: 'DELETE' }),
        sendJson(app, 'PATCH', `/datasets/${dataset.id}`, { dg_id }),
      ]);
      const statuses = `${deletion.status} ${joining.status}`;
      assert.ok(['204 422', '409 200'].includes(statuses), statuses);
    }
  });
});
