import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { listed, pointBlob, registered, writeGeoPackage } from '../../../../test/support/geo/geopackages.ts';
import { checkGeoPackage, maxTables } from './check.ts';

const folder = await temporaryFolder();

describe('The check of a GeoPackage', () => {
  let count = 0;
  function write(sql: string, geometries: readonly Uint8Array[] = [pointBlob(70, 50)]): string {
    count += 1;
    return writeGeoPackage(join(folder, `${count}.gpkg`), { geometries, sql });
  }
  const unreadOf = (sql: string) => [...checkGeoPackage(write(sql))];
  const refuses = (sql: string, sentence: RegExp) =>
    assert.throws(() => checkGeoPackage(write(sql)), sentence);

  const rtree = `create virtual table rtree_places_geom using rtree(id, minx, maxx, miny, maxy);
    insert into rtree_places_geom select fid, 70, 70, 50, 50 from places;`;

  test('lets spatial indexes, triggers and registered views be', () => {
    const trigger = 'create trigger t after insert on places begin select nobody_knows_this(new.geom); end;';
    const view = `create view "V" as select fid, st_area(geom) as area, name || "'s" as owner from places;`;
    assert.deepEqual(unreadOf(`${rtree}${trigger}${view}${registered('v')}`), []);
  });

  test('names views that are not registered or that do not work', () => {
    const views = `create view Unknown as select * from places; create view broken as select * from places;`;
    const sql = `${views}create table gone (a); drop view broken; create view broken as select * from gone;
      drop table gone;${registered('broken')}`;
    assert.deepEqual(unreadOf(sql), ['unknown', 'broken']);
  });

  test('refuses virtual tables that are no spatial indexes, however they are written', () => {
    for (const module of [
      'VirtualOGR',
      'VirtualShape',
      'VirtualXPath',
      'fts5',
      'dbstat',
      'geopoly',
      'rtree2',
    ]) {
      const sql = listed('table', 'v', `CREATE VIRTUAL TABLE v USING ${module}(a, b, c)`);
      refuses(sql, /"v" is a virtual table, whose content a program makes up/);
    }
    const commented = listed('table', 'v', 'CREATE/**/VIRTUAL TABLE v USING rtree(a, b, c)');
    refuses(commented, /the definition of its table "v" is wrong|cannot be read/);
    const named = listed('table', 'USING rtree(', 'CREATE VIRTUAL TABLE "USING rtree(" USING VirtualOGR(a)');
    refuses(named, /"USING rtree\(" is a virtual table/);
  });

  test('goes by the SQL of a definition, not by its type', () => {
    for (const type of ['index', 'trigger', 'view', 'strange']) {
      const sql = listed(type, 'v', 'CREATE VIRTUAL TABLE v USING VirtualText(a)');
      refuses(sql, /The GeoPackage is damaged/);
    }
    refuses(listed('table', 'v', 'CREATE VIEW v AS SELECT 1'), /The GeoPackage is damaged/);
  });

  test('finds functions wherever they hide', () => {
    const calls = (name: string) => new RegExp(`calls the function ${name}\\(\\), which may do anything`);
    const nested = `create view inner_one as select fid, evil(name) from places;
      create view middle as select * from inner_one; create view v as select fid from middle;${registered('v')}`;
    refuses(nested, calls('evil'));
    const common = `create view v as with a as (select "Ogr_Geocode"(name) x from places) select x from a;`;
    refuses(`${common}${registered('v')}`, calls('Ogr_Geocode'));
    const filter = `create view v as select fid from places where fid in (select fts3_tokenizer('simple'));`;
    refuses(`${filter}${registered('v')}`, calls('fts3_tokenizer'));
    const column = `create table g (a, b as (abs(a))); pragma writable_schema = on;
      update sqlite_master set sql = replace(sql, 'abs', 'evil') where name = 'g';`;
    refuses(column, calls('evil'));
    const table = `create view v as select name from pragma_database_list;${registered('v')}`;
    refuses(table, /its view "v" reads pragma_database_list, which is not a table of the file/);
  });

  test('finds load_extension in whatever there is', () => {
    refuses(
      `create trigger t after insert on places begin select load_extension('x'); end;`,
      /its trigger "t" mentions load_extension/,
    );
    refuses(`create view v as select "LOAD_EXTENSION"('x');`, /its view "v" mentions load_extension/);
  });

  test('refuses views in the place of tables that are read unasked', () => {
    const shadow = `create view rtree_places_geom_node as select 1 as nodeno, evil() as data;`;
    const index = listed(
      'table',
      'rtree_places_geom',
      'CREATE VIRTUAL TABLE rtree_places_geom USING rtree(a,b,c)',
    );
    refuses(shadow + index, /its view "rtree_places_geom_node" stands where a spatial index/);
    const contents = `alter table gpkg_contents rename to c;
      create view gpkg_contents as select * from c where evil(table_name);`;
    refuses(contents, /its view "gpkg_contents" calls the function evil\(\)/);
  });

  test('refuses views upon views that would multiply', () => {
    const tables = Array.from({ length: 10 }, (_, index) => `v${index}`);
    const views = tables.slice(1).map((name, index) => {
      const columns = Array.from(
        { length: 40 },
        (__, column) => `a.c${column} || b.c${column} as c${column}`,
      );
      return `create view ${name} as select ${columns.join()} from v${index} a, v${index} b;`;
    });
    const first = Array.from({ length: 40 }, (_, column) => `${column} as c${column}`).join();
    const sql = `create view v0 as select ${first};${views.join('')}${registered('v9')}`;
    refuses(sql, /its view "v9" is built on too many others/);
  });

  test('refuses more tables, longer names and longer reference systems than anybody has', () => {
    const many = `pragma writable_schema = on;
      with recursive n (i) as (select 0 union all select i + 1 from n where i < ${maxTables})
      insert into sqlite_master select 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' as select 1' from n;`;
    refuses(many, /more than 10,000 tables and views/);
    refuses(
      `create table "${'x'.repeat(256)}" (a);`,
      /the name of the table "x{60}…" is longer than 255 letters/,
    );
    const definition = `update gpkg_spatial_ref_sys set definition = hex(zeroblob(600000)) where srs_id = 4326;`;
    refuses(definition, /defined by more than 1 MiB of text/);
  });

  test('shows no control characters in its sentences', () => {
    refuses(
      listed('table', 'a\u202eb\n"c', 'CREATE VIRTUAL TABLE "a\u202eb\n""c" USING VirtualText(a)'),
      /: "a b {2}c" is a virtual table/,
    );
  });

  test('refuses trees and values that loop', () => {
    const path = write(
      '',
      Array.from({ length: 40 }, (_, index) => Buffer.alloc(20_000, index)),
    );
    const original = readFileSync(path);
    const pageSize = original.readUInt16BE(16);
    let refused = 0;
    for (let page = 1; page < original.length / pageSize; page += 1) {
      const at = page * pageSize;
      const bytes = Buffer.from(original);
      // The last child of an inner page, or the first overflow page with a successor.
      if (bytes.readUInt8(at) === 5) bytes.writeUInt32BE(page + 1, at + 8);
      else if (bytes.readUInt16BE(at) === 0 && bytes.readUInt32BE(at) > 1) bytes.writeUInt32BE(page + 1, at);
      else continue;
      writeFileSync(path, bytes);
      assert.throws(() => checkGeoPackage(path), /do not fit together|cannot be read/);
      refused += 1;
    }
    assert.ok(refused > 40);
  });
});
