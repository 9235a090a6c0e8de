import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { finishUpload, startFinishing } from './finish.ts';
import { sweepUploads } from './uploads.ts';
import { createUploaded } from '../../landscape/groups/slots.ts';
import { pause } from '../../lib/concurrency/promises.ts';
import { MiB } from '../../lib/units.ts';
import { checkStore } from '../../object-store/fsck.ts';
import { ObjectMissing, type ObjectStore } from '../../object-store/object-store.ts';
import { sweepObjects } from '../../object-store/sweeper.ts';
import { startTestApp, type TestApp } from '../../../test/support/app.ts';
import {
  insertCategory,
  leftovers,
  nothing,
  type Refusal,
  send,
  tiffBytes,
} from '../../../test/support/datasets.ts';
import { eventually } from '../../../test/support/processes.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { readAll } from '../../../test/support/http/raw-http.ts';
import {
  append,
  begin,
  beginToSend,
  metadataOf,
  octets,
  offsetOf,
  tus,
} from '../../../test/support/http/tus.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const category_id = await insertCategory(app.services.db);
const { baseUrl } = app;
const details = { filename: 'relief.tif', file_type: 'raster', category_id, name: 'Рельеф' };
const { length } = tiffBytes;

const digestOf = (text: string, algorithm = 'sha1') => createHash(algorithm).update(text).digest('base64');

/** Sweeps everything due, and returns what the unfinished uploads still have. */
async function piecesLeft({ services }: TestApp) {
  await sweepObjects(services.db, services.objectStore);
  const keys = await Array.fromAsync(services.objectStore.keys());
  const { damage } = await checkStore(services.db, services.objectStore, { digests: true });
  return { stored: keys.filter((key) => key.startsWith('uploads/')), damage };
}

async function refusalOf(answer: Response) {
  const body: Refusal = JSON.parse(await answer.text());
  return { status: answer.status, ...body };
}

