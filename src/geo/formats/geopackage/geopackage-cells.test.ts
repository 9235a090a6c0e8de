import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { describeTable } from './layer-table.ts';
import { openReadOnly } from './sqlite-file.ts';
import { readRows } from './read-rows.ts';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { pointBlob, registered, writeGeoPackage } from '../../../../test/support/geo/geopackages.ts';
import { repetitions } from '../../../../test/support/tier.ts';

const engine = await closeAfterTests(openVectorEngineHere());

describe('The cells of a GeoPackage', () => {
  let count = 0;
  function write(sql: string, geometries: readonly (Buffer | null)[] = [pointBlob(70, 50)]): string {
    count += 1;
    return writeGeoPackage(join(engine.folder, `cells-${count}.gpkg`), { geometries, sql });
  }
  async function table(path: string) {
    const { columns, rowsPath, findings } = await engine.run((geo, task) => geo.readTable(task), path);
    const rows = (await readFile(rowsPath, 'utf8')).trimEnd().split('\n');
    return { columns, rows, warnings: findings.warnings.map(({ code, message }) => `${code}: ${message}`) };
  }
  async function properties(path: string) {
    const { geojsonPath } = await engine.run((geo, task) => geo.assembleVector(task), path);
    const { features } = JSON.parse(await readFile(geojsonPath, 'utf8'));
    return features[0].properties;
  }

  test('of any declared type are cells, also those that are computed', async () => {
    const path = write(`create table t (fid integer primary key, a varchar(20), b decimal(10, 2), c, d bigint,
        e nvarchar(9), f timestamp, g as (b * 2), h as (a || '!') stored, i "odd type");
      insert into t (a, b, c, d, e, f, i) values ('x', '1.50', x'00ff', 9007199254740993, 5, 'May 2020', 9e999);
      delete from places;${registered('t')}`);
    const { columns, rows } = await table(path);
    assert.deepEqual(columns, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
    assert.deepEqual(rows, ['["x",1.5,"00FF",9007199254740993,"5","May 2020",3,"x!","Infinity"]']);
  });

  test('stay in the order of the table, whatever index would give them faster', async () => {
    // SQLite reads only the index, because it is narrower than the table with its geometry.
    const path = write(
      `create index i on places (name);
       update places set name = case fid when 1 then '3' when 2 then '1' else '2' end;`,
      [70, 71, 72].map((longitude) => pointBlob(longitude, 50)),
    );
    assert.deepEqual((await table(path)).rows, ['["3"]', '["1"]', '["2"]']);
  });

  test('keep what stands behind U+0000, and U+FFFD where it is in the file', async () => {
    const path = write(`update places set name = 'a' || char(0) || 'b'; alter table places add column c text;
      update places set c = 'x' || char(65533);`);
    assert.deepEqual((await table(path)).rows, [String.raw`["a\u0000b","x` + '\ufffd"]']);
  });

  test('are read from a file whose texts are in UTF-16', async () => {
    const path = join(engine.folder, 'utf16.gpkg');
    const [utf8, utf16] = [new DatabaseSync(write('')), new DatabaseSync(path)];
    utf16.exec(
      'pragma encoding = "UTF-16le"; pragma application_id = 1196444487; pragma user_version = 10200;',
    );
    for (const { sql } of utf8.prepare('select sql from sqlite_schema where sql is not null').all())
      if (!String(sql).includes('sqlite_sequence')) utf16.exec(String(sql));
    utf16.exec(`drop table places; insert into gpkg_contents (table_name, data_type, identifier) values ('t', 'attributes', 't');
      create table t (fid integer primary key, "Қала" text); insert into t values (1, 'Шымкент 😀');`);
    utf8.close();
    utf16.close();
    assert.deepEqual(await table(path), { columns: ['Қала'], rows: ['["Шымкент 😀"]'], warnings: [] });
  });

  test('of a key are cells when its name says something', async () => {
    const sql = (key: string) => `create table t (${key} integer primary key, v real);
      insert into t values (110000000, 1.5); delete from places;${registered('t')}`;
    assert.deepEqual((await table(write(sql('kato')))).rows, ['[110000000,1.5]']);
    for (const key of ['fid', 'OGC_FID', 'id', 'objectid'])
      assert.deepEqual((await table(write(sql(key)))).rows, ['[1.5]'], key);
  });

  test('of further geometry are named', async () => {
    const path = write('alter table places add column label point; update places set label = geom;');
    const { columns, warnings } = await table(path);
    assert.deepEqual(columns, ['name']);
    assert.deepEqual(warnings, [
      'columns_left_out: The column label contains further geometry and was left out.',
    ]);
    assert.deepEqual(await properties(path), { name: 'place 1' });
  });

  test('of any table come back value for value', () => {
    const kinds = [...declaredTypes];
    const cell = fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
      { weight: 3, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
      fc.constantFrom(
        0n,
        1n,
        '12,5',
        '1 234',
        'н/д',
        '12.7',
        '',
        ' ',
        '2020-05-06',
        '[12]',
        '{"a":1}',
        '\ufffd',
        'a\0b',
      ),
      { weight: 3, arbitrary: fc.double({ noNaN: true }) },
      fc.uint8Array({ maxLength: 8 }),
      fc.constant(null),
    );
    const random = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 8 }).chain((types) =>
      fc.record({
        types: fc.constant(types),
        rows: fc.array(fc.array(cell, { minLength: types.length, maxLength: types.length }), {
          maxLength: 6,
        }),
      }),
    );
    const tables = fc.sample(random, { numRuns: repetitions('TABLES', 100, 400), seed: 29 });
    // SQLite reads all definitions of a file each time it opens it.
    for (let begin = 0; begin < tables.length; begin += 50)
      checkTables(join(engine.folder, `random-${begin}.gpkg`), tables.slice(begin, begin + 50));
  });
});

