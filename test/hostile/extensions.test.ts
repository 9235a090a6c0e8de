import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import type { ContentKind } from '../../src/datasets/original/content-kind.ts';
import { startTestApp } from '../support/app.ts';
import { insertCategory, sendRawForm } from '../support/datasets.ts';
import { openTestEngine } from '../support/geo.ts';
import { createAsking } from '../support/hostile-vectors.ts';
import { closeAfterTests } from '../support/for-tests.ts';

/** How a file of each kind begins; a text is what has no kind. */
const beginnings: Readonly<Record<ContentKind | 'text', string>> = {
  tiff: 'II*\0',
  geopackage: 'SQLite format 3\0',
  zip: 'PK\u0003\u0004',
  json: '{"type":"FeatureCollection","features":[]}',
  text: 'kato,2020',
};

/** The kind that each extension of each file type promises, by the interface. */
const vectorKinds = { '.geojson': 'json', '.gpkg': 'geopackage', '.zip': 'zip' } as const;
const allowed: Readonly<Record<string, Readonly<Record<string, ContentKind>>>> = {
  vector: vectorKinds,
  vector_with_kato: vectorKinds,
  raster: { '.tif': 'tiff', '.tiff': 'tiff' },
};
const extensions = ['.geojson', '.gpkg', '.zip', '.tif', '.tiff', '.shp', '.json', '.csv', '.vrt', '.exe'];

const engine = await closeAfterTests(openTestEngine());
const app = await closeAfterTests(startTestApp());
const category = await insertCategory(app.services.db);

describe('An upload', () => {
  /** The names of the parts that are refused; none when the upload is accepted. */
  async function faults(fileType: string, filename: string, content: string): Promise<readonly string[]> {
    const part = (name: string, more = '') => [`Content-Disposition: form-data; name="${name}"${more}`];
    const { status, body, text } = await sendRawForm(app, '/datasets', [
      { headers: part('file_type'), content: fileType },
      { headers: part('category_id'), content: category },
      { headers: part('file', `; filename="${filename}"`), content: Buffer.from(content, 'latin1') },
    ]);
    if (status === 201) return [];
    assert.equal(status, 422, text);
    return Object.keys(Object(body['errors']));
  }

  for (const [fileType, kinds] of Object.entries(allowed)) {
    test(`as ${fileType} is accepted by an extension of it with the content of that, and by nothing else`, async () => {
      let accepted = 0;
      for (const extension of extensions) {
        for (const [kind, content] of Object.entries(beginnings)) {
          const isRight = kinds[extension] === kind;
          const what = `${extension} that is ${kind}`;
          assert.deepEqual(await faults(fileType, `a${extension}`, content), isRight ? [] : ['file'], what);
          accepted += isRight ? 1 : 0;
        }
      }
      assert.equal(accepted, Object.keys(kinds).length);
    });
  }

  test('is known by its last extension, in any case', async () => {
    const names: readonly (readonly [filename: string, fileType: string, kind: ContentKind])[] = [
      ['X.TIF', 'raster', 'tiff'],
      ['x.tIfF', 'raster', 'tiff'],
      ['x.GeoJSON', 'vector', 'json'],
      ['x.GPKG', 'vector_with_kato', 'geopackage'],
      ['x.ZIP', 'vector', 'zip'],
      ['.tif', 'raster', 'tiff'],
      ['a.geojson.zip', 'vector', 'zip'],
      ['a.exe.tif', 'raster', 'tiff'],
      ['a.exe\0.tif', 'raster', 'tiff'],
      ['a..gpkg', 'vector', 'geopackage'],
    ];
    for (const [filename, fileType, kind] of names)
      assert.deepEqual(await faults(fileType, filename, beginnings[kind]), [], filename);
  });

  test('is not taken for what its name only looks like', async () => {
    const names = [
      ['a.tif.exe', 'a\u202Efit.exe', 'a.tif\0.exe', 'a.\u202Efit', 'tif', 'a.tif;1', 'a.tif::$DATA'],
      ['a.tif.', 'a.tif ', 'a.tif\u00A0', 'a.tif\u200B', 'a.t\u0456f', 'a.t\u0131f', 'a.T\u0130F'],
      ['a\uFF0Etif', 'a\u3002tif', 'a.\uFF54\uFF49\uFF46'],
    ].flat();
    for (const filename of names)
      assert.deepEqual(await faults('raster', filename, beginnings.tiff), ['file'], JSON.stringify(filename));
    // The sign for kelvin is a small k in lower case.
    assert.deepEqual(await faults('vector', 'a.gp\u212Ag', beginnings.geopackage), ['file']);
    assert.deepEqual(await faults('vector', 'a.geojson.zip', beginnings.json), ['file']);
    assert.deepEqual(await faults('vector', 'a.zip.geojson', beginnings.zip), ['file']);
  });
});

describe('A file of the right kind with the wrong thing in it', () => {
  test('is refused with what to do: a GeoPackage of raster tiles', async () => {
    const path = join(engine.folder, 'tiles.gpkg');
    const tiles = gdal.drivers.get('GPKG').create(path, 256, 256, 1, gdal.GDT_Byte);
    tiles.srs = gdal.SpatialReference.fromEPSG(4326);
    tiles.geoTransform = [60, 0.01, 0, 50, 0, -0.01];
    tiles.bands.get(1).pixels.set(3, 3, 7);
    tiles.close();
    const { refused, table } = createAsking(engine);
    const sentence = /has rasters but no vector layer\. Upload the raster as a GeoTIFF \(\.tif\)/;
    await refused(path, sentence);
    await refused(path, sentence, table);
  });
});
