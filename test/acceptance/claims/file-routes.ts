import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Client } from '../client.ts';
import { checkedElsewhere, claim } from '../claim.ts';
import { fetchBytes } from '../support/bytes.ts';
import { getDataset, once, upload } from '../support/datasets.ts';
import { collection, geojsonFile, point } from '../support/files.ts';
import { sharedPoints, sharedRaster, sharedTable } from '../support/shared.ts';

const sld = `<StyledLayerDescriptor version="1.0.0">${'<NamedLayer/>'.repeat(200)}</StyledLayerDescriptor>`;

/** A dataset with a style of its own. */
const styled = once(async (client) => {
  const { id } = await upload(client, geojsonFile(collection([{ properties: {}, geometry: point(1, 2) }])));
  await client.expect(200, 'POST', `/datasets/${id}/sld`, { form: { file: new File([sld], 'a.sld') } });
  return id;
});

const routes = [
  ['.cog', async (client: Client) => `/datasets/${(await sharedRaster(client)).id}.cog`, 'image/tiff'],
  [
    '/download',
    async (client: Client) => `/datasets/${(await sharedPoints(client)).id}/download`,
    'application/octet-stream',
  ],
  [
    '.geojson',
    async (client: Client) => `/datasets/${(await sharedPoints(client)).id}.geojson`,
    'application/geo+json',
  ],
  [
    '.geojson by KATO',
    async (client: Client) => `/datasets/${(await sharedTable(client)).id}.geojson`,
    'application/geo+json',
  ],
  ['/sld', async (client: Client) => `/datasets/${await styled(client)}/sld`, 'application/xml'],
] as const;

