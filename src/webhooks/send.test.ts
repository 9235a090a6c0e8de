import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noContent, openHookServer, verifyAll, withStatus } from '../../test/support/http/hook-server.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { createWebhookSender } from './send.ts';

const hooks = await closeAfterTests(openHookServer());
const secret = Buffer.alloc(32, 7);
const secrets = [secret];
const message = { id: 'evt_3f9a1c20-1', body: '{"type":"dataset.ready","data":{"name":"Жер"}}' };
const never = new AbortController().signal;
const local = createWebhookSender(['127.0.0.0/8'], { deadlineMs: 300 });

/** Answers each look-up of a name with the next of these lists of addresses. */
function resolver(...answers: readonly (readonly string[])[]) {
  let asked = 0;
  const resolve = (
    _name: string,
    callback: (error: null, found: { address: string; family: number }[]) => void,
  ) => {
    const found = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, asked: () => asked };
}

describe('a message', () => {
  test('is signed so that the library of Standard Webhooks verifies it, and a changed one does not', async () => {
    const sender = createWebhookSender(['127.0.0.0/8']); // a busy machine may be slow
    assert.deepEqual((await sender.send({ url: hooks.url, secrets }, message, never)).status, 204);
    const received = hooks.received.slice(-1);
    const text = `whsec_${secret.toString('base64')}`;
    verifyAll(text, received);
    const [one] = received;
    assert.ok(one);
    assert.equal(one.id, message.id);
    assert.equal(one.headers['content-type'], 'application/json');
    assert.throws(() => verifyAll(text, [{ ...one, text: one.text.replace('ready', 'failed') }]));
    assert.throws(() => verifyAll(text, [{ ...one, headers: { ...one.headers, 'webhook-id': 'evt_2' } }]));
    assert.throws(() => verifyAll(`whsec_${Buffer.alloc(32).toString('base64')}`, received));
  });

  test('follows no redirection, and reads nothing of an answer but its head', async () => {
    const other = await openHookServer();
    hooks.answerWith(withStatus(307, { location: other.url }));
    assert.equal((await local.send({ url: hooks.url, secrets }, message, never)).status, 307);
    assert.equal(other.received.length, 0);
    await other.close();
    hooks.answerWith((response) => {
      response.writeHead(200);
      const more = (): void =>
        void (response.destroyed || response.write('x'.repeat(1e6), () => setImmediate(more)));
      more();
    });
    assert.equal((await local.send({ url: hooks.url, secrets }, message, never)).status, 200);
  });

  test('waits for no more than its time, whatever does not come', async () => {
    hooks.answerWith(() => undefined);
    assert.deepEqual(await local.send({ url: hooks.url, secrets }, message, never), {
      status: null,
      error: 'timeout',
    });
    hooks.answerWith((response) => void response.socket?.write('HTTP/1.1 200 OK\r\nx-a: '));
    assert.deepEqual(await local.send({ url: hooks.url, secrets }, message, never), {
      status: null,
      error: 'timeout',
    });
    hooks.answerWith((response) => void response.socket?.destroy());
    assert.deepEqual(await local.send({ url: hooks.url, secrets }, message, never), {
      status: null,
      error: 'connection',
    });
    hooks.answerWith(noContent);
    const ending = AbortSignal.abort(new Error('the worker ends'));
    await assert.rejects(local.send({ url: hooks.url, secrets }, message, ending), /the worker ends/);
    const closed = await openHookServer();
    await closed.close();
    assert.deepEqual(await local.send({ url: closed.url, secrets }, message, never), {
      status: null,
      error: 'refused',
    });
  });

  test('never reaches a private network, however its address is written or its name resolves', async () => {
    const before = hooks.received.length;
    const forbidden = { status: null, error: 'forbidden_address' };
    const open = createWebhookSender([]);
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
    ]) {
      for (const protocol of ['http', 'https']) {
        const url = `${protocol}://${host}:${hooks.port}/`;
        assert.deepEqual(await open.send({ url, secrets }, message, never), forbidden, url);
        assert.equal(open.mayTry(new URL(url)), false, url);
      }
    }
    const url = `https://hooks.example:${hooks.port}/`;
    for (const addresses of [['127.0.0.1'], ['::1', '10.0.0.1', '::ffff:127.0.0.1'], ['169.254.169.254']]) {
      const { resolve } = resolver(addresses);
      assert.deepEqual(
        await createWebhookSender([], { resolve }).send({ url, secrets }, message, never),
        forbidden,
      );
    }
    // If an operator allows one network, others remain refused, and so does plain HTTP outside of it.
    const { resolve } = resolver(['10.0.0.1'], ['1.1.1.1']);
    const one = createWebhookSender(['127.0.0.1'], { resolve });
    assert.deepEqual(await one.send({ url, secrets }, message, never), forbidden);
    assert.deepEqual(await one.send({ url: 'http://hooks.example/', secrets }, message, never), forbidden);
    assert.equal(hooks.received.length, before);
  });

  test('goes to the very address that was looked at: a name that is rebound is asked once', async () => {
    const { resolve, asked } = resolver(['127.0.0.2', '127.0.0.1'], ['10.0.0.1']);
    const sender = createWebhookSender(['127.0.0.1'], { resolve });
    const url = `http://hooks.example:${hooks.port}/`;
    assert.equal((await sender.send({ url, secrets }, message, never)).status, 204);
    assert.equal(asked(), 1);
    assert.equal(hooks.received.at(-1)?.headers.host, `hooks.example:${hooks.port}`);
    assert.deepEqual(await sender.send({ url, secrets }, message, never), {
      status: null,
      error: 'forbidden_address',
    });
  });
});
