import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Problem } from '../../../lib/errors.ts';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';

const engine = await closeAfterTests(openVectorEngineHere());
const { default: gdal } = await import('gdal-async');

describe('A GeoJSON file', () => {
  async function assemble(path: string): Promise<string> {
    const { geojsonPath } = await engine.run((geo, task) => geo.assembleVector(task), path);
    return await readFile(geojsonPath, 'utf8');
  }
  async function assembleText(text: string | Uint8Array): Promise<string> {
    const path = join(engine.folder, 'input.geojson');
    await writeFile(path, text);
    return await assemble(path);
  }
  const feature = (text: string) => {
    const collection = JSON.parse(text);
    assert.deepEqual(Object.keys(collection), ['type', 'features']);
    assert.equal(collection.features.length, 1);
    return collection.features[0];
  };
  const refused = (text: string | Uint8Array, sentence: RegExp) =>
    assert.rejects(
      assembleText(text),
      (error) => error instanceof Problem && error.code === 'invalid' && sentence.test(error.message),
    );

  test('in every other valid form is understood', async () => {
    for (const name of [
      'bare_geometry',
      'utf8_bom',
      'null_geometry',
      'null_properties',
      'unicode_attrs',
      'reserved_names',
      'multi_geometries',
      '3d_point',
      'nested_attrs',
    ]) {
      const { geometry } = feature(await assemble(fixture(`vector/${name}.geojson`)));
      assert.ok(gdal.Geometry.fromGeoJson(geometry).isValid(), name);
    }
  });

  test('whose parts of a polygon overlap says so, and not one whose parts touch or lie apart', async () => {
    const square = (x: number, y: number, side: number) => [
      [
        [x, y],
        [x + side, y],
        [x + side, y + side],
        [x, y + side],
        [x, y],
      ],
    ];
    const outcomeOf = async (coordinates: readonly unknown[], type = 'MultiPolygon') => {
      const path = join(engine.folder, 'parts.geojson');
      const geometry =
        type === 'MultiPolygon'
          ? { type, coordinates }
          : { type, geometries: coordinates.map((each) => ({ type: 'Polygon', coordinates: each })) };
      await writeFile(path, JSON.stringify({ type: 'Feature', properties: {}, geometry }));
      const { findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
      return findings.warnings.map(({ code, sentence }) => [code, sentence?.code, sentence?.facts]);
    };
    const hole = [square(66, 48, 4), square(67, 49, 2)];
    const overlap = ['geometry_repaired', 'vector_warning.partsOverlap', [1, 1]];
    assert.deepEqual(await outcomeOf(hole), [overlap]);
    assert.deepEqual(await outcomeOf([square(66, 48, 2), square(68, 48, 2), square(71, 50, 2)]), []);
    assert.deepEqual(await outcomeOf(hole, 'GeometryCollection'), []);
  });

  test('whose holes overlap, or go beyond their outline, has no land in them', async () => {
    const square = (x: number, y: number, side: number) => [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
      [x, y],
    ];
    const areaOf = async (...rings: readonly number[][][]) => {
      const geometry = { type: 'Polygon', coordinates: rings };
      const text = await assembleText(JSON.stringify({ type: 'Feature', properties: {}, geometry }));
      const land = gdal.Geometry.fromGeoJson(feature(text).geometry);
      return land instanceof gdal.Polygon || land instanceof gdal.MultiPolygon ? land.getArea() : 0;
    };
    const outline = square(60, 40, 8);
    assert.equal(await areaOf(outline, square(61, 41, 3), square(63, 43, 3)), 64 - 17);
    assert.equal(await areaOf(outline, square(66, 42, 4)), 64 - 8);
    assert.equal(await areaOf(outline, square(60, 42, 2)), 64 - 4);
    // Rings in another order, or of several parts: the area that they cover is land.
    assert.equal(await areaOf(square(61, 41, 2), outline), 64 - 4);
    assert.equal(await areaOf(outline, square(70, 42, 2)), 64 + 4);
  });

  test('across the antimeridian is cut there', async () => {
    const { geometry } = feature(await assemble(fixture('vector/antimeridian.geojson')));
    const [west, south, east, north] = [177.912, -18.288, -179.794, -16.152];
    const ring = (from: number, to: number) =>
      new Set([from, to].flatMap((x) => [`${x},${south}`, `${x},${north}`]));
    assert.equal(geometry.type, 'MultiPolygon');
    const corners = geometry.coordinates.map(([outer]: number[][][]) => new Set(outer?.map(String)));
    assert.deepEqual(corners, [ring(west, 180), ring(-180, east)]);
  });

  test('that has lines or polygons without extent tells of them; when nothing else is left it is refused', async () => {
    const collectionOf = (...geometries: object[]) =>
      JSON.stringify({
        type: 'FeatureCollection',
        features: geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
      });
    const millimetre = [0, 1e-8].flatMap((x) =>
      [0, 1e-8].map((y) => [70 + x, 50 + (x === 0 ? y : 1e-8 - y)]),
    );
    const nothing = [
      { type: 'Polygon', coordinates: [[...millimetre, millimetre[0]]] },
      {
        type: 'Polygon',
        coordinates: [
          [
            [70, 50],
            [71, 51],
            [70, 50],
            [70, 50],
          ],
        ],
      },
      {
        type: 'Polygon',
        coordinates: [
          [
            [70, 50],
            [71, 51],
          ],
        ],
      },
      {
        type: 'LineString',
        coordinates: [
          [70, 50],
          [70, 50.000_000_01],
        ],
      },
      { type: 'LineString', coordinates: [[70, 50]] },
    ];
    const path = join(engine.folder, 'lost.geojson');
    const point = { type: 'Point', coordinates: [70, 50] };
    await writeFile(path, collectionOf(point, ...nothing));
    const { findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
    const warning = findings.warnings.find(({ code }) => code === 'geometry_lost');
    assert.match(
      warning?.message ?? '',
      /^5 lines or polygons have no extent, .* the first is in feature 2\.$/,
    );
    for (const each of nothing)
      await refused(collectionOf(each), /^Nothing of the geometry is left: .* that of feature 1\./);
    const empty = { type: 'Polygon', coordinates: [] };
    assert.deepEqual(JSON.parse(await assembleText(collectionOf(empty))).features, []);
  });

  test('is moved to WGS 84 when its crs member names an EPSG number', async () => {
    const { geometry } = feature(await assemble(fixture('vector/crs_defined.geojson')));
    assert.ok(!(await assemble(fixture('vector/crs_defined.geojson'))).includes('crs'));
    // UTM zone 32 north, computed by PROJ's cs2cs: 797494.321955 5827326.638702.
    assert.ok(
      geometry.coordinates[0].some(
        ([x, y]: [number, number]) => Math.abs(x - 13.3850234) < 2e-7 && Math.abs(y - 52.5146859) < 2e-7,
      ),
    );
  });

  test('with a crs member that is not understood is taken as it is when its coordinates fit', async () => {
    const withCrs = (crs: unknown, x: number) =>
      JSON.stringify({
        type: 'Feature',
        crs,
        properties: {},
        geometry: { type: 'Point', coordinates: [x, 50] },
      });
    const link = { type: 'link', properties: { href: 'http://127.0.0.1:9/', type: 'proj4' } };
    assert.deepEqual(feature(await assembleText(withCrs(link, 60))).geometry.coordinates, [60, 50]);
    const unknown = { type: 'name', properties: { name: 'EPSG:999999' } };
    assert.deepEqual(feature(await assembleText(withCrs(unknown, 60))).geometry.coordinates, [60, 50]);
    await refused(withCrs(unknown, 600_000), /feature 1 is not longitude and latitude: its "crs" member/);
  });

  test('that has the latitude first is refused with how to mend it, if all of it would fit so', async () => {
    const line = (...coordinates: (readonly [number, number])[]) => ({ type: 'LineString', coordinates });
    const collectionOf = (...geometries: object[]) => {
      const features = geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry }));
      return JSON.stringify({ type: 'FeatureCollection', features });
    };
    const swapped = /51\.1, 171\.4 of feature 2 .*look swapped.*write the longitude first/;
    const shore = line([50, 80], [51.1, 171.4], [52, -170]);
    await refused(collectionOf(line([40, 70], [41, 71]), shore), swapped);
    for (const crs of [undefined, { type: 'link', properties: {} }]) {
      await refused(JSON.stringify({ ...line([51.1, 171.4], [51, 171]), crs }), /look swapped/);
    }
    const reproject = /feature [12] is not longitude and latitude: .*reproject it to EPSG:4326\.$/;
    await refused(collectionOf(line([120, 70], [121, 71]), shore), reproject);
    await refused(collectionOf(line([51.1, 171.4], [120, 45])), reproject);
    await refused(collectionOf(line([51.1, 181], [51, 171])), reproject);
  });

  test('is refused with what to do when it cannot be used', async () => {
    await refused('{"type":"Point","coordinates":[-360.5,52]}', /-360\.5, 52.*reproject/);
    await refused('{"type":"FeatureCollection","features":[', /line 1, column 41 the file ends/);
    await refused(Uint8Array.from([0x7b, 0x22, 0xff]), /not UTF-8/);
    await refused(
      '{"type":"Point","coordinates":["a",1]}',
      /feature 1 has a coordinate that is not a number/,
    );
    await refused('{"type":"Point","coordinates":[1e999,1]}', /not a number/);
    await refused('PK\u0003\u0004rest', /archive .* is damaged or cut short/);
    await refused('SQLite format 3\0rest', /GeoPackage is damaged: .* cut short/);
  });
});

