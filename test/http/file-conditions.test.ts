import assert from 'node:assert/strict';
import { readdir, readlink } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { getRaw, insertCategory, sendForm, setState, upload } from '../support/datasets.ts';
import { eventually } from '../support/processes.ts';
import { openSocket, request as requestText } from '../support/raw-http.ts';

const collection = `{"type":"FeatureCollection","features":[${'1,'.repeat(4_000_000)}1]}`;
const style = '<StyledLayerDescriptor version="1.0.0"/>';

/** By the end of its path: what the file holds. */
const contents = {
  '.cog': 'II*\0, as far as HTTP is concerned',
  '.geojson': collection,
  '/download': 'II*\0 as good as a TIFF, for those who look at the first bytes only',
  '/sld': style,
} as const;
type File = keyof typeof contents;
const files = ['.cog', '.geojson', '/download', '/sld'] as const;

let app: TestApp;
const paths = new Map<File, string>();
before(async () => {
  app = await startTestApp();
  const category_id = await insertCategory(app.services.db);
  const { id: raster } = await upload(app, { category_id });
  await setState(app.services, raster, { status: 'ready' }, { cog_storage_key: contents['.cog'] });
  const { id: vector } = await upload(app, { category_id, file_type: 'vector' });
  await setState(app.services, vector, { status: 'ready' }, { geojson_storage_key: collection });
  const styled = await sendForm(app, `/datasets/${raster}/sld`, [['file', new File([style], 's.sld')]]);
  assert.equal(styled.status, 200);
  for (const file of files) paths.set(file, `/datasets/${file === '.geojson' ? vector : raster}${file}`);
});
after(async () => await app.close());

/** What came, but for what differs from answer to answer. */
async function ask(file: File, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const outgoing = request(app.baseUrl + paths.get(file), { method, headers, agent: false });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingHttpHeaders>();
  const chunks: Buffer[] = [];
  let status = 0;
  outgoing.on('error', reject).on('response', (incoming) => {
    status = incoming.statusCode ?? 0;
    const { date: _, 'x-request-id': __, ...rest } = incoming.headers;
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(rest));
  });
  outgoing.end();
  const received = await promise;
  return { status, headers: received, text: Buffer.concat(chunks).toString() };
}

