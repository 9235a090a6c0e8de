import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { readBackup } from '../../src/backup/manifest.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { migrate } from '../../src/database/migrate.ts';
import { filesOfDataset, replaceFiles } from '../../src/datasets/files.ts';
import { checkStore } from '../../src/object-store/fsck.ts';
import { publishObject, writeDraft } from '../../src/object-store/ledger.ts';
import { removeAbandonedObservationSets, sweepObjects } from '../../src/object-store/sweeper.ts';
import { startTestApp } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { fetchRaw } from '../support/http/raw-http.ts';
import { eventually } from '../support/processes.ts';
import { openTestStore } from '../support/store.ts';
import { Readable } from 'node:stream';

/** The whole body of an answer in JSON; ETag and digest of a file. */
interface Answer {
  readonly status: number;
  readonly etag?: string;
  readonly sha256?: string;
  readonly body?: unknown;
}

const folder = fileURLToPath(new URL('../fixtures/release-0019', import.meta.url));
const answers: Readonly<Record<string, Answer>> = JSON.parse(
  await readFile(`${folder}/answers.json`, 'utf8'),
);
const { db, pool, target } = await closeAfterTests(openTestDatabase());
const objectStore = await closeAfterTests(openTestStore());
await pool.query('drop schema public cascade; create schema public');
const { signal } = new AbortController();
const backup = `${folder}/backup`;
await restoreBackup({ db, pool, objectStore }, backup, await readBackup(backup, signal), { signal });
const fresh = await migrate(db);
const app = await closeAfterTests(startTestApp({ databaseTarget: target, storeFolder: objectStore.root }));

async function assertSound(): Promise<void> {
  await sweepObjects(db, objectStore);
  await removeAbandonedObservationSets(db);
  const { damage, inFlight } = await checkStore(db, objectStore, { digests: true });
  assert.deepEqual([damage, inFlight], [[], []]);
}

/** Compares the columns that this release and the previous one read. */
async function assertColumnsAgree(): Promise<void> {
  const columns = sql`select named.* from datasets d, files_in_columns(d) named`;
  const { rows } = await sql`
    (table dataset_files except ${columns}) union all (${columns} except table dataset_files)`.execute(db);
  assert.deepEqual(rows, []);
}

async function ask(path: string, encoding = 'identity'): Promise<Answer> {
  const { status, headers, bytes } = await fetchRaw(app.baseUrl + path, {
    headers: { 'accept-encoding': encoding },
  });
  const etag = headers.get('etag');
  if (etag === null) return { status, body: JSON.parse(bytes.toString()) };
  return { status, etag, sha256: hash('sha256', bytes, 'hex') };
}

async function filesOf(id: string) {
  const { files } = await db
    .selectFrom('datasets')
    .select(filesOfDataset)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return files
    .map(({ kind, encoding, key, madeFrom }) => `${kind} ${encoding} ${key} ${madeFrom}`)
    .toSorted();
}

async function storeLive(key: string): Promise<string> {
  await using _draft = await writeDraft(db, objectStore, key, Readable.from([Buffer.from('bytes')]));
  await db.transaction().execute(async (trx) => await publishObject(trx, key));
  return key;
}

describe('a backup of the release before', () => {
  it('is restored with every kind of file, sound, and in the columns of that release too', async () => {
    assert.equal(fresh[0], '0020_dataset_files.sql');
    const { rows } = await sql<{ name: string }>`
      select distinct kind || ' ' || encoding as name from dataset_files order by 1`.execute(db);
    const forms = ['geojson', 'series'].flatMap((kind) =>
      ['br', 'gzip', 'identity'].map((each) => `${kind} ${each}`),
    );
    const single = ['cog', 'original', 'rows', 'sld', 'view_cog', 'view_mesh'].map(
      (kind) => `${kind} identity`,
    );
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), [...forms, ...single].toSorted());
    await assertSound();
    await assertColumnsAgree();
  });

  it('is answered as it was, file by file under the same ETags', async () => {
    for (const [name, answer] of Object.entries(answers)) {
      const [path = '', encoding] = name.split(' ');
      assert.deepEqual(await ask(path, encoding), answer, name);
    }
  });

  it('is drawn', async () => {
    const { rows } = await sql<{ id: string }>`select id from datasets where status = 'ready'`.execute(db);
    assert.equal(rows.length, 5);
    for (const { id } of rows) {
      const draw = async () =>
        (await fetchRaw(`${app.baseUrl}/datasets/${id}/thumbnail.png?size=256`)).status;
      // A machine with much else to do draws it later: 503 says when to ask again.
      const status = await eventually(`${id} is drawn`, async () => {
        const answered = await draw();
        return answered === 503 ? undefined : answered;
      });
      assert.equal(status, 200, id);
    }
  });
});

