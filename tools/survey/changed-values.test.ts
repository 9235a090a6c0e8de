import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { hostileZip } from '../../test/support/hostile/hostile-zip.ts';
import { changedCells } from './changed-values.ts';
import { readGeoPackage, readZippedDbf } from './stored-tables.ts';

const folder = await temporaryFolder();

const geoJsonOf = (...rows: readonly object[]): string =>
  JSON.stringify({ features: [{ properties: rows.length === 1 ? rows[0] : { rows } }] });

test('a value that is written in another way is the same', () => {
  const columns = ['a', 'b', 'c', 'd', 'e', 'f'];
  const rows = [['12.70', '20200131', 'T', ' x', null, '{"k": 1}']];
  const properties = { a: 12.7, b: '2020-01-31', c: true, d: 'x', e: null, f: { k: 1 } };
  assert.deepEqual(changedCells({ columns, rows }, geoJsonOf(properties)), []);
});

test('a value that is another one is named, and so is a key that is gone', () => {
  const changed = (cell: string | null, properties: object) =>
    changedCells({ columns: ['n'], rows: [[cell], [cell]] }, geoJsonOf({ n: cell }, properties));
  assert.deepEqual(changed('12.7', { n: 12 }), ['row 2: "n" is 12, in the file 12.7']);
  assert.deepEqual(changed('', { n: 0 }), ['row 2: "n" is 0, in the file ']);
  assert.deepEqual(changed('да', { n: false }), ['row 2: "n" is false, in the file да']);
  assert.deepEqual(changed(null, { n: '?' }), ['row 2: "n" is "?", in the file missing']);
  assert.deepEqual(changed(null, {}), ['row 2 has no property "n"']);
});

test('what lies nowhere has nothing to compare', () => {
  assert.deepEqual(changedCells({ columns: ['n'], rows: [['1']] }, '{"features":[]}'), []);
});

test('a GeoPackage has what SQLite stores, without key and geometry', () => {
  const path = join(folder, 'a.gpkg');
  const database = new DatabaseSync(path);
  database.exec(`create table gpkg_geometry_columns (table_name text, column_name text);
    insert into gpkg_geometry_columns values ('t', 'geom');
    create table t (fid integer primary key, geom blob, "i" integer, m mediumint);
    insert into t values (1, x'00', 12.7, 9007199254740993), (2, null, 'abc', x'0aff');
    create view v as select * from t;`);
  database.close();
  assert.deepEqual(readGeoPackage(path, 't'), {
    columns: ['i', 'm'],
    rows: [
      ['12.7', '9007199254740993'],
      ['abc', '0AFF'],
    ],
  });
  assert.equal(readGeoPackage(path, 'v'), undefined);
});

test('a .dbf has what its bytes say, without deleted rows', async () => {
  const field = (name: string, type: string, length: number) => {
    const bytes = Buffer.alloc(32);
    bytes.write(name);
    bytes.write(type, 11);
    bytes[16] = length;
    return bytes;
  };
  const head = Buffer.alloc(32);
  head.set([3, 0, 0, 0, 3, 0, 0, 0, 129, 0, 13, 0]);
  const rows = [' 12,520201340x', '*   1202001012', ' ****00000000 '].map((row) => Buffer.from(row));
  head.writeUInt16LE(14, 10);
  const table = Buffer.concat([
    head,
    field('N', 'N', 4),
    field('D', 'D', 8),
    field('C', 'C', 1),
    Buffer.from('\r'),
    ...rows,
  ]);
  const zip = hostileZip([{ name: 'a/t.DBF', bytes: table }]);
  assert.deepEqual(await readZippedDbf(zip), {
    columns: ['N', 'D', 'C'],
    rows: [
      ['12,5', '20201340', 'x'],
      [null, null, null],
    ],
  });
});
