import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanFileName, contentTypeOf, extensionOf } from './file-name.ts';

const names = [
  ['relief.tif', 'relief.tif'],
  ['Карта_ҚР.tif', 'Карта_ҚР.tif'],
  ['../../etc/x.tif', 'x.tif'],
  [String.raw`..\..\x.tif`, 'x.tif'],
  [String.raw`C:\fake/path\x.tif`, 'x.tif'],
  ['%2e%2e%2fx.tif', '%2e%2e%2fx.tif'],
  ['a\r\nb\0c\u007f\u0085.tif', 'abc.tif'],
  ['a"b;c\u2028\u202e😀.tif', 'a"b;c\u2028\u202e😀.tif'],
  ['\ud800.tif', '\ufffd.tif'],
  ['folder/', ''],
  ['', ''],
] as const;
for (const [sent, kept] of names) {
  test(`${JSON.stringify(sent)} is kept as ${JSON.stringify(kept)}`, () => {
    assert.equal(cleanFileName(sent), kept);
  });
}

test('a name of 255 characters stays as it is, code points counted', () => {
  const name = `${'😀'.repeat(250)}.tiff`;
  assert.equal(cleanFileName(name), name);
});

test('a longer name loses the end of its stem, never its extension or half a character', () => {
  assert.equal(cleanFileName(`${'😀'.repeat(300)}.geojson`), `${'😀'.repeat(247)}.geojson`);
  assert.equal(cleanFileName(`${'x'.repeat(300)}.TIFF`), `${'x'.repeat(250)}.TIFF`);
});

test('a name that is all extension is cut too', () => {
  assert.equal(cleanFileName(`.${'x'.repeat(300)}`), `.${'x'.repeat(254)}`);
});

test('the extension is what follows the last dot, in lower case', () => {
  const all = ['A.TIF', 'a.tif.exe', 'a.tif.', 'a.tif ', '.tif', 'none'].map(extensionOf);
  assert.deepEqual(all, ['.tif', '.exe', '.', '.tif ', '.tif', '']);
});

const types = [
  ['image/tiff', 'a.tif', 'image/tiff'],
  ['application/octet-stream', 'a.tif', 'application/octet-stream'],
  ['application/geo+json;charset=utf-8', 'a.geojson', 'application/geo+json;charset=utf-8'],
  ['text/plain', 'a.geojson', 'application/geo+json'],
  ['Text/PLAIN; charset=koi8-r', 'a.gpkg', 'application/geopackage+sqlite3'],
  ['image', 'a.tiff', 'image/tiff'],
  ['image/x ; a="b;c\\"" ; d=e', 'a.tif', 'image/x ; a="b;c\\"" ; d=e'],
  ['image/x;', 'a.tif', 'image/tiff'],
  ['image/x; =b', 'a.tif', 'image/tiff'],
  ['image/tiff\r\nx: y', 'a.zip', 'application/zip'],
  [`image/${'x'.repeat(250)}`, 'a.tif', 'image/tiff'],
  [undefined, 'a.unknown', 'application/octet-stream'],
] as const;
for (const [sent, filename, kept] of types) {
  test(`media type ${JSON.stringify(sent)?.slice(0, 40) ?? 'missing'} of ${filename}: ${kept}`, () => {
    assert.equal(contentTypeOf(sent, filename), kept);
  });
}
