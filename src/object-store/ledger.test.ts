import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openTestDatabase } from '../../test/support/database.ts';
import { addDataset } from '../../test/support/jobs.ts';
import { openTestObjects } from '../../test/support/store.ts';
import { publishObject, retireObjects, writeDraft } from './ledger.ts';
import type { ObjectStore } from './object-store.ts';

const { db, store, entries, stored, put, publish } = await openTestObjects(await openTestDatabase());

const newKey = (): string => `suite/${randomUUID()}/a.tif`;

describe('object ledger', () => {
  it('registers a draft before its first byte is stored', async () => {
    const key = newKey();
    const seen: unknown[] = [];
    async function* body(): AsyncGenerator<Buffer> {
      seen.push(...(await entries()));
      yield Buffer.from('x');
    }
    await using _draft = await put(key, Readable.from(body()));
    assert.deepEqual(seen, [{ key, state: 'writing' }]);
  });

  it('removes an unpublished draft when it is disposed of', async () => {
    const key = newKey();
    const draft = await put(key);
    assert.deepEqual(await stored(), [key]);
    await draft[Symbol.asyncDispose]();
    await draft[Symbol.asyncDispose]();
    assert.deepEqual(await stored(), []);
    assert.deepEqual(await entries(), []);
  });

  it('stores a body or a finished file, by a copy where the store takes none over, and notes its size and digest', async () => {
    const path = join(store.root, '.finished'); // not a key, and on the same file system
    await writeFile(path, 'bytes');
    const copying = { ...store, adopt: async () => await Promise.resolve(false) };
    const file = { path, signal: new AbortController().signal };
    for (const [each, body] of [
      [store, Readable.from([Buffer.from('by'), Buffer.from('tes')])],
      [store, file],
      [copying, file],
    ] as const) {
      await using draft = await writeDraft(db, each, newKey(), body);
      assert.equal(await text(await store.read(draft.key)), 'bytes');
      const facts = db.selectFrom('objects').select(['size_bytes', 'sha256']).where('key', '=', draft.key);
      const { size_bytes, sha256 } = await facts.executeTakeFirstOrThrow();
      assert.equal(size_bytes, 5);
      assert.deepEqual(sha256, createHash('sha256').update('bytes').digest());
    }
    await assert.rejects(writeDraft(db, copying, newKey(), { path, signal: AbortSignal.abort() }));
    assert.deepEqual(await entries(), []);
  });

  it('notes the size and digest of an object that was composed, of what the store has', async () => {
    await using digits = await put(newKey(), Readable.from([Buffer.from('0123456789')]));
    const pieces = [{ bytes: Buffer.from('by') }, { key: digits.key, start: 3, length: 2 }];
    const { signal } = new AbortController();
    const copying: ObjectStore = {
      ...store,
      async compose(key, of) {
        await store.compose(key, of);
        return false;
      },
    };
    for (const each of [store, copying]) {
      const seen: Uint8Array[] = [];
      const createCheck = () => (bytes: Uint8Array) => void seen.push(bytes);
      await using draft = await writeDraft(db, each, newKey(), { pieces, createCheck, signal });
      const facts = db.selectFrom('objects').select(['size_bytes', 'sha256']).where('key', '=', draft.key);
      const { size_bytes, sha256 } = await facts.executeTakeFirstOrThrow();
      assert.equal(size_bytes, 4);
      assert.deepEqual(sha256, createHash('sha256').update('by34').digest());
      assert.equal(Buffer.concat(seen).toString(), 'by34');
    }
    const forgetful = {
      ...store,
      async compose(key: string) {
        await store.put(key, Readable.from([Buffer.from('by')]));
        return false;
      },
    };
    await assert.rejects(
      writeDraft(db, forgetful, newKey(), { pieces, signal }),
      /composed 2 bytes of pieces of 4/,
    );
    const refuse = (): void => {
      throw new Error('another checksum');
    };
    await assert.rejects(
      writeDraft(db, store, newKey(), { pieces, createCheck: () => refuse, signal }),
      /another checksum/,
    );
    assert.deepEqual(await stored(), [digits.key]);
  });

  it('keeps a draft that was published', async () => {
    const key = newKey();
    {
      await using draft = await put(key);
      await publish(draft.key);
    }
    assert.deepEqual(await stored(), [key]);
    assert.deepEqual(await entries(), [{ key, state: 'live' }]);
  });

  it('removes a draft whose publication was rolled back', async () => {
    const key = newKey();
    {
      await using draft = await put(key);
      const rolledBack = db.transaction().execute(async (trx) => {
        await publishObject(trx, draft.key);
        throw new Error('changed my mind');
      });
      await assert.rejects(rolledBack, /changed my mind/);
    }
    assert.deepEqual(await stored(), []);
    assert.deepEqual(await entries(), []);
  });

  it('waits for a publication that is under way before it judges a draft', async () => {
    const key = newKey();
    const draft = await put(key);
    const goOn = Promise.withResolvers<void>();
    const published = Promise.withResolvers<void>();
    const publication = db.transaction().execute(async (trx) => {
      await publishObject(trx, key);
      published.resolve();
      await goOn.promise;
    });
    await published.promise;
    const disposal = draft[Symbol.asyncDispose]();
    await delay(50);
    goOn.resolve();
    await Promise.all([publication, disposal]);
    assert.deepEqual(await stored(), [key]);
    assert.deepEqual(await entries(), [{ key, state: 'live' }]);
  });

  it('leaves nothing of a body that breaks at any moment, and passes its error on', async () => {
    for (const failAfter of [0, 1, 3]) {
      async function* breaking(): AsyncGenerator<Buffer> {
        for (let n = 0; n < failAfter; n += 1) yield Buffer.alloc(100_000);
        throw new Error('the client went away');
      }
      await assert.rejects(put(newKey(), Readable.from(breaking())), /the client went away/);
    }
    const body = Readable.from([Buffer.from('x')]);
    const writing = put(newKey(), body);
    body.destroy(new Error('before it was registered'));
    await assert.rejects(writing, /before it was registered/);
    assert.deepEqual(await stored(), []);
    assert.deepEqual(await entries(), []);
  });

  it('does not touch the object of another when a key is used twice, and lets go of the body', async () => {
    const { key } = await addDataset(db, store);
    await writeFile(join(store.root, 'source'), 'other');
    const body = createReadStream(join(store.root, 'source'));
    await assert.rejects(put(key, body), /duplicate key/);
    assert.equal(await store.size(key), 5);
    assert.ok(body.destroyed);
    assert.deepEqual(await entries(), [{ key, state: 'live' }]);
  });

  it('removes the bytes of a draft that the ledger has forgotten meanwhile', async () => {
    const key = newKey();
    const draft = await put(key);
    await db.deleteFrom('objects').execute();
    await assert.rejects(publish(key), /no longer a draft/);
    await draft[Symbol.asyncDispose]();
    assert.deepEqual(await stored(), []);
  });

  it('leaves a draft to the sweeper when it cannot be removed, without complaint', async () => {
    const away = await openTestDatabase();
    const key = newKey();
    const draft = await writeDraft(away.db, store, key, Readable.from(['x']));
    await away.close();
    await draft[Symbol.asyncDispose]();
    assert.deepEqual(await stored(), [key]);
  });

  it('retires the objects of a row that goes away, each once, ignoring the keys that it has not', async () => {
    const { key, datasetId } = await addDataset(db, store);
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('datasets').where('id', '=', datasetId).execute();
      assert.deepEqual(await retireObjects(trx, [key, key, null]), [key]);
      assert.deepEqual(await retireObjects(trx, [null]), []);
    });
    assert.deepEqual(await entries(), [{ key, state: 'deleting' }]);
  });
});
