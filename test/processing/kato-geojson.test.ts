import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { seedDistricts } from '../../src/catalogue/districts/districts.ts';
import { splitCells } from '../../src/datasets/table/cells.ts';
import { katoGeoJson } from '../../src/datasets/kato-map/kato-geojson.ts';
import type { YearColumn } from '../../src/datasets/table/mapping-schema.ts';
import { createUnpivot } from '../../src/datasets/table/unpivot.ts';
import { copyObservations } from '../../src/processing/copy-observations.ts';
import { openTestDatabase } from '../support/database.ts';

const database = await openTestDatabase();
after(async () => await database.close());
const { db, pool } = database;
await seedDistricts(db);

async function* rowsOf(rows: readonly unknown[][]): AsyncGenerator<string[]> {
  for (const row of rows) yield splitCells(JSON.stringify(row));
}

/** The collection for rows of a code and one value per year column, called `y0`, `y1` and so on. */
async function collectionOf(rows: readonly unknown[][], years: readonly Omit<YearColumn, 'column'>[]) {
  const yearColumns = years.map((year, index) => ({ ...year, column: `y${index}` }));
  const { setId } = await copyObservations(
    pool,
    { refId: randomUUID(), jobId: randomUUID(), number: 1, signal: new AbortController().signal },
    {
      mappingVersion: 1,
      rows: rowsOf(rows),
      unpivot: createUnpivot(['kato', ...yearColumns.map(({ column }) => column)], {
        katoColumn: 'kato',
        yearColumns,
        formats: [],
      }),
    },
  );
  const written = await text(katoGeoJson(db, setId, yearColumns));
  const collection: unknown = JSON.parse(written);
  return { written, collection };
}

async function featureOf(kato: string, properties: Record<string, unknown>) {
  const district = await db
    .selectFrom('districts')
    .select(['name', 'geometry'])
    .where('kato_code', '=', kato)
    .executeTakeFirstOrThrow();
  const geometry: unknown = JSON.parse(district.geometry);
  return { type: 'Feature', geometry, properties: { kato, name: district.name, ...properties } };
}

test('one feature per code that has a district, of any level, ordered by code', async () => {
  const { collection } = await collectionOf(
    [
      ['110000000', 3],
      ['999999999', 2],
      ['101000000', 'н/д'],
      ['nonsense', 1],
      ['100000000', null],
    ],
    [{ start_date: '2020-01-01' }],
  );
  assert.deepEqual(collection, {
    type: 'FeatureCollection',
    features: [
      await featureOf('100000000', { data: { '2020-01-01': null } }),
      await featureOf('101000000', { data: { '2020-01-01': 'н/д' } }),
      await featureOf('110000000', { data: { '2020-01-01': 3 } }),
    ],
  });
});

test('geometry is put in as it is stored, and dates are in order', async () => {
  const { written } = await collectionOf(
    [['110000000', 1.5, '"\\\n', 1e21]],
    [{ start_date: '2021-01-01' }, { start_date: '0001-01-01' }, { start_date: '9999-12-31' }],
  );
  const { geometry } = await db
    .selectFrom('districts')
    .select('geometry')
    .where('kato_code', '=', '110000000')
    .executeTakeFirstOrThrow();
  assert.ok(written.includes(`"geometry":${geometry},`));
  assert.ok(written.includes(String.raw`"data":{"0001-01-01":"\"\\\n","2021-01-01":1.5,"9999-12-31":1e+21}`));
});

test('of several values for one code and date the last in mapping order, then file order, that is not empty shows', async () => {
  const { collection } = await collectionOf(
    [
      ['110000000', 1, 2, null],
      ['110000000', 3, '-', ' '],
      ['110000000', 5, null, null],
    ],
    [
      { start_date: '2020-01-01' },
      { start_date: '2020-01-01', end_date: null },
      { start_date: '2020-01-01' },
    ],
  );
  assert.deepEqual(collection, {
    type: 'FeatureCollection',
    features: [await featureOf('110000000', { data: { '2020-01-01': '-' } })],
  });
});

test('periods give the end of each start, the later end where two share a start, and are on every feature', async () => {
  const periods = { '2019-01-01': '2019-12-31', '2020-01-01': '2020-12-31' };
  const { collection } = await collectionOf(
    [
      ['110000000', 1, 2, 3, 4],
      ['750000000', 5, 6, 7, 8],
    ],
    [
      { start_date: '2020-01-01', end_date: '2020-12-31' },
      { start_date: '2020-01-01', end_date: '2020-06-30' },
      { start_date: '2019-01-01', end_date: '2019-12-31' },
      { start_date: '2018-01-01' },
    ],
  );
  assert.deepEqual(collection, {
    type: 'FeatureCollection',
    features: [
      await featureOf('110000000', { data: { '2018-01-01': 4, '2019-01-01': 3, '2020-01-01': 2 }, periods }),
      await featureOf('750000000', { data: { '2018-01-01': 8, '2019-01-01': 7, '2020-01-01': 6 }, periods }),
    ],
  });
});

test('a set without matching codes gives an empty collection', async () => {
  const { collection } = await collectionOf([['NWB_00010', 1]], [{ start_date: '2020-01-01' }]);
  assert.deepEqual(collection, { type: 'FeatureCollection', features: [] });
});

test('a reader that leaves early lets go of its connection', async () => {
  const reading = katoGeoJson(db, 0, []);
  await reading.next();
  assert.equal(pool.totalCount - pool.idleCount, 1);
  await reading.return(undefined);
  assert.equal(pool.totalCount - pool.idleCount, 0);
});
