import { mkdir, rm } from 'node:fs/promises';
import { createDirectoryObjectStore } from '../../src/object-store/directory.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { after, afterEach } from 'node:test';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { type ObjectDraft, publishObject, writeDraft } from '../../src/object-store/ledger.ts';
import { emptyTables, type TestDatabase } from './database.ts';

/** A directory object store in its own folder. */
export async function openTestStore() {
  const root = await makeMemoryFolder('steppe-store-');
  return {
    ...createDirectoryObjectStore(root),
    root,
    async empty() {
      await rm(root, { recursive: true });
      await mkdir(root);
    },
    close: async () => await rm(root, { recursive: true, force: true }),
  };
}

/** A ledger of objects and its store. After each test both are emptied; after the tests of a file they are closed. */
export async function openTestObjects(database: TestDatabase) {
  const { db } = database;
  const store = await openTestStore();
  after(async () => {
    await store.close();
    await database.close();
  });
  afterEach(async () => {
    await emptyTables(db);
    await store.empty();
  });
  return {
    db,
    store,
    entries: async () => await db.selectFrom('objects').select(['key', 'state']).execute(),
    stored: async () => await Array.fromAsync(store.keys()),
    put: async (key: string, body: Readable = Readable.from([Buffer.from('x')])): Promise<ObjectDraft> =>
      await writeDraft(db, store, key, body),
    publish: async (key: string): Promise<void> =>
      await db.transaction().execute(async (trx) => await publishObject(trx, key)),
  };
}

/** Ends the period in which late bytes may arrive, for objects whose bytes were removed once. */
export async function endLateTimes(db: TestDatabase['db']): Promise<void> {
  await sql`update objects set late_until = now() - interval '1 second' where late_until < 'infinity'`.execute(
    db,
  );
}
