import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { openTestDatabase } from '../../test/support/database.ts';
import { closeAfterTests, temporaryFolder } from '../../test/support/for-tests.ts';
import { openHookServer } from '../../test/support/http/hook-server.ts';
import { addDataset, readJob, until } from '../../test/support/jobs.ts';
import { adopt } from '../../test/support/landscape/stored-runs.ts';
import { openTestStore } from '../../test/support/store.ts';
import { openListener } from '../database/listener.ts';
import { startWorker } from '../jobs/worker.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import { createWebhookHandler } from '../webhooks/deliver.ts';
import { createWebhookSender } from '../webhooks/send.ts';
import { checkStore } from '../object-store/fsck.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { sweepObjects } from '../object-store/sweeper.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { writeBackup } from './backup.ts';
import { readBackup, writeManifest, copiedTables } from './manifest.ts';
import { restoreBackup } from './restore.ts';

const database = await closeAfterTests(openTestDatabase('with_districts'));
const { db, pool } = database;
const objectStore = await closeAfterTests(openTestStore());
const source = { db, pool, objectStore };
const never = new AbortController().signal;
const { datasetId, jobId, key } = await addDataset(db, objectStore);
await sql`update jobs set state = 'running', attempt = 1, worker = 'w', lease_until = now()
  where id = ${jobId}`.execute(db);
await sql`insert into observation_sets (dataset_id, job_id, attempt) values (${datasetId}, ${jobId}, 1)`.execute(
  db,
);
await adopt(db, datasetId);
const { id: runId } = await db.selectFrom('landscape_runs').select('id').executeTakeFirstOrThrow();
const layer = { id: randomUUID(), key: 'k', layer: 'cells', run_id: runId } as const;
await db
  .insertInto('landscape_layers')
  .values({ ...layer, state: 'pending' })
  .execute();
await db.insertInto('landscape_layer_inputs').values({ layer_id: layer.id, dataset_id: datasetId }).execute();
await db.transaction().execute(async (trx) => await enqueueJob(trx, 'make-layer', layer.id));
const webhooks = await closeAfterTests(openHookServer());
const webhookId = randomUUID();
await sql`insert into webhooks (id, url, secret, epoch, position)
  select ${webhookId}, ${webhooks.url}, ${Buffer.alloc(32, 7)}, epoch, last from event_log`.execute(db);
await sql`insert into webhook_deliveries (webhook_id, message_id, type, state)
  values (${webhookId}, 'msg_test', 'webhook.test', 'pending')`.execute(db);
await db.transaction().execute(async (trx) => await enqueueJob(trx, 'deliver-webhook', webhookId));

const rowsOf = async (from: typeof db, name: string) =>
  (await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(from)).rows;
const saved = new Map<string, unknown>();
for (const name of copiedTables) saved.set(name, await rowsOf(db, name));
const sound = join(await temporaryFolder(), 'sound');
await writeBackup(source, sound, never);

async function openTarget() {
  const target = await closeAfterTests(openTestDatabase());
  return { ...target, objectStore: await closeAfterTests(openTestStore()) };
}

/** Returns the messages that a restored service sends: those of earlier events, and those of a new dataset. */
async function sentBy({ db: own, target, objectStore: ownStore }: Awaited<ReturnType<typeof openTarget>>) {
  webhooks.received.length = 0;
  const log = pino({ level: 'silent' });
  const listener = await openListener(target, { onError: () => undefined });
  await addDataset(own, ownStore, { kind: 'count-areas' });
  await sql`select order_events()`.execute(own);
  const worker = startWorker({
    db: own,
    objectStore: ownStore,
    messageQueue: createPostgresMessageQueue(own, listener, () => undefined),
    handlers: {
      'deliver-webhook': createWebhookHandler({ db: own, webhookSender: createWebhookSender(['127.0.0.1']) }),
    },
    concurrency: 1,
    scratchRoot: await temporaryFolder(),
    log,
    timing: { pollEveryMs: 20 },
  });
  const left = own
    .selectFrom('jobs')
    .where('kind', '=', 'deliver-webhook')
    .where('state', 'in', ['queued', 'running']);
  await until(async () => (await left.select('id').execute()).length === 0);
  await worker.stop();
  await listener.close();
  return webhooks.received.map(({ type }) => type);
}

