import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTable } from './open-table.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { send } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { insertLargeTable, switchValues } from '../../../test/support/tables/ready-table.ts';

const app = await closeAfterTests(startTestApp());
const { db, rates } = app.services;
const id = await insertLargeTable(app, 1000);
const path = `/datasets/${id}/observations.csv`;

describe('a table as a file', () => {
  test('another mapping meanwhile changes nothing in what is being sent', async () => {
    const { unitAreas } = rates;
    const options = { withRate: false, unitAreas, signal: new AbortController().signal };
    await using table = await openTable(db, id, options);
    const cells = table.cells('rows');
    const seen = [...((await cells.next()).value ?? [])];
    assert.ok(seen.length > 0 && seen.length < 2000);
    await switchValues(app, id, { rows: 10, from: 5000 });
    for await (const some of cells) seen.push(...some);
    assert.deepEqual(
      seen.map(({ value, column }) => [value, column]),
      Array.from({ length: 2000 }, (_, index) => [Math.floor(index / 2), index % 2]),
    );
    const { text } = await send(app, path);
    assert.deepEqual(text.split('\r\n').slice(0, 3), [
      'kato,name,2020,2021',
      '100000000,,5000,5000',
      '100000001,,5001,5001',
    ]);
  });
});
