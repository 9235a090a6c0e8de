import assert from 'node:assert/strict';
import { pointBlob } from '../../support/geopackages.ts';
import { claim } from '../claim.ts';
import { makeTable, map, process } from '../support/datasets.ts';
import { geoPackageFile, geoPackageInLog, openGeoPackage } from '../support/geopackages.ts';
import { type Report, readVector, warningsOf } from '../support/geojson.ts';
import { readObservations } from '../support/observations.ts';
import { zipFileOf } from '../support/shapefile.ts';

/** Values of every storage class in columns of other types: what SQLite is told, and what an observation has. */
const cells = [
  ['INTEGER', '12.7', 12.7],
  ['INTEGER', "'1 234'", 1234],
  ['INTEGER', "'abc'", 'abc'],
  ['REAL', "'н/д'", 'н/д'],
  ['REAL', "'1 234,5'", 1234.5],
  ['SMALLINT', '70000', 70_000],
  ['BOOLEAN', "'да'", 'да'],
  ['DATETIME', "'вчера'", 'вчера'],
  ['TEXT(3)', "'длиннее трёх'", 'длиннее трёх'],
  ['FLOAT', "'12,5'", 12.5],
  // Types that no GeoPackage should declare: SQLite takes any.
  ['DECIMAL(10,2)', '1234.56', 1234.56],
  ['BIGINT', '9007199254740993', 9_007_199_254_740_992],
  ['"мой тип"', '5', 5],
  ['', '6.5', 6.5],
] as const;

const columnOf = (index: number): string => `c${index}`;
const looseSql = [
  'drop table places; create table places (fid integer primary key autoincrement not null, geom blob, kato text,',
  cells.map(([type], index) => `${columnOf(index)} ${type}`).join(', '),
  ');',
  ...['110000000', '150000000'].map(
    (code) =>
      `insert into places values (null, null, '${code}', ${cells.map(([, value]) => value).join(', ')});`,
  ),
].join('\n');

claim(
  ['D9 cells gpkg', 'D9 cells whole', 'D9 columns'],
  'observations of a GeoPackage are what SQLite stores, in columns of any declared type',
  async (client) => {
    const table = await makeTable(client, await geoPackageFile({ geometries: [], sql: looseSql }));
    const names = cells.map((_, index) => columnOf(index));
    assert.deepEqual(
      table.attribute_columns?.map(({ name }) => name),
      ['kato', ...names],
    );
    const years = names.map((column, index) => ({ column, start_date: `${2001 + index}-01-01` }));
    await map(client, table.id, 'kato', years);
    const observations = await readObservations(client, table.id);
    for (const [index, [type, told, expected]] of cells.entries()) {
      const found = observations.filter(({ start_date }) => start_date === `${2001 + index}-01-01`);
      assert.deepEqual(
        found.map(({ value, value_text }) => value ?? value_text),
        [expected, expected],
        `${told} in ${type}`,
      );
    }
  },
);

claim(
  ['D9 cells properties', 'D9 cells gpkg', 'D9 columns', 'D9 missing'],
  'properties of a GeoPackage are the same values, and a null is a key with null in every row',
  async (client) => {
    const sql = `${looseSql} insert into places (kato) values ('190000000');`;
    const placed = await geoPackageFile({
      geometries: [],
      sql: `${sql} update places set geom = x'${pointBlob(70, 50).toString('hex')}';`,
    });
    const { collection: there, text: written } = await readVector(client, placed);
    const [first, , last] = (there.features[0]?.properties.rows ?? []).map((row) => ({ ...Object(row) }));
    for (const [index, [type, told]] of cells.entries()) {
      const stored = told.replaceAll("'", '');
      assert.equal(
        String(first[columnOf(index)]).replace('9007199254740992', stored),
        stored,
        `${told} in ${type}`,
      );
      assert.equal(last[columnOf(index)], null, type);
    }
    assert.ok(written.includes('9007199254740993'), 'an integer beyond a double keeps its digits');
  },
);

const edited = [
  { geometries: [pointBlob(70, 50), pointBlob(71, 50)] },
  `update places set name = 'edited' where fid = 1; insert into places (geom, name)
    values (x'${pointBlob(72, 50).toString('hex')}', 'added');`,
] as const;

claim(['D9 log'], 'edits in the log beside a GeoPackage are read from an archive of both', async (client) => {
  const { main, log } = await openGeoPackage(...edited);
  const file = zipFileOf({ 'survey/a.gpkg': main, 'survey/a.gpkg-wal': log, 'survey/a.gpkg-shm': '' });
  const { dataset, collection } = await readVector(client, file);
  assert.deepEqual(collection.features[0]?.properties.rows, [
    { name: 'edited' },
    { name: 'place 2' },
    { name: 'added' },
  ]);
  assert.ok(!(await warningsOf(client, dataset.id)).includes('files_left_out'));
});

claim(
  ['D9 log', 'D9 log alone'],
  'a GeoPackage that is in its log alone is refused without it',
  async (client) => {
    const { main } = await geoPackageInLog({ geometries: [pointBlob(70, 50), pointBlob(71, 50)] });
    const file = zipFileOf({ 'a.gpkg': main });
    const { parse_error } = await process(client, 'failed', file);
    assert.match(parse_error ?? '', /[Cc]lose the program/);
  },
);

claim(
  ['D9 other warnings'],
  'what the engine says of a file that is unknown here is in the report, without names of this machine',
  async (client) => {
    const { dataset } = await readVector(
      client,
      await geoPackageFile({ sql: 'pragma user_version = 19999' }),
    );
    const path = `/datasets/${dataset.id}/report`;
    const said = await Promise.all(
      ['en', 'ru', 'kk'].map(async (language) => {
        const headers = { 'accept-language': language };
        const { warnings } = (await client.expect(200, 'GET', path, { headers })).read<Report>();
        return warnings.filter(({ code }) => code === 'other_warnings').map(({ message }) => message);
      }),
    );
    for (const messages of said) {
      assert.equal(messages.length, 1);
      assert.match(messages[0] ?? '', /user_version=0x00004E1F/);
      assert.doesNotMatch(messages[0] ?? '', /\/\w+\/|\.gpkg/);
    }
    assert.equal(new Set(said.flat()).size, 3);
  },
);
