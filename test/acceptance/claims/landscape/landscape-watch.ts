import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';

interface Watch {
  readonly on: string | null;
  readonly hold: string | null;
  readonly state: string;
}
const path = '/landscape/watch';

claim(
  ['D6 watch'],
  'the watch is on from PUT to DELETE, with the hold that it was given; another one is 422 by its field',
  async (client) => {
    const set = await client.read<Watch>(200, 'PUT', path, { json: { on: 'input', hold: 'P7D' } });
    assert.deepEqual([set.on, set.hold], ['input', 'P7D']);
    assert.notEqual(set.state, 'off');
    await client.invalid(['hold'], 'PUT', path, { json: { on: 'input', hold: 'P1Y' } });
    await client.expect(204, 'DELETE', path);
    const { on, state } = await client.get<Watch>(path);
    assert.deepEqual([on, state], [null, 'off']);
  },
);

checkedElsewhere('src/landscape/watch/watch.test.ts', {
  'begins its hold again with each change, and names all that differ': ['D6 watch'],
  'makes one draft of a change that was left alone for the hold, as the adopted run': ['D6 watch draft'],
  'makes one draft however many look at once': ['D6 watch once'],
  'has the comparison with the adopted run counted, and adopts nothing': ['D6 watch comparison'],
});

checkedElsewhere('src/landscape/watch/watch-kills.test.ts', {
  'a worker that is killed at any moment leaves one draft of the same inputs, whole': ['D6 watch once'],
});
