import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../test/support/app.ts';
import {
  type Answer,
  type DatasetBody,
  insertCategory,
  type Refusal,
  send,
  sendJson,
} from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import {
  openArchiveServer,
  readerOfArchive,
  type ServedFile,
} from '../../../test/support/http/archive-server.ts';
import { eventually } from '../../../test/support/processes.ts';
import { startProcessing } from '../../../test/support/processing.ts';
import { RemoteFault } from '../../remote/remote-answer.ts';
import { checkStore } from '../../object-store/fsck.ts';
import { withReferences } from '../../remote/referenced-objects.ts';
import { checkReferences, recordFault } from './check-references.ts';

const archive = await closeAfterTests(openArchiveServer());
const remoteFiles = readerOfArchive(archive.port, { deadlineMs: 120_000, pausesMs: [1] });
const processing = await closeAfterTests(
  startProcessing({
    aroundStore: (store, db) =>
      withReferences(store, remoteFiles, {
        onFault: async (key, fault) => await recordFault(db, key, fault),
      }),
  }),
);
const { db, objectStore } = processing;
const app = await closeAfterTests(
  startTestApp({
    databaseTarget: processing.target,
    aroundStore: () => objectStore,
    messageQueue: processing.messageQueue,
    remoteFiles,
  }),
);
await closeAfterTests(Promise.resolve({ close: async () => remoteFiles.close() }));
const category = await insertCategory(db);
const cog = await readFile(fixture('raster/cog_already.tif'));
const path = '/cogs/relief.tif';
const served: ServedFile = { bytes: cog, etag: '"first"', lastModified: 'Mon, 30 Nov 2026 10:00:00 GMT' };

type Reference = Readonly<Record<'address' | 'state' | 'reason' | 'checked_at', string>> & {
  readonly copying: boolean;
};