describe('The attribute table of a GeoJSON file', () => {
  async function read(text: string) {
    const path = join(engine.folder, 'input.geojson');
    await writeFile(path, text);
    const { columns, rowsPath, rowCount, findings } = await engine.run(
      (geo, task) => geo.readTable(task),
      path,
    );
    const lines = (await readFile(rowsPath, 'utf8')).split('\n');
    assert.equal(lines.pop(), '');
    assert.equal(lines.length, rowCount);
    return { columns, lines, warnings: findings.warnings };
  }

  test('has one line per feature, in the order of the columns, with the digits of the file', async () => {
    const { columns, lines, warnings } = await read(`{"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"kato":"10","2020":1.10,"note":{"a":[1,\n 2]}},"geometry":{"type":"Nonsense"}},
      {"type":"Feature","properties":{"2021":12345678901234567890,"kato":"11"}},
      {"type":"Feature","properties":null},
      {"type":"Feature","properties":{"__proto__":"x","2020":null,"2020":"2\u2028"}}]}`);
    assert.deepEqual(columns, ['kato', '2020', 'note', '2021', '__proto__']);
    assert.deepEqual(lines, [
      '["10",1.10,{"a":[1,  2]}]',
      '["11",null,null,12345678901234567890]',
      '[]',
      '[null,"2\\u2028",null,null,"x"]',
    ]);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['property_repeated'],
    );
    assert.match(warnings[0]?.message ?? '', /^The property “2020” occurs several times .* in feature 4\. /);
  });

  test('is refused without columns', async () => {
    const nothing = (error: unknown) =>
      error instanceof Problem && /no columns.*nothing to map/.test(error.message);
    await assert.rejects(read('{"type":"FeatureCollection","features":[]}'), nothing);
    await assert.rejects(
      read('{"type":"FeatureCollection","features":[{"type":"Feature","properties":{}}]}'),
      nothing,
    );
    await assert.rejects(read('{"type":"Point","coordinates":[1,2]}'), nothing);
  });
});
