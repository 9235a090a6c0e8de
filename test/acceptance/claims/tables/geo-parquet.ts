import assert from 'node:assert/strict';
import { readParquet } from '../../../support/tables/parquet.ts';
import { claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { process } from '../../support/datasets.ts';
import { collection, geojsonFile } from '../../support/files.ts';
import { sharedRaster, sharedTable, unmappedTable } from '../../support/shared.ts';

/** Metadata of GeoParquet in the file. */
interface Facts {
  readonly version: string;
  readonly primary_column: string;
  readonly columns: Readonly<
    Record<
      string,
      {
        readonly encoding: string;
        readonly geometry_types: readonly string[];
        readonly bbox: readonly number[];
      }
    >
  >;
}

const square = (west: number, south: number) => [
  [
    [west, south],
    [west + 1, south],
    [west + 1, south + 1],
    [west, south],
  ],
];

claim(
  ['D7 GeoParquet vector'],
  'each feature of a vector is a row of GeoParquet, with its own geometry, its box and its values',
  async (client) => {
    const features = [
      {
        properties: { geometry: 'Ә', whole: 7, share: 0.1, is: true, mix: 1 },
        geometry: { type: 'MultiPolygon', coordinates: [square(60, 40), square(70, 50)] },
      },
      {
        properties: { geometry: '', whole: 2 ** 40, mix: ['a'], far: '007' },
        geometry: { type: 'MultiPolygon', coordinates: [square(61, 41)] },
      },
      { properties: { whole: null, share: 3 }, geometry: null },
    ];
    const { id } = await process(client, 'ready', geojsonFile(collection(features)));
    const { bytes, headers } = await fetchBytes(client, 200, `/datasets/${id}.parquet`);
    assert.equal(headers['content-type'], 'application/vnd.apache.parquet');
    const { rows, columns, facts } = await readParquet(bytes);
    assert.deepEqual(new Map(columns.map(([name, type]) => [name, type])).get('whole'), 'INT64');
    const geo: Facts = JSON.parse(facts.find(({ key }) => key === 'geo')?.value ?? '{}');
    assert.deepEqual([geo.version, geo.primary_column], ['1.1.0', 'unit_geometry']);
    const { encoding, geometry_types: types, bbox } = geo.columns['unit_geometry'] ?? assert.fail();
    assert.deepEqual([encoding, types, bbox], ['WKB', ['MultiPolygon'], [60, 40, 71, 51]]);
    const byName = new Map(rows.map((row) => [row['geometry'], row]));
    const [first, second, third] = ['Ә', '', null].map((name) => byName.get(name) ?? assert.fail());
    assert.deepEqual(
      [first?.['whole'], first?.['share'], first?.['is'], first?.['mix'], first?.['far']],
      [7n, 0.1, true, '1', null],
    );
    assert.deepEqual([second?.['whole'], second?.['mix'], second?.['far']], [2n ** 40n, '["a"]', '007']);
    assert.deepEqual([third?.['share'], third?.['unit_geometry'], third?.['whole']], [3, null, null]);
    assert.deepEqual(second?.['bbox'], { xmin: 61, ymin: 41, xmax: 62, ymax: 42 });
    assert.deepEqual(second?.['unit_geometry'], features[1]?.geometry);
  },
);

claim(
  ['D7 GeoParquet KATO', 'D7 GeoParquet refusals'],
  'a table by KATO is GeoParquet with the borders of its units, and nothing else than vectors is',
  async (client) => {
    const path = `/datasets/${(await sharedTable(client)).id}.parquet`;
    const { bytes, headers } = await fetchBytes(client, 200, `${path}?lang=en`);
    const { rows, facts } = await readParquet(bytes);
    assert.deepEqual(
      rows.map(({ kato, name, y2022, y2022_text, y2023 }) => [kato, name, y2022, y2022_text, y2023]),
      [
        ['110000000', 'Akmola', 788, null, 789.5],
        ['710000000', 'Astana (city)', 1354.5, null, null],
        ['750000000', 'Almaty (city)', null, 'н/д', 2.25],
      ],
    );
    const places = rows.map(({ geometry }) => JSON.stringify(geometry));
    assert.ok(places.every((text) => /^\{"type":"(?:Multi)?Polygon"/.test(text)));
    assert.ok(facts.some(({ key }) => key === 'geo'));
    await fetchBytes(client, 304, `${path}?lang=en`, { headers: { 'if-none-match': headers.etag ?? '' } });
    assert.notEqual(
      (await fetchBytes(client, 200, path, { headers: { 'accept-language': 'ru' } })).headers.etag,
      headers.etag,
    );
    await client.refused(422, 'GET', `/datasets/${(await sharedRaster(client)).id}.parquet`);
    await client.refused(409, 'GET', `/datasets/${(await unmappedTable(client)).id}.parquet`);
    await client.refused(404, 'GET', '/datasets/00000000-0000-4000-8000-000000000000.parquet');
  },
);
