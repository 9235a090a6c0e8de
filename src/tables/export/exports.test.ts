import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { KiB, MiB } from '../../lib/units.ts';
import { startTestApp } from '../../../test/support/app.ts';
import {
  type Answer,
  insertCategory,
  type Refusal,
  send,
  setState,
  upload,
} from '../../../test/support/datasets.ts';
import { onePoint } from '../../../test/support/geo/feature-files.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';
import { fetchRaw, openSocket } from '../../../test/support/http/raw-http.ts';
import { insertLargeTable } from '../../../test/support/tables/ready-table.ts';

const app = await closeAfterTests(startTestApp());
const { db, spool, exportFolder } = app.services;
/** Limit for twenty large files on a busy machine. */
const writtenWithinSeconds = 600;
/** Enough rows for the files to take the paths of large files. */
const table = await insertLargeTable(app, 25_100);
const small = await insertLargeTable(app, 10);
const vector = await insertVector();

async function insertVector(): Promise<string> {
  const { id } = await upload(app, { category_id: await insertCategory(db), file_type: 'vector' });
  await setState(app.services, id, { status: 'ready' }, { geojson: '{}', fgb: onePoint });
  return id;
}

/** Sends a request over a connection without reading the answer. */
async function askWithoutReading(path: string): Promise<Socket> {
  const socket = await openSocket(app.baseUrl);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: steppe\r\n\r\n`);
  return socket;
}

/** Number of other connections with an open transaction. */
async function inTransactions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (xact_start is not null or state like 'idle in transaction%')`.execute(
    db,
  );
  return rows[0]?.count ?? -1;
}

