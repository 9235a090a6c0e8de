import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, send, sendJson, upload } from '../support/datasets.ts';

interface Category {
  readonly id: string;
  readonly parent_id: string | null;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: string;
  readonly updated_at: string;
}
interface Failure {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(async () => await app.close());

let count = 0;
const freshCode = (): string => `category-${(count += 1)}`;

async function create(fields: Record<string, unknown> = {}): Promise<Category> {
  const answer = await sendJson<Category>(app, 'POST', '/categories', {
    code: freshCode(),
    name: 'n',
    ...fields,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const put = async (id: string, body: unknown) =>
  await sendJson<Category>(app, 'PUT', `/categories/${id}`, body);

async function failingFields(method: string, path: string, body: unknown): Promise<string[]> {
  const answer = await sendJson<Failure>(app, method, path, body);
  assert.equal(answer.status, 422, answer.text);
  return Object.keys(answer.body.errors ?? {}).toSorted();
}

describe('POST /categories', () => {
  test('creates a root category with an empty description', async () => {
    const code = freshCode();
    const answer = await sendJson<Category>(app, 'POST', '/categories', { code, name: 'Топырақ', extra: 1 });
    assert.equal(answer.status, 201);
    const { id, created_at, updated_at, ...rest } = answer.body;
    assert.deepEqual(rest, { parent_id: null, code, name: 'Топырақ', description: '' });
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(new Date(created_at).toISOString(), created_at);
    assert.equal(updated_at, created_at);
  });

  test('creates a child, and takes an upper-case parent_id', async () => {
    const parent = await create();
    assert.equal((await create({ parent_id: parent.id.toUpperCase() })).parent_id, parent.id);
  });

  test('names every failing field', async () => {
    const body = { code: 'Not a slug', name: ' ', description: 7, parent_id: 'x' };
    assert.deepEqual(await failingFields('POST', '/categories', body), [
      'code',
      'description',
      'name',
      'parent_id',
    ]);
    assert.deepEqual(await failingFields('POST', '/categories', {}), ['code', 'name']);
  });

  const texts: readonly (readonly [what: string, field: string, value: unknown])[] = [
    ['U+0000', 'name', 'a\u0000b'],
    ['half a surrogate pair', 'name', 'a\ud800b'],
    ['more than 255 characters', 'name', 'x'.repeat(256)],
    ['nothing but blanks', 'name', '\u00a0 \t'],
    ['U+0000', 'description', '\u0000'],
    ['more than 2000 characters', 'description', 'x'.repeat(2001)],
    ['more than 255 characters', 'code', 'x'.repeat(256)],
    ['a double dash', 'code', 'a--b'],
    ['a line end', 'code', 'a\n'],
  ];
  for (const [what, field, value] of texts) {
    test(`refuses a ${field} with ${what}`, async () => {
      const body = { code: freshCode(), name: 'n', [field]: value };
      assert.deepEqual(await failingFields('POST', '/categories', body), [field]);
    });
  }

  test('counts code points, so 255 characters outside of the BMP are fine', async () => {
    const name = '𐰴'.repeat(255);
    assert.equal((await create({ name })).name, name);
  });

  test('refuses a parent that does not exist', async () => {
    const body = { code: freshCode(), name: 'n', parent_id: randomUUID() };
    assert.deepEqual(await failingFields('POST', '/categories', body), ['parent_id']);
  });

  test('answers 409 for a code that is taken', async () => {
    const { code } = await create();
    assert.equal((await sendJson(app, 'POST', '/categories', { code, name: 'n' })).status, 409);
  });

  test('makes one category of 50 requests with one code at once', async () => {
    const body = { code: freshCode(), name: 'n' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => await sendJson(app, 'POST', '/categories', body)),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [201, ...Array.from({ length: 49 }, () => 409)]);
  });
});

describe('GET /categories', () => {
  test('lists the direct children of a category by name in code point order', async () => {
    const parent = await create();
    for (const name of ['б', 'a', 'B', 'Я']) await create({ parent_id: parent.id, name });
    const [first] = (await send<Category[]>(app, `/categories?parent_id=${parent.id}`)).body;
    await create({ parent_id: first?.id, name: 'grandchild' });
    const { status, body } = await send<Category[]>(app, `/categories?parent_id=${parent.id}&unknown=1`);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ name }) => name),
      ['B', 'a', 'Я', 'б'],
    );
  });

  test('lists all without a parent, and none for an unknown one', async () => {
    const { id } = await create();
    const all = (await send<Category[]>(app, '/categories')).body;
    assert.ok(all.some((category) => category.id === id));
    assert.deepEqual((await send(app, `/categories?parent_id=${randomUUID()}`)).body, []);
  });

  test('answers 400 for a parent_id that is no uuid, or comes twice', async () => {
    const id = randomUUID();
    for (const query of ['parent_id=x', 'parent_id=', `parent_id=${id}&parent_id=${id}`, 'parent_id=%zz']) {
      assert.equal((await send(app, `/categories?${query}`)).status, 400, query);
    }
  });
});

