import { isDeepStrictEqual } from 'node:util';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { deleteDataset } from '../datasets/deletion/delete.ts';
import { createCurrentFiles } from './kato-map/current-files.ts';
import { listObservations } from './observations.ts';
import { getDataset } from '../datasets/queries.ts';
import { readReport } from '../datasets/report.ts';
import { takeMappingBack } from '../datasets/retry.ts';
import { eventually } from '../../test/support/processes.ts';
import { mappingOf, startTables } from '../../test/support/tables/tables.ts';
import { keyOf } from '../../test/support/processing.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';

const tables = await closeAfterTests(startTables());
const { db, objectStore, uploadRows, uploadTable, mapColumns, storedKeys } = tables;

/** 300 rows, each with a different code that no district has, and values that identify their column. */
const rows = Array.from({ length: 300 }, (_, index) => ({
  kato: `code-${String(index).padStart(4, '0')}`,
  note: 'x'.repeat(index === 299 ? 300 : 3),
  a: 1,
  b: 2,
}));

/** Keys of the original, of the GeoJSON in all encodings, and of the results about columns and codes. */
async function ownedKeys(datasetId: string): Promise<string[]> {
  const { files } = await getDataset(db, datasetId);
  assert.deepEqual(files.map(({ kind }) => kind).toSorted(), [
    'facts',
    'geojson',
    'geojson',
    'geojson',
    'match',
    'original',
  ]);
  return files.map(({ key }) => key).toSorted();
}

test('readers see the old observations or the new ones, never a mix, while the mapping changes', async () => {
  const id = await uploadTable(rows);
  await mapColumns(id, 'kato', 'a');
  const reading = new AbortController();
  const seen = new Set<string>();
  const reader = (async () => {
    for (let page = 0; !reading.signal.aborted; page = (page + 1) % 3) {
      const { rows: found, total } = await listObservations(db, id, {}, { limit: 100, offset: page * 100 });
      assert.equal(found.length, 100);
      const values = new Set(found.map(({ value }) => value));
      const ofPage = `${total}: ${[1, 2].filter((value) => values.has(value)).join(' ')}`;
      assert.ok(['300: 1', '300: 2', '600: 1 2'].includes(ofPage), ofPage);
      seen.add(ofPage);
    }
  })();
  for (const columns of [['b'], ['a', 'b'], ['a'], ['b', 'a'], ['b']]) {
    await tables.map(id, mappingOf('kato', ...columns));
    await Promise.race([tables.untilStatus(id, 'ready'), reader]);
  }
  reading.abort();
  await reader;
  assert.deepEqual([...seen].toSorted(), ['300: 1', '300: 2', '600: 1 2']);
  assert.deepEqual([...new Set((await tables.observations(id)).map(({ value }) => value))], [2]);
});

/** A table that was ready, whose next mapping failed and was undone. */
async function takenBack(): Promise<string> {
  const id = await uploadTable(rows);
  await mapColumns(id, 'kato', 'a');
  await tables.map(id, mappingOf('note', 'b'));
  await assert.rejects(tables.untilStatus(id, 'ready'), /Column "note" contains a text of 300 characters/);
  await takeMappingBack(db, id);
  return id;
}

test('a map of before a mapping that is taken back is neither shown nor made again, and replaced by the next', async () => {
  const id = await takenBack();
  const kept = await ownedKeys(id);
  const { geoJsonKeysOf: keysOf } = createCurrentFiles({ db, objectStore });
  const change = db.updateTable('districts').set({ name: 'Абай' }).where('kato_code', '=', '100000000');
  await change.execute();
  await assert.rejects(keysOf(id), {
    code: 'conflict',
    message: /is awaiting_mapping; .*\/mapping comes next/,
  });
  assert.deepEqual(await ownedKeys(id), kept);
  await eventually(
    'nothing is left of the failure',
    async () => (await storedKeys(id)).length === kept.length,
  );

  await mapColumns(id, 'kato', 'b');
  const made = await ownedKeys(id);
  assert.equal((await keysOf(id)).key, await keyOf(db, id, 'geojson'));
  await eventually('the earlier set and map are gone', async () => {
    return (await countSets(id)) === 1 && (await storedKeys(id)).length === made.length;
  });
  assert.deepEqual(await storedKeys(id), made);
  assert.notDeepEqual(made, kept);
});

