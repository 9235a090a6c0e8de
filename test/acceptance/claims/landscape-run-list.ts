import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { firstRun, getRun, listRuns } from '../support/landscape.ts';
import { assertKeys, runFields } from '../support/fields.ts';

claim(
  ['4.5 GET runs', 'D6 nodes', '2.6 LandscapeRun.nodes'],
  'the list of runs is newest first, each as it is alone but without its nodes',
  async (client) => {
    const alone = await firstRun(client);
    const { data, total } = await listRuns(client, '?page_size=100');
    assert.ok(total >= data.length);
    for (const [place, run] of data.entries()) {
      assertKeys(run, runFields);
      const newer = data[place - 1];
      assert.ok(newer === undefined || newer.created_at >= run.created_at);
    }
    const listed = data.find(({ id }) => id === alone.id);
    assert.deepEqual(listed, { ...alone, nodes: null });
  },
);

claim(['4.5 GET run'], 'the id of a run may be written in upper case', async (client) => {
  const { id } = await firstRun(client);
  assert.equal((await getRun(client, id.toUpperCase())).id, id);
});
