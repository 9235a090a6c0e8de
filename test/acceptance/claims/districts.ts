import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { claim } from '../claim.ts';
import { fetchBytes } from '../support/bytes.ts';
import { assertKeys } from '../support/errors.ts';
import { numbersIn, type OutputCollection } from '../support/geojson.ts';

const levels = [
  ['region', 'regions', 20, 'fine', 3],
  ['district', 'districts', 224, 'coarse', 2],
] as const;

claim(
  ['D7 districts'],
  'the units of each level are there with all their names, and borders of two or three decimals',
  async (client) => {
    for (const [level, file, count, detail, decimals] of levels) {
      const path = new URL(`../../../seeds/districts/${file}.geojsonl`, import.meta.url);
      const units = (await readFile(path, 'utf8')).trimEnd().split('\n');
      const names = units.map((line) => {
        const { properties }: { properties: Readonly<Record<string, unknown>> } = JSON.parse(line);
        return { ...properties, level };
      });
      assert.equal(names.length, count);
      const query = `?level=${level}&detail=${detail}`;
      const { features }: OutputCollection = await client.get(`/districts.geojson${query}`);
      assert.deepEqual(
        features.map(({ properties }) => properties),
        names,
      );
      for (const { geometry, properties } of features) {
        assertKeys(properties, ['kato', 'level', 'name', 'name_en', 'name_kk']);
        assert.match(geometry.type, /^(Multi)?Polygon$/);
        const numbers = numbersIn(geometry.coordinates);
        assert.ok(numbers.length >= 8);
        assert.ok(numbers.every((each) => Number(each.toFixed(decimals)) === each));
      }
    }
  },
);

claim(
  ['D7 districts', 'D7 districts ETag'],
  'the borders for a map of the country are small, and sent once',
  async (client) => {
    const etags = new Set<string | undefined>();
    for (const [path, most] of [
      ['/districts.geojson?level=region&detail=coarse', 40_000],
      ['/districts.geojson?level=region&detail=fine', 95_000],
      ['/districts.geojson?level=district&detail=coarse', 100_000],
      ['/districts.geojson?level=district&detail=fine', 210_000],
    ] as const) {
      const headers = { 'accept-encoding': 'br' };
      const { bytes, headers: answered } = await fetchBytes(client, 200, path, { headers });
      assert.ok(bytes.length < most, `${path} has ${bytes.length} bytes`);
      etags.add(answered['etag']);
      const known = { ...headers, 'if-none-match': answered['etag'] };
      assert.equal((await fetchBytes(client, 304, path, { headers: known })).bytes.length, 0);
    }
    assert.equal(etags.size, 4);
  },
);

claim(['D7 districts'], 'another level or detail is 400', async (client) => {
  for (const query of ['level=village', 'detail=2', 'level=']) {
    await client.refused(400, 'GET', `/districts.geojson?${query}`);
  }
});
