import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../claim.ts';
import { statusesAtOnce } from '../support/at-once.ts';
import { type CategoryBody, makeCategory, newCode, unreadable } from '../support/catalogue.ts';
import { upload } from '../support/datasets.ts';
import { byCodePoint, dateTime, lowerCaseUuid } from '../support/values.ts';

const fields = ['code', 'created_at', 'description', 'id', 'name', 'parent_id', 'updated_at'];

claim(
  [
    '4.2 POST /categories',
    '2.1 Category.id',
    '2.1 Category.parent_id',
    '2.1 Category.code',
    '2.1 Category.name',
    '2.1 Category.description',
    '2.1 Category.created_at',
    '2.1 Category.updated_at',
    '2.1 CategoryInput.description',
    '2.1 CategoryInput.parent_id',
    '2 uuid',
    '2 date-time',
    'D0 extras',
    'D0 interface wins',
  ],
  'a category of code and name alone is a root without description, and has the seven fields of the contract',
  async ({ read }) => {
    const json = { code: newCode(), name: 'Рельеф' };
    const category = await read<CategoryBody>(201, 'POST', '/categories', { json });
    assert.deepEqual(Object.keys(category).toSorted(), fields);
    const { id, created_at, updated_at, ...said } = category;
    assert.deepEqual(said, { ...json, parent_id: null, description: '' });
    assert.match(id, lowerCaseUuid);
    assert.match(created_at, dateTime);
    assert.equal(updated_at, created_at);
  },
);

claim(
  ['4.2 GET /categories/{id}', '4.2 POST /categories', '2.1 Category.parent_id', 'D1 uuid', 'D1 uuid shown'],
  'a category is read as it was created, by its id in either case, and its parent shows in lower case',
  async (client) => {
    const parent = await makeCategory(client);
    const child = await makeCategory(client, {
      parent_id: parent.id.toUpperCase(),
      description: ' two\nlines ',
    });
    assert.deepEqual([child.parent_id, child.description], [parent.id, ' two\nlines ']);
    for (const id of [child.id, child.id.toUpperCase()]) {
      assert.deepEqual(await client.get(`/categories/${id}`), child);
    }
  },
);

claim(
  ['4.2 GET /categories', '4.2 GET /categories parent_id', 'D2 list categories', 'D1 text order'],
  'the direct children of a category are an array by name, code point by code point, and no grandchild is among them',
  async (client) => {
    const parent = await makeCategory(client);
    // A full-width tilde comes before a smile by code point, and after it by UTF-16 unit.
    const sorted = [' a', '10', '9', 'A', 'B', 'a', 'b', '~', 'é', 'Ё', 'А', 'Я', 'а', 'ё', 'Қ', '～', '😀'];
    for (const name of sorted.toReversed()) await makeCategory(client, { name, parent_id: parent.id });
    const list = async () => await client.get<CategoryBody[]>(`/categories?parent_id=${parent.id}`);
    const children = await list();
    assert.deepEqual(
      children.map(({ name }) => name),
      sorted,
    );
    const grandchild = await makeCategory(client, { name: 'a', parent_id: children[0]?.id });
    assert.ok((await list()).every(({ id, parent_id }) => id !== grandchild.id && parent_id === parent.id));
  },
);

claim(['D2 list categories'], 'categories of one name come by id', async (client) => {
  const parent = await makeCategory(client);
  for (let count = 0; count < 8; count += 1) await makeCategory(client, { parent_id: parent.id });
  const listed = await client.get<CategoryBody[]>(`/categories?parent_id=${parent.id}`);
  const ids = listed.map(({ id }) => id);
  assert.equal(ids.length, 8);
  assert.deepEqual(ids, ids.toSorted());
});

claim(
  ['4.2 GET /categories', 'D2 list categories', 'D1 text order', 'D2 seeded'],
  'without a parent all categories are listed, roots and children, seeded and made, in one order',
  async (client) => {
    const root = await makeCategory(client, { name: 'ЯЯЯ' });
    const child = await makeCategory(client, { name: 'aaa', parent_id: root.id });
    const all = await client.get<CategoryBody[]>('/categories');
    for (const made of [root, child]) {
      assert.deepEqual(
        all.filter(({ id }) => id === made.id),
        [made],
      );
    }
    assert.equal(all.filter(({ code }) => code === 'landscape').length, 1);
    const inOrder = all.toSorted((a, b) => byCodePoint(a.name, b.name) || byCodePoint(a.id, b.id));
    assert.deepEqual(
      all.map(({ id }) => id),
      inOrder.map(({ id }) => id),
    );
  },
);

