import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { checkedElsewhere, claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { getDataset, makeMapped, makeTable, map } from '../support/datasets.ts';
import { assertKeys } from '../support/fields.ts';
import { geojsonFile } from '../support/files.ts';
import type { OutputCollection } from '../support/geojson.ts';
import { sharedPoints, sharedRaster, sharedTable, unmappedTable } from '../support/shared.ts';

interface Series {
  readonly dates: readonly { readonly start_date: string; readonly end_date: string | null }[];
  readonly units: readonly { readonly kato_code: string; readonly values: readonly unknown[] }[];
  readonly without_district: { readonly codes: number; readonly rows: number };
}

async function readSeries(client: Client, id: string): Promise<Series> {
  return await client.get(`/datasets/${id}/series`);
}

/** The GeoJSON of the same dataset in the shape of series. */
async function readMap(client: Client, id: string): Promise<Pick<Series, 'units' | 'dates'>> {
  const { features }: OutputCollection = await client.get(`/datasets/${id}.geojson`);
  const dates = new Set(features.flatMap(({ properties }) => Object.keys(Object(properties['data']))));
  const periods = new Map(Object.entries<string>(Object(features[0]?.properties['periods'])));
  return {
    dates: [...dates].map((start) => ({ start_date: start, end_date: periods.get(start) ?? null })),
    units: features.map(({ properties }) => ({
      kato_code: String(properties['kato']),
      values: Object.values<unknown>(Object(properties['data'])),
    })),
  };
}

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
  ['D7 series', 'D3K last', 'D3K periods'],
  'of several values for one date the last shows that is not empty, as in the GeoJSON',
  async (client) => {
    const { id } = await makeTable(client, [
      { kato: '710000000', a: 1, b: 10, c: 'x' },
      { kato: '710000000', a: 2, b: 'б', c: null },
      { kato: '750000000', a: 4, b: null, c: ' ' },
    ]);
    await map(client, id, 'kato', [
      { column: 'c', start_date: '2021-01-01', end_date: '2021-12-31' },
      { column: 'a', start_date: '2020-01-01', end_date: '2021-12-31' },
      { column: 'b', start_date: '2020-01-01', end_date: '2020-12-31' },
    ]);
    const { without_district: left, ...shown } = await readSeries(client, id);
    assert.deepEqual(shown, await readMap(client, id));
    assert.deepEqual(shown.units, [
      { kato_code: '710000000', values: ['б', 'x'] },
      { kato_code: '750000000', values: [4, null] },
    ]);
    assert.deepEqual(left, { codes: 0, rows: 0 });
  },
);

claim(
  ['D7 series'],
  'codes without a district are counted, and so are their rows; rows without a code are not',
  async (client) => {
    const codes = ['999999999', '710000000', '71', '999999999', 'Астана', null, ' ', '71'];
    const { id } = await makeTable(
      client,
      codes.map((kato) => ({ kato, a: 1, b: 2 })),
    );
    await map(client, id, 'kato', [
      { column: 'a', start_date: '2020-01-01' },
      { column: 'b', start_date: '2021-01-01' },
    ]);
    const { units, without_district: left } = await readSeries(client, id);
    assert.deepEqual(units, [{ kato_code: '710000000', values: [1, 2] }]);
    assert.deepEqual(left, { codes: 3, rows: 5 });
  },
);

claim(
  ['D7 series'],
  'a real table of regions has the values of its GeoJSON in a fiftieth of its bytes',
  async (client) => {
    const path = new URL('../../../examples/population-by-region.geojson', import.meta.url);
    const file = geojsonFile(await readFile(path, 'utf8'), 'population-by-region.geojson');
    const { id } = await makeMapped(client, file, '2023', '2023-12-31');
    const { units, dates } = await readSeries(client, id);
    assert.equal(units.length, 20);
    assert.deepEqual({ units, dates }, await readMap(client, id));
    const [series, whole] = await Promise.all(
      ['/series', '.geojson'].map(
        async (suffix) => (await client.expect(200, 'GET', `/datasets/${id}${suffix}`)).text.length,
      ),
    );
    assert.ok(Number(series) * 50 < Number(whole));
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

checkedElsewhere('test/processing/current-files.test.ts', {
  'are made on request, and again after a change of the districts and after a mapping': ['D7 series ETag'],
});
