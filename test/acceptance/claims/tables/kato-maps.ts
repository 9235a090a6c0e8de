import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Client } from '../../client.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { getDataset, makeMapped, makeTable, map } from '../../support/datasets.ts';
import { collection, geojsonFile, point, repositoryFile } from '../../support/files.ts';
import { numbersIn, type OutputCollection } from '../../support/geojson.ts';
import { brief, readObservations } from '../../support/observations.ts';
import { sharedPoints, sharedRaster, sharedTable, unmappedTable } from '../../support/shared.ts';
import { assertKeys } from '../../support/errors.ts';

interface Series {
  readonly dates: readonly { readonly start_date: string; readonly end_date: string | null }[];
  readonly units: readonly { readonly kato_code: string; readonly values: readonly unknown[] }[];
  readonly without_district: { readonly codes: number; readonly rows: number };
  readonly history?: {
    readonly units: readonly { readonly kato_code: string; readonly values: readonly unknown[] }[];
    readonly breaks: readonly { readonly kato_code: string; readonly date: string; readonly kind: string }[];
    readonly absent: readonly { readonly kato_code: string; readonly until: string }[];
    readonly left: readonly { readonly kato_code: string; readonly reason: string }[];
  };
}

async function readSeries(client: Client, id: string): Promise<Series> {
  return await client.get(`/datasets/${id}/series`);
}

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
  ['4.4 geojson rule 4 own geometry | 4.4 geojson rule 4 skipped | 4.4 geojson rule 4 features | D7 series'],
  'the geometry is that of the district, never that of the table; codes without a district are skipped, and counted in series',
  async (client) => {
    const codes = ['999999999', '710000000', '71', '999999999', 'Астана', null, ' ', '110000000'];
    const rows = codes.map((kato) => ({ properties: { kato, v: 1 }, geometry: point(0, 0) }));
    const { id } = await makeMapped(client, geojsonFile(collection(rows)), 'v');
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
    assert.equal((await readObservations(client, id)).length, 6);
    const { history, ...series } = await readSeries(client, id);
    const units = ['110000000', '710000000'].map((kato_code) => ({ kato_code, values: [1] }));
    const dates = [{ start_date: '2020-01-01', end_date: null }];
    assert.deepEqual(series, { dates, units, without_district: { codes: 3, rows: 4 } });
    assert.ok(history !== undefined, 'regions of today that were not there in 2020');
  },
);