test('a dataset of which a mapping is taken back is deleted with all that it had', async () => {
  const id = await takenBack();
  await deleteDataset({ db, objectStore }, id);
  await eventually('no object is left', async () => (await storedKeys(id)).length === 0);
  await eventually('no set is left', async () => (await countSets(id)) === 0);
});

test('workers that end in the middle change nothing of the result', async () => {
  const undisturbed = await uploadRows(rows);
  const disturbed = await uploadRows(rows);
  for (const id of [undisturbed, disturbed]) {
    if (id === disturbed) await disturb();
    await tables.untilStatus(id, 'awaiting_mapping');
    await tables.map(id, mappingOf('kato', 'a', 'b'));
    if (id === disturbed) await disturb();
    await tables.untilStatus(id, 'ready');
  }
  const contentOf = async (id: string) =>
    (await tables.observations(id)).map((row) => ({ ...row, id: '', dataset_id: '' }));
  assert.equal((await contentOf(undisturbed)).length, 600);
  assert.deepEqual(await contentOf(disturbed), await contentOf(undisturbed));
  const warningsOf = async (id: string) => (await readReport(db, id))?.warnings;
  assert.match((await warningsOf(undisturbed))?.[0]?.message ?? '', /^None of the 300 rows that have a code/);
  assert.deepEqual(await warningsOf(disturbed), await warningsOf(undisturbed));
  await eventually('one set is left', async () => (await countSets(disturbed)) === 1);
  await eventually('its own objects are left', async () =>
    isDeepStrictEqual(await storedKeys(disturbed), await ownedKeys(disturbed)),
  );
});

async function disturb(): Promise<void> {
  for (const pauseMs of [0, 40, 130, 250]) {
    await sleep(pauseMs);
    await tables.restartWorker();
  }
}

async function countSets(datasetId: string): Promise<number> {
  const sets = await db
    .selectFrom('observation_sets')
    .select('id')
    .where('dataset_id', '=', datasetId)
    .execute();
  return sets.length;
}

test('a dataset that is deleted at any moment leaves nothing, and nothing comes back', async () => {
  for (const pauseMs of [0, 50, 150, 300]) {
    const id = await uploadRows(rows);
    await sleep(pauseMs);
    await deleteDataset({ db, objectStore }, id);
    await eventually('no job lives', async () => {
      const live = await db
        .selectFrom('jobs')
        .select('id')
        .where('ref_id', '=', id)
        .where('state', 'in', ['queued', 'running'])
        .execute();
      return live.length === 0;
    });
    await eventually('no object is left', async () => (await storedKeys(id)).length === 0);
    assert.equal(await countSets(id), 0);
  }
});

test('`updated_at` never runs backwards, though a job began before the change that it waited for', async () => {
  // A time of the row that is later than the clock of a transaction that waited for it.
  let last = new Date(Date.now() + 3_600_000);
  const laterThanLast = async (id: string) => {
    const { updated_at: updatedAt } = await getDataset(db, id);
    assert.ok(updatedAt > last, `${updatedAt.toISOString()} after ${last.toISOString()}`);
    last = updatedAt;
  };
  const id = await uploadRows(rows.slice(0, 3), { updated_at: last });
  await tables.untilStatus(id, 'awaiting_mapping');
  await laterThanLast(id);
  await mapColumns(id, 'kato', 'a');
  await laterThanLast(id);
  const broken = await tables.uploadText('broken.geojson', '{', 'vector', { updated_at: last });
  await eventually('failed', async () => (await getDataset(db, broken)).status === 'failed');
  await laterThanLast(broken);
});