const post = async <T = DatasetBody>(body: object, headers = {}): Promise<Answer<T>> =>
  await send<T>(app, '/datasets/references', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
const get = async (path: string) => await fetch(`${app.baseUrl}${path}`);

async function read(id: string): Promise<DatasetBody & { readonly reference?: Reference }> {
  return JSON.parse(await (await get(`/datasets/${id}`)).text());
}

const bytesOf = async (path: string): Promise<Buffer> => {
  const answer = await get(path);
  assert.equal(answer.status, 200, path);
  return Buffer.from(await answer.arrayBuffer());
};

const address = archive.serve(path, served);
const key = { 'idempotency-key': '"a3f1"' };
const first = await post({ address, category_id: category }, key);
const { id } = first.body;
const uploaded = await processing.upload(fixture('raster/cog_already.tif'), 'raster');
for (const each of [id, uploaded]) await processing.untilStatus(each, 'ready');

describe('a raster that stays on another server', () => {
  test('is described, drawn, counted and downloaded like an upload of the same bytes', async () => {
    const [own, other] = [await read(id), await read(uploaded)];
    assert.deepEqual(own['bbox'], other['bbox']);
    assert.deepEqual(
      [own['filename'], own['name'], own['size_bytes'], own['file_type']],
      ['relief.tif', 'relief.tif', cog.length, 'raster'],
    );
    assert.equal(own.reference?.state, 'unchanged');
    assert.equal(own.reference.address, `https://archive.test:${archive.port}/cogs/relief.tif`);
    assert.equal(other['reference'], undefined);
    assert.deepEqual(await bytesOf(`/datasets/${id}.cog`), cog);
    for (const path of ['statistics', 'thumbnail.png']) {
      for (const each of [id, uploaded])
        await eventually(path, async () => (await get(`/datasets/${each}/${path}`)).status === 200);
      const [own, other] = await Promise.all(
        [id, uploaded].map(async (each) => {
          return (await bytesOf(`/datasets/${each}/${path}`)).toString('latin1').replace(each, 'id');
        }),
      );
      assert.equal(own, other, path);
    }
    const reports = await Promise.all(
      [id, uploaded].map(async (each) => JSON.parse(String(await bytesOf(`/datasets/${each}/report`)))),
    );
    assert.deepEqual(reports[0].raster, reports[1].raster);
    const objects = await db
      .selectFrom('objects')
      .select('sha256')
      .where('key', '=', String(own['cog_storage_key']))
      .execute();
    assert.deepEqual(
      objects.map(({ sha256 }) => sha256?.toString('hex')),
      [hash('sha256', cog)],
    );
  });

  test('is registered once for a repeated request with its key', async () => {
    const asked = archive.requests();
    const second = await post({ address, category_id: category }, key);
    assert.deepEqual([second.status, second.text], [first.status, first.text]);
    assert.equal(archive.requests(), asked);
    assert.equal((await post({ address, category_id: category, name: 'another' }, key)).status, 422);
  });

  test('is refused with all that is wrong, before anything is stored', async () => {
    const count = async () => (await db.selectFrom('objects').select('key').execute()).length;
    const before = await count();
    const text = archive.serve('/text.tif', { bytes: Buffer.from('not a raster') });
    for (const [body, fields] of [
      [{}, ['address', 'category_id']],
      [{ address: 'http://archive.test/a.tif', category_id: category }, ['address']],
      [{ address: `https://archive.test:${archive.port}/a.json`, category_id: category }, ['address']],
      [{ address: 'https://unlisted.test/a.tif', category_id: category }, ['address']],
      [{ address: text, category_id: category }, ['address']],
      [
        { address: text, category_id: category, start_date: '2026-02-02', end_date: '2026-02-01' },
        ['end_date'],
      ],
    ] as const) {
      const { status, body: refusal } = await post<{ errors: object }>(body);
      assert.deepEqual([status, Object.keys(refusal.errors)], [422, fields]);
    }
    assert.equal(await count(), before);
    await using off = await startTestApp();
    const { body } = await sendJson<{ errors: { address: string } }>(off, 'POST', '/datasets/references', {
      address: text,
      category_id: await insertCategory(off.services.db),
    });
    assert.match(body.errors.address, /its operator has listed none in REFERENCE_HOSTS/);
  });

  test('fails if its parts cannot be read one by one', async () => {
    const bytes = await readFile(fixture('raster/RGBA.uint16.tif'));
    const striped = { address: archive.serve('/striped.tif', { bytes }), category_id: category };
    const { body } = await post(striped);
    const reason = await eventually('failure', async () => {
      const { status, parse_error } = await read(body.id);
      return status === 'failed' && String(parse_error);
    });
    assert.match(reason, /not a complete Cloud-Optimized GeoTIFF/);
  });
});

describe('a FlatGeobuf that stays on another server', () => {
  const features = readFileSync(fixture('flatgeobuf/every_kind.fgb'));
  const file = { bytes: features, etag: '"features"' };
  const place = archive.serve('/features/every_kind.fgb', file);

  test('has the features of an upload, and its original is there', async () => {
    const { body } = await post({ address: place, category_id: category });
    const upload = await processing.upload(fixture('flatgeobuf/every_kind.zip'), 'vector');
    for (const each of [body.id, upload]) await processing.untilStatus(each, 'ready');
    const [own, other] = [await read(body.id), await read(upload)];
    assert.deepEqual([own['filename'], own['file_type']], ['every_kind.fgb', 'vector']);
    assert.equal(own.reference?.state, 'unchanged');
    assert.equal(other.reference, undefined);
    const answers = await Promise.all(
      [body.id, upload].map(async (id) => await bytesOf(`/datasets/${id}.geojson`)),
    );
    const [ownGeometry, otherGeometry] = answers.map(
      (bytes) => JSON.parse(String(bytes)).features[0].geometry,
    );
    assert.deepEqual(ownGeometry, otherGeometry);
    assert.deepEqual(await bytesOf(`/datasets/${body.id}/download`), features);

    archive.serve('/features/every_kind.fgb', { ...file, etag: '"others"' });
    assert.equal(await checkReferences({ db, objectStore }, 0), 1);
    assert.equal((await read(body.id)).reference?.state, 'changed');
    assert.equal((await bytesOf(`/datasets/${body.id}.fgb`)).subarray(0, 3).toString(), 'fgb');
    archive.serve('/features/every_kind.fgb', file);
    assert.equal((await send(app, `/datasets/${body.id}/copy`, { method: 'POST' })).status, 200);
    await eventually('the copy', async () => (await read(body.id)).reference === undefined);
    archive.remove('/features/every_kind.fgb');
    assert.deepEqual(await bytesOf(`/datasets/${body.id}/download`), features);
  });

  test('is refused if it is none, or damaged', async () => {
    const none = archive.serve('/features/none.fgb', { bytes: Buffer.from('{"type":"Point"}') });
    const { status, body } = await post<{ errors: { address: string } }>({
      address: none,
      category_id: category,
    });
    assert.equal(status, 422);
    assert.match(body.errors.address, /is not a FlatGeobuf/);
    const half = archive.serve('/features/half.fgb', { bytes: features.subarray(0, 2000) });
    const damaged = (await post({ address: half, category_id: category })).body;
    const reason = await eventually('failure', async () => {
      const { status, parse_error } = await read(damaged.id);
      return status === 'failed' && String(parse_error);
    });
    assert.match(reason, /damaged/);
  });
});

describe('a source that changes', () => {
  const other = Buffer.from(cog);
  other.writeUInt8(255 - other.readUInt8(cog.length - 200), cog.length - 200);
  const changes: readonly (readonly [string, ServedFile])[] = [
    ['by its ETag', { ...served, etag: '"second"' }],
    ['by its length', { ...served, bytes: Buffer.concat([cog, Buffer.alloc(1)]) }],
    ['by its date', { ...served, lastModified: 'Mon, 30 Nov 2026 11:00:00 GMT' }],
    ['by a block alone', { ...served, bytes: other }],
  ];
  for (const [name, file] of changes) {
    test(`is noticed ${name}, nothing of it is used, and it is used again when it is back`, async () => {
      archive.serve(path, file);
      const stored = String((await read(id))['cog_storage_key']);
      await assert.rejects(buffer(await objectStore.read(stored)), RemoteFault);
      // The api still has the blocks that were registered.
      assert.deepEqual(await bytesOf(`/datasets/${id}.cog`), cog);
      const { reference } = await read(id);
      assert.equal(reference?.state, 'changed');
      assert.match(reference.reason, /not the one that was registered/);
      assert.equal(await checkReferences({ db, objectStore }, 0), 0);
      assert.equal((await read(id)).reference?.state, 'changed');
      archive.serve(path, served);
      assert.equal(await checkReferences({ db, objectStore }, 0), 1);
      assert.equal((await read(id)).reference?.state, 'unchanged');
      assert.deepEqual(await bytesOf(`/datasets/${id}.cog`), cog);
    });
  }

  test('is answered with the reason where it would be drawn', async () => {
    await using fresh = await startTestApp({
      databaseTarget: processing.target,
      aroundStore: () => withReferences(processing.objects, remoteFiles),
    });
    archive.serve(path, { ...served, etag: '"fourth"' });
    const { status, body } = await send<Refusal>(fresh, `/datasets/${id}/tiles/0/0/0.png`);
    archive.serve(path, served);
    assert.equal(status, 503);
    assert.match(body.error ?? '', /not the one that was registered/);
  });

  test('or goes away is noticed by a look at it, in the language of the reader', async () => {
    archive.remove(path);
    await checkReferences({ db, objectStore }, 0);
    assert.equal((await read(id)).reference?.state, 'unreachable');
    const russian = await fetch(`${app.baseUrl}/datasets/${id}`, { headers: { 'accept-language': 'ru' } });
    const { reference }: { reference: Reference } = JSON.parse(await russian.text());
    assert.match(reference.reason, /нет файла по этому адресу/);
    archive.serve(path, served);
    await checkReferences({ db, objectStore }, 0);
  });
});

describe('the copy of a reference', () => {
  const copy = async (id: string) => await send(app, `/datasets/${id}/copy`, { method: 'POST' });

  test('of a changed file leaves it a reference, with the reason', async () => {
    archive.serve(path, { ...served, etag: '"third"' });
    assert.equal((await copy(id)).status, 200);
    const reference = await eventually('the end of the copy', async () => {
      const now = await read(id);
      return now.reference?.copying === false && now.reference;
    });
    archive.serve(path, served);
    assert.equal(reference.state, 'changed');
    assert.match(reference.reason, /not the one that was registered/);
  });

  test('makes an upload of it, with the same bytes, and asks the source no more', async () => {
    assert.equal((await copy(id)).status, 200);
    const own = await eventually('the copy', async () => {
      const now = await read(id);
      return now.reference === undefined && now;
    });
    archive.remove(path);
    assert.match(own.storage_key, /^originals\//);
    assert.deepEqual(await bytesOf(`/datasets/${id}.cog`), cog);
    assert.equal((await copy(id)).status, 409);
  });

  test('of what does not exist is refused', async () => {
    assert.equal((await copy('00000000-0000-0000-0000-000000000000')).status, 404);
  });
});

test('store, ledger and rows agree afterwards', async () => {
  const { damage } = await checkStore(db, objectStore, { digests: true });
  assert.deepEqual(damage, []);
});