claim(
  ['D3K last', 'D3K all stay', 'D3K data', 'D3K periods', '4.4 geojson rule 5', 'D7 series'],
  'of several values for one date the last shows that is not empty, by mapping, then by row, and of its periods the later end',
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
      { column: 'a', start_date: '2020-01-01', end_date: '2021-12-31' },
      { column: 'b', start_date: '2020-01-01', end_date: '2020-12-31' },
    ]);
    const { features } = await readMap(client, id);
    assert.deepEqual(
      features.map(({ properties }) => properties['data']),
      [{ '2020-01-01': 'б' }, { '2020-01-01': 4 }, { '2020-01-01': null }],
    );
    assert.deepEqual(features[0]?.properties['periods'], { '2020-01-01': '2021-12-31' });
    const { dates, units } = await readSeries(client, id);
    assert.deepEqual(dates, [{ start_date: '2020-01-01', end_date: '2021-12-31' }]);
    assert.deepEqual(
      units.map(({ values }) => values),
      [['б'], [4], [null]],
    );
    const all = (await readObservations(client, id)).filter(({ kato_code }) => kato_code === '710000000');
    assert.deepEqual(
      new Set(all.map((each) => JSON.stringify(brief(each).slice(2)))),
      new Set([
        '["2021-12-31",1,null]',
        '["2021-12-31",2,null]',
        '["2021-12-31",3,null]',
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
        await readFile(new URL(`../../../../seeds/districts/${name}.geojsonl`, import.meta.url), 'utf8'),
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

claim(
  ['D3K number text', 'D3K units', '4.4 geojson rule 5', 'D7 series'],
  'a real table of regions is on the map, without periods, and its series say the same in a fiftieth of the bytes',
  async (client) => {
    const file = await repositoryFile('examples/population-by-region.geojson');
    const { id } = await makeMapped(client, file, '2023', '2023-12-31');
    const whole = await client.expect(200, 'GET', `/datasets/${id}.geojson`);
    const { features } = whole.read<OutputCollection>();
    assert.equal(features.length, 20);
    assert.deepEqual(features[0]?.properties, {
      kato: '100000000',
      name: 'Абайская',
      data: { '2023-12-31': 610205 },
    });
    const series = await client.expect(200, 'GET', `/datasets/${id}/series`);
    const { units } = series.read<Series>();
    assert.deepEqual(
      units.map(({ kato_code: kato, values: [value] }) => [kato, { '2023-12-31': value }]),
      features.map(({ properties }) => [properties['kato'], properties['data']]),
    );
    assert.ok(series.text.length * 50 < whole.text.length);
  },
);

claim(
  ['D7 series', 'D3K data', 'D3K feature order'],
  'the series of a mapped table have one value for each date, its periods, and no geometry',
  async (client) => {
    const series = await readSeries(client, (await sharedTable(client)).id);
    assertKeys(series, ['dates', 'units', 'without_district']);
    assert.deepEqual(series, {
      dates: [
        { start_date: '2022-12-31', end_date: null },
        { start_date: '2023-01-01', end_date: '2023-12-31' },
      ],
      units: [
        { kato_code: '110000000', values: [788, 789.5] },
        { kato_code: '710000000', values: [1354.5, null] },
        { kato_code: '750000000', values: ['н/д', 2.25] },
      ],
      without_district: { codes: 0, rows: 0 },
    });
  },
);

claim(
  ['D7 series history'],
  'values under an older code of the same land are carried over, a split is a break, and what was not there then is named',
  async (client) => {
    const table = [
      ['193200000', 39.9, null],
      ['333200000', null, 40.1],
      ['635800000', 50, 20],
      ['635000000', 30, null],
    ] as const;
    const rows = table.map(([kato, y2020, y2023]) => ({
      properties: { kato, y2020, y2023 },
      geometry: point(0, 0),
    }));
    const { id } = await makeTable(client, geojsonFile(collection(rows)));
    await map(client, id, 'kato', [
      { column: 'y2020', start_date: '2020-01-01', end_date: '2020-12-31' },
      { column: 'y2023', start_date: '2023-01-01', end_date: '2023-12-31' },
    ]);
    const { units, history } = await readSeries(client, id);
    assert.deepEqual(units[0], { kato_code: '333200000', values: [null, 40.1] }, 'as .geojson has it');
    assert.deepEqual(
      history?.units.map(({ kato_code: code, values }) => [code, values]),
      [['333200000', [39.9, 40.1]]],
    );
    assert.deepEqual(
      history.breaks.map(({ kato_code: code, date, kind }) => [code, date, kind]),
      [['635800000', '2022-06-07', 'split']],
    );
    assert.ok(
      history.absent.some(({ kato_code: code, until }) => code === '104500000' && until === '2024-01-01'),
    );
    assert.ok(!history.absent.some(({ kato_code: code }) => code === '333200000'), 'only its code is new');
    assert.deepEqual(
      history.left.map(({ kato_code: code, reason }) => [code, reason]),
      [['635000000', 'ended']],
    );
    const { features } = await readMap(client, id);
    assert.deepEqual(
      features.map(({ properties }) => properties['kato']),
      ['333200000', '635800000'],
      '.geojson has the codes of the table',
    );
  },
);

claim(
  ['D7 units without borders'],
  'units of the classifier without a border keep their observations, and are counted by level',
  async (client) => {
    const codes = ['110000000', '103230000', '103235000', '103230100', '999999999'];
    const rows = codes.map((kato) => ({ properties: { kato, v: 1 }, geometry: point(0, 0) }));
    const { id } = await makeTable(client, geojsonFile(collection(rows)));
    await map(client, id, 'kato', [{ column: 'v', start_date: '2020-01-01' }]);
    const expected = [
      { level: 'okrug', units: 2, rows: 2 },
      { level: 'settlement', units: 1, rows: 1 },
    ];
    type Counts = { readonly without_borders?: unknown; readonly without_district?: unknown };
    const series = await client.get<Counts>(`/datasets/${id}/series`);
    assert.deepEqual(series.without_borders, expected);
    assert.deepEqual(series.without_district, { codes: 4, rows: 4 });
    const match = await client.get<Counts>(`/datasets/${id}/mapping/match?wait=60`);
    assert.deepEqual(match.without_borders, expected);
    const { data } = await client.get<{ data: readonly { kato_code: string }[] }>(
      `/datasets/${id}/observations?kato_code=103230000`,
    );
    assert.equal(data.length, 1);
    const report = await client.get<{ warnings: readonly { code: string; message: string }[] }>(
      `/datasets/${id}/report`,
    );
    assert.deepEqual(
      report.warnings.map(({ code }) => code),
      ['codes_without_district', 'units_without_border'],
    );
    assert.match(report.warnings[0]?.message ?? '', /^1 of 5 rows .* "999999999"/);
    assert.match(report.warnings[1]?.message ?? '', /^3 rows have .* 3 units of the classifier/);
  },
);

claim(
  ['D7 series refusals'],
  'rasters and vectors have no series, and a table has none before it is ready',
  async (client) => {
    const [raster, vector, table] = [
      await sharedRaster(client),
      await sharedPoints(client),
      await unmappedTable(client),
    ];
    for (const { id } of [raster, vector]) await client.refused(422, 'GET', `/datasets/${id}/series`);
    const sentence = await client.refused(409, 'GET', `/datasets/${table.id}/series`);
    assert.match(sentence, /awaiting_mapping.*POST \/datasets\/\{id\}\/mapping/);
    assert.equal((await getDataset(client, table.id)).status, 'awaiting_mapping');
    await client.refused(404, 'GET', '/datasets/00000000-0000-4000-8000-000000000000/series');
    await client.refused(400, 'GET', '/datasets/x1/series');
  },
);

checkedElsewhere('src/tables/kato-map/current-files.test.ts', {
  'after a change of the districts the next request gets new series, and so it does after a mapping': [
    'D7 series ETag',
  ],
});
