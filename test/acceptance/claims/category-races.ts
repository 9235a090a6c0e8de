import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { type CategoryBody, makeCategory, unreadable } from '../support/catalogue.ts';
import { oneGivesWay, statusesAtOnce } from '../support/at-once.ts';

const rounds = 10;

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

claim(['D2 no orphan'], 'of ten deletions of one category at once, one is done', async (client) => {
  const { id } = await makeCategory(client);
  const statuses = await statusesAtOnce(10, async () => await client.ask('DELETE', `/categories/${id}`));
  assert.deepEqual(statuses, { 204: 1, 404: 9 });
});

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

/** The parents of those of `ids` that are there. */
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
        for (let turn = 1; turn <= 15; turn += 1) await step(worker, turn);
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
