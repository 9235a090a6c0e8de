import assert from 'node:assert/strict';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { packageColumns } from '../../tables/export/geopackage/columns.ts';
import { makeFeaturePackage, refuseLargePackage } from '../../tables/export/geopackage/feature-package.ts';
import {
  DatabaseTooLarge,
  limitOf,
  openNamelessDatabase,
} from '../../tables/export/geopackage/nameless-database.ts';
import { Problem } from '../../lib/errors.ts';
import { MiB } from '../../lib/units.ts';
import { openVectorEngineHere } from '../../../test/support/geo/engine-here.ts';
import { readerOf } from '../../../test/support/geo/feature-files.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const engine = await closeAfterTests(openVectorEngineHere());
const folder = join(engine.folder, 'scratch', 'packages');
const facts = {
  name: 'Реки',
  description: 'd',
  changedAt: new Date('2026-01-02T03:04:05.6Z'),
  style: { qml: '<qgis/>', sld: null },
};

async function sourceOf(name: string, features: readonly object[]) {
  const path = join(engine.folder, `${name}.geojson`);
  const all = features.map((feature) => ({ type: 'Feature', ...feature }));
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features: all }));
  const written = await engine.run((geo, task) => geo.writeFeatures(task), path);
  const { files, open } = readerOf(await readFile(written.features?.path ?? assert.fail()));
  const file = await open();
  return { files, file, columns: packageColumns(file.columns) };
}

async function bytesOf(source: Awaited<ReturnType<typeof sourceOf>>): Promise<Buffer> {
  using made = await makeFeaturePackage(source, facts, { folder, signal: new AbortController().signal });
  assert.deepEqual(await readdir(folder), [], 'its file has no name');
  const bytes = Buffer.alloc(made.sizeBytes);
  assert.equal(await made.read(bytes, 0), bytes.length);
  return bytes;
}

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

test('a GeoPackage has each feature with all its values, whatever its columns are called, and equal content has equal bytes', async () => {
  const properties = {
    fid: 'a',
    GEOM: 1.5,
    Имя: 'Ә',
    name: 'x',
    Name: 'y',
    '': true,
    'a"b': 2 ** 40,
    n: 7,
    mix: 1,
  };
  const source = await sourceOf('columns', [
    { properties, geometry: point(60, 40) },
    { properties: { mix: ['a'], Имя: '' }, geometry: point(61.1, 42) },
    { properties: { fid: 'no place' }, geometry: null },
  ]);
  const bytes = await bytesOf(source);
  assert.ok((await bytesOf(source)).equals(bytes));
  assert.deepEqual([bytes.toString('latin1', 68, 72), bytes.readUInt32BE(60)], ['GPKG', 10_200]);
  const path = join(engine.folder, 'columns.gpkg');
  await writeFile(path, bytes);
  using database = new DatabaseSync(path, { readBigInts: true });
  const all = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  const columns = 'fid, "GEOM", "Имя", name, "Name_2", "column", "a""b", n, mix, unit_geom is null';
  assert.deepEqual(all(`select ${columns} from features order by coalesce(fid, '')`), [
    [null, null, '', null, null, null, null, null, '["a"]', 0n],
    ['a', 1.5, 'Ә', 'x', 'y', 1n, 2n ** 40n, 7n, '1', 0n],
    ['no place', null, null, null, null, null, null, null, null, 1n],
  ]);
  assert.deepEqual(all("select group_concat(type) from pragma_table_info('features')"), [
    ['INTEGER,POINT,TEXT,DOUBLE,TEXT,TEXT,TEXT,BOOLEAN,INTEGER,MEDIUMINT,TEXT'],
  ]);
  const changed = '2026-01-02T03:04:05.600Z';
  assert.deepEqual(
    all('select table_name, data_type, identifier, last_change, min_x, max_y from gpkg_contents'),
    [
      ['features', 'features', 'Реки', changed, 60, 42],
      ['layer_styles', 'attributes', null, changed, null, null],
    ],
  );
  assert.equal(all('select * from rtree_features_unit_geom where minx > 61').length, 1);
  assert.deepEqual(all('select styleQML, useAsDefault, f_geometry_column from layer_styles'), [
    ['<qgis/>', 1n, 'unit_geom'],
  ]);
  assert.deepEqual(all('pragma integrity_check'), [['ok']]);
  assert.deepEqual(all('pragma foreign_key_check'), []);
});

test('what is left behind is removed, a client that goes away ends it, and what is too large is refused', async () => {
  const source = await sourceOf('few', [{ properties: {}, geometry: point(60, 40) }]);
  const left = join(folder, 'nameless-00000000-0000-4000-8000-000000000000');
  await writeFile(left, '');
  await utimes(left, 0, 0);
  await bytesOf(source);
  const gone = new AbortController();
  gone.abort(new Error('gone'));
  await assert.rejects(makeFeaturePackage(source, facts, { folder, signal: gone.signal }), /gone/);
  assert.deepEqual(await readdir(folder), []);
  const refused = (error: unknown) => error instanceof Problem && error.code === 'invalid';
  const { file } = source;
  const column = { name: 'a', type: 'Int' } as const;
  for (const change of [
    { features: 1_000_001 },
    { sizeBytes: 513 * MiB },
    { columns: Array.from({ length: 1999 }, () => column) },
  ])
    assert.throws(() => refuseLargePackage({ ...file, ...change }), refused);
  await assert.rejects(
    makeFeaturePackage({ ...source, file: { ...file, sizeBytes: 100 * MiB } }, facts, {
      folder,
      signal: new AbortController().signal,
    }),
    /feature 0 has more than 64 MiB, more than one feature of a GeoPackage may have here/,
  );
  await assert.rejects(
    makeFeaturePackage({ ...source, file: { ...file, sizeBytes: 2 ** 60 } }, facts, {
      folder,
      signal: new AbortController().signal,
    }),
    (error) => error instanceof Problem && error.code === 'unavailable',
  );
});

test('a database without a name has no file beside it, and says so when it becomes larger than it may', async () => {
  const begin = 'create table a (b)';
  using opened = await openNamelessDatabase({ folder, expectedBytes: 0, maxBytes: MiB, begin });
  const { database } = opened;
  database.exec('begin; insert into a values (1)');
  assert.deepEqual(await readdir(folder), []);
  const fill = () => database.exec(`insert into a values (zeroblob(${2 * MiB}))`);
  assert.throws(fill, (error) => limitOf(error, folder) instanceof DatabaseTooLarge);
});
