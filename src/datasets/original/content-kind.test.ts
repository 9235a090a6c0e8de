import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContentSniffer, promisedKind, type ContentKind } from './content-kind.ts';

function kindOf(bytes: string, bytesPerChunk: number): ContentKind | undefined {
  const sniffer = createContentSniffer();
  const buffer = Buffer.from(bytes, 'latin1');
  for (let at = 0; at < buffer.length; at += bytesPerChunk)
    sniffer.push(buffer.subarray(at, at + bytesPerChunk));
  return sniffer.kind();
}

const cases = [
  ['II*\0 and more', 'tiff'],
  ['MM\0* and more', 'tiff'],
  ['II+\0', 'tiff'],
  ['MM\0+', 'tiff'],
  ['SQLite format 3\0', 'geopackage'],
  ['PK\x03\x04', 'zip'],
  ['{"type":"FeatureCollection"}', 'json'],
  [' \t\r\n{', 'json'],
  [`${' '.repeat(1000)}{`, 'json'],
  ['\xEF\xBB\xBF{', 'json'],
  ['\xEF\xBB\xBF \n{', 'json'],
  ['{\0"\0', undefined],
  ['\xEF{', undefined],
  [' \xBB{', undefined],
  [' \xEF\xBB\xBF{', undefined],
  ['\xFE\xFF\0{', undefined],
  ['[{}]', undefined],
  ['   ', undefined],
  ['', undefined],
  ['II*', undefined],
  ['PK\x05\x06', undefined],
  ['SQLite format 2\0', undefined],
  ['version https://git-lfs.github.com/spec/v1', undefined],
] as const;
for (const [bytes, kind] of cases) {
  const name = bytes.length > 50 ? `${bytes.length} bytes with a late brace` : JSON.stringify(bytes);
  test(`${name}: ${kind ?? 'nothing that we know'}`, () => {
    assert.equal(kindOf(bytes, 1024), kind);
    assert.equal(kindOf(bytes, 1), kind, 'byte by byte');
  });
}

test('an extension promises a kind, whatever its case', () => {
  const all = ['a.TIF', 'a.tiff', 'a.gpkg', 'a.zip', 'a.GeoJSON', 'a.shp', 'tif'].map(promisedKind);
  assert.deepEqual(all, ['tiff', 'tiff', 'geopackage', 'zip', 'json', undefined, undefined]);
});
