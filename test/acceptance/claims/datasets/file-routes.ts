import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Client } from '../../client.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { makeGroup } from '../../support/catalogue.ts';
import { once, upload } from '../../support/datasets.ts';
import { featureFile, point } from '../../support/files.ts';
import { sharedPoints, sharedRaster, sharedTable, unmappedTable } from '../../support/shared.ts';

const sld = `<StyledLayerDescriptor version="1.0.0">${'<NamedLayer/>'.repeat(200)}</StyledLayerDescriptor>`;

/** A dataset with its own style. */
const styled = once(async (client) => {
  const { id } = await upload(client, featureFile(point(1, 2)));
  await client.expect(200, 'POST', `/datasets/${id}/sld`, { form: { file: new File([sld], 'a.sld') } });
  return { id };
});

interface Route {
  readonly name: string;
  /** Dataset that has the file; undefined for a path of another resource. */
  readonly of?: (client: Client) => Promise<{ readonly id: string }>;
  /** The path after the id of the dataset. */
  readonly suffix: string;
  readonly mediaType: string;
}

const geojson = { suffix: '.geojson', mediaType: 'application/geo+json' } as const;
const geojsonRoutes: readonly Route[] = [
  { name: '.geojson', of: sharedPoints, ...geojson },
  { name: '.geojson by KATO', of: sharedTable, ...geojson },
  { name: '/series', of: sharedTable, suffix: '/series', mediaType: 'application/json' },
  { name: '/districts.geojson', suffix: '/districts.geojson?level=region', mediaType: geojson.mediaType },
];
const plainRoutes: readonly Route[] = [
  { name: '.cog', of: sharedRaster, suffix: '.cog', mediaType: 'image/tiff' },
  { name: '/download', of: sharedPoints, suffix: '/download', mediaType: 'application/octet-stream' },
  { name: '/sld', of: styled, suffix: '/sld', mediaType: 'application/xml' },
];

type Read = (status: number, headers?: OutgoingHttpHeaders, method?: string) => ReturnType<typeof fetchBytes>;

/** Defines a claim about a route, from a plain request and further ones. */
function claimOf(
  { name, of, suffix }: Route,
  rows: readonly string[],
  text: string,
  check: (whole: Awaited<ReturnType<Read>>, read: Read) => Promise<void>,
): void {
  claim(rows, `${name} ${text}`, async (client) => {
    const path = of === undefined ? suffix : `/datasets/${(await of(client)).id}${suffix}`;
    const read: Read = async (status, headers = {}, method = 'GET') =>
      await fetchBytes(client, status, path, { headers, method });
    await check(await read(200), read);
  });
}

for (const route of [...plainRoutes, ...geojsonRoutes]) {
  claimOf(
    route,
    ['D4 ETag', 'D4 Accept-Ranges', 'D4 Content-Length', 'D4 HEAD'],
    'has a strong ETag and its exact length, with GET and with HEAD',
    async (whole, read) => {
      assert.match(whole.headers.etag ?? '', /^"[^"]+"$/);
      assert.equal(whole.headers['accept-ranges'], 'bytes');
      assert.equal(whole.headers['content-type']?.split(';', 1)[0], route.mediaType);
      assert.equal(whole.headers['content-encoding'], undefined);
      assert.ok(whole.bytes.length > 0);
      assert.equal(Number(whole.headers['content-length']), whole.bytes.length);
      const ofAll = (answer: typeof whole) => {
        const { date: _, 'x-request-id': __, ...headers } = answer.headers;
        return headers;
      };
      for (const asked of [{}, { range: 'bytes=0-1' }]) {
        const head = await read(200, asked, 'HEAD');
        assert.equal(head.bytes.length, 0);
        assert.deepEqual(ofAll(head), ofAll(whole));
      }
    },
  );

  claimOf(
    route,
    ['D4 Range'],
    'is sent in part for a single range, from the start, the end or between',
    async ({ bytes, headers }, read) => {
      const size = bytes.length;
      for (const [range, start, end] of [
        ['bytes=4-9', 4, 9],
        [`bytes=-${size + 5}`, 0, size - 1],
        [`bytes=7-${size + 100}`, 7, size - 1],
      ] as const) {
        const part = await read(206, { range });
        assert.equal(part.headers['content-range'], `bytes ${start}-${end}/${size}`);
        assert.equal(part.headers['content-length'], String(end - start + 1));
        assert.equal(part.headers.etag, headers.etag);
        assert.ok(part.bytes.equals(bytes.subarray(start, end + 1)), range);
      }
    },
  );

  claimOf(
    route,
    ['D4 416', 'D4 Range'],
    'is 416 with its size for a range outside of it, and whole for one that is malformed, of other units, or several',
    async ({ bytes }, read) => {
      const size = bytes.length;
      for (const range of [`bytes=${size}-`, 'bytes=-0'])
        assert.equal((await read(416, { range })).headers['content-range'], `bytes */${size}`);
      for (const range of ['bytes=9-4', 'items=0-1', 'bytes=0-1,3-4'])
        assert.ok((await read(200, { range })).bytes.equals(bytes), range);
    },
  );

  claimOf(
    route,
    ['D4 If-None-Match'],
    'is 304 without a body for a client that has it, and before any range',
    async ({ headers: { etag = '' } }, read) => {
      for (const [tags, method] of [
        [etag, 'HEAD'],
        [`"other", W/${etag}`, 'GET'],
        ['*', 'GET'],
      ] as const) {
        const known = await read(304, { 'if-none-match': tags, range: 'bytes=0-1' }, method);
        assert.equal(known.bytes.length, 0);
        assert.equal(known.headers.etag, etag);
      }
      await read(200, { 'if-none-match': `${etag.slice(0, -1)}x"` });
    },
  );

  claimOf(
    route,
    ['D4 If-Range'],
    'is sent in part only when If-Range names what it is',
    async ({ bytes, headers }, read) => {
      const range = 'bytes=1-2';
      const part = await read(206, { range, 'if-range': headers.etag });
      assert.ok(part.bytes.equals(bytes.subarray(1, 3)));
      for (const validator of [`W/${headers.etag}`, new Date().toUTCString()]) {
        const whole = await read(200, { range, 'if-range': validator });
        assert.equal(whole.bytes.length, bytes.length);
      }
    },
  );
}