describe('an upload in pieces', () => {
  test('becomes the dataset that it is at once, byte by byte, and leaves nothing else', async () => {
    const path = await begin(baseUrl, length, details);
    assert.match(path, /^\/uploads\/[0-9a-f-]{36}$/);
    const first = await append(baseUrl + path, 0, tiffBytes.slice(0, 10));
    assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '10']);
    assert.ok(Date.parse(first.headers.get('upload-expires') ?? '') > Date.now() + 86_000_000);
    assert.equal(await offsetOf(baseUrl + path), 10);
    assert.equal((await append(baseUrl + path, 10, tiffBytes.slice(10, 20))).status, 204);
    const last = await append(baseUrl + path, 20, tiffBytes.slice(20));
    assert.deepEqual([last.status, last.headers.get('upload-offset')], [204, String(length)]);
    const location = last.headers.get('location') ?? assert.fail('no dataset');
    const { body } = await send(app, location);
    assert.deepEqual(
      [body.name, body['filename'], body['status'], body['size_bytes'], body['content_type']],
      ['Рельеф', 'relief.tif', 'pending', length, 'image/tiff'],
    );
    assert.equal((await buffer(await app.services.objectStore.read(body.storage_key))).toString(), tiffBytes);
    const { body: seen } = await send<{ dataset_id: string }>(app, path);
    assert.equal(`/datasets/${seen.dataset_id}`, location);
    assert.deepEqual(await piecesLeft(app), { stored: [], damage: [] });
    const again = await append(baseUrl + path, length, '');
    assert.deepEqual([again.status, again.headers.get('location')], [204, location]);
  });

  test('may come whole with its beginning, and go to a slot', async () => {
    const headers = {
      ...octets,
      'upload-length': String(length),
      'upload-metadata': metadataOf({
        filename: 'dem.tif',
        slot: 'landscape-in-dem',
        end_date: '2024-12-31',
      }),
    };
    const answer = await send(app, '/uploads', { method: 'POST', headers, body: tiffBytes });
    assert.deepEqual([answer.status, answer.headers.get('upload-offset')], [201, String(length)]);
    const { body } = await send<{ dataset_id: string }>(app, answer.headers.get('location') ?? '');
    const { body: dataset } = await send(app, `/datasets/${body.dataset_id}`);
    assert.deepEqual([dataset['file_type'], dataset['end_date']], ['raster', '2024-12-31']);
  });

  test('keeps what has come of a connection that breaks', async () => {
    const path = await begin(baseUrl, length, details);
    const socket = await beginToSend(baseUrl + path, { offset: 0, length, bytes: tiffBytes.slice(0, 30) });
    await eventually('the bytes are being stored', async () => {
      const { ledger } = await leftovers(app.services);
      return ledger.some(({ key, state }) => key.startsWith(path.slice(1)) && state === 'writing');
    });
    socket.end();
    await eventually('30 bytes are kept', async () => (await offsetOf(baseUrl + path)) === 30);
    assert.equal((await append(baseUrl + path, 30, tiffBytes.slice(30))).status, 204);
  });

  test('is taken over by the later of two requests', async () => {
    const path = await begin(baseUrl, length, details);
    const frozen = await beginToSend(baseUrl + path, { offset: 0, length, bytes: tiffBytes.slice(0, 30) });
    const { db } = app.services;
    const id = path.slice('/uploads/'.length);
    await eventually('the first request goes on with it', async () => {
      const row = await db.selectFrom('uploads').select('writer').where('id', '=', id).executeTakeFirst();
      return row?.writer !== null;
    });
    assert.equal((await append(baseUrl + path, 0, tiffBytes.slice(0, 5))).status, 204);
    frozen.write(tiffBytes.slice(30));
    assert.match(await readAll(frozen), /^HTTP\/1\.1 409 [^]*another request has continued/);
    assert.equal(await offsetOf(baseUrl + path), 5);
    assert.equal((await append(baseUrl + path, 5, tiffBytes.slice(5))).status, 204);
  });

  test('goes on only where it is, and only to its end', async () => {
    const path = await begin(baseUrl, length, details);
    assert.deepEqual(await refusalOf(await append(baseUrl + path, 3, 'x')), {
      status: 409,
      error: '0 bytes of the upload have arrived; continue after them',
    });
    const tooMuch = await append(baseUrl + path, 0, `${tiffBytes}x`);
    assert.equal(tooMuch.status, 413);
    const endless = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(`${tiffBytes}x`));
        controller.close();
      },
    });
    const headers = { ...octets, 'upload-offset': '0' };
    const init = { method: 'PATCH', headers, body: endless, duplex: 'half' } as const;
    assert.equal((await fetch(baseUrl + path, init)).status, 413);
    assert.equal(await offsetOf(baseUrl + path), 0);
    await fetch(baseUrl + path, { method: 'DELETE', headers: tus });
  });

  test('says what it does not offer to clients that send it all the same', async () => {
    for (const [header, value, named] of [
      ['upload-concat', 'partial', 'parallelUploads'],
      ['upload-concat', `final;${baseUrl}/uploads/a ${baseUrl}/uploads/b`, 'concatenation'],
      ['upload-defer-length', '1', 'creation-defer-length'],
    ] as const) {
      const headers = { ...tus, [header]: value, ...(value === 'partial' && { 'upload-length': '4' }) };
      const answer = await send<Refusal>(app, '/uploads', { method: 'POST', headers });
      assert.equal(answer.status, 400);
      assert.match(answer.body.error ?? '', new RegExp(named));
    }
  });

  test('counts bytes with a checksum only when they have it', async () => {
    const path = await begin(baseUrl, length, details);
    const [head, tail] = [tiffBytes.slice(0, 20), tiffBytes.slice(20)];
    const wrong = await append(baseUrl + path, 0, head, { 'upload-checksum': `sha1 ${digestOf(tail)}` });
    assert.equal((await refusalOf(wrong)).status, 460);
    assert.equal(await offsetOf(baseUrl + path), 0);
    const strange = await append(baseUrl + path, 0, head, { 'upload-checksum': 'crc32 AAAA' });
    assert.equal(strange.status, 400);
    const right = { 'upload-checksum': `sha1 ${digestOf(head)}` };
    assert.equal((await append(baseUrl + path, 0, head, right)).status, 204);
    const sha256 = { 'upload-checksum': `sha256 ${digestOf(tail, 'sha256')}` };
    const last = await append(baseUrl + path, 20, tail, sha256);
    assert.ok(last.headers.has('location'));
  });

  test('is refused before its bytes by the rules of one that comes at once', async () => {
    const ask = async (values: Readonly<Record<string, string>>, size = length) =>
      await send<Refusal>(app, '/uploads', {
        method: 'POST',
        headers: { ...tus, 'upload-length': String(size), 'upload-metadata': metadataOf(values) },
      });
    const fields = async (values: Readonly<Record<string, string>>, size?: number) => {
      const { status, body } = await ask(values, size);
      assert.equal(status, 422);
      return Object.keys(body.errors ?? {}).toSorted();
    };
    assert.deepEqual(await fields({}), ['category_id', 'file', 'file_type']);
    assert.deepEqual(await fields({ ...details, filename: 'a.png', end_date: 'x' }), ['end_date', 'file']);
    assert.deepEqual(await fields({ ...details, category_id: crypto.randomUUID() }), ['category_id']);
    assert.deepEqual(await fields(details, 0), ['file']);
    assert.equal((await ask({ filename: 'a.tif', slot: 'landscape-in-x' })).status, 404);
    assert.equal((await ask(details, 2 ** 45)).status, 413);
    const broken = { ...tus, 'upload-length': '5', 'upload-metadata': 'filename !' };
    assert.equal((await send(app, '/uploads', { method: 'POST', headers: broken })).status, 400);
  });

  test('is given up when its first bytes are not those of its name', async () => {
    const path = await begin(baseUrl, 9, details);
    const { status, errors } = await refusalOf(await append(baseUrl + path, 0, 'not a map'));
    assert.equal(status, 422);
    assert.match(errors?.['file'] ?? '', /^is not a \.tif file/);
    assert.equal((await send(app, path)).status, 404);
  });

  test('and is given up when its category has gone meanwhile', async () => {
    const doomed = await insertCategory(app.services.db);
    const path = await begin(baseUrl, length, { ...details, category_id: doomed });
    await app.services.db.deleteFrom('categories').where('id', '=', doomed).execute();
    const { status, errors } = await refusalOf(await append(baseUrl + path, 0, tiffBytes));
    assert.deepEqual([status, Object.keys(errors ?? {})], [422, ['category_id']]);
    assert.equal((await send(app, path)).status, 404);
    assert.deepEqual(await piecesLeft(app), { stored: [], damage: [] });
  });

  test('goes with DELETE, also under another method', async () => {
    const path = await begin(baseUrl, length, details);
    await append(baseUrl + path, 0, tiffBytes.slice(0, 9));
    const headers = { ...tus, 'x-http-method-override': 'DELETE' };
    assert.equal((await send(app, path, { method: 'POST', headers })).status, 204);
    assert.equal((await send(app, path)).status, 404);
    assert.deepEqual(await piecesLeft(app), { stored: [], damage: [] });
  });

  test('asks for tus 1.0.0, and says what it can do', async () => {
    const other = await send(app, '/uploads', { method: 'POST', headers: { 'tus-resumable': '0.2.2' } });
    assert.deepEqual([other.status, other.headers.get('tus-version')], [412, '1.0.0']);
    const options = await send(app, '/uploads', { method: 'OPTIONS' });
    assert.equal(options.status, 204);
    assert.equal(
      options.headers.get('tus-extension'),
      'creation,creation-with-upload,expiration,checksum,termination',
    );
    assert.match(options.headers.get('tus-checksum-algorithm') ?? '', /^sha1,/);
    assert.ok(Number(options.headers.get('tus-max-size')) > 0);
    const path = await begin(baseUrl, length, details);
    const json = await append(baseUrl + path, 0, tiffBytes, { 'content-type': 'application/json' });
    assert.equal(json.status, 415);
    const head = await fetch(baseUrl + path, { method: 'HEAD', headers: tus });
    assert.deepEqual(
      ['upload-length', 'upload-metadata', 'cache-control'].map((name) => head.headers.get(name)),
      [String(length), metadataOf(details), 'no-store'],
    );
    await send(app, path, { method: 'DELETE', headers: tus });
  });
});

