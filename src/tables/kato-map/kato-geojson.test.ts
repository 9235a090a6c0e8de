import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { splitCells } from '../../table/cells.ts';
import { katoGeoJson } from './kato-geojson.ts';
import { katoSeries } from './kato-series.ts';
import type { YearColumn } from '../../table/mapping-schema.ts';
import { createUnpivot } from '../../table/unpivot.ts';
import { copyObservations } from '../extract/copy-observations.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const database = await closeAfterTests(openTestDatabase('with_districts'));
const { db, pool } = database;

async function* rowsOf(rows: readonly unknown[][]): AsyncGenerator<string[]> {
  for (const row of rows) yield splitCells(JSON.stringify(row));
}

/** The collection for rows of a code and one value per year column; columns are named `y0`, `y1` and so on. */
async function collectionOf(rows: readonly unknown[][], years: readonly Omit<YearColumn, 'column'>[]) {
  const yearColumns = years.map((year, index) => ({ ...year, column: `y${index}` }));
  const { setId } = await copyObservations(
    pool,
    { refId: randomUUID(), jobId: randomUUID(), number: 1, signal: new AbortController().signal },
    {
      mappingVersion: 1,
      yearColumns,
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

test('a reader that leaves early lets go of its connection', async () => {
  const series = katoSeries(db, 0, []);
  await series.next();
  assert.equal(pool.totalCount - pool.idleCount, 1);
  await series.return(undefined);
  assert.equal(pool.totalCount - pool.idleCount, 0);
  const reading = katoGeoJson(db, 0, []);
  await reading.next();
  assert.equal(pool.totalCount - pool.idleCount, 1);
  await reading.return(undefined);
  assert.equal(pool.totalCount - pool.idleCount, 0);
});
