import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { eventually } from '../../test/support/processes.ts';
import { openTestStore } from '../../test/support/store.ts';
import { withDeadlines } from './deadlines.ts';
import { StoreUnavailable, type ObjectStore } from './object-store.ts';

const store = await closeAfterTests(openTestStore());
const never = async (): Promise<never> => await new Promise(() => undefined);
const soon = { answerMs: 100 };

function hanging(operations: Partial<ObjectStore>, deadlines = soon): ObjectStore {
  return withDeadlines({ ...store, ...operations }, deadlines);
}

describe('deadlines of an object store', () => {
  it('end every call that is left without an answer', async () => {
    const path = join(store.root, '.local');
    await writeFile(path, 'local');
    const frozen = hanging({
      put: never,
      adopt: never,
      compose: never,
      size: never,
      read: never,
      open: never,
      link: never,
      remove: never,
      async *keys() {
        yield await never();
      },
      check: never,
    });
    const calls: readonly (() => Promise<unknown>)[] = [
      async () => await frozen.put('a/b', Readable.from([Buffer.from('x')])),
      async () => await frozen.adopt('a/b', path),
      async () => await frozen.compose('a/b', []),
      async () => await frozen.size('a/b'),
      async () => await frozen.read('a/b'),
      async () => await frozen.open('a/b'),
      async () => await frozen.link('a/b', path),
      async () => await frozen.remove('a/b'),
      async () => await Array.fromAsync(frozen.keys()),
      async () => await frozen.check(),
    ];
    for (const call of calls) await assert.rejects(call(), StoreUnavailable, call.toString());
  });

  it('end a body that the store gives no more of, and one that it takes no more of', async () => {
    async function* half(): AsyncGenerator<Buffer> {
      yield Buffer.from('half');
      yield await never();
    }
    const giving = hanging({ read: async () => Readable.from(half(), { objectMode: false }) });
    await assert.rejects(buffer(await giving.read('a/b')), StoreUnavailable);
    const taking = hanging({
      async put(_key, body) {
        await body[Symbol.asyncIterator]().next();
        await never();
      },
    });
    const endless = Readable.from(
      (function* pieces() {
        for (;;) yield Buffer.alloc(65_536);
      })(),
    );
    await assert.rejects(taking.put('a/b', endless), StoreUnavailable);
    assert.ok(endless.destroyed);
    const finishing = hanging({
      async put(_key, body) {
        await buffer(body);
        await never();
      },
    });
    await assert.rejects(finishing.put('a/b', Readable.from([Buffer.from('all of it')])), StoreUnavailable);
  });

  it('leave those alone who send and read slowly', async () => {
    const answerMs = 300;
    const pauseMs = 1.5 * answerMs;
    async function* slow(): AsyncGenerator<Buffer> {
      for (let piece = 0; piece < 2; piece += 1) {
        await delay(pauseMs);
        yield Buffer.alloc(200_000, piece);
      }
    }
    const stored: Buffer[] = [];
    const patient = hanging(
      {
        // A disk may be busy for longer.
        put: async (_key, body) => void stored.push(await buffer(body)),
        read: async () => Readable.from(stored, { objectMode: false }),
      },
      { answerMs },
    );
    await patient.put('slow/one', Readable.from(slow(), { objectMode: false }));
    const body = await patient.read('slow/one');
    let bytes = 0;
    for await (const chunk of body) {
      if (bytes === 0) await delay(pauseMs);
      bytes += chunk.length;
    }
    assert.equal(bytes, 400_000);
  });

  it('tell the driver by its signal, and end with that of the caller', async () => {
    const heard = Promise.withResolvers<unknown>();
    const listening = hanging({
      async size(_key, call) {
        call?.signal?.addEventListener('abort', () => heard.resolve(call.signal?.reason));
        return await never();
      },
    });
    await assert.rejects(listening.size('a/b'), StoreUnavailable);
    assert.ok((await heard.promise) instanceof StoreUnavailable);
    const caller = new AbortController();
    const asked = listening.size('a/b', { signal: caller.signal });
    caller.abort(new Error('no longer wanted'));
    await assert.rejects(asked, /no longer wanted/);
    await assert.rejects(listening.size('a/b', { signal: caller.signal }), /no longer wanted/);
  });

  it('remove what is stored after it was given up', async () => {
    const goOn = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const late = hanging({
      async put(key) {
        await goOn.promise;
        await store.put(key, Readable.from([Buffer.from('too late')]));
        stored.resolve();
      },
    });
    await assert.rejects(late.put('late/one', Readable.from([Buffer.from('x')])), StoreUnavailable);
    goOn.resolve();
    await stored.promise;
    await eventually('the removal', async () => !(await Array.fromAsync(store.keys())).includes('late/one'));
  });
});
