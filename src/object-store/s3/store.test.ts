import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { describeObjectStore } from '../../../test/contract/object-store.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { listenOn } from '../../../test/support/ports.ts';
import { startS3 } from '../../../test/support/services/s3.ts';
import { MiB } from '../../lib/units.ts';
import { ObjectMissing, StoreUnavailable } from '../object-store.ts';
import type { S3Options } from './client.ts';
import { readS3Url } from './location.ts';
import { createS3ObjectStore } from './store.ts';

const s3 = await closeAfterTests(startS3(await temporaryFolder()));
const { credentials } = s3;

/** Limit of tests that wait for it. */
const soon = { answerWithinMs: 1000 };

function openStore(url: string, options: Partial<S3Options> = {}) {
  const refusals: string[] = [];
  const onRefusal = (sentence: string) => void refusals.push(sentence);
  const store = createS3ObjectStore(readS3Url(url), { credentials, onRefusal, ...options });
  return { ...store, refusals, [Symbol.dispose]: () => store.close?.() };
}

describeObjectStore('S3', async () => {
  const store = openStore(s3.urlOf(s3.port, `/${randomUUID()}`));
  return { store, close: async () => store.close?.() };
});

describe('S3 object store', () => {
  it('keeps prefixes apart', async () => {
    using one = openStore(s3.urlOf(s3.port, '/one'));
    using other = openStore(s3.urlOf(s3.port, '/other/deep'));
    await one.put('a/b.tif', Readable.from([Buffer.from('1')]));
    await other.put('a/b.tif', Readable.from([Buffer.from('2')]));
    await one.check();
    assert.deepEqual(await Array.fromAsync(one.keys()), ['a/b.tif']);
    assert.equal(await text(await other.read('a/b.tif')), '2');
    await one.remove('a/b.tif');
    assert.equal(await other.size('a/b.tif'), 1);
  });

  it('says in words what an operator has to mend, and that the store is unavailable', async () => {
    using nowhere = openStore(s3.url.replace('s3://steppe', 's3://missing-bucket'));
    await assert.rejects(nowhere.size('a'), StoreUnavailable);
    await assert.rejects(nowhere.read('a'), StoreUnavailable);
    assert.match(nowhere.refusals.join(), /the bucket of OBJECT_STORE_URL is not there/);
    using stranger = openStore(s3.url, { credentials: { ...credentials, accessKeyId: 'nobody' } });
    await assert.rejects(stranger.check(), StoreUnavailable);
    assert.match(stranger.refusals.join(), /refuses the credentials/);
  });

  it('says so when there are no credentials, or no region', async () => {
    for (const [failure, words] of [
      [{ name: 'CredentialsProviderError' }, /there are no credentials/],
      [{ message: 'Region is missing' }, /set region in OBJECT_STORE_URL/],
    ] as const) {
      using store = openStore(s3.url, {
        credentials: async () => await Promise.reject(Object.assign(new Error(), failure)), // an error of the SDK
      });
      await assert.rejects(store.size('a'), StoreUnavailable);
      assert.match(store.refusals.join(), words);
    }
  });

  it('gives up on a server that is frozen, and works on when it is back', async () => {
    using store = openStore(s3.url, soon);
    await store.put('frozen/a', Readable.from([Buffer.from('x')]));
    await s3.process.freeze();
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    await assert.rejects(store.check(), StoreUnavailable);
    assert.ok(seconds() < 4, `${seconds()} s`);
    await Promise.all([
      assert.rejects(store.size('frozen/a'), StoreUnavailable),
      assert.rejects(store.read('frozen/a'), StoreUnavailable),
      assert.rejects(store.put('frozen/b', Readable.from([Buffer.from('x')])), StoreUnavailable),
    ]);
    assert.ok(seconds() < 6, `${seconds()} s`);
    await s3.process.thaw();
    assert.equal(await store.size('frozen/a'), 1);
  });

  it('is unavailable while the server is gone', async () => {
    using store = openStore(s3.url);
    await s3.process.stop('SIGKILL');
    await assert.rejects(store.check(), StoreUnavailable);
    await assert.rejects(store.size('a'), StoreUnavailable);
    await assert.rejects(store.put('a', Readable.from([Buffer.from('x')])), StoreUnavailable);
    await s3.restart();
    await store.check();
  });
});

describe('an S3 server that misbehaves', () => {
  /** A store on a server that gives this answer to every request. */
  async function storeOf(answer: RequestListener, options: Partial<S3Options> = {}) {
    const server = createServer(answer);
    const port = await listenOn(server);
    const store = openStore(s3.urlOf(port), options);
    return {
      store,
      async [Symbol.asyncDispose]() {
        store.close?.();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }
  const failing = (status: number, code: string): RequestListener => {
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
    return (request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
    };
  };

  it('is unavailable while it fails, asks to slow down, or drops connections', async () => {
    const answers: readonly RequestListener[] = [
      failing(500, 'InternalError'),
      failing(503, 'SlowDown'),
      failing(429, 'TooManyRequests'),
      (request) => void request.socket.destroy(),
    ];
    await Promise.all(
      answers.map(async (answer) => {
        await using opened = await storeOf(answer);
        await assert.rejects(opened.store.read('a'), StoreUnavailable);
        await assert.rejects(opened.store.put('a', Readable.from([Buffer.from('x')])), StoreUnavailable);
      }),
    );
  });

  it('has no object where it says so', async () => {
    await using opened = await storeOf(failing(404, 'NoSuchKey'));
    await assert.rejects(opened.store.read('a'), ObjectMissing);
  });

  it('breaks a body that it cuts short, instead of ending it', async () => {
    await using opened = await storeOf((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => response.destroy(), 50);
    });
    await assert.rejects(buffer(await opened.store.read('a')), StoreUnavailable);
  });

  it('is given up some time after it last took something, whether or not bytes are sent to it again', async () => {
    let requests = 0;
    await using opened = await storeOf((request) => {
      requests += 1;
      request.resume();
      if (requests < 3) setTimeout(() => request.socket.destroy(), 250);
    }, soon);
    const startedAt = performance.now();
    await assert.rejects(
      opened.store.put('a', Readable.from([Buffer.alloc(100_000)])),
      (error) => error instanceof StoreUnavailable && /no answer within 1 s/.test(String(error.cause)),
    );
    assert.equal(requests, 3);
    const seconds = (performance.now() - startedAt) / 1000;
    assert.ok(seconds < 2.5, `${seconds} s`);
  });

  it('may take its time for a large body, as long as it takes some of it', async () => {
    await using opened = await storeOf(
      (request, response) => {
        request.on('data', () => {
          request.pause();
          setTimeout(() => request.resume(), 30);
        });
        request.on('end', () => response.end());
      },
      { answerWithinMs: 3000 },
    );
    const startedAt = performance.now();
    await opened.store.put('a', Readable.from([Buffer.alloc(8 * MiB - 1)]));
    const seconds = (performance.now() - startedAt) / 1000;
    assert.ok(seconds > 3, `${seconds} s`);
  });

  it('closes the connection of a body that is not read to its end', async () => {
    const closed = Promise.withResolvers<void>();
    await using opened = await storeOf((_request, response) => {
      response.writeHead(200, { 'content-length': String(100 * MiB) }).write(Buffer.alloc(4 * MiB));
      response.on('close', closed.resolve);
    });
    const body = await opened.store.read('a');
    body.destroy();
    await closed.promise;
  });
});