for (const route of plainRoutes) {
  claimOf(route, ['D4 no encoding'], 'is never encoded, whatever is accepted', async (plain, read) => {
    const asked = await read(200, { 'accept-encoding': 'gzip, br, deflate, zstd' });
    assert.equal(asked.headers['content-encoding'], undefined);
    assert.equal(asked.headers['content-length'], String(plain.bytes.length));
    assert.ok(asked.bytes.equals(plain.bytes));
    assert.equal(asked.headers.etag, plain.headers.etag);
  });
}

for (const route of geojsonRoutes) {
  claimOf(
    route,
    ['D4 geojson encodings', 'D4 Content-Length', 'D4 HEAD'],
    'is sent in gzip or br as is accepted, each with its exact length and an ETag of its own',
    async (plain, read) => {
      const etags = new Set([plain.headers.etag]);
      for (const [accept, encoding, decode] of [
        ['gzip', 'gzip', gunzipSync],
        ['br', 'br', brotliDecompressSync],
        ['gzip;q=0, *', 'br', brotliDecompressSync],
      ] as const) {
        const encoded = await read(200, { 'accept-encoding': accept });
        assert.equal(encoded.headers['content-encoding'], encoding, accept);
        assert.match(encoded.headers.vary ?? '', /accept-encoding/i);
        assert.ok(decode(encoded.bytes).equals(plain.bytes));
        assert.equal(encoded.headers['content-length'], String(encoded.bytes.length));
        const head = await read(200, { 'accept-encoding': accept }, 'HEAD');
        for (const header of ['content-length', 'content-encoding', 'etag', 'vary']) {
          assert.equal(head.headers[header], encoded.headers[header], header);
        }
        etags.add(encoded.headers.etag);
        const known = await read(304, { 'accept-encoding': accept, 'if-none-match': encoded.headers.etag });
        assert.match(known.headers.vary ?? '', /accept-encoding/i);
        await read(200, { 'accept-encoding': accept, 'if-none-match': plain.headers.etag });
      }
      assert.equal(etags.size, 3);
      for (const accept of ['gzip;q=0', 'gzip;q=0.2, identity']) {
        const whole = await read(200, { 'accept-encoding': accept });
        assert.equal(whole.headers['content-encoding'], undefined, accept);
        assert.match(whole.headers.vary ?? '', /accept-encoding/i);
        assert.equal(whole.headers.etag, plain.headers.etag);
      }
    },
  );

  claimOf(route, ['D4 geojson range'], 'is not encoded for a range', async (plain, read) => {
    const part = await read(206, { 'accept-encoding': 'gzip, br', range: 'bytes=2-20' });
    assert.equal(part.headers['content-encoding'], undefined);
    assert.ok(part.bytes.equals(plain.bytes.subarray(2, 21)));
    assert.equal(part.headers.etag, plain.headers.etag);
  });
}

claim(['D4 ETag'], 'another style has another ETag', async (client) => {
  const path = `/dataset-groups/${(await makeGroup(client)).id}/sld`;
  const etags = new Set<string | undefined>();
  for (const content of [sld, `${sld}\n`]) {
    await client.expect(200, 'POST', path, { form: { file: new File([content], 'a.sld') } });
    etags.add((await fetchBytes(client, 200, path)).headers.etag);
  }
  assert.equal(etags.size, 2);
});

claim(['D4 416', 'D4 Range'], 'a range of what there is not is 404, and not 416', async (client) => {
  const { id } = await unmappedTable(client);
  await client.refused(404, 'GET', `/datasets/${id}/sld`, { headers: { range: 'bytes=0-1' } });
});

checkedElsewhere('src/datasets/routes/files.test.ts', {
  'clients that go away free the files that they read': ['D4 client away'],
});
