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

test('the last extension promises a kind, whatever its case', () => {
  const names = ['a.TIF', 'a.exe.tiff', 'a..gpkg', '.zip', 'a.tif.GeoJSON', 'a.geojson.zip'];
  assert.deepEqual(names.map(promisedKind), ['tiff', 'tiff', 'geopackage', 'zip', 'json', 'zip']);
});

test('what only looks like an extension promises nothing', () => {
  const names = [
    [
      'a.shp',
      'tif',
      'a.tif.exe',
      'a\u202efit.exe',
      'a.\u202efit',
      'a.tif;1',
      'a.tif::$DATA',
      'a.tif.',
      'a.tif ',
    ],
    [
      'a.tif\u00a0',
      'a.tif\u200b',
      'a.t\u0456f',
      'a.t\u0131f',
      'a.T\u0130F',
      'a\uff0etif',
      'a.\uff54\uff49\uff46',
    ],
    ['a.gp\u212ag'], // the kelvin sign, whose lower case is k
  ].flat();
  for (const name of names) assert.equal(promisedKind(name), undefined, JSON.stringify(name));
});
