import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import { process } from '../../support/datasets.ts';
import { box, collection, featureFile, geojsonFile, point, repositoryFile } from '../../support/files.ts';
import { doubleArea, numbersIn, readReport, readVector, warningsOf } from '../../support/geojson.ts';

const ascending = (coordinates: unknown): number[] =>
  numbersIn(coordinates).toSorted((one, other) => one - other);

claim(
  ['4.4 geojson', '2.5 FeatureCollection', '2.5 Feature', '2.5 media type', '4.4 geojson rule 3 one row'],
  'one row becomes the properties of the one Feature',
  async (client) => {
    const geometry = box(70, 50, 71, 51);
    const file = geojsonFile(collection([{ properties: { a: 1, имя: 'Б' }, geometry }]));
    const { dataset, collection: found } = await readVector(client, file);
    assert.deepEqual(
      { ...found, features: found.features.map((each) => ({ ...each, geometry: null })) },
      {
        type: 'FeatureCollection',
        features: [{ type: 'Feature', geometry: null, properties: { a: 1, имя: 'Б' } }],
      },
    );
    assert.equal(found.features[0]?.geometry.type, 'Polygon');
    const { headers } = await client.expect(200, 'GET', `/datasets/${dataset.id}.geojson`);
    assert.match(headers.get('content-type') ?? '', /^application\/geo\+json(;|$)/);
  },
);

claim(
  ['4.4 geojson rule 3 several rows', '4.4 geojson rule 3 one feature', 'D3V dissolved', '1.2 vector'],
  'several rows stand under rows, beside the union of their geometry',
  async (client) => {
    const file = geojsonFile(
      collection([
        { properties: { n: 1 }, geometry: box(60, 50, 62, 52) },
        { properties: { n: 2, more: null }, geometry: box(61, 50, 63, 52) },
        { properties: { other: 'x' }, geometry: null },
      ]),
    );
    const { features } = (await readVector(client, file)).collection;
    assert.equal(features.length, 1);
    const [feature = assert.fail()] = features;
    assert.deepEqual(feature.properties, { rows: [{ n: 1 }, { n: 2, more: null }, { other: 'x' }] });
    assert.equal(feature.geometry.type, 'Polygon');
    const ring = Object(feature.geometry.coordinates)[0];
    assert.equal(doubleArea(ring), 12);
    assert.deepEqual([Math.min(...numbersIn(ring)), Math.max(...numbersIn(ring))], [50, 63]);
  },
);

claim(
  ['4.4 geojson rule 3 no geometry', 'D3V no geometry', 'D3V no features'],
  'without geometry, and without features, the collection is empty; the report tells of an empty layer',
  async (client) => {
    const empty = { type: 'FeatureCollection', features: [] };
    const nowhere = { type: 'MultiPolygon', coordinates: [] };
    await Promise.all(
      [
        [],
        [1, 2].map((a) => ({ properties: { a }, geometry: null })),
        [{ properties: { a: 1 }, geometry: nowhere }],
      ].map(async (features) => {
        const { dataset, collection: found } = await readVector(client, geojsonFile(collection(features)));
        assert.deepEqual(found, empty);
        const isTold = (await warningsOf(client, dataset.id)).includes('empty_layer');
        assert.equal(isTold, features.length === 0);
      }),
    );
  },
);

claim(
  ['D3V no columns', 'D3V null properties'],
  'features without columns have empty properties, and those that are null are an empty object among the rows',
  async (client) => {
    await Promise.all(
      [
        { sent: [{}], properties: {} },
        { sent: [{}, {}, {}], properties: { rows: [{}, {}, {}] } },
        { sent: [null, { a: 1 }], properties: { rows: [{}, { a: 1 }] } },
      ].map(async ({ sent, properties }) => {
        const features = sent.map((each) => ({ properties: each, geometry: point(1, 2) }));
        const { collection: found } = await readVector(client, geojsonFile(collection(features)));
        assert.deepEqual(found.features[0]?.properties, properties);
      }),
    );
  },
);

claim(
  ['D3V attributes geojson', 'D1 digits geojson'],
  'properties are those of the text, digit by digit, whatever they are called',
  async (client) => {
    const values = [
      '"n":1.10,"big":12345678901234567890,"tiny":1e-400,"huge":1e400,"c":0.1000000000000000055511151231257827,"t":true,"no":null,"nest":{"a":[1.0,{}]},"__proto__":{"x":1}',
      '"date":"2020-01-01","constructor":"c","n":-0,"":"empty","я":"\\u0416\\ud83d\\ude00","type":"Feature","rows":[1]',
    ];
    const features = values.map(
      (each) => `{"type":"Feature","properties":{${each}},"geometry":{"type":"Point","coordinates":[1,2]}}`,
    );
    const { text } = await readVector(
      client,
      geojsonFile(`{"type":"FeatureCollection","features":[${features.join()}]}`),
    );
    for (const each of values) assert.ok(text.includes(`{${each}}`), text);
  },
);

