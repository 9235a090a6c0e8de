import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../claim.ts';
import { type CategoryBody, makeCategory, newCode } from '../support/catalogue.ts';
import type { Client } from '../client.ts';
import { oneGivesWay } from '../support/at-once.ts';

const rounds = 15;

const moveTo = (parent_id: string | null, { code }: CategoryBody) => ({
  json: { code, name: 'moved', parent_id },
});

async function move({ ask }: Client, category: CategoryBody, parent_id: string) {
  return await ask('PUT', `/categories/${category.id}`, moveTo(parent_id, category));
}

async function refuseMove({ invalid }: Client, category: CategoryBody, parent_id: string): Promise<void> {
  await invalid(['parent_id'], 'PUT', `/categories/${category.id}`, moveTo(parent_id, category));
}

async function read({ get }: Client, id: string): Promise<CategoryBody> {
  return await get(`/categories/${id}`);
}

claim(
  ['4.2 PUT /categories/{id}', 'D2 PUT category'],
  'PUT changes name, description and parent, moves updated_at, and leaves the rest',
  async (client) => {
    const parent = await makeCategory(client);
    const before = await makeCategory(client, { description: 'before' });
    const json = { code: before.code, name: 'after', description: 'after', parent_id: parent.id };
    const after = (
      await client.expect(200, 'PUT', `/categories/${before.id}`, { json })
    ).read<CategoryBody>();
    assert.deepEqual(after, { ...before, ...json, updated_at: after.updated_at });
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual(await read(client, before.id), after);
  },
);

claim(
  ['D2 PUT no parent', 'D2 PUT no description'],
  'a PUT without parent and description makes a root without description, and so does null as parent',
  async (client) => {
    const parent = await makeCategory(client);
    for (const extra of [{}, { parent_id: null }]) {
      const { id, code } = await makeCategory(client, { parent_id: parent.id, description: 'd' });
      const json = { code, name: 'n', ...extra };
      const { parent_id, description } = (
        await client.expect(200, 'PUT', `/categories/${id}`, { json })
      ).read<CategoryBody>();
      assert.deepEqual([parent_id, description], [null, '']);
    }
  },
);

claim(
  ['D2 PUT free code'],
  'another code in a PUT is ignored while it is free, and stays free',
  async (client) => {
    const { id, code } = await makeCategory(client);
    const free = newCode();
    const json = { code: free, name: 'after' };
    const after = await client.read<CategoryBody>(200, 'PUT', `/categories/${id}`, { json });
    assert.deepEqual([after.code, after.name], [code, 'after']);
    await makeCategory(client, { code: free });
  },
);

claim(
  ['D2 PUT taken code', '4.2 PUT /categories/{id} 409'],
  "a PUT with another category's code is 409 and changes nothing",
  async (client) => {
    const [mine, other] = [await makeCategory(client), await makeCategory(client)];
    const json = { code: other.code, name: 'after' };
    await client.refused(409, 'PUT', `/categories/${mine.id}`, { json });
    assert.deepEqual(await read(client, mine.id), mine);
  },
);

claim(
  ['4.2 PUT /categories/{id} parent', '4.2 PUT /categories/{id} 422', 'D2 PUT parent', 'D1 422 reference'],
  'the new parent must exist',
  async (client) => {
    const category = await makeCategory(client);
    await refuseMove(client, category, randomUUID());
    await refuseMove(client, category, 'x');
    assert.deepEqual(await read(client, category.id), category);
  },
);

claim(
  ['4.2 PUT /categories/{id} cycle', '4.2 PUT /categories/{id} 422', 'D2 PUT parent'],
  'a category cannot move below itself, its child or its grandchild, but up and aside it can',
  async (client) => {
    const top = await makeCategory(client);
    const middle = await makeCategory(client, { parent_id: top.id });
    const bottom = await makeCategory(client, { parent_id: middle.id });
    for (const below of [top.id, top.id.toUpperCase(), middle.id, bottom.id]) {
      await refuseMove(client, top, below);
    }
    assert.deepEqual(await read(client, top.id), top);
    assert.equal((await move(client, bottom, top.id)).status, 200);
    assert.equal((await move(client, middle, bottom.id)).status, 200);
    await refuseMove(client, top, middle.id);
  },
);

claim(['4.2 PUT /categories/{id} cycle'], 'a long line of ancestors is walked to its end', async (client) => {
  const top = await makeCategory(client);
  let last = top;
  for (let depth = 0; depth < 100; depth += 1) last = await makeCategory(client, { parent_id: last.id });
  await refuseMove(client, top, last.id);
  assert.equal((await move(client, last, top.id)).status, 200);
});

claim(
  ['D2 no cycle'],
  'three categories that are each moved below the next at once make no cycle',
  async (client) => {
    for (let round = 0; round < rounds; round += 1) {
      const [a, b, c] = await Promise.all([makeCategory(client), makeCategory(client), makeCategory(client)]);
      const answers = await Promise.all([
        move(client, a, b.id),
        move(client, b, c.id),
        move(client, c, a.id),
      ]);
      const statuses = answers.map(({ status }) => String(status)).toSorted();
      assert.deepEqual(statuses, ['200', '200', '422']);
      const parents = await Promise.all([a, b, c].map(async ({ id }) => (await read(client, id)).parent_id));
      assert.equal(parents.filter((parent) => parent === null).length, 1);
    }
  },
);

claim(
  ['D2 no orphan'],
  'of a deletion and a child below it at once, one gives way: no child is left without its parent',
  async (client) => {
    for (let round = 0; round < rounds; round += 1) {
      const parent = await makeCategory(client);
      const json = { code: newCode(), name: 'child', parent_id: parent.id };
      const path = `/categories/${parent.id}`;
      const requests = [client.ask('DELETE', path), client.ask('POST', '/categories', { json })] as const;
      const outcome = await oneGivesWay(requests, 201, 'parent_id');
      await client.expect(outcome === 'deleted' ? 404 : 200, 'GET', path);
    }
  },
);

claim(['D2 no orphan'], 'of a deletion and a move below it at once, one gives way', async (client) => {
  for (let round = 0; round < rounds; round += 1) {
    const [parent, category] = [await makeCategory(client), await makeCategory(client)];
    const deletion = client.ask('DELETE', `/categories/${parent.id}`);
    await oneGivesWay([deletion, move(client, category, parent.id)], 200, 'parent_id');
  }
});
