import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { ObjectMissing, type ObjectReader } from '../../src/object-store/object-store.ts';

export interface OpenedObjectReader {
  readonly reader: ObjectReader;
  put(key: string, bytes: Buffer): Promise<void>;
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Describes the contract of everything that reads objects. */
export function describeObjectReader(name: string, open: () => Promise<OpenedObjectReader>): void {
  describe(`objects to read: ${name}`, () => {
    let opened: OpenedObjectReader;
    let store: ObjectReader;
    before(async () => {
      opened = await open();
      store = opened.reader;
    });
    after(async () => {
      await opened.close();
    });

    it('gives back the bytes and the size of an object, also of one without bytes', async () => {
      for (const bytes of [Buffer.alloc(300_000, 'степь'), Buffer.alloc(0)]) {
        const key = newKey();
        await opened.put(key, bytes);
        assert.equal(await store.size(key), bytes.length);
        assert.deepEqual(await buffer(await store.read(key)), bytes);
      }
    });

    it('reads a range with both ends in it', async () => {
      const key = newKey();
      await opened.put(key, Buffer.from('0123456789'));
      assert.equal(await text(await store.read(key, { start: 0, end: 0 })), '0');
      assert.equal(await text(await store.read(key, { start: 3, end: 6 })), '3456');
      assert.equal(await text(await store.read(key, { start: 9, end: 9 })), '9');
    });

    it('opens an object for short reads, and nothing under an unknown key', async () => {
      const key = newKey();
      assert.equal(await store.open(key), undefined);
      await opened.put(key, Buffer.from('0123456789'));
      for (let time = 0; time < 2; time += 1) {
        using opened = (await store.open(key)) ?? assert.fail('it is there');
        assert.equal(opened.sizeBytes, 10);
        const bytes = Buffer.alloc(4);
        await opened.fill(bytes, 3);
        assert.equal(bytes.toString(), '3456');
      }
      await opened.remove(key);
      assert.equal(await store.open(key), undefined);
    });

    it('says that nothing is stored under an unknown or removed key', async () => {
      const key = newKey();
      const missing = (error: unknown): boolean =>
        error instanceof ObjectMissing && error.message.includes(key);
      assert.equal(await store.size(key), undefined);
      await assert.rejects(store.read(key), missing);
      await opened.put(key, Buffer.from('x'));
      await opened.remove(key);
      assert.equal(await store.size(key), undefined);
      await assert.rejects(store.read(key), missing);
      await assert.rejects(store.read(key, { start: 0, end: 0 }), missing);
    });

    it('keeps an open object readable to its end when it is removed meanwhile', async () => {
      const key = newKey();
      const bytes = Buffer.alloc(2_000_000, 'abcdefg');
      await opened.put(key, bytes);
      const body = await store.read(key);
      const reader = body[Symbol.asyncIterator]();
      const first = await reader.next();
      await opened.remove(key);
      const chunks: Buffer[] = [Buffer.from(first.value)];
      for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
        chunks.push(Buffer.from(next.value));
      }
      assert.deepEqual(Buffer.concat(chunks), bytes);
    });
  });
}

function newKey(): string {
  return `suite/${randomUUID()}/part-1.tif`;
}