interface RandomTable {
  readonly types: readonly string[];
  readonly rows: readonly (readonly (null | bigint | number | string | Uint8Array)[])[];
}

/** Writes tables into one file and reads each of them. */
function checkTables(path: string, tables: readonly RandomTable[]): void {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = off; pragma synchronous = off; begin');
  const expected = tables.map(({ types, rows }, index) => {
    database.exec(`create table t${index} (${types.map((type, column) => `c${column} ${type}`).join()})`);
    const insert = database.prepare(`insert into t${index} values (${types.map(() => '?').join()})`);
    for (const row of rows) insert.run(...row);
    return storedTexts(database, index, types);
  });
  database.exec('commit');
  database.close();
  using reading = openReadOnly(path);
  for (const [index, wanted] of expected.entries()) {
    const layer = describeTable(reading, { name: `t${index}`, geometry: undefined, key: '', fields: [] });
    const rows = readRows(path, layer, { withGeometry: false, rowsByGdal: () => [] });
    const texts = Array.from(rows, ({ properties }) => properties?.toString());
    assert.deepEqual(texts, wanted, `${path}, table ${index}: ${tables[index]?.types.join()}`);
  }
}

const declaredTypes =
  `INTEGER INT MEDIUMINT TINYINT SMALLINT BIGINT REAL DOUBLE FLOAT TEXT TEXT(5) VARCHAR(20) NVARCHAR(9)
  BLOB BLOB(3) BOOLEAN DATE DATETIME DECIMAL(10,2) NUMERIC TIMESTAMP TEXT_KZ STRING JSON CLOB MONEY`
    .split(/\s+/)
    .concat('', '"unsigned big int"', 'character varying (7)', 'double precision');

/** Expected text of each row, made from the texts and storage classes that SQLite reports for each cell. */
function storedTexts(database: DatabaseSync, index: number, types: readonly string[]): readonly string[] {
  const asked = types.map(
    (_, column) => `typeof(c${column}), cast(c${column} as text), hex(c${column}), c${column}`,
  );
  const statement = database.prepare(`select ${asked.join()} from t${index} order by rowid`);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  return statement.all().map((row) => {
    assert.ok(Array.isArray(row));
    const cells = types.map((type, column) => {
      const [storage, text, hex, value]: unknown[] = row.slice(4 * column, 4 * column + 4);
      return `"c${column}":${expectedText(type, { storage, text: String(text), hex: String(hex), value })}`;
    });
    return `{${cells.join()}}`;
  });
}

function expectedText(
  type: string,
  cell: { readonly storage: unknown; readonly text: string; readonly hex: string; readonly value: unknown },
): string {
  const isTime = type === 'DATE' || type === 'DATETIME';
  switch (cell.storage) {
    case 'null':
      return 'null';
    case 'blob':
      return `"${cell.hex}"`;
    case 'text':
      return JSON.stringify(Buffer.from(cell.hex, 'hex').toString());
    case 'integer':
      if (type === 'BOOLEAN' && ['0', '1'].includes(cell.text)) return cell.text === '1' ? 'true' : 'false';
      return isTime ? `"${cell.text}"` : cell.text;
    default: {
      const isFinite = Number.isFinite(cell.value);
      return isFinite && !isTime ? String(cell.value) : `"${String(cell.value)}"`;
    }
  }
}
