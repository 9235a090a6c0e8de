import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UnprocessableFile } from '../../engine.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { pointBlob, writeGeoPackage } from '../../../../test/support/geo/geopackages.ts';

const engine = await closeAfterTests(openVectorEngineHere());

async function assemble(path: string) {
  const { geojsonPath, findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
  const { features } = JSON.parse(await readFile(geojsonPath, 'utf8'));
  const warnings = findings.warnings.map(({ code, message }) => [code, message] as const);
  return { geometry: features[0]?.geometry, codes: warnings.map(([code]) => code), warnings };
}

type Position = readonly [x: number, y: number];

async function fromGeoJson(positions: readonly Position[], crs?: unknown) {
  const path = join(engine.folder, 'places.geojson');
  const features = positions.map((coordinates) => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Point', coordinates },
  }));
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', crs, features }));
  return await assemble(path);
}

async function fromGeoPackage(positions: readonly Position[], sql?: string) {
  const path = join(engine.folder, `places-${positions.join('-')}-${sql?.length ?? 0}.gpkg`);
  const geometries = positions.map(([x, y]) => pointBlob(x, y));
  return await assemble(writeGeoPackage(path, { geometries, ...(sql !== undefined && { sql }) }));
}

const turned: readonly Position[] = [
  [71, 51],
  [190, 60],
  [-200, 60],
  [-360, 51],
];
const turnedSentence =
  '3 features have longitudes beyond 180°, the first of them feature 2; they were brought between -180° and 180°.';

describe('Longitudes beyond 180° are brought back with a warning', () => {
  test('in GeoJSON without a system, which may reach around the earth', async () => {
    const { geometry, warnings } = await fromGeoJson(turned);
    assert.deepEqual(geometry.coordinates.toSorted(), [
      [-170, 60],
      [0, 51],
      [160, 60],
      [71, 51],
    ]);
    assert.deepEqual(warnings, [['longitudes_turned', turnedSentence]]);
  });

  test('in GeoJSON that names its system, or one that is not understood', async () => {
    const named = (name: string) => ({ type: 'name', properties: { name } });
    assert.deepEqual((await fromGeoJson(turned, named('CRS84'))).warnings, [
      ['longitudes_turned', turnedSentence],
    ]);
    assert.deepEqual((await fromGeoJson(turned, named('EPSG:4284'))).codes, ['longitudes_turned']);
    assert.deepEqual((await fromGeoJson(turned, named('nonsense'))).codes, [
      'crs_member_ignored',
      'longitudes_turned',
    ]);
  });

  test('in a GeoPackage', async () => {
    assert.deepEqual((await fromGeoPackage(turned)).warnings, [['longitudes_turned', turnedSentence]]);
  });

  test('but not those of metres near 180°', async () => {
    const utm1 = { type: 'name', properties: { name: 'EPSG:32601' } };
    assert.deepEqual((await fromGeoJson([[200_000, 7_000_000]], utm1)).codes, []);
  });
});

describe('Coordinates that would all lie in Kazakhstan the other way round', () => {
  const swapped: readonly Position[] = [
    [51.1, 71.4],
    [43.2, 76.9],
  ];
  test('are kept with a warning', async () => {
    const { geometry, codes } = await fromGeoJson(swapped);
    assert.deepEqual(geometry.coordinates.toSorted(), swapped.toReversed());
    assert.deepEqual(codes, ['axes_maybe_swapped']);
    assert.deepEqual((await fromGeoPackage(swapped)).codes, ['axes_maybe_swapped']);
  });

  test('need none when one lies there as it is, or elsewhere', async () => {
    assert.deepEqual((await fromGeoJson([...swapped, [71.4, 51.1]])).codes, []);
    assert.deepEqual((await fromGeoJson([...swapped, [10, 50]])).codes, []);
    assert.deepEqual((await fromGeoJson([[50, 50]])).codes, []);
    assert.deepEqual((await fromGeoJson([])).codes, ['empty_layer']);
  });
});

describe('A system of coordinates', () => {
  const define = (datum: string) =>
    `insert into gpkg_spatial_ref_sys values ('local', 100001, 'NONE', 100001, 'GEOGCS["GCS",DATUM["${datum}",SPHEROID["Krasovsky_1940",6378245,298.3]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]', null);
     update gpkg_geometry_columns set srs_id = 100001; update gpkg_contents set srs_id = 100001;`;

  test('whose datum is unknown is read as if on WGS 84, with a warning', async () => {
    const { geometry, codes } = await fromGeoPackage([[69, 51]], define('D_Local_Shymkent'));
    assert.deepEqual([geometry.coordinates, codes], [[69, 51], ['datum_unknown']]);
  });

  test('whose datum is known by its name alone is read with its shift', async () => {
    const { geometry, codes } = await fromGeoPackage([[69, 51]], define('Pulkovo_1942'));
    // From pyproj for EPSG:4284.
    const [longitude, latitude] = geometry.coordinates;
    assert.ok(Math.hypot(longitude - 68.9990751, latitude - 51.0003979) < 1e-6, geometry.coordinates);
    assert.deepEqual(codes, []);
  });
});

describe("GDAL's own warnings of a vector file are in its report", () => {
  const planted = 'pragma user_version = 19999;';
  const saidOf = (warnings: readonly (readonly [code: string, message: string])[]) =>
    warnings.filter(([code]) => code === 'other_warnings').map(([, message]) => message);

  test('when it is read', async () => {
    const [message = '', ...others] = saidOf((await fromGeoPackage([[71, 51]], planted)).warnings);
    assert.match(message, /^GDAL also reports(?: \(\d+ times\))?: .*user_version=0x00004E1F.* on 'the file'/);
    assert.deepEqual(others, []);
  });

  test('and when it is refused', async () => {
    const far = fromGeoPackage([[71, 510]], planted);
    await assert.rejects(far, (error) => {
      assert.ok(error instanceof UnprocessableFile);
      const warnings = error.findings.warnings.map(({ code, message }) => [code, message] as const);
      assert.match(saidOf(warnings)[0] ?? '', /user_version=0x00004E1F/);
      return true;
    });
  });

  test('but there is none of a sound one', async () => {
    assert.deepEqual((await fromGeoPackage([[71, 51]])).codes, []);
  });
});