claim(
  ['4.2 GET /categories parent_id', 'D1 unknown value'],
  'a parent that nobody has, and one without children, have an empty array',
  async (client) => {
    const { id } = await makeCategory(client);
    for (const parent of [id, id.toUpperCase(), randomUUID()]) {
      assert.deepEqual(await client.get(`/categories?parent_id=${parent}`), []);
    }
  },
);

claim(
  [
    '4.2 GET /categories/{id} 404',
    '4.2 PUT /categories/{id} 404',
    '4.2 DELETE /categories/{id} 404',
    '7 404 resource',
  ],
  'a category that does not exist is 404, whatever the method',
  async ({ refused }) => {
    const path = `/categories/${randomUUID()}`;
    const json = { code: newCode(), name: 'n' };
    await refused(404, 'GET', path);
    await refused(404, 'PUT', path, { json });
    await refused(404, 'DELETE', path);
  },
);

claim(
  ['4.2 DELETE /categories/{id}', 'D2 unique codes'],
  'a category is gone after DELETE, 204 without a body, and its code is free again',
  async (client) => {
    const { id, code } = await makeCategory(client);
    const answer = await client.expect(204, 'DELETE', `/categories/${id}`);
    assert.equal(answer.text, '');
    await client.expect(404, 'GET', `/categories/${id}`);
    await client.expect(404, 'DELETE', `/categories/${id}`);
    assert.notEqual((await makeCategory(client, { code })).id, id);
  },
);

claim(
  ['4.2 DELETE /categories/{id} 409 children', '7 409 delete', '7 Error'],
  'a category with a child cannot be deleted, and can once the child has moved away',
  async (client) => {
    const parent = await makeCategory(client);
    const child = await makeCategory(client, { parent_id: parent.id });
    await client.refused(409, 'DELETE', `/categories/${parent.id}`);
    await client.expect(200, 'GET', `/categories/${parent.id}`);
    await client.expect(200, 'PUT', `/categories/${child.id}`, { json: { code: child.code, name: 'n' } });
    await client.expect(204, 'DELETE', `/categories/${parent.id}`);
  },
);

claim(
  ['4.2 DELETE /categories/{id} 409 datasets', '7 409 delete'],
  'a category with a dataset cannot be deleted, and can once the dataset is gone',
  async (client) => {
    const { id } = await makeCategory(client);
    const dataset = await upload(client, unreadable.raster, { category_id: id });
    await client.refused(409, 'DELETE', `/categories/${id}`);
    await client.expect(204, 'DELETE', `/datasets/${dataset.id}`);
    await client.expect(204, 'DELETE', `/categories/${id}`);
  },
);

claim(
  ['4.2 POST /categories 409', 'D2 unique codes'],
  'a code that is taken is 409 and makes nothing',
  async (client) => {
    const { code } = await makeCategory(client);
    const parent = await makeCategory(client);
    const json = { code, name: 'another', parent_id: parent.id };
    await client.refused(409, 'POST', '/categories', { json });
    assert.deepEqual(await client.get(`/categories?parent_id=${parent.id}`), []);
  },
);

claim(
  ['D2 unique codes'],
  'of twenty categories with one code that are created at once, one is made',
  async ({ ask }) => {
    const json = { code: newCode(), name: 'n' };
    const statuses = await statusesAtOnce(20, async () => await ask('POST', '/categories', { json }));
    assert.deepEqual(statuses, { 201: 1, 409: 19 });
  },
);

claim(
  ['D2 unique codes'],
  'a category and a group may have the same code: it is unique among its kind',
  async (client) => {
    const { code } = await makeCategory(client);
    await client.expect(201, 'POST', '/dataset-groups', { json: { code, name: 'n' } });
  },
);
