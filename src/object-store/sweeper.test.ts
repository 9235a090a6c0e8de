import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { addDataset, createRecordingLog, until } from '../../test/support/jobs.ts';
import { endLateTimes, openTestObjects } from '../../test/support/store.ts';
import { repetitions } from '../../test/support/tier.ts';
import { retireObjects, writeDraft } from './ledger.ts';
import { type ObjectStore, StoreUnavailable } from './object-store.ts';
import { removeAbandonedObservationSets, sweepAll, sweepObjects } from './sweeper.ts';

const { db, store, entries, stored, put, publish } = await openTestObjects(await openTestDatabase());
const rounds = repetitions('RACES', 40, 400);
const drafts: AsyncDisposable[] = [];

const addKey = async (): Promise<string> => (await addDataset(db, store)).key;
const putDraft = async (): Promise<string> => {
  const draft = await put(`suite/${randomUUID()}/a.tif`);
  drafts.push(draft);
  return draft.key;
};
const expire = async (key: string): Promise<void> => {
  await sql`update objects set lease_until = now() - interval '1 second' where key = ${key}`.execute(db);
};
const retire = async (key: string): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    const owners = trx.selectFrom('dataset_files').select('dataset_id').where('object_key', '=', key);
    await trx.deleteFrom('datasets').where('id', 'in', owners).execute();
    await retireObjects(trx, [key]);
  });
};
const sweep = async () => await sweepObjects(db, store);

