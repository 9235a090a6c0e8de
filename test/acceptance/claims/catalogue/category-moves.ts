import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import { type CategoryBody, makeCategory, newCode, unreadable } from '../../support/catalogue.ts';
import type { Client } from '../../client.ts';
import { oneGivesWay } from '../../support/errors.ts';

const rounds = 5;

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
    const after = await client.read<CategoryBody>(200, 'PUT', `/categories/${before.id}`, { json });
    assert.deepEqual(after, { ...before, ...json, updated_at: after.updated_at });
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual(await read(client, before.id), after);
  },
);

claim(
  ['D2 PUT no parent', 'D2 PUT no description', 'D2 PUT free code'],
  'a PUT without parent, or with null, and without description makes a root without one; a free code is ignored, and stays free',
  async (client) => {
    const parent = await makeCategory(client);
    const { id, code } = await makeCategory(client, { parent_id: parent.id, description: 'd' });
    const free = newCode();
    for (const extra of [{}, { parent_id: null }, { code: free }]) {
      await move(client, { ...parent, id, code }, parent.id);
      const json = { code, name: 'n', ...extra };
      const after = await client.read<CategoryBody>(200, 'PUT', `/categories/${id}`, { json });
      assert.deepEqual([after.parent_id, after.description, after.code], [null, '', code]);
    }
    await makeCategory(client, { code: free });
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
  for (let depth = 0; depth < 40; depth += 1) last = await makeCategory(client, { parent_id: last.id });
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

claim(
  ['D2 no orphan', 'D1 422 reference'],
  'of the deletion of a category and an upload into it at once, one gives way',
  async (client) => {
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await makeCategory(client);
      const form = { file_type: 'raster', category_id: id, file: unreadable.raster };
      const deletion = client.ask('DELETE', `/categories/${id}`);
      await oneGivesWay([deletion, client.ask('POST', '/datasets', { form })], 201, 'category_id');
    }
  },
);

claim(
  ['D2 PUT category'],
  'of changes of one category at once each is whole, and the last one stays',
  async (client) => {
    const { id, code } = await makeCategory(client);
    const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const answers = await Promise.all(
      letters.map(async (letter) => {
        const json = { code, name: letter, description: letter };
        return await client.read<CategoryBody>(200, 'PUT', `/categories/${id}`, { json });
      }),
    );
    for (const { name, description } of answers) assert.equal(name, description);
    const times = answers.map(({ updated_at }) => updated_at);
    assert.equal(new Set(times).size, letters.length, 'no two changes at the same time');
    const last = answers.find(({ updated_at }) => updated_at === times.toSorted().at(-1));
    assert.deepEqual(await client.get(`/categories/${id}`), last);
  },
);

/** Parents of the existing categories among `ids`. */
async function parentsOf({ ask }: Client, ids: readonly string[]): Promise<Map<string, string | null>> {
  const parents = new Map<string, string | null>();
  for (const id of ids) {
    const answer = await ask('GET', `/categories/${id}`);
    if (answer.status === 200) parents.set(id, answer.read<CategoryBody>().parent_id);
  }
  return parents;
}

claim(
  ['D2 no cycle', 'D2 no orphan'],
  'whatever happens to a few categories at once, what is left is a forest, and no answer is a failure',
  async (client) => {
    const made = await Promise.all(Array.from({ length: 8 }, async () => await makeCategory(client)));
    const ids = made.map(({ id }) => id);
    const at = (index: number): CategoryBody => made[index % made.length] ?? made[0] ?? assert.fail();
    const step = async (worker: number, turn: number): Promise<void> => {
      const [target, other] = [at(worker * 3 + turn * 5), at(worker + turn * turn * 7 + 1)];
      const path = `/categories/${target.id}`;
      const isDeletion = (worker + turn) % 11 === 0;
      const json = { code: target.code, name: 'moved', parent_id: turn % 6 === 0 ? null : other.id };
      const { status } = await (isDeletion ? client.ask('DELETE', path) : client.ask('PUT', path, { json }));
      assert.ok((isDeletion ? [204, 404, 409] : [200, 404, 422]).includes(status), `${status}`);
    };
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let turn = 1; turn <= 8; turn += 1) await step(worker, turn);
      }),
    );
    const parents = await parentsOf(client, ids);
    for (const [id, parent] of parents) {
      const above = [id];
      for (let next: string | null | undefined = parent; typeof next === 'string'; next = parents.get(next)) {
        assert.ok(parents.has(next), 'a parent that is gone');
        assert.ok(!above.includes(next), 'a cycle');
        above.push(next);
      }
    }
  },
);
