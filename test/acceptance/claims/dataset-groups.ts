import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../claim.ts';
import { oneGivesWay, statusesAtOnce } from '../support/at-once.ts';
import { type GroupBody, type Page, makeGroup, newCode, unreadable } from '../support/catalogue.ts';
import { upload } from '../support/datasets.ts';
import { byCodePoint, dateTime, lowerCaseUuid } from '../support/values.ts';

claim(
  [
    '4.3 POST /dataset-groups',
    '2.2 DatasetGroup.id',
    '2.2 DatasetGroup.code',
    '2.2 DatasetGroup.name',
    '2.2 DatasetGroup.description',
    '2.2 DatasetGroup.sld_storage_key',
    '2.2 DatasetGroup.sld_filename',
    '2.2 DatasetGroup.sld_content_type',
    '2.2 DatasetGroup.created_at',
    '2.2 DatasetGroup.updated_at',
    '2.2 DatasetGroupInput.description',
    'D0 extras',
  ],
  'a group of code and name alone has no description and no style, and the nine fields of the contract',
  async ({ read }) => {
    const json = { code: newCode(), name: 'Сдвиг' };
    const group = await read<GroupBody>(201, 'POST', '/dataset-groups', { json });
    const { id, created_at, updated_at, ...said } = group;
    const style = { sld_storage_key: null, sld_filename: null, sld_content_type: null };
    assert.deepEqual(said, { ...json, description: '', ...style });
    assert.match(id, lowerCaseUuid);
    assert.match(created_at, dateTime);
    assert.equal(updated_at, created_at);
  },
);

claim(
  ['4.3 GET /dataset-groups/{id}', 'D1 uuid'],
  'a group is read as it was created, by its id in either case',
  async (client) => {
    const group = await makeGroup(client, { description: 'd' });
    for (const id of [group.id, group.id.toUpperCase()]) {
      assert.deepEqual(await client.get(`/dataset-groups/${id}`), group);
    }
  },
);

claim(
  ['4.3 GET /dataset-groups', 'D2 list groups', 'D1 text order', '4.3 GET /dataset-groups page'],
  'groups come by code, code point by code point: a dash before digits before letters',
  async (client) => {
    const tail = randomUUID();
    for (const middle of ['-z', 'b', '1', 'a']) await makeGroup(client, { code: `0-0${middle}-${tail}` });
    const codes: string[] = [];
    for (let page = 1; ; page += 1) {
      const { data, total_pages } = (
        await client.expect(200, 'GET', `/dataset-groups?page_size=100&page=${page}`)
      ).read<Page<GroupBody>>();
      const onPage = data.map(({ code }) => code);
      assert.deepEqual(onPage, onPage.toSorted(byCodePoint));
      codes.push(...onPage.filter((code) => code.endsWith(tail)));
      if (page >= total_pages) break;
    }
    // Others add groups meanwhile, so that one may show on two pages.
    assert.deepEqual([...new Set(codes)], [`0-0-z-${tail}`, `0-01-${tail}`, `0-0a-${tail}`, `0-0b-${tail}`]);
  },
);

claim(
  ['4.3 GET /dataset-groups code', 'D1 unknown value', '2.4 DatasetGroupPage', 'D1 total_pages'],
  'code finds exactly the group that has it, and what is nobody’s code, or no code at all, an empty page',
  async (client) => {
    const group = await makeGroup(client);
    const find = async (code: string) => await client.get(`/dataset-groups?code=${encodeURIComponent(code)}`);
    const envelope = { page: 1, page_size: 20 };
    assert.deepEqual(await find(group.code), { data: [group], ...envelope, total: 1, total_pages: 1 });
    const { code } = group;
    for (const other of [
      code.slice(0, -1),
      `${code}x`,
      code.toUpperCase(),
      ` ${code}`,
      '',
      '%',
      "' or 1=1 --",
      '😀',
    ]) {
      assert.deepEqual(await find(other), { data: [], ...envelope, total: 0, total_pages: 0 }, other);
    }
  },
);