describe('sweeper', () => {
  afterEach(async () => {
    for (const draft of drafts.splice(0)) await draft[Symbol.asyncDispose]();
  });

  it('removes what is to be deleted and what is not written any more, and nothing else', async () => {
    const [living, dying] = [await addKey(), await addKey()];
    const [writing, abandoned] = [await putDraft(), await putDraft()];
    await retire(dying);
    await expire(abandoned);
    assert.deepEqual(await sweep(), { removed: 2, failures: [] });
    assert.deepEqual(new Set(await stored()), new Set([living, writing]));
    assert.deepEqual(new Set((await entries()).map(({ key }) => key)), new Set([living, writing]));
    assert.deepEqual(await sweep(), { removed: 0, failures: [] });
  });

  it('removes what a killed writer has left, before and after the last byte', async () => {
    const key = await putDraft();
    const unfinished = `suite/${randomUUID()}/b.tif`;
    const entry = { key: unfinished, state: 'writing', lease_until: new Date(0) } as const;
    await db.insertInto('objects').values(entry).execute();
    await mkdir(join(store.root, unfinished, '..'), { recursive: true });
    await writeFile(join(store.root, `${unfinished}.partial`), 'half');
    await expire(key);
    assert.equal((await sweep()).removed, 1);
    assert.deepEqual(await stored(), []);
    assert.deepEqual(await entries(), [{ key: unfinished, state: 'deleting' }]);
    await endLateTimes(db);
    assert.equal((await sweep()).removed, 1);
    assert.deepEqual(await entries(), []);
  });

  it('removes what comes after a put that the store has not answered, however late', async () => {
    const away = new StoreUnavailable({ cause: new Error('no answer') });
    const silent: ObjectStore = { ...store, put: async () => await Promise.reject(away) };
    const key = `suite/${randomUUID()}/late.tif`;
    await assert.rejects(writeDraft(db, silent, key, Readable.from(['x'])), away);
    assert.deepEqual(await entries(), [{ key, state: 'deleting' }], 'the first removal was answered');
    await store.put(key, Readable.from(['late']));
    assert.equal((await sweep()).removed, 0);
    assert.deepEqual(await stored(), [key], 'it is not looked for all the time');
    await endLateTimes(db);
    assert.equal((await sweep()).removed, 1);
    assert.deepEqual([await stored(), await entries()], [[], []]);
  });

  it('counts the time in which bytes may come from a removal that the store has answered', async () => {
    const away = new StoreUnavailable({ cause: new Error('no answer') });
    const fail = async () => await Promise.reject(away);
    const frozen: ObjectStore = { ...store, put: fail, remove: fail };
    const key = `suite/${randomUUID()}/late.tif`;
    await assert.rejects(writeDraft(db, frozen, key, Readable.from(['x'])), away);
    for (let round = 0; round < 2; round += 1) {
      assert.equal((await sweepObjects(db, frozen)).failures.length, 1, 'it is tried at each sweep');
    }
    await store.put(key, Readable.from(['late']));
    assert.equal((await sweep()).removed, 0);
    assert.deepEqual([await stored(), await entries()], [[], [{ key, state: 'deleting' }]]);
    await endLateTimes(db);
    assert.equal((await sweep()).removed, 1);
    assert.deepEqual(await entries(), []);
  });

  it('forgets at once what the store has answered for, or never got whole', async () => {
    const draft = await put(`suite/${randomUUID()}/a.tif`);
    await draft[Symbol.asyncDispose]();
    const broken = Readable.from(
      (async function* () {
        yield 'x';
        throw new Error('the client has gone');
      })(),
    );
    await assert.rejects(put(`suite/${randomUUID()}/b.tif`, broken), /the client has gone/);
    assert.deepEqual([await stored(), await entries()], [[], []]);
  });

  it('sweeps named keys alone, and only those that are to be deleted', async () => {
    const [living, first, second] = [await addKey(), await addKey(), await addKey()];
    await retire(first);
    await retire(second);
    const keys = [living, first, 'suite/unknown'];
    const swept = await sweepObjects(db, store, { keys, budgetMs: 10_000 });
    assert.deepEqual(swept, { removed: 1, failures: [] });
    assert.deepEqual(new Set(await stored()), new Set([living, second]));
  });

  it('removes each object once, however many sweep at once', async () => {
    for (let n = 0; n < 10; n += 1) await retire(await addKey());
    const sweeps = await Promise.all(Array.from({ length: 4 }, sweep));
    const removed = sweeps.reduce((sum, each) => sum + each.removed, 0);
    assert.deepEqual([removed, sweeps.flatMap(({ failures }) => failures)], [10, []]);
    assert.deepEqual(await entries(), []);
  });

  it('lets either the publication or the sweep of a draft win, never both', async () => {
    let published = 0;
    for (let round = 0; round < rounds; round += 1) {
      const key = await putDraft();
      await expire(key);
      const soon = async () => await delay(Math.random() * 4);
      const [outcome] = await Promise.allSettled([
        soon().then(async () => await publish(key)),
        soon().then(sweep),
      ]);
      if (outcome.status === 'fulfilled') {
        published += 1;
        assert.deepEqual(await entries(), [{ key, state: 'live' }]);
        assert.equal(await store.size(key), 1);
        await db.deleteFrom('objects').execute();
      } else {
        assert.match(String(outcome.reason), /no longer a draft/);
        await sweep();
        assert.equal(await store.size(key), undefined);
        assert.deepEqual(await entries(), []);
      }
    }
    assert.ok(
      published > 0 && published < rounds,
      `the race was none: ${published} of ${rounds} were published`,
    );
  });

  it('keeps the entry, and so the duty, when it fails before or after the bytes are removed', async () => {
    for (const removesFirst of [false, true]) {
      const key = await addKey();
      await retire(key);
      const failing: ObjectStore = {
        ...store,
        async remove(each) {
          if (removesFirst) await store.remove(each);
          throw new Error('the store is away');
        },
      };
      const swept = await sweepObjects(db, failing);
      assert.equal(swept.removed, 0);
      assert.match(String(swept.failures[0]), /the store is away/);
      assert.deepEqual(
        [await stored(), await entries()],
        [removesFirst ? [] : [key], [{ key, state: 'deleting' }]],
      );
      assert.equal((await sweep()).removed, 1);
      assert.deepEqual([await stored(), await entries()], [[], []]);
    }
  });

  it('removes no bytes of an object that a row still owns', async () => {
    const key = await addKey();
    await db.updateTable('objects').set({ state: 'deleting' }).execute();
    const swept = await sweep();
    assert.equal(swept.failures.length, 1);
    assert.equal(await store.size(key), 5);
  });

  it('returns within its budget when the store hangs, and leaves the rest', async () => {
    const key = await addKey();
    await retire(key);
    const goOn = Promise.withResolvers<void>();
    const hanging: ObjectStore = { ...store, remove: async () => await goOn.promise };
    const swept = await sweepObjects(db, hanging, { keys: [key], budgetMs: 50 });
    assert.deepEqual(swept, { removed: 0, failures: [] });
    goOn.resolve();
    await until(async () => (await entries()).length === 0);
  });

  it('holds no connection while the store hangs, whatever it is asked to remove', async () => {
    const keys = await Array.fromAsync({ length: 12 }, async () => await addKey());
    for (const key of keys) await retire(key);
    const goOn = Promise.withResolvers<void>();
    let asked = 0;
    const hanging: ObjectStore = {
      ...store,
      async remove(key) {
        asked += 1;
        await goOn.promise;
        await store.remove(key);
      },
    };
    // More than the number of connections.
    const sweeps = keys.map(async (key) => await sweepObjects(db, hanging, { keys: [key] }));
    await until(() => asked === keys.length);
    const { rows } = await sql<{ busy: number }>`select count(*)::integer as busy from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`.execute(db);
    assert.equal(rows[0]?.busy, 0);
    assert.equal((await entries()).length, keys.length);
    goOn.resolve();
    assert.equal((await Promise.all(sweeps)).filter(({ removed }) => removed === 1).length, keys.length);
    assert.deepEqual([await stored(), await entries()], [[], []]);
  });

  it('tells what it has swept', async () => {
    const { log, events } = createRecordingLog();
    await retire(await addKey());
    await sweepAll({ db, objectStore: store }, log);
    await sweepAll({ db, objectStore: store }, log);
    assert.deepEqual(await entries(), []);
    assert.deepEqual(events, [{ message: 'swept', fields: { objects: 1, observationSets: 0 } }]);
  });

  it('removes sets of observations that no dataset shows and no running attempt writes', async () => {
    const { datasetId, jobId } = await addDataset(db, store, { kind: 'extract-observations' });
    await sql`update jobs set state = 'running', attempt = 2, lease_until = now()`.execute(db);
    const addSet = async (attempt: number): Promise<number> => {
      const set = { dataset_id: datasetId, job_id: jobId, attempt };
      const { id } = await db
        .insertInto('observation_sets')
        .values(set)
        .returning('id')
        .executeTakeFirstOrThrow();
      await sql`insert into observations (set_id, id, kato_code, start_date, mapping_order, row_number)
        values (${id}, ${randomUUID()}, '10', '2024-01-01', 0, 0)`.execute(db);
      return id;
    };
    const sets = async (): Promise<number[]> => {
      const rows = await db.selectFrom('observations').select('set_id').orderBy('set_id').execute();
      return rows.map(({ set_id }) => set_id);
    };
    const [dead, shown, written] = [await addSet(1), await addSet(1), await addSet(2)];
    await db.updateTable('datasets').set({ observation_set_id: shown }).execute();
    assert.deepEqual(await sets(), [dead, shown, written]);
    assert.equal(await removeAbandonedObservationSets(db), 1);
    assert.deepEqual(await sets(), [shown, written]);
    await db.updateTable('datasets').set({ observation_set_id: written }).execute();
    await sql`update jobs set state = 'done', lease_until = null`.execute(db);
    assert.equal(await removeAbandonedObservationSets(db), 1);
    assert.deepEqual(await sets(), [written]);
    await db.deleteFrom('datasets').execute();
    assert.equal(await removeAbandonedObservationSets(db), 1);
    assert.deepEqual(await sets(), []);
  });
});
