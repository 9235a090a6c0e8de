import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteDataset } from '../../datasets/deletion/delete.ts';
import { eventually } from '../../../test/support/processes.ts';
import { forgetRows, keyOf } from '../../../test/support/processing.ts';
import { startTables } from '../../../test/support/tables/tables.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const tables = await closeAfterTests(startTables());
const { db, objectStore } = tables;

/** Uploads a table of two rows, one of which has a line break in its text and lacks the mapped column. */
const uploadTable = async () =>
  await tables.uploadTable([
    { kato: '110000000', y: 1.5 },
    { kato: '150000000\u2028', other: '\n' },
  ]);

async function rowsKeyOf(id: string): Promise<string> {
  const key = await keyOf(db, id, 'rows');
  assert.ok(key !== null, 'its rows are stored');
  return key;
}

async function mapped(id: string) {
  await tables.mapColumns(id, 'kato', 'y');
  return (await tables.observations(id)).map(({ kato_code, value }) => [kato_code, value]);
}

const expected = [
  ['110000000', 1.5],
  ['150000000', null],
];

test('a first mapping needs nothing but the stored rows, and lets go of them', async () => {
  const id = await uploadTable();
  const key = await rowsKeyOf(id);
  await objectStore.remove((await keyOf(db, id, 'original')) ?? '');
  assert.deepEqual(await mapped(id), expected);
  assert.equal(await keyOf(db, id, 'rows'), null);
  await eventually('removed', async () => (await objectStore.size(key)) === undefined);
});

test('a mapping of which the store has lost the rows, or that has none, reads the file again', async () => {
  const lost = await uploadTable();
  await objectStore.remove(await rowsKeyOf(lost));
  assert.deepEqual(await mapped(lost), expected);
  const without = await uploadTable();
  await forgetRows(db, without);
  assert.deepEqual(await mapped(without), expected);
  assert.deepEqual(await mapped(without), expected); // another mapping
});

test('the rows go with their dataset', async () => {
  const id = await uploadTable();
  const key = await rowsKeyOf(id);
  await deleteDataset({ db, objectStore }, id);
  // The sweeper of the workers may already be removing them.
  await eventually('removed', async () => (await objectStore.size(key)) === undefined);
});