describe('/categories/{id}', () => {
  test('is read with GET, in either case of its id', async () => {
    const category = await create({ description: 'd' });
    for (const id of [category.id, category.id.toUpperCase()]) {
      const { status, body } = await send(app, `/categories/${id}`);
      assert.equal(status, 200);
      assert.deepEqual(body, category);
    }
  });

  test('is 404 when unknown and 400 when malformed, whatever the method', async () => {
    const body = { code: 'a', name: 'n' };
    for (const [id, status] of [
      [randomUUID(), 404],
      ['x', 400],
      [`{${randomUUID()}}`, 400],
    ] as const) {
      const path = `/categories/${id}`;
      assert.equal((await send(app, path)).status, status);
      assert.equal((await send(app, path, { method: 'DELETE' })).status, status);
      assert.equal((await sendJson(app, 'PUT', path, body)).status, status);
      assert.equal((await sendJson(app, 'PUT', path, {})).status, status, 'before the fields of the body');
    }
    assert.equal((await sendJson(app, 'PUT', `/categories/${randomUUID()}`, '{')).status, 400);
  });

  test('is changed with PUT: what is omitted is cleared, and the code stays', async () => {
    const parent = await create();
    const category = await create({ description: 'd', parent_id: parent.id });
    const { status, body } = await put(category.id, { code: 'a-free-code', name: 'new' });
    assert.equal(status, 200);
    const { updated_at, ...rest } = body;
    const { updated_at: before, ...old } = category;
    assert.deepEqual(rest, { ...old, name: 'new', description: '', parent_id: null });
    assert.ok(updated_at > before);
  });

  test('moves updated_at on every change, however quick', async () => {
    const { id, code } = await create();
    const times: string[] = [];
    for (const name of ['a', 'b', 'c']) times.push((await put(id, { code, name })).body.updated_at);
    assert.deepEqual(times, [...new Set(times)].toSorted());
  });

  test('is not changed by a PUT that is wrong', async () => {
    const other = await create();
    const { id, code } = await create();
    assert.equal((await put(id, { code: other.code, name: 'n' })).status, 409);
    assert.deepEqual(await failingFields('PUT', `/categories/${id}`, { name: 'n' }), ['code']);
    assert.deepEqual(
      await failingFields('PUT', `/categories/${id}`, { code, name: 'n', parent_id: randomUUID() }),
      ['parent_id'],
    );
    assert.equal((await send<Category>(app, `/categories/${id}`)).body.code, code);
  });

  test('can not become its own ancestor', async () => {
    const root = await create();
    const child = await create({ parent_id: root.id });
    const grandchild = await create({ parent_id: child.id });
    for (const parent_id of [root.id, child.id, grandchild.id]) {
      const body = { code: root.code, name: 'n', parent_id };
      assert.deepEqual(await failingFields('PUT', `/categories/${root.id}`, body), ['parent_id']);
    }
    assert.equal(
      (await put(grandchild.id, { code: grandchild.code, name: 'n', parent_id: root.id })).status,
      200,
    );
  });

  test('names a wrong parent together with whatever else is wrong', async () => {
    const nowhere = { code: 'Not a code', name: ' ', parent_id: randomUUID() };
    assert.deepEqual(await failingFields('POST', '/categories', nowhere), ['code', 'name', 'parent_id']);
    const { id } = await create();
    assert.deepEqual(await failingFields('PUT', `/categories/${id}`, nowhere), ['code', 'name', 'parent_id']);
    const itself = { name: 'n', parent_id: id };
    assert.deepEqual(await failingFields('PUT', `/categories/${id}`, itself), ['code', 'parent_id']);
  });

  test('is gone after DELETE', async () => {
    const { id } = await create();
    const answer = await send(app, `/categories/${id}`, { method: 'DELETE' });
    assert.equal(answer.status, 204);
    assert.equal(answer.text, '');
    assert.equal((await send(app, `/categories/${id}`)).status, 404);
  });

  test('stays while a child or a dataset refers to it', async () => {
    const parent = await create();
    await create({ parent_id: parent.id });
    assert.equal((await send(app, `/categories/${parent.id}`, { method: 'DELETE' })).status, 409);
    const used = await insertCategory(app.services.db);
    await upload(app, { category_id: used });
    assert.equal((await send(app, `/categories/${used}`, { method: 'DELETE' })).status, 409);
  });
});

describe('moves and deletions at once', () => {
  test('never build a cycle: three categories, each moved under the next', async () => {
    const trio = [await create(), await create(), await create()] as const;
    for (let round = 0; round < 100; round += 1) {
      for (const { id, code } of trio) assert.equal((await put(id, { code, name: 'n' })).status, 200);
      const answers = await Promise.all(
        trio.map(async ({ id, code }, index) => {
          const parent_id = trio[(index + 1) % 3]?.id;
          return await put(id, { code, name: 'n', parent_id });
        }),
      );
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 200, 422],
      );
    }
  });

  test('never leave an orphan: a category deleted while a child is created below it', async () => {
    for (let round = 0; round < 50; round += 1) {
      const { id: parent_id } = await create();
      const body = { code: freshCode(), name: 'n', parent_id };
      const [deletion, creation] = await Promise.all([
        send(app, `/categories/${parent_id}`, { method: 'DELETE' }),
        sendJson(app, 'POST', '/categories', body),
      ]);
      assert.ok(
        ['204 422', '409 201'].includes(`${deletion.status} ${creation.status}`),
        `${deletion.status} ${creation.status}`,
      );
    }
  });

  test('delete a category once', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await send(app, `/categories/${id}`, { method: 'DELETE' })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [204, ...Array.from({ length: 19 }, () => 404)],
    );
  });
});
