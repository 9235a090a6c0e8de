import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { addDataset, createRecordingLog, until } from '../../test/support/jobs.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { publishObject, retireObjects, writeDraft } from './ledger.ts';
import type { ObjectStore } from './object-store.ts';
import { removeAbandonedObservationSets, startSweeper, sweepObjects } from './sweeper.ts';

describe('sweeper', () => {
  let database: TestDatabase;
  let store: TestStore;
  before(async () => {
    database = await openTestDatabase();
  });
  after(async () => {
    await database.close();
  });
  beforeEach(async () => {
    store = await openTestStore();
  });
  afterEach(async () => {
    for (const draft of drafts.splice(0)) await draft[Symbol.asyncDispose]();
    await sql`truncate objects, datasets, jobs, observation_sets cascade`.execute(database.db);
    await store.close();
  });

  const entries = async () => await database.db.selectFrom('objects').select(['key', 'state']).execute();
  const stored = async (): Promise<string[]> => await Array.fromAsync(store.keys());
  const drafts: AsyncDisposable[] = [];
  const putDraft = async (): Promise<string> => {
    const key = `suite/${randomUUID()}/a.tif`;
    drafts.push(await writeDraft(database.db, store, key, Readable.from([Buffer.from('x')])));
    return key;
  };
  const expire = async (key: string): Promise<void> => {
    await sql`update objects set lease_until = now() - interval '1 second' where key = ${key}`.execute(
      database.db,
    );
  };
  const retire = async (key: string): Promise<void> => {
    await database.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('datasets').where('storage_key', '=', key).execute();
      await retireObjects(trx, [key]);
    });
  };

  it('removes what is to be deleted and what nobody writes any more, and nothing else', async () => {
    const [living, dying, writing, abandoned] = [
      (await addDataset(database.db, store)).key,
      (await addDataset(database.db, store)).key,
      await putDraft(),
      await putDraft(),
    ];
    await retire(dying);
    await expire(abandoned);
    assert.deepEqual(await sweepObjects(database.db, store), { removed: 2, failures: [] });
    assert.deepEqual(new Set(await stored()), new Set([living, writing]));
    assert.deepEqual(new Set((await entries()).map(({ key }) => key)), new Set([living, writing]));
    assert.deepEqual(await sweepObjects(database.db, store), { removed: 0, failures: [] });
  });

  it('removes what a killed writer has left, before and after the last byte', async () => {
    const key = await putDraft();
    const unfinished = `suite/${randomUUID()}/b.tif`;
    await database.db
      .insertInto('objects')
      .values({ key: unfinished, state: 'writing', lease_until: new Date(0) })
      .execute();
    await mkdir(join(store.root, unfinished, '..'), { recursive: true });
    await writeFile(join(store.root, `${unfinished}.partial`), 'half');
    await expire(key);
    assert.equal((await sweepObjects(database.db, store)).removed, 2);
    assert.deepEqual(await stored(), []);
    assert.deepEqual(await entries(), []);
  });

  it('sweeps named keys alone, and only those that are to be deleted', async () => {
    const [living, first, second] = [
      (await addDataset(database.db, store)).key,
      (await addDataset(database.db, store)).key,
      (await addDataset(database.db, store)).key,
    ];
    await retire(first);
    await retire(second);
    const swept = await sweepObjects(database.db, store, {
      keys: [living, first, 'suite/unknown'],
      budgetMs: 10_000,
    });
    assert.deepEqual(swept, { removed: 1, failures: [] });
    assert.deepEqual(new Set(await stored()), new Set([living, second]));
  });

  it('removes each object once, however many sweep at once', async () => {
    for (let n = 0; n < 30; n += 1) await retire((await addDataset(database.db, store)).key);
    const sweeps = await Promise.all(
      Array.from({ length: 6 }, async () => await sweepObjects(database.db, store)),
    );
    assert.equal(
      sweeps.reduce((sum, { removed }) => sum + removed, 0),
      30,
    );
    assert.deepEqual(
      sweeps.flatMap(({ failures }) => failures),
      [],
    );
    assert.deepEqual(await entries(), []);
  });

  it('lets either the publication or the sweep of a draft win, never both', async () => {
    let published = 0;
    for (let round = 0; round < 200; round += 1) {
      const key = await putDraft();
      await expire(key);
      const publish = async (): Promise<void> => {
        await delay(Math.random() * 4);
        await database.db.transaction().execute(async (trx) => await publishObject(trx, key));
      };
      const sweep = async (): Promise<void> => {
        await delay(Math.random() * 4);
        await sweepObjects(database.db, store);
      };
      const [outcome] = await Promise.allSettled([publish(), sweep()]);
      const [entry] = await database.db
        .selectFrom('objects')
        .select('state')
        .where('key', '=', key)
        .execute();
      if (outcome.status === 'fulfilled') {
        published += 1;
        assert.equal(entry?.state, 'live');
        assert.equal(await store.size(key), 1);
        await database.db.deleteFrom('objects').execute();
      } else {
        assert.match(String(outcome.reason), /no longer a draft/);
        await sweepObjects(database.db, store);
        assert.equal(await store.size(key), undefined);
        assert.deepEqual(await entries(), []);
      }
    }
    assert.ok(published > 0 && published < 200, `the race was none: ${published} of 200 were published`);
  });

  it('keeps the entry, and so the duty, of an object that the store does not remove', async () => {
    const { key } = await addDataset(database.db, store);
    await retire(key);
    let away = true;
    const failing: ObjectStore = {
      ...store,
      async remove(each) {
        if (away) throw new Error('the store is away');
        await store.remove(each);
      },
    };
    const swept = await sweepObjects(database.db, failing);
    assert.equal(swept.removed, 0);
    assert.match(String(swept.failures[0]), /the store is away/);
    assert.deepEqual(await entries(), [{ key, state: 'deleting' }]);
    away = false;
    assert.equal((await sweepObjects(database.db, failing)).removed, 1);
  });

  it('removes no bytes of an object that a row still owns', async () => {
    const { key } = await addDataset(database.db, store);
    await database.db.updateTable('objects').set({ state: 'deleting' }).execute();
    const swept = await sweepObjects(database.db, store);
    assert.equal(swept.failures.length, 1);
    assert.equal(await store.size(key), 5);
  });

  it('returns within its budget when the store hangs, and leaves the rest', async () => {
    const { key } = await addDataset(database.db, store);
    await retire(key);
    const goOn = Promise.withResolvers<void>();
    const hanging: ObjectStore = { ...store, remove: async () => await goOn.promise };
    assert.deepEqual(await sweepObjects(database.db, hanging, { keys: [key], budgetMs: 50 }), {
      removed: 0,
      failures: [],
    });
    goOn.resolve();
    await until(async () => (await entries()).length === 0);
  });

  it('sweeps in the background until it is closed', async () => {
    const { log, events } = createRecordingLog();
    const { key } = await addDataset(database.db, store);
    const sweeper = startSweeper(database.db, store, log, 20);
    await retire(key);
    await until(async () => (await entries()).length === 0);
    await sweeper.close();
    assert.deepEqual(events, [{ message: 'swept', fields: { objects: 1, observationSets: 0 } }]);
  });

  it('removes sets of observations that no dataset shows and no running attempt writes', async () => {
    const { datasetId, jobId } = await addDataset(database.db, store, { kind: 'extract-observations' });
    await sql`update jobs set state = 'running', attempt = 2, lease_until = now()`.execute(database.db);
    const addSet = async (attempt: number): Promise<number> => {
      const set = { dataset_id: datasetId, job_id: jobId, attempt };
      const { id } = await database.db
        .insertInto('observation_sets')
        .values(set)
        .returning('id')
        .executeTakeFirstOrThrow();
      await sql`insert into observations (set_id, id, kato_code, start_date, mapping_order, row_number)
        values (${id}, ${randomUUID()}, '10', '2024-01-01', 0, 0)`.execute(database.db);
      return id;
    };
    const sets = async (): Promise<number[]> => {
      const rows = await database.db.selectFrom('observations').select('set_id').orderBy('set_id').execute();
      return rows.map(({ set_id }) => set_id);
    };
    const [dead, shown, written] = [await addSet(1), await addSet(1), await addSet(2)];
    await database.db.updateTable('datasets').set({ observation_set_id: shown }).execute();
    assert.deepEqual(await sets(), [dead, shown, written]);
    assert.equal(await removeAbandonedObservationSets(database.db), 1);
    assert.deepEqual(await sets(), [shown, written]);
    await database.db.updateTable('datasets').set({ observation_set_id: written }).execute();
    await sql`update jobs set state = 'done', lease_until = null`.execute(database.db);
    assert.equal(await removeAbandonedObservationSets(database.db), 1);
    assert.deepEqual(await sets(), [written]);
    await database.db.deleteFrom('datasets').execute();
    assert.equal(await removeAbandonedObservationSets(database.db), 1);
    assert.deepEqual(await sets(), []);
  });
});
