import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import { makeCategory } from '../../support/catalogue.ts';

/** Events of a stream that has ended. */
function eventsIn(text: string) {
  return Array.from(
    text.matchAll(/^id: (\S+)\nevent: (\S+)\ndata: (.*)\n\n/gm),
    ([, id = '', type = '', data = '']) => {
      const body: { type: string; timestamp: string; data: Record<string, unknown> } = JSON.parse(data);
      assert.equal(body.type, type);
      assert.ok(Date.parse(body.timestamp) > 0);
      return { id, type, data: body.data };
    },
  );
}

claim(
  ['D7 events', 'D7 events resume', 'D7 events filter'],
  'what happens to a dataset comes as events behind a place, in order and as often as it is asked for',
  async (client) => {
    const { text: start } = await client.expect(200, 'GET', '/events?wait=0');
    const place = /^id: (\S+)$/m.exec(start)?.[1] ?? assert.fail(start);
    const category = await makeCategory(client);
    const form = {
      file_type: 'vector',
      category_id: category.id,
      file: new File(['{"type":"FeatureCollection","features":[]}'], 'none.geojson'),
    };
    const { id } = await client.read<{ id: string }>(201, 'POST', '/datasets', { form });
    await client.expect(204, 'DELETE', `/datasets/${id}`);
    const { text, headers } = await client.expect(200, 'GET', `/events?wait=0&dataset_id=${id}`, {
      headers: { 'last-event-id': place },
    });
    assert.equal(headers.get('content-type'), 'text/event-stream');
    const events = eventsIn(text);
    assert.deepEqual([events[0]?.type, events.at(-1)?.type], ['dataset.created', 'dataset.deleted']);
    assert.equal(events[0]?.data['file_type'], 'vector');
    const query = `after=${events[0]?.id}&types=dataset.deleted&dataset_id=${id}`;
    const again = eventsIn((await client.expect(200, 'GET', `/events?wait=0&${query}`)).text);
    assert.deepEqual(again, events.slice(-1));
    const other = eventsIn((await client.expect(200, 'GET', '/events?wait=0&after=00000000-7')).text);
    assert.deepEqual(
      other.map(({ type }) => type),
      ['reset'],
    );
    const kept = eventsIn((await client.expect(200, 'GET', `/events?after=0&wait=0&dataset_id=${id}`)).text);
    assert.deepEqual(kept, events);
    for (const wrong of ['types=x', 'after=1', 'wait=901', 'dataset_id=1', 'group_id=1', 'run_id=1'])
      await client.refused(400, 'GET', `/events?${wrong}`);
  },
);

checkedElsewhere('src/events/events.test.ts', {
  'ends when the service shuts down, with the time after which to reconnect': ['D7 events end'],
  'refuses what it cannot read, and more clients than it may have': ['D7 events end'],
  'goes on behind the last event that a client has, wherever that is kept': ['D7 events resume'],
});