claim(
  ['D3V mixed'],
  'points, lines and areas become a GeometryCollection of one union each',
  async (client) => {
    const line = (...coordinates: readonly (readonly number[])[]) => ({ type: 'LineString', coordinates });
    const features = [
      point(1, 1),
      point(2, 2),
      point(1, 1),
      line([10, 10], [11, 10]),
      line([10, 10], [11, 10]),
      box(20, 20, 21, 21),
      box(20.5, 20, 21.5, 21),
    ].map((geometry) => ({ properties: {}, geometry }));
    const { collection: found } = await readVector(client, geojsonFile(collection(features)));
    const { geometry } = found.features[0] ?? assert.fail();
    assert.equal(geometry.type, 'GeometryCollection');
    const parts = new Map(geometry.geometries?.map((part) => [part.type, part.coordinates]));
    assert.deepEqual([...parts.keys()].toSorted(), ['LineString', 'MultiPoint', 'Polygon']);
    assert.deepEqual(parts.get('MultiPoint'), [
      [1, 1],
      [2, 2],
    ]);
    assert.deepEqual(ascending(parts.get('LineString')), [10, 10, 10, 11]);
    assert.equal(doubleArea(Object(parts.get('Polygon'))[0]), 3);
  },
);

claim(
  ['D3V output'],
  'outer rings come out counter-clockwise, holes clockwise, whatever they were',
  async (client) => {
    const ring = (west: number, east: number): number[][] => [
      [west, west],
      [west, east],
      [east, east],
      [east, west],
      [west, west],
    ];
    const geometry = { type: 'Polygon', coordinates: [ring(10, 20), ring(13, 16).toReversed()] };
    const { collection: found } = await readVector(client, featureFile(geometry));
    const [outer, hole] = Object(found.features[0]?.geometry.coordinates);
    assert.deepEqual([doubleArea(outer), doubleArea(hole)], [200, -18]);
    assert.deepEqual([outer.at(0), hole.at(0)], [outer.at(-1), hole.at(-1)]);
  },
);

claim(['D3V output'], 'coordinates have at most seven decimals, rounded, without heights', async (client) => {
  const geometry = {
    type: 'MultiPoint',
    coordinates: [
      [71.123456789, -0.00000012, 300],
      [1e-9, 89.99999999, 5],
    ],
  };
  const { text, collection: found } = await readVector(client, featureFile(geometry));
  assert.deepEqual(ascending(found.features[0]?.geometry.coordinates), [-1e-7, 0, 71.1234568, 90]);
  assert.doesNotMatch(text, /\d\.\d{8}|\de[+-]?\d|-0[,\]]/);
});

claim(['D3V dissolved'], 'what crosses itself is repaired, and the report says so', async (client) => {
  const { dataset, collection: found } = await readVector(
    client,
    await repositoryFile('test/fixtures/vector/self_intersection_large.geojson'),
  );
  assert.equal(found.features[0]?.geometry.type, 'MultiPolygon');
  assert.ok((await warningsOf(client, dataset.id)).includes('geometry_repaired'));
});

/** The same place in Berlin in UTM zone 32 and in degrees. */
const utm = [797494.321955, 5827326.638702] as const;
const berlin = [13.3850234, 52.5146859] as const;

claim(
  ['D3V crs member', 'D3V output'],
  'a crs member that names an EPSG number is moved to longitude and latitude, or left when it names them',
  async (client) => {
    const crsOf = (name: string) => ({ crs: { type: 'name', properties: { name } } });
    const name = 'urn:ogc:def:crs:EPSG::32632';
    const moved = await readVector(client, featureFile(point(...utm), {}, crsOf(name)));
    const [x = NaN, y = NaN] = numbersIn(moved.collection.features[0]?.geometry.coordinates);
    assert.ok(Math.abs(x - berlin[0]) < 2e-7 && Math.abs(y - berlin[1]) < 2e-7, `${x}, ${y}`);
    assert.equal((await readReport(client, moved.dataset.id)).source?.['crs'], 'EPSG:32632');
    const kept = await readVector(client, featureFile(point(71.5, 51.25), {}, crsOf('EPSG:4326')));
    assert.deepEqual(kept.collection.features[0]?.geometry, point(71.5, 51.25));
    assert.deepEqual(await warningsOf(client, kept.dataset.id), []);
    for (const { text } of [moved, kept]) assert.ok(!text.includes('"crs"'));
  },
);

claim(
  ['D3V crs member other', 'D3V crs member GDAL', 'D3V no CRS else'],
  'a crs member that is a link or an unknown number is ignored with a warning when all fits, else the file fails',
  async (client) => {
    const link = { type: 'link', properties: { href: 'http://127.0.0.1:9/crs', type: 'proj4' } };
    const unknown = { type: 'name', properties: { name: 'EPSG:999999' } };
    const ignored = async (crs: object) => {
      const { dataset, collection: found } = await readVector(
        client,
        featureFile(point(71, 51), {}, { crs }),
      );
      assert.deepEqual(found.features[0]?.geometry, point(71, 51));
      assert.ok((await warningsOf(client, dataset.id)).includes('crs_member_ignored'));
    };
    const failed = process(client, 'failed', featureFile(point(...utm), {}, { crs: unknown }));
    await Promise.all([ignored(link), ignored(unknown)]);
    assert.ok((await failed).parse_error);
  },
);

claim(
  ['D3V no CRS else'],
  'coordinates that are no longitude and latitude fail with what to do',
  async (client) => {
    const file = featureFile(point(-360.5, 52.25));
    assert.match((await process(client, 'failed', file)).parse_error ?? '', /-360\.5, 52\.25.*reproject/i);
  },
);