claim(
  ['4.3 PUT /dataset-groups/{id}', 'D2 PUT group'],
  'PUT replaces code, name and description, and moves updated_at',
  async (client) => {
    const before = await makeGroup(client, { description: 'before' });
    const json = { code: newCode(), name: 'after' };
    const after = (
      await client.expect(200, 'PUT', `/dataset-groups/${before.id}`, { json })
    ).read<GroupBody>();
    assert.deepEqual(after, { ...before, ...json, description: '', updated_at: after.updated_at });
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual(await client.get(`/dataset-groups/${before.id}`), after);
    await makeGroup(client, { code: before.code });
  },
);

claim(
  ['4.3 PUT /dataset-groups/{id} 409', 'D2 PUT group', 'D2 unique codes'],
  'a group cannot take the code of another, but keep its own',
  async (client) => {
    const [mine, other] = [await makeGroup(client), await makeGroup(client)];
    const path = `/dataset-groups/${mine.id}`;
    await client.refused(409, 'PUT', path, { json: { code: other.code, name: 'after' } });
    assert.deepEqual(await client.get(path), mine);
    await client.expect(200, 'PUT', path, { json: { code: mine.code, name: 'after' } });
  },
);

claim(['4.3 POST /dataset-groups 409', 'D2 unique codes'], 'a code that is taken is 409', async (client) => {
  const { code } = await makeGroup(client);
  await client.refused(409, 'POST', '/dataset-groups', { json: { code, name: 'another' } });
});

claim(
  ['D2 unique codes'],
  'of twenty groups with one code that are created at once, one is made',
  async ({ ask }) => {
    const json = { code: newCode(), name: 'n' };
    const statuses = await statusesAtOnce(20, async () => await ask('POST', '/dataset-groups', { json }));
    assert.deepEqual(statuses, { 201: 1, 409: 19 });
  },
);

claim(['D2 PUT group'], 'of groups that take one code at once, one has it', async (client) => {
  const groups = await Promise.all(Array.from({ length: 6 }, async () => await makeGroup(client)));
  const json = { code: newCode(), name: 'n' };
  const take = async (index: number) =>
    await client.ask('PUT', `/dataset-groups/${groups[index]?.id}`, { json });
  assert.deepEqual(await statusesAtOnce(groups.length, take), { 200: 1, 409: 5 });
});

claim(
  [
    '4.3 GET /dataset-groups/{id} 404',
    '4.3 PUT /dataset-groups/{id} 404',
    '4.3 DELETE /dataset-groups/{id} 404',
    '4.3 POST sld 404',
    '4.3 GET sld 404',
    '4.3 GET latest 404',
  ],
  'a group that does not exist is 404, whatever is asked of it',
  async ({ refused }) => {
    const path = `/dataset-groups/${randomUUID()}`;
    await refused(404, 'GET', path);
    await refused(404, 'PUT', path, { json: { code: newCode(), name: 'n' } });
    await refused(404, 'DELETE', path);
    await refused(404, 'POST', `${path}/sld`, { form: { file: new File(['x'], 'x.sld') } });
    await refused(404, 'GET', `${path}/sld`);
    await refused(404, 'GET', `${path}/latest`);
  },
);

claim(
  ['4.3 DELETE /dataset-groups/{id}', '4.3 DELETE /dataset-groups/{id} 409', '7 409 delete'],
  'a group with a dataset cannot be deleted; once the dataset has left it is gone, 204 without a body',
  async (client) => {
    const { id } = await makeGroup(client);
    const dataset = await upload(client, unreadable.raster, { dg_id: id });
    await client.refused(409, 'DELETE', `/dataset-groups/${id}`);
    await client.expect(200, 'PATCH', `/datasets/${dataset.id}`, { json: { dg_id: null } });
    assert.equal((await client.expect(204, 'DELETE', `/dataset-groups/${id}`)).text, '');
    await client.expect(404, 'GET', `/dataset-groups/${id}`);
  },
);

claim(
  ['D2 no orphan', 'D1 422 reference'],
  'of the deletion of a group and a dataset that joins it at once, one gives way',
  async (client) => {
    const dataset = await upload(client, unreadable.raster);
    for (let round = 0; round < 10; round += 1) {
      const { id } = await makeGroup(client);
      const joining = client.ask('PATCH', `/datasets/${dataset.id}`, { json: { dg_id: id } });
      await oneGivesWay([client.ask('DELETE', `/dataset-groups/${id}`), joining], 200, 'dg_id');
    }
  },
);
