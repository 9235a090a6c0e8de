import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Client } from '../client.ts';
import { claim } from '../claim.ts';
import { makeMapped, makeTable, map } from '../support/datasets.ts';
import { collection, geojsonFile, point } from '../support/files.ts';
import { numbersIn, type OutputCollection } from '../support/geojson.ts';
import { brief, readObservations } from '../support/observations.ts';
import { sharedTable } from '../support/shared.ts';
import { assertKeys } from '../support/fields.ts';

async function readMap(client: Client, id: string): Promise<OutputCollection> {
  return await client.get(`/datasets/${id}.geojson`);
}

claim(
  [
    '4.4 geojson rule 4 features',
    '4.4 geojson rule 4 data',
    '4.4 geojson rule 5',
    'D3K data',
    'D3K feature order',
    '2.3 districts',
    '2.5 FeatureCollection',
    '2.5 Feature',
  ],
  'a mapped table is one Feature for each code, its values by date, its periods beside them',
  async (client) => {
    const { type, features } = await readMap(client, (await sharedTable(client)).id);
    assert.equal(type, 'FeatureCollection');
    const periods = { '2023-01-01': '2023-12-31' };
    assert.deepEqual(
      features.map(({ properties }) => properties),
      [
        { kato: '110000000', name: 'Акмолинская', data: { '2022-12-31': 788, '2023-01-01': 789.5 }, periods },
        { kato: '710000000', name: 'Астана', data: { '2022-12-31': 1354.5, '2023-01-01': null }, periods },
        { kato: '750000000', name: 'Алматы', data: { '2022-12-31': 'н/д', '2023-01-01': 2.25 }, periods },
      ],
    );
    for (const feature of features) {
      assertKeys(feature, ['geometry', 'properties', 'type']);
      assert.equal(feature.type, 'Feature');
      assert.match(feature.geometry.type, /^(Multi)?Polygon$/);
    }
  },
);

claim(
  ['4.4 geojson rule 4 own geometry', '4.4 geojson rule 4 skipped', '4.4 geojson rule 4 features'],
  'the geometry is that of the district, never that of the table, and codes without a district are skipped',
  async (client) => {
    const rows = ['710000000', '999999999', '71', 'Астана', '110000000'].map((kato) => ({
      properties: { kato, v: 1 },
      geometry: point(0, 0),
    }));
    const file = geojsonFile(collection(rows));
    const { id } = await makeMapped(client, file, 'v');
    const { features } = await readMap(client, id);
    assert.deepEqual(
      features.map(({ properties }) => properties['kato']),
      ['110000000', '710000000'],
    );
    const astana = numbersIn(features[1]?.geometry.coordinates);
    assert.ok(astana.length > 100);
    assert.ok(
      astana.every((each, index) => (index % 2 === 0 ? each > 71 && each < 72 : each > 50.8 && each < 51.5)),
    );
    assert.equal((await readObservations(client, id)).length, 5);
  },
);

claim(['4.4 geojson rule 5'], 'without periods there is no periods member', async (client) => {
  const { id } = await makeTable(client, [{ kato: '710000000', a: 1, b: 2 }]);
  await map(client, id, 'kato', [
    { column: 'a', start_date: '2020-01-01' },
    { column: 'b', start_date: '2021-01-01', end_date: null },
  ]);
  const { features } = await readMap(client, id);
  assert.deepEqual(features[0]?.properties, {
    kato: '710000000',
    name: 'Астана',
    data: { '2020-01-01': 1, '2021-01-01': 2 },
  });
});