test('bytes that expire are 410 and leave nothing', async () => {
  await using own = await startTestApp({ uploadLimits: { expirySeconds: 1 } });
  const { db, uploadLimits } = own.services;
  const category = await insertCategory(db);
  const path = await begin(own.baseUrl, length, { ...details, category_id: category });
  await append(own.baseUrl + path, 0, tiffBytes.slice(0, 9));
  await db
    .updateTable('uploads')
    .set({ expires_at: new Date(0) })
    .execute();
  assert.equal((await append(own.baseUrl + path, 9, 'x')).status, 410);
  assert.equal(await sweepUploads(db, uploadLimits), 1);
  assert.equal((await send(own, path)).status, 410);
  assert.deepEqual(await piecesLeft(own), { stored: [], damage: [] });
  assert.deepEqual(await leftovers(own.services), nothing);
  await db
    .updateTable('uploads')
    .set({ ended_at: new Date(0) })
    .execute();
  await sweepUploads(db, uploadLimits);
  assert.equal((await send(own, path)).status, 404);
});

test('what never ends takes a bounded number of rows and bytes', async () => {
  await using own = await startTestApp({ uploadLimits: { maxUnfinished: 3, maxHeldBytes: 15 } });
  const category = await insertCategory(own.services.db);
  const all = { ...details, category_id: category };
  const starts = Array.from({ length: 8 }, async () => {
    const headers = { ...tus, 'upload-length': '50', 'upload-metadata': metadataOf(all) };
    return (await send(own, '/uploads', { method: 'POST', headers })).status;
  });
  const begun = (await Promise.all(starts)).filter((status) => status !== 503);
  assert.deepEqual(begun, [201, 201, 201]);
  const { rows } = await own.services.pool.query<{ id: string }>('select id from uploads');
  const statuses = [];
  for (const { id } of rows) {
    statuses.push((await append(own.baseUrl + `/uploads/${id}`, 0, tiffBytes.slice(0, 10))).status);
  }
  assert.deepEqual(statuses, [204, 204, 503]);
});

