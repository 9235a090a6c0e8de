import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import { oneGivesWay, statusesAtOnce } from '../../support/errors.ts';
import {
  type CategoryBody,
  type GroupBody,
  makeCategory,
  makeGroup,
  newCode,
  type Page,
  unreadable,
} from '../../support/catalogue.ts';
import { upload } from '../../support/datasets.ts';
import { byCodePoint, dateTime, lowerCaseUuid } from '../../support/values.ts';

/** Categories and groups, for which these claims hold alike. */
const kinds = [
  {
    path: '/categories',
    what: 'category',
    section: '4.2',
    type: '2.1 Category',
    field: 'category_id',
    make: makeCategory,
    unsaid: { parent_id: null },
    more: '2.1 Category.parent_id | 2.1 CategoryInput.parent_id',
  },
  {
    path: '/dataset-groups',
    what: 'group',
    section: '4.3',
    type: '2.2 DatasetGroup',
    field: 'dg_id',
    make: makeGroup,
    unsaid: { sld_storage_key: null, sld_filename: null, sld_content_type: null },
    more: ['sld_storage_key', 'sld_filename', 'sld_content_type']
      .map((name) => `2.2 DatasetGroup.${name}`)
      .join(' | '),
  },
] as const;

for (const { path, what, section, type, field, make, unsaid, more } of kinds) {
  const row = (operation: string): string => `${section} ${operation.replace(' ', ` ${path}`)}`;
  const fields = ['id', 'code', 'name', 'description', 'created_at', 'updated_at'].map(
    (name) => `${type}.${name}`,
  );

  claim(
    [
      row('POST '),
      ...fields,
      more,
      `${type}Input.description`,
      '2 uuid',
      '2 date-time',
      'D0 extras',
      'D0 interface wins',
    ],
    `a ${what} of code and name alone has no description, and the fields of the contract`,
    async ({ read }) => {
      const json = { code: newCode(), name: 'Рельеф' };
      const { id, created_at, updated_at, ...said } = await read<CategoryBody>(201, 'POST', path, { json });
      assert.deepEqual(said, { ...json, ...unsaid, description: '' });
      assert.match(id, lowerCaseUuid);
      assert.match(created_at, dateTime);
      assert.equal(updated_at, created_at);
    },
  );

  claim(
    [
      row('GET /{id}'),
      `${type}Input.name`,
      `${type}Input.description`,
      'D1 uuid',
      'D1 uuid shown',
      'D1 unknown fields',
    ],
    `a ${what} is read by its id in either case, its texts as they were sent, and without unknown fields`,
    async (client) => {
      const name = '  Жер "бедері" \\ <b>&amp; e\u0301 \uFFFD\u2028 ﷽😀 \u0007 ';
      const strange = { id: 'x', created_at: 1, nobody: { knows: ['this'] }, 'a\u0000': '\u0000' };
      const made = await make(client, { ...strange, name, description: `${name}\r\n` });
      assert.deepEqual([made.name, made.description], [name, `${name}\r\n`]);
      assert.ok(!('nobody' in made));
      for (const id of [made.id, made.id.toUpperCase()]) {
        assert.deepEqual(await client.get(`${path}/${id}`), made);
      }
    },
  );

  claim(
    [
      `${type}Input.code`,
      `${type}Input.name`,
      `${type}Input.description`,
      '8 code length',
      '8 name length',
      '8 description length',
      'D1 lengths',
    ],
    `code and name of a ${what} may have 255 characters, its description 2000, those outside of the BMP count once`,
    async (client) => {
      const code = `${'0'.repeat(255)}-${newCode()}`.slice(-255).replace(/^-/, '0');
      assert.equal((await make(client, { code })).code, code);
      for (const letter of ['x', 'Қ', '😀']) {
        const long = { name: letter.repeat(255), description: letter.repeat(2000) };
        const { name, description } = await make(client, long);
        assert.deepEqual({ name, description }, long);
      }
      for (const short of ['a', '0', 'z-9', '2024', 'a-b-c-1']) {
        const { status } = await client.ask('POST', path, { json: { code: short, name: 'n' } });
        assert.ok(status === 201 || status === 409, short); // another client may have created it
      }
    },
  );

  claim(
    [row('POST  409'), row('PUT /{id} 409'), 'D2 unique codes', 'D2 PUT taken code', '7 Error'],
    `a ${what} cannot have the code of another, nor take it, but keep its own`,
    async (client) => {
      const [mine, other] = [await make(client), await make(client)];
      const taken = { code: other.code, name: 'after' };
      await client.refused(409, 'POST', path, { json: taken });
      await client.refused(409, 'PUT', `${path}/${mine.id}`, { json: taken });
      assert.deepEqual(await client.get(`${path}/${mine.id}`), mine);
      await client.expect(200, 'PUT', `${path}/${mine.id}`, { json: { code: mine.code, name: 'after' } });
      const json = { code: newCode(), name: 'n' };
      const statuses = await statusesAtOnce(8, async () => await client.ask('POST', path, { json }));
      assert.deepEqual(statuses, { 201: 1, 409: 7 });
    },
  );

  claim(
    [
      row('DELETE /{id}'),
      row(`DELETE /{id} 409${what === 'category' ? ' datasets' : ''}`),
      '7 409 delete',
      'D2 unique codes',
    ],
    `a ${what} with a dataset cannot be deleted; without it is gone, 204 without a body, and its code is free`,
    async (client) => {
      const { id, code } = await make(client);
      const dataset = await upload(client, unreadable.raster, { [field]: id });
      await client.refused(409, 'DELETE', `${path}/${id}`);
      await client.expect(204, 'DELETE', `/datasets/${dataset.id}`);
      const deletion = async () => {
        const answer = await client.ask('DELETE', `${path}/${id}`);
        if (answer.status === 204) assert.equal(answer.text, '');
        return answer;
      };
      assert.deepEqual(await statusesAtOnce(5, deletion), { 204: 1, 404: 4 });
      await client.refused(404, 'GET', `${path}/${id}`);
      assert.notEqual((await make(client, { code })).id, id);
    },
  );
}

