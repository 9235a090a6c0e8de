import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { Problem } from '../../../lib/errors.ts';
import { surveyDocument } from './document.ts';

const path = join(await temporaryFolder(), 'x.geojson');

async function sentenceOf(text: string): Promise<string> {
  await writeFile(path, text);
  try {
    const { type } = surveyDocument(path, { gatherColumns: false });
    return `GeoJSON: ${type}`;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.message;
  }
}

const feature = '{"type":"Feature","properties":{"a":1},"geometry":null}';

describe('JSON that is not GeoJSON is refused with what it is and the way out:', () => {
  const cases = {
    TopoJSON: [/is TopoJSON\. .*ogr2ogr.* mapshaper/, ['{"arcs":[],"objects":{},"type":"Topology"}']],
    'Esri JSON': [
      /is Esri JSON.*f=geojson.*ogr2ogr/,
      [
        '{"displayFieldName":"N","geometryType":"esriGeometryPoint","features":[{"attributes":{}}]}',
        '{"features":[{"attributes":{"N":1},"geometry":{"x":70,"y":50}}]}',
        '{"rings":[[[70,50]]],"spatialReference":{"wkid":4326}}',
      ],
    ],
    'a layer of ArcGIS': [
      /service or layer of ArcGIS.*\/query\?where=1=1/,
      [
        '{"currentVersion":11.1,"layers":[{"id":0}]}',
        '{"type":"Feature Layer","geometryType":"x","fields":[{}]}',
      ],
    ],
    Overpass: [
      /Overpass.*osmtogeojson/,
      ['{"version":0.6,"osm3s":{},"elements":[{"type":"node"}]}', '{"elements":[],"generator":"x"}'],
    ],
    CoverageJSON: [/CoverageJSON.*GeoTIFF/, ['{"type":"Coverage"}', '{"type":"CoverageCollection"}']],
    CityJSON: [/CityJSON.*QGIS/, ['{"type":"CityJSON","version":"2.0","vertices":[]}']],
    STAC: [/STAC/, ['{"type":"Collection","stac_version":"1.0.0","links":[{"rel":"self"}]}']],
    'JSON-LD': [
      /JSON-LD/,
      ['{"@context":"https://schema.org","@graph":[{"a":1}]}', '{"type":"Place","@context":{}}'],
    ],
    'a reference system': [/PROJJSON/, ['{"$schema":"https://proj.org/x.json","type":"ProjectedCRS"}']],
    'a map style': [/map style/, ['{"version":8,"sources":{},"layers":[{"id":"a"}]}']],
    TileJSON: [/TileJSON/, ['{"tilejson":"3.0.0","tiles":[]}']],
    'a model': [/glTF/, ['{"asset":{"version":"2.0"},"meshes":[{}]}', '{"asset":{},"root":{}}']],
    'a schema': [/schema/, ['{"$schema":"x","type":"object"}', '{"openapi":"3.1.0","paths":{}}']],
    'a package': [/software package/, ['{"name":"x","version":"1","dependencies":{"a":"1"}}']],
    'an error': [
      /error answer of a service.*browser/,
      [
        '{"error":{"code":400,"message":"Invalid URL"}}',
        '{"errors":[{"message":"no"}],"data":null}',
        '{"message":"Not Found"}',
        '{"code":"NotFound","description":"x"}',
        '{"type":"about:blank","title":"Not Found","status":404}',
        '{"exceptions":[{"code":"x"}]}',
      ],
    ],
    'a service': [/list of links.*\/items/, ['{"title":"x","description":"y","links":[{"rel":"self"}]}']],
    records: [
      /list of records in its member "data".*"properties"/,
      ['{"data":[{"kato":"110000000","v":1}]}', '{"error":null,"message":"OK","errors":[],"data":[{"a":1}]}'],
    ],
    'untyped features': [/no "type"\. Put "type": "FeatureCollection"/, [`{"features":[${feature}]}`]],
    'GeoJSON inside': [
      /GeoJSON is in its member "result"/,
      [
        `{"status":"ok","result":{"features":[],"type":"FeatureCollection"}}`,
        `{"result":[${feature},${feature}],"code":0}`,
      ],
    ],
    'JSON Lines': [
      /JSON Lines.*GeoJSONSeq:in\.geojson/,
      [
        `${feature}\n${feature}\n`,
        `${feature}${feature}`,
        '{"a":1}\r\n{"a":2}',
        `${feature}\n${'{'.repeat(500)}`,
      ],
    ],
    'a list': [/JSON list\. Put its features into one object/, [`[${feature}]`]],
  } as const;

  for (const [what, [sentence, texts]] of Object.entries(cases))
    test(what, async () => {
      for (const text of texts) {
        const said = await sentenceOf(text);
        assert.match(said, /^The file is not GeoJSON: .*, and upload it\.$/);
        assert.match(said, sentence);
      }
    });
});

test('GeoJSON may have all those members beside its own', async () => {
  const others =
    '"error":{"a":1},"elements":[{}],"@context":{},"data":[{"type":"Feature"}],"spatialReference":{"wkid":1}';
  assert.equal(
    await sentenceOf(`{${others},"type":"FeatureCollection","features":[${feature}]}`),
    'GeoJSON: FeatureCollection',
  );
});

test('what is unknown is named by its "type" or the lack of one', async () => {
  assert.match(await sentenceOf('{"a":1,"b":{"type":"x"},"c":[1,{}]}'), /no "type"/);
  assert.match(await sentenceOf('{"type":"Polygons","error":null}'), /its "type" is "Polygons"/);
});

test('what is wrong with the text comes before all else', async () => {
  assert.match(await sentenceOf('{"type":"Topology","arcs":[1,]}'), /not valid JSON: at line 1, column 30/);
  assert.match(await sentenceOf(`{"data":[{"a":1},{"b":${'[{"c":'.repeat(60)}`), /nested deeper than 100/);
});