for (const file of files) {
  const content = contents[file];
  const size = content.length;
  describe(file, () => {
    test('has one strong ETag and its exact length, and is not encoded unless asked to', async () => {
      const { status, headers, text } = await ask(file);
      assert.deepEqual([status, text === content], [200, true]);
      assert.match(headers.etag ?? '', /^"[0-9a-f]{32}"$/);
      assert.deepEqual(
        [headers['content-length'], headers['accept-ranges'], headers['content-encoding']],
        [String(size), 'bytes', undefined],
      );
      assert.equal(headers.vary, file === '.geojson' ? 'Accept-Encoding' : undefined);
      const encoded = await ask(file, { 'accept-encoding': 'gzip, br, zstd, deflate' });
      assert.equal(encoded.headers['content-encoding'], file === '.geojson' ? 'br' : undefined);
    });

    test('has the same headers with HEAD, whatever is asked', async () => {
      const etag = (await ask(file)).headers.etag ?? '';
      for (const asked of [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': etag }]) {
        const whole = await ask(file, asked);
        const { 'transfer-encoding': _, ...expected } = whole.headers;
        const head = await ask(file, asked, 'HEAD');
        assert.deepEqual([head.status, head.headers, head.text], [whole.status, expected, '']);
      }
      const head = await ask(file, { range: 'bytes=0-1' }, 'HEAD');
      assert.deepEqual([head.status, head.headers['content-length']], [200, String(size)]);
    });

    test('is 304 for whoever has it, with the headers that a cache updates and no length', async () => {
      const { headers } = await ask(file);
      const { etag = '', vary } = headers;
      const kept = { etag, 'cache-control': 'no-cache', 'accept-ranges': 'bytes', connection: 'close' };
      const expected = {
        'x-content-type-options': 'nosniff',
        ...kept,
        ...(vary === undefined ? {} : { vary }),
      };
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await ask(file, { 'if-none-match': known, range: 'bytes=0-1' });
        assert.deepEqual([answer.status, answer.headers, answer.text], [304, expected, ''], known);
      }
    });

    test('is sent in part for a single range only, and 416 tells the size', async () => {
      const parts: readonly (readonly [range: string, start: number, end: number])[] = [
        ['bytes=0-0', 0, 0],
        ['bytes=3-7', 3, 7],
        ['bytes=5-', 5, size - 1],
        ['bytes=-4', size - 4, size - 1],
        [`bytes=-${size + 9}`, 0, size - 1],
        [`bytes=2-${size * 2}`, 2, size - 1],
      ];
      for (const [range, start, end] of parts) {
        const { status, headers, text } = await ask(file, { range, 'accept-encoding': 'gzip, br' });
        assert.deepEqual([status, text === content.slice(start, end + 1)], [206, true], range);
        assert.deepEqual(
          [headers['content-range'], headers['content-length'], headers['content-encoding']],
          [`bytes ${start}-${end}/${size}`, String(end - start + 1), undefined],
          range,
        );
      }
      for (const range of ['bytes=0-0,2-3', 'bytes=0-1,0-1', 'bytes=3-2', 'bytes=x', 'pages=1-2']) {
        const { status, headers } = await ask(file, { range });
        const answer = [status, headers['content-length'], headers['content-range']];
        assert.deepEqual(answer, [200, String(size), undefined], range);
      }
      for (const range of [`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, 'bytes=-0']) {
        const { status, headers } = await ask(file, { range });
        assert.deepEqual([status, headers['content-range']], [416, `bytes */${size}`], range);
      }
    });

    test('is sent in part only to whoever names its strong ETag in If-Range', async () => {
      const etag = (await ask(file)).headers.etag ?? '';
      const range = 'bytes=0-1';
      assert.equal((await ask(file, { range, 'if-range': etag })).status, 206);
      for (const other of ['"other"', `W/${etag}`, new Date().toUTCString(), '*', etag.slice(1, -1)]) {
        const { status, headers } = await ask(file, { range, 'if-range': other });
        assert.deepEqual([status, headers['content-length']], [200, String(size)], other);
      }
      // Void, so what it would have been outside of does not matter either.
      assert.equal((await ask(file, { range: `bytes=${size}-`, 'if-range': '"other"' })).status, 200);
    });
  });
}

describe('an encoded .geojson', () => {
  test('is known by the ETag of its own encoding only', async () => {
    const etags: string[] = [];
    for (const encoding of ['identity', 'gzip', 'br']) {
      etags.push((await ask('.geojson', { 'accept-encoding': encoding })).headers.etag ?? '');
    }
    for (const [index, encoding] of ['identity', 'gzip', 'br'].entries()) {
      const statuses = etags.map(async (known) => {
        return (await ask('.geojson', { 'accept-encoding': encoding, 'if-none-match': known })).status;
      });
      const expected = etags.map((_, other) => (other === index ? 304 : 200));
      assert.deepEqual(await Promise.all(statuses), expected, encoding);
    }
    // A part of the encoded bytes can not be had: who holds some of them begins again.
    const resumed = await ask('.geojson', { range: 'bytes=10-', 'if-range': etags[1] ?? '' });
    assert.deepEqual([resumed.status, resumed.headers.etag], [200, etags[0]]);
  });

  test('is let go of when its client goes away', async () => {
    const path = paths.get('.geojson') ?? '';
    for (const encoding of ['identity', 'gzip', 'br']) {
      for (let round = 0; round < 10; round += 1) {
        const socket = await openSocket(app.port);
        socket.write(requestText('GET', path, { 'accept-encoding': encoding }));
        await new Promise((resolve) => socket.once('data', resolve));
        socket.destroy();
      }
    }
    await eventually('no object is open', async () => (await openObjects()).length === 0);
    assert.equal((await getRaw(app, path)).status, 200);
  });
});

/** The stored objects that this process has open. */
async function openObjects(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    descriptors.map(async (fd) => await readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.includes('/objects/'));
}