claim(
  ['4.2 GET /categories', '4.2 GET /categories parent_id', 'D2 list categories', 'D1 text order'],
  'the direct children of a category are an array by name, code point by code point, then id, and no grandchild is among them',
  async (client) => {
    const parent = await makeCategory(client);
    // By code point, a full-width tilde precedes a smile; by UTF-16 unit, it follows it.
    const sorted = [' a', ...'10 9 A B a a b ~ é Ё А Я а ё Қ ～ 😀'.split(' ')];
    for (const name of sorted.toReversed())
      await makeCategory(client, { name, parent_id: parent.id.toUpperCase() });
    const list = async () => await client.get<CategoryBody[]>(`/categories?parent_id=${parent.id}`);
    const children = await list();
    assert.deepEqual(
      children.map(({ name }) => name),
      sorted,
    );
    const twins = children.filter(({ name }) => name === 'a').map(({ id }) => id);
    assert.deepEqual(twins, twins.toSorted());
    const grandchild = await makeCategory(client, { name: 'a', parent_id: children[0]?.id });
    assert.ok((await list()).every(({ id, parent_id }) => id !== grandchild.id && parent_id === parent.id));
    for (const childless of [grandchild.id, randomUUID()]) {
      assert.deepEqual(await client.get(`/categories?parent_id=${childless}`), []);
    }
  },
);

claim(
  ['4.2 GET /categories', 'D2 list categories', 'D1 text order', 'D2 seeded', 'D1 unknown value'],
  'without a parent all categories are listed, roots and children, seeded and made, in one order',
  async (client) => {
    const root = await makeCategory(client, { name: 'ЯЯЯ' });
    const child = await makeCategory(client, { name: 'aaa', parent_id: root.id });
    const all = await client.get<CategoryBody[]>('/categories');
    for (const made of [root, child])
      assert.deepEqual(
        all.filter(({ id }) => id === made.id),
        [made],
      );
    assert.equal(all.filter(({ code }) => code === 'landscape').length, 1);
    const inOrder = all.toSorted((a, b) => byCodePoint(a.name, b.name) || byCodePoint(a.id, b.id));
    assert.deepEqual(
      all.map(({ id }) => id),
      inOrder.map(({ id }) => id),
    );
  },
);