test('however many begin at once, one connection waits for the others, and all of them begin', async () => {
  await using own = await startTestApp();
  const { db, pool } = own.services;
  const all = { ...details, category_id: await insertCategory(db) };
  const headers = { ...tus, 'upload-length': '50', 'upload-metadata': metadataOf(all) };
  const waiting = async () => {
    const { rows } = await pool.query(
      `select from pg_locks join pg_database on oid = database where locktype = 'advisory' and not granted and datname = current_database()`,
    );
    return rows.length;
  };
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(66066)`.execute(trx);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  const starts = Array.from(
    { length: 60 },
    async () => await send(own, '/uploads', { method: 'POST', headers }),
  );
  try {
    await eventually('the first waits', async () => (await waiting()) >= 1);
    assert.equal((await send(own, '/categories')).status, 200);
    assert.equal(await waiting(), 1);
  } finally {
    released.resolve();
    await holding;
    await Promise.allSettled(starts);
  }
  assert.deepEqual(new Set((await Promise.all(starts)).map(({ status }) => status)), new Set([201]));
});

test('bytes that wait for their checksum take of the same room', async () => {
  const pieceBytes = 16 * MiB;
  await using own = await startTestApp({ uploadLimits: { maxHeldBytes: pieceBytes } });
  const all = { ...details, category_id: await insertCategory(own.services.db) };
  const path = await begin(own.baseUrl, 4 * pieceBytes, all);
  const bytes = new Uint8Array(3 * pieceBytes);
  bytes.set(Buffer.from(tiffBytes));
  const checksum = `sha1 ${createHash('sha1').update(bytes).digest('base64')}`;
  const answer = await append(own.baseUrl + path, 0, bytes, { 'upload-checksum': checksum });
  assert.equal(answer.status, 503);
  assert.deepEqual(await piecesLeft(own), { stored: [], damage: [] });
});

/** Brings an upload into the state in which its last part is published, and nothing has followed. */
async function completeUpload(): Promise<string> {
  const path = await begin(baseUrl, length, details);
  await append(baseUrl + path, 0, tiffBytes.slice(0, 9));
  const complete = { length: 9, changed_at: new Date(0) };
  await app.services.db.updateTable('uploads').set(complete).where('id', '=', idOf(path)).execute();
  return path;
}

const idOf = (path: string): string => path.slice('/uploads/'.length);
const hasDataset = async (path: string): Promise<boolean> => {
  const { body } = await send<{ dataset_id: string | null }>(app, path);
  return body.dataset_id !== null;
};

describe('a complete upload whose request has died', () => {
  const { log, objectStore } = app.services;
  const parts = { ...app.services, createUploaded };

  test('becomes a dataset all the same', async () => {
    const path = await completeUpload();
    const sweeper = startFinishing(parts, log, 1);
    await eventually('the dataset is made', async () => await hasDataset(path));
    await sweeper.close();
  });

  test('is in the way of no other when its bytes cannot be joined, and is tried again later', async () => {
    const [lost, whole] = [await completeUpload(), await completeUpload()];
    const tried: string[] = [];
    const compose: ObjectStore['compose'] = async (key, pieces, call) => {
      const ids = pieces.flatMap((piece) => ('key' in piece ? piece.key.split('/')[1] : []));
      tried.push(...ids.map((id) => `/uploads/${id}`));
      if (ids.includes(idOf(lost))) throw new ObjectMissing(key);
      return await objectStore.compose(key, pieces, call);
    };
    const sweeper = startFinishing({ ...parts, objectStore: { ...objectStore, compose } }, log, 1);
    await eventually('the other dataset is made', async () => await hasDataset(whole));
    await eventually('the lost one is tried', async () => tried.includes(lost));
    await pause(200, new AbortController().signal);
    await sweeper.close();
    assert.deepEqual(tried.toSorted(), [lost, whole].toSorted());
    await send(app, lost, { method: 'DELETE', headers: tus });
  });

  test('is answered before proxies time out, and its dataset is made after that', async () => {
    const path = await completeUpload();
    const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
    const compose: ObjectStore['compose'] = async (...call) => {
      await slow;
      return await objectStore.compose(...call);
    };
    const late = { signal: app.services.draining, withinMs: 100 };
    const slowly = { ...parts, objectStore: { ...objectStore, compose } };
    assert.equal(await finishUpload(slowly, idOf(path), late), undefined);
    assert.equal(await hasDataset(path), false);
    goOn();
    await eventually('the dataset is made', async () => await hasDataset(path));
  });
});