claim(
  ['D3K periods', '4.4 geojson rule 5'],
  'where two periods share a start date the later end wins',
  async (client) => {
    const { id } = await makeTable(client, [{ kato: '710000000', a: 1, b: 2, c: 3 }]);
    await map(client, id, 'kato', [
      { column: 'a', start_date: '2020-01-01', end_date: '2021-12-31' },
      { column: 'b', start_date: '2020-01-01', end_date: '2020-12-31' },
      { column: 'c', start_date: '2022-01-01', end_date: '2022-01-01' },
    ]);
    const { properties } = (await readMap(client, id)).features[0] ?? assert.fail();
    assert.deepEqual(properties['periods'], { '2020-01-01': '2021-12-31', '2022-01-01': '2022-01-01' });
    assert.deepEqual(properties['data'], { '2020-01-01': 2, '2022-01-01': 3 });
  },
);

claim(
  ['D3K last', 'D3K all stay', 'D3K data'],
  'of several values for one date the last shows that is not empty, by mapping, then by row',
  async (client) => {
    const { id } = await makeTable(client, [
      { kato: '710000000', a: 1, b: 10 },
      { kato: '710000000', a: 2, b: 'б' },
      { kato: '710000000', a: 3, b: ' ' },
      { kato: '750000000', a: 4, b: null },
      { kato: '790000000', a: null, b: '' },
    ]);
    await map(client, id, 'kato', [
      { column: 'b', start_date: '2020-01-01' },
      { column: 'a', start_date: '2021-01-01' },
    ]);
    const byDate = (await readMap(client, id)).features.map(({ properties }) => properties['data']);
    assert.deepEqual(byDate, [
      { '2020-01-01': 'б', '2021-01-01': 3 },
      { '2020-01-01': null, '2021-01-01': 4 },
      { '2020-01-01': null, '2021-01-01': null },
    ]);
    await map(client, id, 'kato', [
      { column: 'a', start_date: '2020-01-01' },
      { column: 'b', start_date: '2020-01-01', end_date: '2020-12-31' },
    ]);
    const together = (await readMap(client, id)).features.map(({ properties }) => properties['data']);
    assert.deepEqual(together, [{ '2020-01-01': 'б' }, { '2020-01-01': 4 }, { '2020-01-01': null }]);
    const all = (await readObservations(client, id)).filter(({ kato_code }) => kato_code === '710000000');
    assert.deepEqual(
      new Set(all.map((each) => JSON.stringify(brief(each).slice(2)))),
      new Set([
        '[null,1,null]',
        '[null,2,null]',
        '[null,3,null]',
        '["2020-12-31",10,null]',
        '["2020-12-31",null,"б"]',
        '["2020-12-31",null,null]',
      ]),
    );
  },
);

claim(
  ['D3K units'],
  'the 20 regions and 224 districts are all there, under their Russian names',
  async (client) => {
    const seeds = ['regions', 'districts'].map(
      async (name) =>
        await readFile(new URL(`../../../seeds/districts/${name}.geojsonl`, import.meta.url), 'utf8'),
    );
    const units = (await Promise.all(seeds))
      .join('')
      .trim()
      .split('\n')
      .map((line) => {
        const { properties }: { properties: { kato: string; name: string } } = JSON.parse(line);
        return properties;
      });
    assert.equal(units.length, 244);
    const { id } = await makeMapped(
      client,
      units.map(({ kato }) => ({ kato, v: 1 })),
      'v',
    );
    const { features } = await readMap(client, id);
    const found = features.map(({ properties }) => [properties['kato'], properties['name']].join(' '));
    assert.deepEqual(found, units.map(({ kato, name }) => `${kato} ${name}`).toSorted());
  },
);

claim(['D3K number text', 'D3K units'], 'a real table of regions is on the map', async (client) => {
  const path = new URL('../../../examples/population-by-region.geojson', import.meta.url);
  const file = geojsonFile(await readFile(path, 'utf8'), 'population-by-region.geojson');
  const { id } = await makeMapped(client, file, '2023', '2023-12-31');
  const { features } = await readMap(client, id);
  assert.equal(features.length, 20);
  assert.deepEqual(features[0]?.properties, {
    kato: '100000000',
    name: 'Абайская',
    data: { '2023-12-31': 610205 },
  });
});