describe('a process of the release before', () => {
  it('writes columns, from which this release reads files, and reads from them what this one writes', async () => {
    const { rows } = await sql<{ id: string }>`select id from datasets where file_type = 'raster'`.execute(
      db,
    );
    const id = rows[0]?.id ?? '';
    const old = await filesOf(id);
    await sql`update datasets set cog_storage_key = ${await storeLive('test/cog')}, districts_version = 7,
      geojson_storage_key = ${await storeLive('test/map')}, view_cog_storage_key = null where id = ${id}`.execute(
      db,
    );
    const kept = old.filter((file) => !/^(cog|view_cog) /.test(file));
    const written = ['cog identity test/cog null', 'geojson identity test/map 7'];
    assert.deepEqual(await filesOf(id), [...kept, ...written].toSorted());
    await assertColumnsAgree();
    await db.transaction().execute(async (trx) => {
      const key = await writeDraft(db, objectStore, 'test/other', Readable.from([Buffer.from('x')]));
      await replaceFiles(trx, id, [{ kind: 'cog', key: key.key }], ['geojson']);
    });
    assert.deepEqual(await filesOf(id), [...kept, 'cog identity test/other null'].toSorted());
    await assertColumnsAgree();
  });

  it('removes no file that it does not know', async () => {
    const { rows } = await sql<{
      id: string;
    }>`select id from datasets where file_type = 'vector' limit 1`.execute(db);
    const id = rows[0]?.id ?? '';
    const old = await filesOf(id);
    const features = await storeLive('test/features');
    await sql`insert into dataset_files (dataset_id, kind, object_key) values (${id}, 'fgb', ${features})`.execute(
      db,
    );
    await sql`update datasets set sld_storage_key = ${await storeLive('test/style')} where id = ${id}`.execute(
      db,
    );
    const others = old.filter((file) => !file.startsWith('sld '));
    const expected = [...others, 'fgb identity test/features null', 'sld identity test/style null'];
    assert.deepEqual(await filesOf(id), expected.toSorted());
  });

  it('uploads what this release reads', async () => {
    const id = '6d2c4f4e-0000-4000-8000-000000000000';
    await sql`insert into datasets (id, category_id, name, filename, storage_key, file_type, size_bytes, content_type, status)
      select ${id}, id, 'old', 'old.tif', ${await storeLive('test/old')}, 'raster', 5, 'image/tiff', 'failed' from categories limit 1`.execute(
      db,
    );
    assert.deepEqual(await filesOf(id), ['original identity test/old null']);
    assert.equal((await fetchRaw(`${app.baseUrl}/datasets/${id}/download`)).bytes.toString(), 'bytes');
  });
});

it('the deletion of all datasets leaves nothing of them', async () => {
  const ids = await db.selectFrom('datasets').select('id').execute();
  await sql`update objects set state = 'deleting' where state = 'live' and key not in (select object_key from dataset_files)
    and key not in (select sld_storage_key from dataset_groups where sld_storage_key is not null)`.execute(
    db,
  );
  for (const { id } of ids) {
    const { status } = await fetchRaw(`${app.baseUrl}/datasets/${id}`, { method: 'DELETE' });
    assert.equal(status, 204);
  }
  await assertSound();
  const left = await Array.fromAsync(objectStore.keys());
  assert.ok(
    left.length === 1 && left[0]?.startsWith('styles/'),
    `the style of the group: ${left.join(', ')}`,
  );
});
