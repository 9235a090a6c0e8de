import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { UnprocessableFile } from '../../engine.ts';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { createAsking } from '../../../../test/support/hostile/hostile-vectors.ts';
import { hostileZip } from '../../../../test/support/hostile/hostile-zip.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { shapefileOf } from '../../../../test/support/geo/shapefiles.ts';

type Bytes = Uint8Array | string;

const engine = await closeAfterTests(openVectorEngineHere());

describe('A zipped shapefile', () => {
  const { put, partsOf, refused } = createAsking(engine);
  const pack = async (parts: ReadonlyMap<string, Bytes>, stem = 'layer') =>
    await put(hostileZip(Array.from(parts, ([part, bytes]) => ({ name: stem + part, bytes }))));
  async function assemble(path: string) {
    const { geojsonPath, findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
    const { features } = JSON.parse(await readFile(geojsonPath, 'utf8'));
    const [feature] = features;
    return {
      feature,
      rows: feature?.properties.rows,
      findings,
      warnings: findings.warnings.map(({ code }) => code),
    };
  }
  const known = (name: string) => assemble(fixture(`vector/${name}.zip`));
  const at = (geometry: { coordinates: number[] }, [x, y]: readonly [number, number]) => {
    const [lon = NaN, lat = NaN] = geometry.coordinates.flat(3);
    assert.ok(Math.abs(lon - x) < 1e-5 && Math.abs(lat - y) < 1e-5, `${lon}, ${lat}`);
  };

  test('that has more rows than shapes keeps them, without geometry, and says so', async () => {
    const texts = ['a', 'b', 'c', 'd', 'e'].map((text) => Buffer.from(text));
    const { shp, shx, dbf } = shapefileOf({
      points: [
        [70, 50],
        [71, 51],
      ],
      texts,
    });
    for (const parts of [[['.shx', shx]], []] as const) {
      const path = await pack(new Map([['.shp', shp], ...parts, ['.dbf', dbf]]));
      const { feature, rows, findings } = await assemble(path);
      assert.deepEqual(
        rows.map(({ NAME }: { NAME: string }) => NAME),
        ['a', 'b', 'c', 'd', 'e'],
      );
      assert.deepEqual(feature.geometry.coordinates, [
        [70, 50],
        [71, 51],
      ]);
      const warning = findings.warnings.find(({ code }) => code === 'rows_without_shape');
      assert.match(
        warning?.message ?? '',
        /^The \.dbf file has 3 more rows than the \.shp file has shapes; they were kept/,
      );
      assert.equal(findings.source?.layers[0]?.features, 5);
      assert.equal((await engine.run((geo, task) => geo.readTable(task), path)).rowCount, 5);
    }
  });

  test('has all its shapes when its .shx lists fewer than there are shapes and rows', async () => {
    const points = [
      [70, 50],
      [71, 51],
      [72, 52],
    ] as const;
    const { shp, shx, dbf } = shapefileOf({
      points,
      texts: ['a', 'b', 'c'].map((text) => Buffer.from(text)),
    });
    const cut = Buffer.from(shx.subarray(0, 100 + 2 * 8));
    cut.writeInt32BE(cut.length / 2, 24);
    const path = await pack(
      new Map([
        ['.shp', shp],
        ['.shx', cut],
        ['.dbf', dbf],
      ]),
    );
    const { feature, warnings } = await assemble(path);
    assert.deepEqual(feature.geometry.coordinates, points);
    assert.ok(!warnings.includes('rows_without_shape'));
    // A table as long as the index belongs to a .shp in which a shape was deleted.
    const fewer = shapefileOf({ points: [], texts: ['a', 'b'].map((text) => Buffer.from(text)) });
    const edited = await assemble(
      await pack(
        new Map([
          ['.shp', shp],
          ['.shx', cut],
          ['.dbf', fewer.dbf],
        ]),
      ),
    );
    assert.deepEqual(edited.feature.geometry.coordinates, points.slice(0, 2));
  });

  test('keeps texts that look like JSON as texts, in any encoding, also of rows without shapes', async () => {
    // windows-1251: language byte 201.
    const [mountain, river] = [
      Buffer.from([0x5b, 0x22, 0xc3, 0xee, 0xf0, 0xe0, 0x22, 0x5d]),
      Buffer.from('{"a":1}'),
    ];
    const texts = [Buffer.from('[12]'), mountain, river, Buffer.from('[ 7 ]')];
    const parts = shapefileOf({
      points: [
        [70, 50],
        [71, 51],
      ],
      texts,
      languageByte: 201,
    });
    const { rows } = await assemble(
      await pack(
        new Map([
          ['.shp', parts.shp],
          ['.shx', parts.shx],
          ['.dbf', parts.dbf],
        ]),
      ),
    );
    assert.deepEqual(
      rows.map(({ NAME }: { NAME: unknown }) => NAME),
      ['[12]', '["Гора"]', '{"a":1}', '[ 7 ]'],
    );
  });

  describe('in Cyrillic', () => {
    test('has the letters that its language byte says, without a .cpg as with one', async () => {
      const expected = (await known('raiony_cp1251_with_cpg')).rows;
      assert.equal(expected.length, 24);
      assert.match(JSON.stringify(expected), /"ADM2_RU":"Курчатов"/);
      const { rows, findings } = await known('raiony_cp1251_no_cpg');
      assert.deepEqual(rows, expected);
      assert.deepEqual([findings.source?.encoding, findings.source?.encoding_from], ['windows-1251', 'dbf']);
    });

    test('is a table whose rows hold the values as text', async () => {
      const path = fixture('vector/raiony_cp1251_no_cpg.zip');
      const { columns, rowsPath, rowCount, findings } = await engine.run(
        (geo, task) => geo.readTable(task),
        path,
      );
      assert.deepEqual(columns, ['KATO', 'ADM1_RU', 'ADM2_RU', 'ADM1_PCODE', 'ADM2_PCODE']);
      assert.equal(rowCount, 24);
      assert.deepEqual(findings.source?.layers, [
        { name: 'raiony_kz', features: 24, geometry_types: ['Polygon'] },
      ]);
      const lines = (await readFile(rowsPath, 'utf8')).trimEnd().split('\n');
      assert.equal(lines.length, 24);
      assert.match(lines.join(), /\["\d{9}","[А-я-]+","[А-я. -]+","KZ\d\d","KZ\d{6}"\]/);
    });

    test('gets the full names of its columns from the metadata, and a warning', async () => {
      const parts = await partsOf('raiony_cp1251_with_cpg');
      const xml = '<metadata><attr><attrlabl>ADM1_PCODE_2024</attrlabl></attr></metadata>';
      const { rows, warnings } = await assemble(
        await pack(new Map<string, Bytes>([...parts, ['.shp.xml', xml]])),
      );
      assert.deepEqual(Object.keys(rows[0]), ['KATO', 'ADM1_RU', 'ADM2_RU', 'ADM1_PCODE_2024', 'ADM2_PCODE']);
      assert.ok(warnings.includes('names_truncated'));
    });
  });

  test('is read at any depth, in any case, without .shx, .dbf or either', async () => {
    const whole = (await known('poly_nested_folders')).feature;
    assert.equal(whole.properties.rows.length, 10);
    assert.deepEqual((await known('poly_missing_shx')).feature, whole);
    const parts = await partsOf('poly_nested_folders');
    const loud = new Map(Array.from(parts, ([part, bytes]) => [part.toUpperCase(), bytes] as const));
    assert.deepEqual((await assemble(await pack(loud, 'A/B c/Поля'))).feature, whole);
    const [shp, prj] = [parts.get('.shp') ?? '', parts.get('.prj') ?? ''];
    const bare = await assemble(
      await pack(
        new Map<string, Bytes>([
          ['.shp', shp],
          ['.prj', prj],
        ]),
      ),
    );
    assert.deepEqual(bare.feature.geometry, whole.geometry);
    assert.deepEqual(
      bare.rows,
      Array.from({ length: 10 }, () => ({})),
    );
    assert.deepEqual(bare.warnings, ['columns_left_out']);
    await assert.rejects(
      engine.run(
        (geo, task) => geo.readTable(task),
        await pack(
          new Map([
            ['.shp', shp],
            ['.prj', prj],
          ]),
        ),
      ),
      /^UnprocessableFile: The shapefile has no columns, because the archive contains no \.dbf file/,
    );
    const { source } = bare.findings;
    assert.deepEqual([source?.crs, source?.encoding], ['EPSG:27700', null]);
  });

  test('is moved to WGS 84 from any reference system', async () => {
    const dutch = await known('dutch_addresses_28992_shp');
    assert.equal(dutch.findings.source?.crs, 'EPSG:28992');
    assert.deepEqual(dutch.findings.source?.extent, [174420, 450567, 185280, 459543]);
    for (const [lon, lat] of dutch.feature.geometry.coordinates)
      assert.ok(lon > 5.6 && lon < 5.9 && lat > 52 && lat < 52.2);
    const york = await known('nybb_epsg2263');
    assert.equal(york.findings.source?.crs, 'EPSG:2263');
    const [lon, lat] = york.feature.geometry.coordinates.flat(3);
    assert.ok(lon > -74.3 && lon < -73.6 && lat > 40.4 && lat < 41);

    const parts = await partsOf('utf8_property');
    const placed = async (prj: string, x: number, y: number) =>
      await assemble(
        await pack(
          new Map<string, Bytes>([
            ...parts,
            ['.shp', shapefileOf({ points: [[x, y]], texts: [] }).shp],
            ['.prj', prj],
          ]),
        ),
      );
    const pulkovo =
      'GEOGCS["GCS_Pulkovo_1942",DATUM["D_Pulkovo_1942",SPHEROID["Krasovsky_1940",6378245.0,298.3]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
    const moved = (await placed(pulkovo, 71.4, 51.1)).feature.geometry;
    assert.notDeepEqual(moved.coordinates, [71.4, 51.1]);
    assert.ok(Math.hypot(moved.coordinates[0] - 71.4, moved.coordinates[1] - 51.1) < 0.003);
    const wgs84 =
      'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
    const utm = `PROJCS["WGS_1984_UTM_Zone_42N",${wgs84},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",69.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`;
    const inUtm = await placed(utm, 500000, 5654108.6);
    assert.equal(inUtm.findings.source?.crs, 'EPSG:32642');
    assert.equal(inUtm.feature.geometry.coordinates[0], 69);
    assert.ok(Math.abs(inUtm.feature.geometry.coordinates[1] - 51.0376) < 1e-3);
    // Longitudes from 0 to 360.
    at((await placed(wgs84, 190, 60)).feature.geometry, [-170, 60]);
  });

  test('without .prj, or with one that says nothing, is taken as longitude and latitude when that fits', async () => {
    const cities = await known('no_prj_geoserver');
    assert.deepEqual(cities.warnings.toSorted(), ['crs_assumed', 'encoding_guessed']);
    assert.equal(cities.findings.source?.crs, null);
    assert.match(JSON.stringify(cities.rows), /"NAME":"Besançon"|"NAME":"Genève"|[àâçéèêîôùûäöü]/);
    await refused(fixture('vector/slightly_overlapping.zip'), /352785\.904, .* has no \.prj file.*add it/);
    const parts = await partsOf('poly_nested_folders');
    await refused(
      await pack(new Map<string, Bytes>([...parts, ['.prj', 'junk']])),
      /its \.prj file names no known coordinate/,
    );
  });

  test('may name its system in WKT 2, by a PROJ string or a number, and in UTF-16', async () => {
    const parts = await partsOf('utf8_property');
    const placed = async (prj: Bytes, [x, y]: readonly [number, number] = [500_000, 5_654_108.6]) => {
      const { shp } = shapefileOf({ points: [[x, y]], texts: [] });
      return await assemble(await pack(new Map<string, Bytes>([...parts, ['.shp', shp], ['.prj', prj]])));
    };
    const utm2 = `PROJCRS["UTM 42",BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]]],CONVERSION["UTM zone 42N",METHOD["Transverse Mercator"],PARAMETER["Latitude of natural origin",0],PARAMETER["Longitude of natural origin",69],PARAMETER["Scale factor at natural origin",0.9996],PARAMETER["False easting",500000],PARAMETER["False northing",0]],CS[Cartesian,2],AXIS["(E)",east],AXIS["(N)",north],LENGTHUNIT["metre",1]]`;
    const utm1 =
      'PROJCS["WGS_1984_UTM_Zone_42N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",69.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';
    const wide = Buffer.from(`\ufeff${utm1}`, 'utf16le');
    const prjs = [utm2, '+proj=utm +zone=42 +datum=WGS84 +units=m +no_defs', 'EPSG:32642', wide];
    for (const prj of [...prjs, wide.subarray(2), Buffer.from(wide).swap16()]) {
      const { feature, warnings } = await placed(prj);
      const [longitude, latitude] = feature.geometry.coordinates;
      assert.ok(Math.hypot(longitude - 69, latitude - 51.0376) < 1e-3, String(prj));
      assert.deepEqual(warnings, []);
    }
    // The latitude comes first in this CRS, the longitude in every shapefile. The datum is applied.
    const pulkovo2 =
      'GEOGCRS["Pulkovo 1942",DATUM["Pulkovo 1942",ELLIPSOID["Krassowsky 1940",6378245,298.3]],CS[ellipsoidal,2],AXIS["latitude",north],AXIS["longitude",east],ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",4284]]';
    const { feature } = await placed(pulkovo2, [71.4, 51.1]);
    assert.notDeepEqual(feature.geometry.coordinates, [71.4, 51.1]);
    assert.ok(
      Math.hypot(feature.geometry.coordinates[0] - 71.4, feature.geometry.coordinates[1] - 51.1) < 0.003,
    );
    const unknown = await placed('LOCAL_CS["plan"]', [71.4, 51.1]);
    assert.deepEqual(
      unknown.findings.warnings.map(({ code, sentence }) => [code, sentence?.code]),
      [['crs_assumed', 'vector_warning.prjNotUnderstood']],
    );
  });

  test('may have features without geometry, or with coordinates that are no numbers', async () => {
    const holes = await known('null_shapes');
    assert.equal(holes.rows.length, 9);
    assert.ok(holes.feature.geometry.coordinates.length < 9);
    const nan = await known('point_nan');
    assert.deepEqual([nan.feature.geometry.type, nan.rows.length], ['Point', 2]);
  });

  test('that is damaged is refused, with what had been found', async () => {
    const parts = await partsOf('poly_nested_folders');
    const shp = parts.get('.shp') ?? Buffer.alloc(0);
    const [broken, shx] = [Buffer.from(shp), parts.get('.shx') ?? Buffer.alloc(0)];
    // Number of rings of the fifth polygon.
    broken.writeInt32LE(0x7fffffff, shx.readInt32BE(100 + 4 * 8) * 2 + 8 + 36);
    const damaged = await pack(new Map<string, Bytes>([...parts, ['.shp', broken]]));
    await assert.rejects(assemble(damaged), (error) => {
      assert.ok(error instanceof UnprocessableFile);
      assert.match(error.message, /damaged: feature 5 cannot be read/);
      assert.equal(error.findings.source?.driver, 'ESRI Shapefile');
      return true;
    });
  });
});
