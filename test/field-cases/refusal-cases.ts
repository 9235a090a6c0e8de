import assert from 'node:assert/strict';
import { partsOf, process } from '../acceptance/support/datasets.ts';
import { readVector } from '../acceptance/support/geojson.ts';
import { caseFile, type FieldCase } from './case.ts';

const folder = 'json-that-is-not-geojson';

export const refusalCases: readonly FieldCase[] = [
  {
    slug: folder,
    text: 'a byte-order mark does no harm',
    async check(client) {
      const { collection } = await readVector(client, await caseFile(`${folder}/bom.geojson`));
      assert.deepEqual(collection.features, []);
    },
  },
  ...(
    [
      ['gz.geojson', /gzip/i],
      ['html.geojson', /HTML/],
      ['utf16.geojson', /UTF-16/],
      ['jsonp.geojson', /JavaScript|JSONP|first bytes.*\{|callback/i],
      ['var.geojson', /JavaScript|first bytes.*\{|var/i],
    ] as const
  ).map(([name, sentence]): FieldCase => ({
    slug: folder,
    text: `${name} is refused by what its first bytes are, and the sentence says the way out`,
    async check(client) {
      const parts = await partsOf(client, await caseFile(`${folder}/${name}`));
      const { file = '' } = await client.invalid(['file'], 'POST', '/datasets', { parts });
      assert.match(file, sentence);
      assert.match(file, /upload|export|download|save|unpack|leave only/i);
    },
  })),
  ...(
    [
      ['comments.geojson', /not valid JSON.*line 1, column 3/],
      ['covjson.geojson', /CoverageJSON/],
      ['cp1251.geojson', /UTF-8/],
      ['error.geojson', /error answer of a service/],
      ['esri.geojson', /Esri JSON.*ogr2ogr/],
      ['featurelist.geojson', /Put "type": "FeatureCollection"/],
      ['geojson_z.geojson', /"features"/],
      ['overpass.geojson', /Overpass.*osmtogeojson/],
      ['records.geojson', /list of records in its member "data"/],
      ['topo.geojson', /TopoJSON/],
      ['trailing.geojson', /not valid JSON.*line 1, column/],
    ] as const
  ).map(([name, sentence]): FieldCase => ({
    slug: folder,
    text: `${name} fails with what it is, and the sentence says the way out`,
    async check(client) {
      const { parse_error } = await process(client, 'failed', await caseFile(`${folder}/${name}`));
      assert.match(parse_error ?? '', sentence);
      assert.match(parse_error ?? '', /upload|export|correct/i);
    },
  })),
];
