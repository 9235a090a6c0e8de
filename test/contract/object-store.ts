import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { MiB } from '../../src/lib/units.ts';
import { ObjectMissing, type ObjectStore } from '../../src/object-store/object-store.ts';
import { describeObjectReader } from './object-reader.ts';

const quickMs = 5000;

export interface OpenedObjectStore {
  readonly store: ObjectStore;
  close(): Promise<void>;
}

/** Describes the contract of every object store. Each call of `open` returns a new, empty store. */
export function describeObjectStore(name: string, open: () => Promise<OpenedObjectStore>): void {
  describeObjectReader(name, async () => {
    const { store, close } = await open();
    return {
      reader: store,
      put: async (key, bytes) => await store.put(key, Readable.from([bytes])),
      remove: store.remove,
      close,
    };
  });
  describe(`object store: ${name}`, () => {
    let opened: OpenedObjectStore;
    let store: ObjectStore;
    before(async () => {
      opened = await open();
      store = opened.store;
    });
    after(async () => {
      await opened.close();
    });

    it('lists each key once it is put, and no longer when it is removed', async () => {
      assert.deepEqual(await listed(store), []);
      const keys = [newKey(), newKey()];
      for (const key of keys) await store.put(key, Readable.from([Buffer.from('x')]));
      assert.deepEqual(new Set(await listed(store)), new Set(keys));
      for (const key of [...keys, newKey()]) await store.remove(key);
      assert.deepEqual(await listed(store), []);
    });

    it('links an object to a path, where it stays when the object is removed, or says that it cannot', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'steppe-link-'));
      const [key, path] = [newKey(), join(folder, 'linked')];
      await store.put(key, Readable.from([Buffer.from('bytes')]));
      const isLinked = await store.link(key, path);
      await store.remove(key);
      const found = await readFile(path, 'utf8').catch(() => undefined);
      assert.equal(found, isLinked ? 'bytes' : undefined);
      await assert.rejects(store.link(key, join(folder, 'gone')), ObjectMissing);
      await rm(folder, { recursive: true });
    });

    it('takes over a finished file, which stays when its path goes, or says that it cannot', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'steppe-adopt-'));
      const [key, path] = [newKey(), join(folder, 'finished')];
      await writeFile(path, 'bytes');
      const isAdopted = await store.adopt(key, path);
      await rm(folder, { recursive: true });
      assert.equal(await store.size(key), isAdopted ? 5 : undefined);
      if (isAdopted) assert.equal(await text(await store.read(key)), 'bytes');
      await assert.rejects(store.adopt(newKey(), path));
    });

    it('leaves nothing of a body that breaks early or late, and passes its error on', async () => {
      for (const pieces of [1, 12]) {
        const key = newKey();
        async function* breaking(): AsyncGenerator<Buffer> {
          for (let n = 0; n < pieces; n += 1) yield Buffer.alloc(MiB, n);
          throw new Error('the client went away');
        }
        await assert.rejects(store.put(key, Readable.from(breaking())), /the client went away/);
        assert.equal(await store.size(key), undefined);
        assert.ok(!(await listed(store)).includes(key));
      }
    });

    it('gives back an object of several parts, whole and in ranges, and takes it without its size or with it', async () => {
      const bytes = randomBytes(17 * MiB + 1);
      for (const hints of [{}, { sizeBytes: bytes.length }]) {
        const key = newKey();
        await store.put(key, Readable.from(piecesOf(bytes, 100_000)), hints);
        assert.equal(await store.size(key), bytes.length);
        assert.ok(bytes.equals(await buffer(await store.read(key))));
        const [start, end] = [8 * MiB - 5, 16 * MiB + 5];
        assert.ok(bytes.subarray(start, end + 1).equals(await buffer(await store.read(key, { start, end }))));
        await store.remove(key);
      }
    });

    it('lists a large body that is still coming, and rejects it when it is removed meanwhile', async () => {
      const key = newKey();
      const half = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      async function* slow(): AsyncGenerator<Buffer> {
        for (let n = 0; n < 18; n += 1) yield Buffer.alloc(MiB, n);
        half.resolve();
        await goOn.promise;
        for (let n = 0; n < 10; n += 1) yield Buffer.alloc(MiB, n);
      }
      const putting = assert.rejects(store.put(key, Readable.from(slow())));
      await half.promise;
      assert.ok((await listed(store)).includes(key));
      await store.remove(key);
      goOn.resolve();
      await putting;
      assert.equal(await store.size(key), undefined);
      assert.ok(!(await listed(store)).includes(key));
    });

    it('composes an object of pieces of others, of files and of bytes, in their order', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'steppe-compose-'));
      const [large, small, path] = [newKey(), newKey(), join(folder, 'local')];
      const all = randomBytes(13 * MiB);
      await store.put(large, Readable.from([all]));
      await store.put(small, Readable.from([Buffer.from('0123456789')]));
      await writeFile(path, 'of a file');
      const key = newKey();
      const pieces = [
        { bytes: Buffer.from('head ') },
        { key: large, start: 7 * MiB, length: 6 * MiB },
        { key: small, start: 9, length: 1 },
        { path, start: 3, length: 6 },
        { key: small, start: 1, length: 0 },
        { key: large, start: 0, length: 11 * MiB },
        { key: small, start: 0, length: 2 },
      ];
      const seen: Uint8Array[] = [];
      const hasSeen = await store.compose(key, pieces, {
        onBytes: (bytes) => void seen.push(Buffer.from(bytes)),
      });
      const expected = Buffer.concat([
        Buffer.from('head '),
        all.subarray(7 * MiB),
        Buffer.from('9a file'),
        all.subarray(0, 11 * MiB),
        Buffer.from('01'),
      ]);
      assert.equal(await store.size(key), expected.length);
      assert.ok(expected.equals(await buffer(await store.read(key))));
      assert.ok(hasSeen ? expected.equals(Buffer.concat(seen)) : seen.length === 0);
      const [whole, short, empty] = [newKey(), newKey(), newKey()];
      await store.compose(whole, [{ key: large, start: 0, length: all.length }]);
      assert.ok(all.equals(await buffer(await store.read(whole))));
      await store.compose(short, [{ key: small, start: 2, length: 3 }]);
      assert.equal(await text(await store.read(short)), '234');
      await store.compose(empty, []);
      assert.equal(await store.size(empty), 0);
      for (const each of [key, large, small, whole, short, empty]) await store.remove(each);
      await rm(folder, { recursive: true });
    });

    it('leaves nothing of an object whose pieces are not there, or reach beyond what they are of', async () => {
      const [large, small, gone] = [newKey(), newKey(), newKey()];
      await store.put(large, Readable.from([Buffer.alloc(6 * MiB)]));
      await store.put(small, Readable.from([Buffer.from('x')]));
      const first = { key: large, start: 0, length: 6 * MiB };
      for (const [last, reason] of [
        [{ key: gone, start: 0, length: 1 }, ObjectMissing],
        [{ key: gone, start: 0, length: 6 * MiB }, ObjectMissing],
        [{ key: small, start: 0, length: 2 }, Error],
        [{ key: large, start: 1, length: 6 * MiB }, Error],
        [{ path: join(tmpdir(), gone), start: 0, length: 1 }, Error],
      ] as const) {
        const key = newKey();
        await assert.rejects(store.compose(key, [first, last]), reason);
        assert.equal(await store.size(key), undefined);
        assert.ok(!(await listed(store)).includes(key));
      }
      for (const each of [large, small]) await store.remove(each);
    });

    it('composes no object once its signal is aborted', async () => {
      const [large, key] = [newKey(), newKey()];
      await store.put(large, Readable.from([Buffer.alloc(12 * MiB)]));
      const piece = { key: large, start: 0, length: 12 * MiB };
      const signal = AbortSignal.abort(new Error('no longer wanted'));
      await assert.rejects(store.compose(key, [piece, piece], { signal }), /no longer wanted/);
      assert.ok(!(await listed(store)).includes(key));
      await store.remove(large);
    });

    it('answers a quick reader, a writer and a check beside a hundred slow readers', async () => {
      const [large, small] = [newKey(), newKey()];
      await store.put(large, Readable.from([Buffer.alloc(4 * MiB)]));
      await store.put(small, Readable.from([Buffer.from('quick')]));
      const slow = await Promise.all(Array.from({ length: 100 }, async () => await store.read(large)));
      await Promise.all(slow.map(async (body) => await once(body, 'readable')));
      const startedAt = performance.now();
      assert.equal(await text(await store.read(small)), 'quick');
      const key = newKey();
      await store.put(key, Readable.from([Buffer.from('x')]));
      await store.check();
      await store.remove(key);
      assert.ok(performance.now() - startedAt < quickMs);
      for (const body of slow) body.destroy();
    });

    it('rejects a body that was destroyed before it was put', async () => {
      const key = newKey();
      const body = Readable.from([Buffer.from('x')]);
      body.destroy();
      await once(body, 'close');
      await assert.rejects(store.put(key, body));
      assert.equal(await store.size(key), undefined);
    });

    it('shows all of an object or none of it while it is being put', async () => {
      const key = newKey();
      const half = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      async function* slow(): AsyncGenerator<Buffer> {
        yield Buffer.alloc(100_000, 1);
        half.resolve();
        await goOn.promise;
        yield Buffer.alloc(100_000, 2);
      }
      const putting = store.put(key, Readable.from(slow()));
      await half.promise;
      assert.equal(await store.size(key), undefined);
      await assert.rejects(store.read(key), ObjectMissing);
      goOn.resolve();
      await putting;
      assert.equal(await store.size(key), 200_000);
    });

    it('keeps twenty objects put at once apart', async () => {
      const keys = Array.from({ length: 20 }, newKey);
      await Promise.all(keys.map((key) => store.put(key, Readable.from([Buffer.from(key)]))));
      const texts = await Promise.all(keys.map(async (key) => await text(await store.read(key))));
      assert.deepEqual(texts, keys);
      await Promise.all(keys.map((key) => store.remove(key)));
    });

    it('refuses keys outside of its alphabet, and keys that climb', async () => {
      for (const key of [
        '',
        '/',
        'a//b',
        '../a',
        'a/../../b',
        '/etc/x',
        'a/./b',
        'a/',
        'A',
        'a b',
        'а',
        'a\\b',
        'a\0',
      ]) {
        await assert.rejects(store.put(key, Readable.from([Buffer.from('x')])), /not an object key/, key);
        await assert.rejects(store.read(key), /not an object key/, key);
        await assert.rejects(store.remove(key), /not an object key/, key);
      }
    });
  });
}

function* piecesOf(bytes: Buffer, pieceBytes: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes)
    yield bytes.subarray(start, start + pieceBytes);
}

function newKey(): string {
  return `suite/${randomUUID()}/part-1.tif`;
}

async function listed(store: ObjectStore): Promise<string[]> {
  return await Array.fromAsync(store.keys());
}
