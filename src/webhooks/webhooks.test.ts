import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { enqueueJob } from '../jobs/enqueue.ts';
import { startWorker } from '../jobs/worker.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import { openListener } from '../database/listener.ts';
import { createWebhookHandler, enqueueDeliveries } from './deliver.ts';
import { createWebhookSender } from './send.ts';
import type { WebhookDelivery, Webhook } from './webhook-schema.ts';
import { startTestApp, whileUncommitted } from '../../test/support/app.ts';
import { send, sendJson } from '../../test/support/datasets.ts';
import { afterTests, closeAfterTests, temporaryFolder } from '../../test/support/for-tests.ts';
import { noContent, openHookServer, verifyAll, withStatus } from '../../test/support/http/hook-server.ts';
import { eventually } from '../../test/support/processes.ts';
import { insertPendingDatasets } from '../../test/support/geo/rasters.ts';

const networks = ['127.0.0.1'];
const app = await closeAfterTests(startTestApp({ webhookNetworks: networks }));
const { db, pool, objectStore } = app.services;
const hooks = await closeAfterTests(openHookServer());

const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const listener = await closeAfterTests(openListener(app.databaseTarget, { onError: () => undefined }));
const queue = createPostgresMessageQueue(db, listener, () => undefined);
const worker = startWorker({
  db,
  objectStore,
  messageQueue: queue,
  handlers: {
    'deliver-webhook': createWebhookHandler({
      db,
      webhookSender: createWebhookSender(networks),
      pauses: [0.01, 0.02],
    }),
  },
  concurrency: 1,
  scratchRoot: await temporaryFolder(),
  log,
  timing: { pollEveryMs: 50 },
});
afterTests(async () => await worker.stop());
const deliveries = enqueueDeliveries({ db, listener }, log);
afterTests(async () => await deliveries.close());

interface Made extends Webhook {
  readonly secret: string;
}

interface Renewed extends Made {
  readonly earlier_secrets_until: string | null;
}
const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64');

async function create(body: object = {}): Promise<Made> {
  const answer = await sendJson<Made>(app, 'POST', '/webhooks', { url: hooks.url, ...body });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get('location'), `/webhooks/${answer.body.id}`);
  hooks.received.length = 0;
  hooks.answerWith(noContent);
  return answer.body;
}
const remove = async ({ id }: Webhook) =>
  assert.equal((await send(app, `/webhooks/${id}`, { method: 'DELETE' })).status, 204);
const stateOf = async ({ id }: Webhook) => (await send<Webhook>(app, `/webhooks/${id}`)).body;
const deliveriesOf = async ({ id }: Webhook) =>
  (await send<{ data: WebhookDelivery[] }>(app, `/webhooks/${id}/deliveries`)).body.data;
const received = async (count: number) =>
  await eventually(`${count} messages`, async () => hooks.received.length >= count && hooks.received);
const setStatus = async (id: string, status: string) =>
  await pool.query('update datasets set status = $2 where id = $1', [id, status]);

