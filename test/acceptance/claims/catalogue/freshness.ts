import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { makeGroup } from '../../support/catalogue.ts';

interface Freshness {
  readonly group_id: string;
  readonly code: string;
  readonly every: string;
  readonly grace: string;
  readonly state: string;
  readonly latest: { readonly id: string } | null;
  readonly next_due: string | null;
}
const path = (id: string) => `/dataset-groups/${id}/cadence`;
const list = async (client: Client, state: string) =>
  await client.get<Freshness[]>(`/dataset-groups/freshness?state=${state}`);

claim(
  ['D2 cadence', 'D2 freshness', 'D2 freshness list'],
  'a group has a cadence from PUT to DELETE; without a ready dataset it is empty, not late',
  async (client) => {
    const { id, code } = await makeGroup(client);
    await client.refused(404, 'GET', path(id));
    const set = await client.read<Freshness>(200, 'PUT', path(id), { json: { every: 'P1Y', grace: 'P60D' } });
    assert.deepEqual(
      [set.group_id, set.code, set.every, set.grace, set.state, set.latest, set.next_due],
      [id, code, 'P1Y', 'P60D', 'empty', null, null],
    );
    assert.deepEqual(await client.get(path(id)), set);
    assert.ok((await list(client, 'empty')).some(({ group_id }) => group_id === id));
    assert.ok((await list(client, 'overdue')).every(({ group_id }) => group_id !== id));
    await client.expect(204, 'DELETE', path(id));
    await client.refused(404, 'DELETE', path(id));
  },
);

checkedElsewhere('src/catalogue/freshness.test.ts', {
  'gives the state of today, from the freshest ready dataset': ['D2 freshness'],
  'refuses everything but such a duration, with an error on its field': ['D2 cadence'],
});