async function damagedCopy(damage: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(await temporaryFolder(), 'copy');
  await cp(sound, folder, { recursive: true });
  await damage(folder);
  return folder;
}

async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

const holds = async (): Promise<number> => (await db.selectFrom('backup_holds').selectAll().execute()).length;

/** A store that runs `work` before each object is read. */
const readingAfter = (work: () => Promise<unknown>): ObjectStore => ({
  ...objectStore,
  async read(...args) {
    await work();
    return await objectStore.read(...args);
  },
});

describe('a backup', () => {
  it('has every table but those of this database alone, and what is made again', async () => {
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
      where schemaname = 'public'`.execute(db);
    const made = ['compiled_styles', 'dataset_count_changes', 'dataset_counts'];
    const told = ['event_log', 'event_news', 'events'];
    const own = ['backup_holds', 'installations', 'leases', 'migrations'];
    const expected = [...copiedTables, ...made, ...told, ...own].toSorted();
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), expected);
  });

  it('refuses a folder with something in it', async () => {
    await assert.rejects(writeBackup(source, sound, never), /is not empty/);
  });

  it('has what was live when it began, though it is deleted and swept meanwhile', async () => {
    const doomed = await addDataset(db, objectStore);
    let swept: number | undefined;
    const store = readingAfter(async () => {
      await db.deleteFrom('datasets').where('id', '=', doomed.datasetId).execute();
      await sql`update objects set state = 'deleting' where key = ${doomed.key}`.execute(db);
      swept = (await sweepObjects(db, objectStore)).removed;
    });
    const folder = join(await temporaryFolder(), 'held');
    const { objects } = await writeBackup({ ...source, objectStore: store }, folder, never);
    assert.equal(swept, 0);
    assert.deepEqual(objects.map((each) => each.key).toSorted(), [doomed.key, key].toSorted());
    assert.equal(await holds(), 0);
    assert.equal((await sweepObjects(db, objectStore)).removed, 1);
    await sql`delete from jobs where id = ${doomed.jobId}`.execute(db);
  });

  it('keeps nothing from the sweeper when its hold has expired, and then fails', async () => {
    const doomed = await addDataset(db, objectStore);
    const store = readingAfter(async () => {
      await sql`update backup_holds set held_until = now() - interval '1 second'`.execute(db);
      await db.deleteFrom('datasets').where('id', '=', doomed.datasetId).execute();
      await sql`update objects set state = 'deleting' where key = ${doomed.key}`.execute(db);
      await sweepObjects(db, objectStore);
    });
    const folder = join(await temporaryFolder(), 'expired');
    await assert.rejects(writeBackup({ ...source, objectStore: store }, folder, never), /There is no backup/);
    assert.equal(await objectStore.size(doomed.key), undefined);
    assert.ok(!(await readdir(folder)).includes('manifest.json'));
    await sql`delete from jobs where id = ${doomed.jobId}`.execute(db);
  });

  it('fails when an object has other bytes than the ledger says', async () => {
    await writeFile(join(objectStore.root, key), 'BYTES');
    const folder = join(await temporaryFolder(), 'unsound');
    await assert.rejects(writeBackup(source, folder, never), new RegExp(`the object ${key} is missing`));
    await writeFile(join(objectStore.root, key), 'bytes');
    await assert.rejects(readBackup(folder, never), /no manifest\.json/);
  });
});

describe('a restore', () => {
  it('brings back all rows and bytes, and queues what was running', async () => {
    const target = await openTarget();
    await restoreBackup(target, sound, await readBackup(sound, never), { signal: never });
    const report = await checkStore(target.db, target.objectStore, { digests: true });
    assert.deepEqual(report.damage, []);
    assert.equal((await buffer(await target.objectStore.read(key))).toString(), 'bytes');
    const changed: readonly string[] = ['jobs', 'webhooks', 'webhook_deliveries'];
    for (const name of copiedTables.filter((each) => !changed.includes(each))) {
      assert.deepEqual(await rowsOf(target.db, name), saved.get(name), name);
    }
    assert.deepEqual(await rowsOf(target.db, 'event_news'), [], 'a restore is no event');
    const { state, attempt, leased } = await readJob(target.db, jobId);
    assert.deepEqual({ state, attempt, leased }, { state: 'queued', attempt: 1, leased: false });
    const { id } = await target.db
      .insertInto('observation_sets')
      .values({ dataset_id: datasetId, job_id: jobId, attempt: 2 })
      .returning('id')
      .executeTakeFirstOrThrow();
    assert.ok(id > 1);
  });

  it('switches webhooks off, so that a copy sends nothing where the service sends, unless it is asked to keep them', async () => {
    const manifest = await readBackup(sound, never);
    const stateIn = async (target: Awaited<ReturnType<typeof openTarget>>) => ({
      ...(await target.db.selectFrom('webhooks').select(['state', 'secret']).executeTakeFirstOrThrow()),
      tests: (await target.db.selectFrom('webhook_deliveries').select('state').execute()).map(
        (each) => each.state,
      ),
    });
    const copy = await openTarget();
    const off = await restoreBackup(copy, sound, manifest, { signal: never });
    assert.deepEqual(off, { webhooksOff: 1 });
    const secret = Buffer.alloc(32, 7);
    assert.deepEqual(await stateIn(copy), { state: 'off', secret, tests: ['failed'] });
    assert.deepEqual(await sentBy(copy), []);
    const recovered = await openTarget();
    const kept = await restoreBackup(recovered, sound, manifest, { signal: never, keepsWebhooks: true });
    assert.deepEqual(kept, { webhooksOff: 0 });
    assert.deepEqual(await stateIn(recovered), { state: 'on', secret, tests: ['pending'] });
    assert.deepEqual(await sentBy(recovered), ['webhook.test', 'dataset.created']);
  });

  it('refuses a damaged backup', async () => {
    const damages: readonly (readonly [(folder: string) => Promise<unknown>, RegExp])[] = [
      [async (folder) => await flipByte(join(folder, 'objects', key)), /other bytes/],
      [async (folder) => await flipByte(join(folder, 'tables/districts.copy')), /other bytes/],
      [async (folder) => await flipByte(join(folder, 'manifest.json')), /manifest\.json in .* is damaged/],
      [async (folder) => await rm(join(folder, 'objects', key)), /is missing/],
      [async (folder) => await truncate(join(folder, 'tables/datasets.copy'), 10), /other bytes/],
      [async (folder) => await truncate(join(folder, 'manifest.json'), 100), /is damaged/],
      [async (folder) => await rm(join(folder, 'manifest.json')), /no manifest\.json/],
      [
        async (folder) => {
          const manifest = await readBackup(folder, never);
          const newer = { name: '9999_tomorrow.sql', sha256: '0'.repeat(64) };
          await writeManifest(folder, { ...manifest, migrations: [...manifest.migrations, newer] });
        },
        /9999_tomorrow\.sql/,
      ],
    ];
    for (const [damage, sentence] of damages) {
      await assert.rejects(readBackup(await damagedCopy(damage), never), sentence);
    }
  });

  it('refuses a database with rows, and a store with other objects', async () => {
    const manifest = await readBackup(sound, never);
    const inUse = await openTarget();
    await addDataset(inUse.db, inUse.objectStore);
    await assert.rejects(restoreBackup(inUse, sound, manifest, { signal: never }), /database is not empty/);
    const stray = await openTarget();
    await stray.objectStore.put('stray/a', Readable.from([Buffer.from('x')]));
    await assert.rejects(
      restoreBackup(stray, sound, manifest, { signal: never }),
      /store is not empty: stray\/a/,
    );
    const other = await openTarget();
    await other.objectStore.put(key, Readable.from([Buffer.from('BYTES')]));
    await assert.rejects(restoreBackup(other, sound, manifest, { signal: never }), /or has other bytes/);
    assert.equal((await buffer(await other.objectStore.read(key))).toString(), 'BYTES');
  });

  it('that ended before its rows were in can be started again', async () => {
    const manifest = await readBackup(sound, never);
    const target = await openTarget();
    const stopping = new AbortController();
    const store: ObjectStore = {
      ...target.objectStore,
      async put(...args) {
        await target.objectStore.put(...args);
        stopping.abort(new Error('asked to end'));
      },
    };
    const stopped = restoreBackup({ ...target, objectStore: store }, sound, manifest, {
      signal: stopping.signal,
    });
    await assert.rejects(stopped, /stopped before the end/);
    assert.deepEqual(await target.db.selectFrom('datasets').select('id').execute(), []);
    await restoreBackup(target, sound, manifest, { signal: never });
    assert.deepEqual((await checkStore(target.db, target.objectStore, { digests: true })).damage, []);
  });
});