claim(
  ['4.2 DELETE /categories/{id} 409 children', '7 409 delete'],
  'a category with a child cannot be deleted, and can once the child has moved away',
  async (client) => {
    const parent = await makeCategory(client);
    const child = await makeCategory(client, { parent_id: parent.id });
    await client.refused(409, 'DELETE', `/categories/${parent.id}`);
    await client.expect(200, 'PUT', `/categories/${child.id}`, { json: { code: child.code, name: 'n' } });
    await client.expect(204, 'DELETE', `/categories/${parent.id}`);
  },
);

claim(['D2 unique codes'], 'a category and a group may have the same code', async (client) => {
  await makeGroup(client, { code: (await makeCategory(client)).code });
});

claim(
  ['4.3 GET /dataset-groups', 'D2 list groups', 'D1 text order', '4.3 GET /dataset-groups page'],
  'groups come by code, code point by code point: a dash before digits before letters',
  async (client) => {
    const tail = randomUUID();
    for (const middle of ['-z', 'b', '1', 'a']) await makeGroup(client, { code: `0-0${middle}-${tail}` });
    const codes: string[] = [];
    for (let page = 1; ; page += 1) {
      const path = `/dataset-groups?page_size=100&page=${page}`;
      const { data, total_pages } = await client.get<Page<GroupBody>>(path);
      const onPage = data.map(({ code }) => code);
      assert.deepEqual(onPage, onPage.toSorted(byCodePoint));
      codes.push(...onPage.filter((code) => code.endsWith(tail)));
      if (page >= total_pages) break;
    }
    // Other claims add groups meanwhile, so that a group may appear on two pages.
    assert.deepEqual([...new Set(codes)], [`0-0-z-${tail}`, `0-01-${tail}`, `0-0a-${tail}`, `0-0b-${tail}`]);
  },
);

claim(
  ['4.3 GET /dataset-groups code', 'D1 unknown value', '2.4 DatasetGroupPage', 'D1 total_pages'],
  'code finds exactly the group that has it; any other text an empty page',
  async (client) => {
    const group = await makeGroup(client, { description: 'd' });
    const find = async (code: string) => await client.get(`/dataset-groups?code=${encodeURIComponent(code)}`);
    const envelope = { page: 1, page_size: 20 };
    const { code } = group;
    assert.deepEqual(await find(code), { data: [group], ...envelope, total: 1, total_pages: 1 });
    for (const other of [code.slice(0, -1), code.toUpperCase(), ` ${code}`, '', '%', "' or 1=1 --"]) {
      assert.deepEqual(await find(other), { data: [], ...envelope, total: 0, total_pages: 0 }, other);
    }
  },
);

claim(
  ['4.3 PUT /dataset-groups/{id}', 'D2 PUT group'],
  'PUT replaces code, name and description of a group; of groups that take one code at once, one has it',
  async (client) => {
    const before = await makeGroup(client, { description: 'before' });
    const json = { code: newCode(), name: 'after' };
    const after = await client.read<GroupBody>(200, 'PUT', `/dataset-groups/${before.id}`, { json });
    assert.deepEqual(after, { ...before, ...json, description: '', updated_at: after.updated_at });
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual(await client.get(`/dataset-groups/${before.id}`), after);
    await makeGroup(client, { code: before.code });
    const groups = await Promise.all(Array.from({ length: 6 }, async () => await makeGroup(client)));
    const wanted = { code: newCode(), name: 'n' };
    const take = async (index: number) =>
      await client.ask('PUT', `/dataset-groups/${groups[index]?.id}`, { json: wanted });
    assert.deepEqual(await statusesAtOnce(groups.length, take), { 200: 1, 409: 5 });
  },
);

claim(
  ['D2 no orphan', 'D1 422 reference'],
  'of the deletion of a group and a dataset that joins it at once, one gives way',
  async (client) => {
    const dataset = await upload(client, unreadable.raster);
    for (let round = 0; round < 4; round += 1) {
      const { id } = await makeGroup(client);
      const joining = client.ask('PATCH', `/datasets/${dataset.id}`, { json: { dg_id: id } });
      await oneGivesWay([client.ask('DELETE', `/dataset-groups/${id}`), joining], 200, 'dg_id');
    }
  },
);
