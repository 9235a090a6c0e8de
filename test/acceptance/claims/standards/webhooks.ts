import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';

interface Webhook {
  readonly id: string;
  readonly state: string;
  readonly secret?: string;
}

claim(
  ['D7 webhooks', 'D7 webhooks private'],
  'a webhook is made, read, changed and deleted; its secret is said once, and no URL may lead into a private network',
  async (client) => {
    const url = 'https://maps.example/hooks';
    const made = await client.read<Webhook>(201, 'POST', '/webhooks', {
      json: { url, types: ['run.record'] },
    });
    assert.match(made.secret ?? '', /^whsec_/);
    const path = `/webhooks/${made.id}`;
    const { secret, ...shown } = await client.get<Webhook>(path);
    assert.equal(secret, undefined);
    assert.deepEqual({ ...shown, secret: made.secret }, made);
    const off = await client.read<Webhook>(200, 'PATCH', path, { json: { state: 'off' } });
    assert.equal(off.state, 'off');
    const { data } = await client.get<{ data: Webhook[] }>('/webhooks?page_size=100');
    assert.ok(data.some(({ id }) => id === made.id));
    assert.deepEqual((await client.get<{ data: unknown[] }>(`${path}/deliveries`)).data, []);
    for (const wrong of [
      'https://127.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/',
      'http://maps.example/',
    ])
      await client.invalid(['url'], 'PATCH', path, { json: { url: wrong } });
    await client.expect(204, 'DELETE', path);
    await client.refused(404, 'GET', path);
  },
);

checkedElsewhere('src/backup/backup.test.ts', {
  'switches webhooks off, so that a copy sends nothing where the service sends, unless it is asked to keep them':
    ['D7 webhooks restored'],
});
checkedElsewhere('src/webhooks/webhooks.test.ts', {
  'gets each event that it wants, in order and signed, and says what it got': ['D7 webhooks signed'],
  'gets a message again, with the same id and before the next one, until it takes it': ['D7 webhooks again'],
  'has a message given up that it refuses again and again, and gets the next one': ['D7 webhooks again'],
  'is disabled when it is gone or has failed for days, says so, and goes on where it stopped': [
    'D7 webhooks disabled',
  ],
  'gets a new secret, beside which the one of before signs as long as it is kept': ['D7 webhooks secret'],
  'gets a test while it is off, once': ['D7 webhooks test'],
});

checkedElsewhere('src/webhooks/send.test.ts', {
  'never reaches a private network, however its address is written or its name resolves': [
    'D7 webhooks private',
  ],
  'goes to the very address that was looked at: a name that is rebound is asked once': [
    'D7 webhooks private',
  ],
});