/** Locks the districts, which blocks the writing of tables, until the returned function is called. */
async function holdUnits(): Promise<() => Promise<void>> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction().execute(async (trx) => {
    await sql`lock table districts in access exclusive mode`.execute(trx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return async () => {
    released.resolve();
    await holding;
  };
}

async function openFiles(): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map(
    async (name) => await readlink(join('/proc/self/fd', name)).catch(() => ''),
  );
  return (await Promise.all(links)).filter((target) => target.startsWith(exportFolder)).length;
}

const slowPaths = ['csv', 'xlsx', 'parquet'].flatMap((form) =>
  ['wide', 'long'].flatMap((shape) =>
    ['en', 'ru', 'kk'].map((lang) => `/datasets/${table}/observations.${form}?shape=${shape}&lang=${lang}`),
  ),
);
slowPaths.push(...['en', 'ru'].map((lang) => `/datasets/${table}.parquet?lang=${lang}`));

describe('twenty clients that ask for large files and read nothing', () => {
  const slow: Socket[] = [];
  after(() => slow.forEach((socket) => socket.destroy()));

  test('do not delay a small file, even for the same address, while they wait for their turn', async () => {
    assert.equal(slowPaths.length, 20);
    const release = await holdUnits();
    try {
      for (const path of slowPaths) slow.push(await askWithoutReading(path));
      // One client may use two of the three slots for large files.
      await eventually('all wait', async () => spool.facts().writing === 2 && spool.facts().waiting === 18);
      const { status, headers } = await send(app, `/datasets/${vector}.parquet`);
      assert.deepEqual([status, headers.get('accept-ranges')], [200, 'bytes']);
      assert.deepEqual([spool.facts().writing, spool.facts().waiting], [2, 18]);
      assert.equal(await inTransactions(), 3, 'two write, and one holds the lock');
    } finally {
      await release();
    }
  });

  test('hold no connection and no snapshot once their files are written, and all of them have theirs', async () => {
    const areWritten = async () => {
      const { writing, waiting, files } = spool.facts();
      return writing === 0 && waiting === 0 && files >= slowPaths.length;
    };
    await eventually('all are written', areWritten, writtenWithinSeconds);
    assert.equal(await inTransactions(), 0);
    const path = `/datasets/${table}/observations.csv?shape=long&kato_code=100000001`;
    assert.equal((await send(app, path)).status, 200);
    const { bytes } = spool.facts();
    assert.ok(bytes > 10 * MiB && bytes < 100 * MiB, String(bytes));
    // What a paused socket buffers before it stops.
    assert.ok(slow.every(({ bytesRead, destroyed }) => bytesRead <= 64 * KiB && !destroyed));
  });

  test('leave nothing when they go', async () => {
    await Promise.all(slow.map(async (socket) => await once(socket.destroy(), 'close')));
    await eventually('all have gone', async () => spool.facts().readers === 0);
    assert.deepEqual(await readdir(exportFolder), []);
  });
});

describe('each file that is made at request', () => {
  for (const { name, path } of [
    { name: 'CSV', path: `/datasets/${small}/observations.csv` },
    { name: 'a workbook', path: `/datasets/${small}/observations.xlsx?shape=long` },
    { name: 'Parquet', path: `/datasets/${small}/observations.parquet` },
    { name: 'observations by format', path: `/datasets/${small}/observations?format=csv` },
    { name: 'GeoParquet of a table', path: `/datasets/${small}.parquet` },
    { name: 'GeoParquet of a vector', path: `/datasets/${vector}.parquet` },
    { name: 'a GeoPackage', path: `/datasets/${vector}.gpkg` },
  ])
    test(`has a length, a strong ETag and ranges, which agree: ${name}`, async () => {
      const ask = async (headers: Record<string, string>, method = 'GET') => {
        const response = await fetch(app.baseUrl + path, {
          method,
          headers: { 'accept-encoding': 'identity', ...headers },
        });
        return {
          ...response,
          status: response.status,
          headers: response.headers,
          bytes: await response.bytes(),
        };
      };
      // HEAD comes first, as from programs that read ranges.
      const head = await ask({}, 'HEAD');
      const whole = await ask({});
      const size = whole.bytes.length;
      const etag = whole.headers.get('etag') ?? '';
      assert.match(etag, /^"[^"]+"$/);
      for (const { status, headers } of [head, whole]) {
        assert.deepEqual(
          ['content-length', 'etag', 'accept-ranges'].map((each) => headers.get(each)),
          [String(size), etag, 'bytes'],
        );
        assert.equal(status, 200);
      }
      assert.equal(head.bytes.length, 0);
      for (const [range, start, end] of [
        ['bytes=0-3', 0, 3],
        ['bytes=5-', 5, size - 1],
        ['bytes=-8', size - 8, size - 1],
      ] as const) {
        const part = await ask({ range, 'if-range': etag });
        assert.equal(part.status, 206);
        assert.equal(part.headers.get('content-range'), `bytes ${start}-${end}/${size}`);
        assert.equal(part.headers.get('content-length'), String(end - start + 1));
        assert.deepEqual(part.bytes, whole.bytes.slice(start, end + 1));
      }
      const other = await ask({ range: 'bytes=0-3', 'if-range': '"other"' });
      assert.deepEqual([other.status, other.bytes.length], [200, size]);
      const outside = await ask({ range: `bytes=${size}-` });
      assert.deepEqual([outside.status, outside.headers.get('content-range')], [416, `bytes */${size}`]);
      assert.equal((await ask({ 'if-none-match': etag })).status, 304);
      assert.equal((await ask({ 'if-match': '"other"' })).status, 412);
    });

  test('is written once for its HEAD, its GET and its ranges', async () => {
    const path = `/datasets/${small}/observations.parquet?shape=long`;
    const { files } = spool.facts();
    for (const init of [{ method: 'HEAD' }, {}, { headers: { range: 'bytes=0-1' } }])
      await send(app, path, init);
    assert.equal(spool.facts().files, files + 1);
  });
});

describe('a client that goes away', () => {
  const path = `/datasets/${table}/observations.csv?kato_code=100000002`;

  test('ends what is written for it alone, and what the database does for that', async () => {
    const release = await holdUnits();
    try {
      const [leaving, staying] = [new AbortController(), new AbortController()];
      const asked = [leaving, staying].map(
        async ({ signal }): Promise<Answer<unknown>> => await send(app, path, { signal }),
      );
      const ended = Promise.allSettled(asked);
      const areTwo = async () => spool.facts().readers === 2 && spool.facts().writing === 1;
      await eventually('both wait for one', areTwo);
      leaving.abort();
      await eventually('one has gone', async () => spool.facts().readers === 1);
      assert.equal(spool.facts().writing, 1);
      staying.abort();
      await ended;
      await eventually('nothing is written', async () => spool.facts().writing === 0);
      await eventually('the database has ended it', async () => (await inTransactions()) === 1);
    } finally {
      await release();
    }
    assert.equal((await send(app, path)).status, 200);
  });
});

describe('an address that a browser opens as a page', () => {
  test('says what is wrong in a page, in the language of the reader, and JSON to all others', async () => {
    const path = `/datasets/${vector}/observations.xlsx`;
    const headers = { 'accept-language': 'ru', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const page = await fetchRaw(app.baseUrl + path, { headers });
    assert.deepEqual(
      ['content-type', 'content-language', 'cache-control', 'etag'].map((name) => page.headers.get(name)),
      ['text/html; charset=utf-8', 'ru', 'no-store', null],
    );
    assert.equal(page.status, 422);
    assert.match(page.bytes.toString(), /<html lang="ru">.*<p>скачать наблюдения можно только у набора/s);
    const hostile = await fetchRaw(`${app.baseUrl}/categories/%3Cb%3E?<b>`, { headers });
    assert.deepEqual([hostile.status, /<b>/.test(hostile.bytes.toString())], [400, false]);
    const json = await send<Refusal>(app, path, { headers: { 'accept-language': 'ru' } });
    assert.match(json.body.error ?? '', /^скачать наблюдения/);
    const wrong = {
      method: 'POST',
      headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' },
    };
    assert.match((await send(app, '/categories', wrong)).headers.get('content-type') ?? '', /json/);
  });
});

describe('a spool without room', () => {
  test('refuses a file that is too large, with a sentence, and leaves nothing of it', async () => {
    await using other = await startTestApp({ spool: { maxBytes: 4096 } });
    const id = await insertLargeTable(other, 500);
    const large = await send<Refusal>(other, `/datasets/${id}/observations.csv`, {
      headers: { 'accept-encoding': 'identity', 'accept-language': 'en' },
    });
    assert.equal(large.status, 422);
    assert.match(
      large.body.error ?? '',
      /^the file would have more than .* MiB; ask for a part of it by kato_code/,
    );
    assert.deepEqual(
      ['etag', 'accept-ranges', 'content-disposition'].map((name) => large.headers.get(name)),
      [null, null, null],
    );
    const part = await send(other, `/datasets/${id}/observations.csv?kato_code=100000003`);
    assert.equal(part.status, 200);
    assert.equal(other.services.spool.facts().files, 1);
    assert.deepEqual(await readdir(other.services.exportFolder), []);
  });
});

test('nothing is left open when the spool has closed', async () => {
  await spool.close();
  assert.deepEqual([await readdir(exportFolder), await openFiles()], [[], 0]);
});
