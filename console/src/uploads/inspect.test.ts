import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectFile, isReadable, markFolder } from './inspect.ts';

const limit = 1000;
const inspected = async (name: string, content: string): Promise<string | undefined> => {
  const { type, refusal } = await inspectFile(new File([content], name), limit);
  return refusal ?? type;
};

test('the type of a file follows from its name and first bytes', async () => {
  assert.equal(await inspected('a.tif', 'II*\0....'), 'raster');
  assert.equal(await inspected('A.TIFF', 'MM\0+....'), 'raster');
  assert.equal(await inspected('a.zip', 'PK\u0003\u0004..'), 'vector');
  assert.equal(await inspected('a.gpkg', 'SQLite format 3\0..'), 'vector');
  assert.equal(await inspected('a.geojson', '\uFEFF {"type":"FeatureCollection"}'), 'vector');
});

test('rows without geometry but with codes are a table by KATO', async () => {
  const feature = (geometry: string, code: string) =>
    `{"features":[{"type":"Feature","geometry":${geometry},"properties":{"kato":${code}}}]}`;
  assert.equal(await inspected('a.geojson', feature('null', '"101000000"')), 'vector_with_kato');
  assert.equal(await inspected('a.geojson', feature('null', '101000000')), 'vector_with_kato');
  assert.equal(await inspected('a.geojson', feature('null', '"12"')), 'vector');
  assert.equal(
    await inspected('a.geojson', feature('{"type":"Point","coordinates":[1,2]}', '"101000000"')),
    'vector',
  );
});

test('what the service would refuse is told before it is sent', async () => {
  assert.equal(await inspected('a.tif', ''), 'empty');
  assert.equal(await inspected('a.tif', 'I'.repeat(limit + 1)), 'tooLarge');
  assert.equal(await inspected('a.docx', 'PK\u0003\u0004'), 'unknownKind');
  assert.equal(await inspected('soil.tif', 'PK\u0003\u0004'), 'isZip');
  assert.equal(await inspected('soil.tif', 'GIF89a'), 'notTiff');
  assert.equal(await inspected('a.zip', 'Rar!'), 'notZip');
  assert.equal(await inspected('a.gpkg', 'II*\0'), 'notGeoPackage');
  assert.equal(await inspected('a.geojson', 'a;b;c'), 'notJson');
});

test('a folder, and a file that has gone, cannot be read', async () => {
  const folder = new File([], 'maps');
  assert.equal(await isReadable(folder), true);
  markFolder(folder);
  assert.equal(await isReadable(folder), false);
  const gone = new File(['x'], 'gone.tif');
  Object.defineProperty(gone, 'slice', {
    value: () => ({ arrayBuffer: async () => await Promise.reject(new Error('gone')) }),
  });
  assert.equal(await isReadable(gone), false);
});