for (const [name, pathOf, mediaType] of routes) {
  claim(
    ['D4 ETag', 'D4 Accept-Ranges', 'D4 Content-Length', 'D4 HEAD'],
    `${name} has a strong ETag and its exact length, with GET and with HEAD`,
    async (client) => {
      const path = await pathOf(client);
      const whole = await fetchBytes(client, path);
      assert.equal(whole.status, 200);
      assert.match(whole.headers.etag ?? '', /^"[^"]+"$/);
      assert.equal(whole.headers['accept-ranges'], 'bytes');
      assert.equal(whole.headers['content-type']?.split(';', 1)[0], mediaType);
      assert.equal(whole.headers['content-encoding'], undefined);
      assert.ok(whole.bytes.length > 0);
      assert.equal(Number(whole.headers['content-length']), whole.bytes.length);
      const head = await fetchBytes(client, path, {}, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(head.bytes.length, 0);
      for (const header of [
        'etag',
        'content-length',
        'content-type',
        'accept-ranges',
        'content-disposition',
        'vary',
      ]) {
        assert.deepEqual(head.headers[header], whole.headers[header], header);
      }
    },
  );

  claim(
    ['D4 Range'],
    `${name} is sent in part for a single range, from the start, the end or between`,
    async (client) => {
      const path = await pathOf(client);
      const { bytes, headers } = await fetchBytes(client, path);
      const size = bytes.length;
      for (const [range, start, end] of [
        ['bytes=0-0', 0, 0],
        ['bytes=4-9', 4, 9],
        [`bytes=${size - 3}-`, size - 3, size - 1],
        ['bytes=-5', size - 5, size - 1],
        [`bytes=-${size + 5}`, 0, size - 1],
        [`bytes=7-${size + 100}`, 7, size - 1],
        ['bytes=0-', 0, size - 1],
      ] as const) {
        const part = await fetchBytes(client, path, { range });
        assert.equal(part.status, 206, range);
        assert.equal(part.headers['content-range'], `bytes ${start}-${end}/${size}`);
        assert.equal(part.headers['content-length'], String(end - start + 1));
        assert.equal(part.headers.etag, headers.etag);
        assert.ok(part.bytes.equals(bytes.subarray(start, end + 1)), range);
      }
    },
  );

  claim(['D4 416'], `${name} is 416 with its size for a range outside of it`, async (client) => {
    const path = await pathOf(client);
    const size = (await fetchBytes(client, path)).bytes.length;
    for (const range of [`bytes=${size}-`, `bytes=${size + 1}-${size + 9}`, 'bytes=-0']) {
      const refused = await fetchBytes(client, path, { range });
      assert.equal(refused.status, 416, range);
      assert.equal(refused.headers['content-range'], `bytes */${size}`);
    }
  });

  claim(
    ['D4 Range'],
    `${name} is sent whole for a range that is malformed, of other units, or several`,
    async (client) => {
      const path = await pathOf(client);
      const { bytes } = await fetchBytes(client, path);
      for (const range of ['bytes=9-4', 'bytes=x-y', 'bytes=-', 'items=0-1', '0-1', 'bytes=0-1,3-4']) {
        const whole = await fetchBytes(client, path, { range });
        assert.equal(whole.status, 200, range);
        assert.ok(whole.bytes.equals(bytes));
      }
    },
  );

  claim(
    ['D4 If-None-Match'],
    `${name} is 304 without a body for whoever has it, and before any range`,
    async (client) => {
      const path = await pathOf(client);
      const { etag = '' } = (await fetchBytes(client, path)).headers;
      for (const [tags, method] of [
        [etag, 'GET'],
        [etag, 'HEAD'],
        [`W/${etag}`, 'GET'],
        [`"other", ${etag}`, 'GET'],
        ['*', 'GET'],
      ] as const) {
        const known = await fetchBytes(client, path, { 'if-none-match': tags, range: 'bytes=0-1' }, method);
        assert.equal(known.status, 304, tags);
        assert.equal(known.bytes.length, 0);
        assert.equal(known.headers.etag, etag);
      }
      for (const tags of ['"other"', etag.slice(1, -1), `${etag.slice(0, -1)}x"`]) {
        assert.equal((await fetchBytes(client, path, { 'if-none-match': tags })).status, 200, tags);
      }
    },
  );

  claim(['D4 If-Range'], `${name} is sent in part only when If-Range names what it is`, async (client) => {
    const path = await pathOf(client);
    const { bytes, headers } = await fetchBytes(client, path);
    const range = 'bytes=1-2';
    const part = await fetchBytes(client, path, { range, 'if-range': headers.etag });
    assert.equal(part.status, 206);
    assert.ok(part.bytes.equals(bytes.subarray(1, 3)));
    for (const validator of ['"other"', `W/${headers.etag}`, new Date().toUTCString()]) {
      const whole = await fetchBytes(client, path, { range, 'if-range': validator });
      assert.equal(whole.status, 200, validator);
      assert.equal(whole.bytes.length, bytes.length);
    }
    const outside = { range: `bytes=${bytes.length}-`, 'if-range': '"other"' };
    assert.equal((await fetchBytes(client, path, outside)).status, 200);
  });
}

for (const [name, pathOf] of routes.filter(([each]) => !each.startsWith('.geojson'))) {
  claim(['D4 no encoding'], `${name} is never encoded, whatever is accepted`, async (client) => {
    const path = await pathOf(client);
    const plain = await fetchBytes(client, path);
    const asked = await fetchBytes(client, path, { 'accept-encoding': 'gzip, br, deflate, zstd' });
    assert.equal(asked.headers['content-encoding'], undefined);
    assert.equal(asked.headers['content-length'], String(plain.bytes.length));
    assert.ok(asked.bytes.equals(plain.bytes));
    assert.equal(asked.headers.etag, plain.headers.etag);
  });
}

for (const [name, pathOf] of routes.filter(([each]) => each.startsWith('.geojson'))) {
  claim(
    ['D4 geojson encodings'],
    `${name} is sent in gzip or br as is accepted, each with an ETag of its own`,
    async (client) => {
      const path = await pathOf(client);
      const plain = await fetchBytes(client, path);
      const etags = new Set([plain.headers.etag]);
      for (const [accept, encoding, decode] of [
        ['gzip', 'gzip', gunzipSync],
        ['br', 'br', brotliDecompressSync],
        ['br;q=0.1, gzip;q=0.9', 'gzip', gunzipSync],
        ['gzip;q=0.1, br', 'br', brotliDecompressSync],
        ['gzip;q=0, *', 'br', brotliDecompressSync],
      ] as const) {
        const encoded = await fetchBytes(client, path, { 'accept-encoding': accept });
        assert.equal(encoded.headers['content-encoding'], encoding, accept);
        assert.match(encoded.headers.vary ?? '', /accept-encoding/i);
        assert.ok(decode(encoded.bytes).equals(plain.bytes));
        etags.add(encoded.headers.etag);
        const again = { 'accept-encoding': accept, 'if-none-match': encoded.headers.etag };
        const known = await fetchBytes(client, path, again);
        assert.equal(known.status, 304);
        assert.match(known.headers.vary ?? '', /accept-encoding/i);
        const other = { 'accept-encoding': accept, 'if-none-match': plain.headers.etag };
        assert.equal((await fetchBytes(client, path, other)).status, 200);
      }
      assert.equal(etags.size, 3);
      for (const accept of ['identity', 'gzip;q=0', 'deflate, zstd', '', 'gzip;q=0.2, identity']) {
        const whole = await fetchBytes(client, path, { 'accept-encoding': accept });
        assert.equal(whole.headers['content-encoding'], undefined, accept);
        assert.match(whole.headers.vary ?? '', /accept-encoding/i);
        assert.equal(whole.headers.etag, plain.headers.etag);
      }
    },
  );

  claim(['D4 geojson range'], `${name} is not encoded for a range`, async (client) => {
    const path = await pathOf(client);
    const plain = await fetchBytes(client, path);
    const part = await fetchBytes(client, path, { 'accept-encoding': 'gzip, br', range: 'bytes=2-20' });
    assert.equal(part.status, 206);
    assert.equal(part.headers['content-encoding'], undefined);
    assert.ok(part.bytes.equals(plain.bytes.subarray(2, 21)));
    assert.equal(part.headers.etag, plain.headers.etag);
  });
}

claim(['D4 ETag'], 'another style has another ETag', async (client) => {
  const { id } = await upload(client, geojsonFile(collection([])));
  const etags = new Set<string | undefined>();
  for (const content of [sld, `${sld}\n`, sld]) {
    await client.ask('POST', `/datasets/${id}/sld`, { form: { file: new File([content], 'a.sld') } });
    etags.add((await fetchBytes(client, `/datasets/${id}/sld`)).headers.etag);
  }
  assert.ok(etags.size >= 2);
  assert.equal((await getDataset(client, id)).sld_filename, 'a.sld');
});

claim(['D4 416', 'D4 Range'], 'a range of what there is not is 404, and not 416', async (client) => {
  const { id } = await upload(client, geojsonFile(collection([])));
  const headers = { range: 'bytes=0-1' };
  await client.refused(404, 'GET', `/datasets/${id}/sld`, { headers });
});

checkedElsewhere('test/http/files.test.ts', {
  'clients that go away free the files that they read': ['D4 client away'],
});
