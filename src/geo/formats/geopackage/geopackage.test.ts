import assert from 'node:assert/strict';
import { chmod, copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UnprocessableFile } from '../../engine.ts';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { pointBlob, registered, writeGeoPackage } from '../../../../test/support/geo/geopackages.ts';

const engine = await closeAfterTests(openVectorEngineHere());
const { default: gdal } = await import('gdal-async');

describe('A GeoPackage', () => {
  async function assemble(path: string) {
    const { geojsonPath, findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
    const collection = JSON.parse(await readFile(geojsonPath, 'utf8'));
    const warnings = findings.warnings.map(({ code }) => code);
    return { collection, feature: collection.features[0], source: findings.source, findings, warnings };
  }
  async function table(path: string) {
    const { columns, rowsPath } = await engine.run((geo, task) => geo.readTable(task), path);
    return { columns, rows: (await readFile(rowsPath, 'utf8')).trimEnd().split('\n') };
  }
  const known = (name: string) => assemble(fixture(`vector/${name}.gpkg`));
  const empty = { type: 'FeatureCollection', features: [] };

  /** Creates a GeoPackage with one layer in UTM 42 north. */
  function create(name: string, geometries: readonly string[]): string {
    const path = join(engine.folder, `${name}.gpkg`);
    const dataset = gdal.drivers.get('GPKG').create(path);
    const layer = dataset.layers.create(name, gdal.SpatialReference.fromEPSG(32642), 0);
    for (const wkt of geometries) {
      const feature = new gdal.Feature(layer);
      feature.setGeometry(gdal.Geometry.fromWKT(wkt));
      layer.features.add(feature);
    }
    dataset.close();
    return path;
  }

  test('of attributes alone is a table; as a vector it is an empty collection', async () => {
    const { columns, rows } = await table(fixture('vector/attributes_only.gpkg'));
    assert.equal(columns.length, 9);
    assert.equal(rows.length, 10);
    assert.match(
      rows[0] ?? '',
      /^\["attributes",1839\.65855330325\d*,true,"6F6E6C7A74",302,"dwhgl",.*"2018-08-29",/,
    );
    assert.deepEqual((await known('attributes_only')).collection, empty);
  });

  test('of raster tiles is refused with what to do', async () => {
    const path = join(engine.folder, 'tiles.gpkg');
    const tiles = gdal.drivers.get('GPKG').create(path, 256, 256, 1, gdal.GDT_Byte);
    tiles.srs = gdal.SpatialReference.fromEPSG(4326);
    tiles.geoTransform = [60, 0.01, 0, 50, 0, -0.01];
    tiles.bands.get(1).pixels.set(3, 3, 7);
    tiles.close();
    const message = /has rasters but no vector layer\. Upload the raster as a GeoTIFF \(\.tif\)/;
    for (const read of [assemble, table])
      await assert.rejects(read(path), { name: 'UnprocessableFile', message });
  });

  test('keeps its texts as they are, also those that look like JSON', async () => {
    const texts = [
      '[12]',
      '[ 1 , 2 ]',
      '[1,[2.50]]',
      '["Шу"]',
      '{"a":1}',
      '{}',
      ' [12]',
      '(1:7)',
      '[x',
      '12',
    ];
    const path = join(engine.folder, 'texts.gpkg');
    writeGeoPackage(path, {
      geometries: texts.map((_, index) => pointBlob(70 + index, 50)),
      sql: `alter table places add column json text; alter table places add column number integer;
        create table gpkg_data_columns (table_name text, column_name text, name text, title text, description text,
          mime_type text, constraint_name text);
        insert into gpkg_data_columns (table_name, column_name, mime_type) values ('places', 'json', 'application/json');
        ${texts.map((text, index) => `update places set name = '${text}', json = '${text}', number = ${index} where fid = ${index + 1};`).join('\n')}`,
    });
    const { feature } = await assemble(path);
    const rows: readonly Record<string, unknown>[] = feature.properties.rows;
    assert.deepEqual(
      rows.map(({ name, number }) => [name, number]),
      texts.map((text, index) => [text, index]),
    );
    const declared = rows.slice(0, 6).map(({ json }) => json);
    assert.deepEqual(declared, [[12], [1, 2], [1, [2.5]], ['Шу'], { a: 1 }, {}]);
    const cells = (await table(path)).rows.map((row) => JSON.parse(row)[0]);
    assert.deepEqual(cells, texts);
  });

  test('is read by its tables, however they are listed', async () => {
    let files = 0;
    const made = (options: Parameters<typeof writeGeoPackage>[1]) =>
      writeGeoPackage(join(engine.folder, `listed-${(files += 1)}.gpkg`), options);
    const values = `create table measured (id integer primary key, kato text, "2020" real);
      insert into measured (kato, "2020") values ('110000000', 1.5);`;
    const styles = `create table layer_styles (id integer primary key, styleQML text);
      insert into layer_styles (styleQML) values ('<qgis/>'); ${registered('layer_styles')}`;
    // gpkg_contents without the table of values, but with a table of QGIS.
    const unnamed = made({
      geometries: [],
      sql: `delete from gpkg_contents; drop table places; ${values} ${styles}`,
    });
    assert.deepEqual((await table(unnamed)).rows, ['["110000000",1.5]']);
    const { source } = await assemble(made({ sql: values + styles }));
    assert.deepEqual(
      source?.layers.map(({ name }) => name),
      ['places', 'measured'],
    );
    // Another case than that of the table, and triggers that would undo the repair.
    const capitals = `update gpkg_contents set table_name = 'PLACES';
      create trigger undone before update on gpkg_contents begin select raise(abort, 'no'); end;`;
    const { feature } = await assemble(made({ sql: capitals }));
    assert.deepEqual([feature.geometry.coordinates, feature.properties], [[70, 50], { name: 'place 1' }]);
    // Two columns of geometry, which violates the format.
    const second = Buffer.from(pointBlob(71, 51)).toString('hex');
    const twice = made({
      sql: `alter table places add column centre point; update places set centre = x'${second}';
        insert into gpkg_geometry_columns values ('places', 'centre', 'POINT', 4326, 0, 0);`,
    });
    const two = await assemble(twice);
    assert.deepEqual([two.feature.geometry.coordinates, two.source?.crs], [[70, 50], 'EPSG:4326']);
  });

  test('that may only be read is completed all the same', async () => {
    const path = join(engine.folder, 'read-only.gpkg');
    await copyFile(fixture('vector/attributes_only.gpkg'), path);
    await chmod(path, 0o400);
    assert.equal((await table(path)).rows.length, 10);
  });

  test('is moved to WGS 84; geometry that is missing does not hinder it', async () => {
    const golden = await known('poly_golden');
    assert.equal(golden.source?.crs, 'EPSG:27700');
    assert.deepEqual(golden.source?.extent, [478315.53125, 4762880.5, 481645.3125, 4765610.5]);
    assert.equal(golden.feature.properties.rows.length, 10);
    const first = await known('first_geometry_null');
    assert.equal(first.feature.properties.rows.length, 2);
    assert.equal(first.feature.geometry.type, 'MultiPolygon');
    assert.equal((await known('geometrycollection')).feature.geometry.type, 'Polygon');
  });

  test('may hold rasters too, which are left alone', async () => {
    const { feature, source } = await known('raster_and_vector');
    assert.equal(source?.layer, 'poly');
    assert.equal(feature.properties.rows.length, 10);
  });

  test('is not believed when it counts its features', async () => {
    const table = fixture('vector/huge_feature_count.gpkg');
    await assert.rejects(assemble(table), (error) => {
      assert.ok(error instanceof UnprocessableFile);
      // The only feature lies at latitude -293.
      assert.match(error.message, /feature 1 is not longitude and latitude/);
      assert.equal(error.findings.source?.layers[0]?.features, null);
      return true;
    });
  });

  test('has its curves turned into lines, heights and measures left out', async () => {
    const arc = 'CIRCULARSTRING (500000 5500000,501000 5501000,502000 5500000)';
    const path = create('curves', [
      `COMPOUNDCURVE (${arc},(502000 5500000,503000 5500000))`,
      'POINT ZM (500000 5400000 3 4)',
      'POLYGON Z ((500000 5300000 1,501000 5300000 1,501000 5301000 2,500000 5300000 1))',
    ]);
    const { geometries } = (await assemble(path)).feature.geometry;
    const [point, line, area] = geometries;
    assert.deepEqual([point.type, line.type, area.type], ['Point', 'LineString', 'Polygon']);
    assert.equal(point.coordinates.length, 2);
    assert.equal(area.coordinates[0].length, 4);
    assert.ok(line.coordinates.length > 40);
    assert.deepEqual(line.coordinates[0], [69, 49.6525429]);
    const highest = Math.max(...line.coordinates.map(([, lat]: [number, number]) => lat));
    assert.ok(Math.abs(highest - 49.6615) < 1e-3);
    const collection = create('collection', [`GEOMETRYCOLLECTION (${arc},POINT (600000 5600000))`]);
    const both = (await assemble(collection)).feature.geometry;
    assert.deepEqual(
      both.geometries.map(({ type }: { type: string }) => type),
      ['Point', 'LineString'],
    );
  });

  test('is only read: nothing is written to it or beside it', async () => {
    const path = join(engine.folder, 'untouched.gpkg');
    await copyFile(fixture('vector/attributes_only.gpkg'), path);
    const [bytes, before] = [await readFile(path), await readdir(engine.folder)];
    const { mtimeMs } = await stat(path);
    await assemble(path);
    assert.deepEqual(await readFile(path), bytes);
    assert.equal((await stat(path)).mtimeMs, mtimeMs);
    const beside = (await readdir(engine.folder)).filter((name) => name.startsWith('untouched'));
    assert.deepEqual(
      beside,
      before.filter((name) => name.startsWith('untouched')),
    );
  });

  test('that was left with a write-ahead log is read without it', async () => {
    const path = join(engine.folder, 'log.gpkg');
    await copyFile(fixture('vector/multi_layer.gpkg'), path);
    const bytes = await readFile(path);
    bytes.set([2, 2], 18);
    await writeFile(path, bytes);
    assert.equal((await assemble(path)).feature.properties.rows.length, 2);
    assert.deepEqual(await readFile(path), bytes);
  });
});