describe('a webhook', () => {
  test('is changed while the ordering of events enqueues its job', async () => {
    const webhook = await create();
    const answer = await whileUncommitted(
      app.services,
      async (trx) => await enqueueJob(trx, 'deliver-webhook', webhook.id),
      async () => await sendJson<Webhook>(app, 'PATCH', `/webhooks/${webhook.id}`, { state: 'off' }),
    );
    assert.equal(answer.status, 200, answer.text);
    await remove(webhook);
  });

  test('gets each event that it wants, in order and signed, and says what it got', async () => {
    const webhook = await create({ types: ['dataset.created', 'dataset.ready'] });
    assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const [id = ''] = await insertPendingDatasets(pool, 1);
    await setStatus(id, 'processing');
    await setStatus(id, 'ready');
    const messages = await received(2);
    verifyAll(webhook.secret, messages);
    assert.deepEqual(
      messages.map(({ type, data }) => [type, data['dataset_id']]),
      [
        ['dataset.created', id],
        ['dataset.ready', id],
      ],
    );
    const done = await eventually('both recorded', async () => {
      const all = await deliveriesOf(webhook);
      return all.length === 2 && all;
    });
    assert.deepEqual(
      done.map(({ message_id, state, attempts, status }) => [message_id, state, attempts, status]),
      [
        [messages[1]?.id, 'delivered', 1, 204],
        [messages[0]?.id, 'delivered', 1, 204],
      ],
    );
    await remove(webhook);
    await insertPendingDatasets(pool, 1);
  });

  test('shows its secret once, and neither secret nor URL stand in a log', async () => {
    const webhook = await create();
    await insertPendingDatasets(pool, 1);
    await received(1);
    const texts = [
      (await send(app, '/webhooks')).text,
      (await send(app, `/webhooks/${webhook.id}`)).text,
      (await sendJson(app, 'PATCH', `/webhooks/${webhook.id}`, { description: 'x' })).text,
      (await send(app, `/webhooks/${webhook.id}/deliveries`)).text,
      lines.join(''),
    ];
    for (const text of texts)
      assert.ok(!text.includes(webhook.secret.slice('whsec_'.length)) && !text.includes('whsec_'));
    assert.ok(lines.length > 0 && !lines.join('').includes('secret-in-url'));
    await remove(webhook);
  });

  test('gets a new secret, beside which the one of before signs as long as it is kept', async () => {
    const first = await create({ types: ['dataset.created'] });
    const renew = async (body: object = {}) => {
      const answer = await sendJson<Renewed>(app, 'POST', `/webhooks/${first.id}/secret`, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    const nextMessage = async () => {
      const before = hooks.received.length;
      await insertPendingDatasets(pool, 1);
      return (await received(before + 1)).slice(before);
    };
    const second = await renew();
    assert.match(second.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const hours = Math.round(
      (Date.parse(second.earlier_secrets_until ?? '') - Date.parse(second.updated_at)) / 3_600_000,
    );
    assert.equal(hours, 24);
    const third = await renew({ keep_hours: 1 }); // as after a lost answer
    const messages = await nextMessage();
    for (const { secret } of [first, second, third]) verifyAll(secret, messages);
    assert.equal(third.earlier_secrets_until, second.earlier_secrets_until);
    await pool.query(`update webhook_secrets set until = now() where secret = $1`, [bytesOf(first.secret)]);
    const later = await nextMessage();
    for (const { secret } of [second, third]) verifyAll(secret, later);
    assert.throws(() => verifyAll(first.secret, later));
    const leaked = await renew({ keep_hours: 0 });
    assert.equal(leaked.earlier_secrets_until, null);
    const last = await nextMessage();
    verifyAll(leaked.secret, last);
    for (const { secret } of [first, second, third]) assert.throws(() => verifyAll(secret, last));
    assert.equal(String(last[0]?.headers['webhook-signature']).split(' ').length, 1);
    await remove(first);
  });

  test('gets a message again, with the same id and before the next one, until it takes it', async () => {
    const webhook = await create({ types: ['dataset.created'] });
    hooks.answerWith((response, count) => (count < 4 ? withStatus(503)(response) : noContent(response)));
    await insertPendingDatasets(pool, 2);
    const messages = await received(5);
    const ids = messages.map(({ id }) => id);
    assert.deepEqual(new Set(ids.slice(0, 4)).size, 1);
    assert.notEqual(ids[4], ids[0]);
    verifyAll(webhook.secret, messages);
    const [, first] = await eventually('both recorded', async () => {
      const all = await deliveriesOf(webhook);
      return all.length === 2 && all[0]?.state === 'delivered' && all;
    });
    assert.deepEqual([first?.attempts, first?.status], [4, 204]);
    assert.equal((await stateOf(webhook)).failing_since, null);
    await remove(webhook);
  });

  test('has a message given up that it refuses again and again, and gets the next one', async () => {
    const webhook = await create({ types: ['dataset.created'] });
    const [bad = ''] = await insertPendingDatasets(pool, 1);
    hooks.answerWith((response) =>
      hooks.received.at(-1)?.data['dataset_id'] === bad ? withStatus(400)(response) : noContent(response),
    );
    await received(1);
    await insertPendingDatasets(pool, 1);
    await received(9);
    const all = await eventually('both recorded', async () => {
      const found = await deliveriesOf(webhook);
      return found.length === 2 && found;
    });
    assert.deepEqual(
      all.map(({ state, attempts, status }) => [state, attempts, status]),
      [
        ['delivered', 1, 204],
        ['failed', 8, 400],
      ],
    );
    await remove(webhook);
  });

  test('is disabled when it is gone or has failed for days, says so, and goes on where it stopped', async () => {
    for (const [status, reason] of [
      [410, 'gone'],
      [500, 'failing'],
    ] as const) {
      const webhook = await create({ types: ['dataset.created'] });
      hooks.answerWith(withStatus(status));
      await pool.query("update webhooks set failing_since = now() - interval '6 days' where id = $1", [
        webhook.id,
      ]);
      await insertPendingDatasets(pool, 1);
      const seen = await eventually('it is disabled', async () => {
        const now = await stateOf(webhook);
        return now.state === 'disabled' && now;
      });
      assert.equal(seen.reason, reason);
      assert.ok(seen.failing_since !== null);
      hooks.answerWith(noContent);
      const ids = hooks.received.map(({ id }) => id);
      const { body } = await sendJson<Webhook>(app, 'PATCH', `/webhooks/${webhook.id}`, { state: 'on' });
      assert.deepEqual([body.state, body.reason, body.failing_since], ['on', null, null]);
      const messages = await received(ids.length + 1);
      assert.equal(messages.at(-1)?.id, ids[0]);
      await remove(webhook);
    }
  });

  test('gets a test while it is off, once', async () => {
    const webhook = await create();
    await sendJson(app, 'PATCH', `/webhooks/${webhook.id}`, { state: 'off' });
    hooks.received.length = 0;
    await insertPendingDatasets(pool, 1);
    hooks.answerWith(withStatus(500));
    const asked = await send<WebhookDelivery>(app, `/webhooks/${webhook.id}/test`, { method: 'POST' });
    assert.deepEqual([asked.status, asked.body.state], [201, 'pending']);
    const [message] = await received(1);
    assert.deepEqual([message?.id, message?.type], [asked.body.message_id, 'webhook.test']);
    const [seen] = await eventually('its end', async () => {
      const all = await deliveriesOf(webhook);
      return all[0]?.state === 'failed' && all;
    });
    assert.deepEqual([seen?.status, hooks.received.length], [500, 1]);
    await remove(webhook);
  });

  test('gets a test that is asked for in the moment in which its job ends', async () => {
    const webhook = await create();
    await sendJson(app, 'PATCH', `/webhooks/${webhook.id}`, { state: 'off' });
    const isQuiet = async () =>
      (
        await pool.query(`select from jobs where ref_id = $1 and state in ('queued', 'running')`, [
          webhook.id,
        ])
      ).rows.length === 0;
    await eventually('no job of it', isQuiet);
    hooks.received.length = 0;
    const asking = await pool.connect();
    await asking.query('begin');
    await asking.query('select from webhooks where id = $1 for update', [webhook.id]);
    await pool.query(
      `insert into jobs (id, kind, ref_id) values (gen_random_uuid(), 'deliver-webhook', $1)`,
      [webhook.id],
    );
    await eventually('the job waits', async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await pool.query(waiting)).rows.length > 0;
    });
    await asking.query(
      `insert into webhook_deliveries (webhook_id, message_id, type, state) values ($1, 'test_late', 'webhook.test', 'pending')`,
      [webhook.id],
    );
    await asking.query('commit');
    asking.release();
    assert.equal((await received(1))[0]?.id, 'test_late');
    await remove(webhook);
  });

  test('of another database goes on from now, and nothing of before is sent', async () => {
    const webhook = await create({ types: ['dataset.created'] });
    await pool.query("update webhooks set epoch = '00000000', position = 9000000 where id = $1", [
      webhook.id,
    ]);
    await insertPendingDatasets(pool, 1);
    await eventually('it has the new epoch', async () => {
      const { rows } = await pool.query('select epoch from webhooks where id = $1', [webhook.id]);
      return rows[0].epoch !== '00000000';
    });
    const [id = ''] = await insertPendingDatasets(pool, 1);
    await eventually('it is sent', async () => hooks.received.some(({ data }) => data['dataset_id'] === id));
    await remove(webhook);
  });

  test('is refused with another URL than one that may be sent to, naming the field', async () => {
    await using open = await startTestApp();
    const wrong = [
      'http://maps.example/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://u:p@maps.example/',
      'ftp://maps.example/',
    ];
    for (const url of [
      ...wrong,
      'https://',
      'x',
      `https://maps.example/${'x'.repeat(2000)}`,
      'https://maps.example/#x',
      7,
    ]) {
      const answer = await sendJson<{ errors?: { url?: string } }>(open, 'POST', '/webhooks', { url });
      assert.equal(answer.status, 422, String(url));
      assert.ok(answer.body.errors?.url, String(url));
    }
    const { body } = await sendJson<Made>(open, 'POST', '/webhooks', { url: 'https://maps.example/hooks' });
    for (const [patch, status] of [
      [{}, 422],
      [{ url: 'https://127.0.0.1/' }, 422],
      [{ types: [] }, 422],
      [{ types: null }, 200],
    ] as const)
      assert.equal(
        (await sendJson(open, 'PATCH', `/webhooks/${body.id}`, patch)).status,
        status,
        JSON.stringify(patch),
      );
    for (let count = 1; count < 100; count += 1)
      assert.equal(
        (await sendJson(open, 'POST', '/webhooks', { url: 'https://maps.example/hooks' })).status,
        201,
      );
    assert.equal(
      (await sendJson(open, 'POST', '/webhooks', { url: 'https://maps.example/hooks' })).status,
      409,
    );
  });
});
