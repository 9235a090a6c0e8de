import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseEncoding, encodeContent } from './content-encoding.ts';

describe('Accept-Encoding', () => {
  const cases: readonly (readonly [header: string | undefined, expected: string | undefined])[] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP, deflate', 'gzip'],
    ['gzip, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['zstd', undefined],
    ['gzip;q=nonsense', undefined],
  ];
  for (const [header, expected] of cases) {
    test(`${header} gives ${expected}`, () => assert.equal(chooseEncoding(header), expected));
  }
});

test('an encoded content decodes to what it was', async () => {
  const content = Buffer.from('дала '.repeat(10_000));
  const gzip = await buffer(encodeContent(Readable.from([content]), 'gzip'));
  const brotli = await buffer(encodeContent(Readable.from([content]), 'br'));
  assert.deepEqual(gunzipSync(gzip), content);
  assert.deepEqual(brotliDecompressSync(brotli), content);
  assert.ok(gzip.length < content.length && brotli.length < content.length);
});

test('the content is let go of when its reader goes away', async () => {
  const content = new Readable({ read: () => undefined });
  const encoded = encodeContent(content, 'gzip');
  encoded.destroy();
  await new Promise((resolve) => content.once('close', resolve));
  assert.ok(content.destroyed);
});
