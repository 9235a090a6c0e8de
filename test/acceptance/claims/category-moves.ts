import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../claim.ts';
import { type CategoryBody, makeCategory, newCode } from '../support/catalogue.ts';
import type { Client } from '../client.ts';
import { assertError, assertFields } from '../support/errors.ts';

const rounds = 15;

async function move(client: Client, { id, code }: CategoryBody, parent_id: string | null) {
  return await client.ask('PUT', `/categories/${id}`, { json: { code, name: 'moved', parent_id } });
}

async function read({ expect }: Client, id: string): Promise<CategoryBody> {
  return (await expect(200, 'GET', `/categories/${id}`)).read();
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
    const after = (await client.expect(200, 'PUT', `/categories/${id}`, { json })).read<CategoryBody>();
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
    assertError(await client.expect(409, 'PUT', `/categories/${mine.id}`, { json }));
    assert.deepEqual(await read(client, mine.id), mine);
  },
);

claim(
  ['4.2 PUT /categories/{id} parent', '4.2 PUT /categories/{id} 422', 'D2 PUT parent', 'D1 422 reference'],
  'the new parent must exist',
  async (client) => {
    const category = await makeCategory(client);
    assertFields(await move(client, category, randomUUID()), 'parent_id');
    assertFields(await move(client, category, 'x'), 'parent_id');
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
      const answer = await move(client, top, below);
      assert.equal(answer.status, 422);
      assertFields(answer, 'parent_id');
    }
    assert.deepEqual(await read(client, top.id), top);
    assert.equal((await move(client, bottom, top.id)).status, 200);
    assert.equal((await move(client, middle, bottom.id)).status, 200);
    assert.equal((await move(client, top, middle.id)).status, 422);
  },
);

claim(['4.2 PUT /categories/{id} cycle'], 'a long line of ancestors is walked to its end', async (client) => {
  const top = await makeCategory(client);
  let last = top;
  for (let depth = 0; depth < 100; depth += 1) last = await makeCategory(client, { parent_id: last.id });
  assertFields(await move(client, top, last.id), 'parent_id');
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
      const [deletion, creation] = await Promise.all([
        client.ask('DELETE', `/categories/${parent.id}`),
        client.ask('POST', '/categories', { json }),
      ]);
      const outcome = `${deletion.status} ${creation.status}`;
      assert.ok(['204 422', '409 201'].includes(outcome), outcome);
      if (creation.status === 422) assertFields(creation, 'parent_id');
      await client.expect(deletion.status === 204 ? 404 : 200, 'GET', `/categories/${parent.id}`);
    }
  },
);

claim(['D2 no orphan'], 'of a deletion and a move below it at once, one gives way', async (client) => {
  for (let round = 0; round < rounds; round += 1) {
    const [parent, category] = [await makeCategory(client), await makeCategory(client)];
    const [deletion, moved] = await Promise.all([
      client.ask('DELETE', `/categories/${parent.id}`),
      move(client, category, parent.id),
    ]);
    const outcome = `${deletion.status} ${moved.status}`;
    assert.ok(['204 422', '409 200'].includes(outcome), outcome);
  }
});
