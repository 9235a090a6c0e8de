import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { getDataset } from './queries.ts';
import { readReport, type ImportReport } from './report.ts';
import { retryDataset, takeMappingBack } from './retry.ts';
import { eventually } from '../../test/support/processes.ts';
import { mappingOf, startTables } from '../../test/support/tables/tables.ts';
import { keyOf } from '../../test/support/processing.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';

const tables = await closeAfterTests(startTables());
const { db, objectStore, messageQueue, uploadText, uploadTable, mapColumns } = tables;

async function reportOn(id: string): Promise<ImportReport> {
  const report = await readReport(db, id);
  assert.ok(report !== undefined, 'there is a report');
  return report;
}

async function untilFailed(id: string): Promise<string> {
  return await eventually('failed', async () => {
    const { status, parse_error } = await getDataset(db, id);
    return status === 'failed' ? (parse_error ?? '') : undefined;
  });
}

/** Replaces the stored original with other bytes, or removes it. */
async function replaceOriginal(id: string, text?: string): Promise<void> {
  const key = (await keyOf(db, id, 'original')) ?? '';
  await objectStore.remove(key);
  if (text !== undefined) await objectStore.put(key, Readable.from([Buffer.from(text)]));
}

const codesOf = ({ warnings }: ImportReport) => warnings.map(({ code }) => code).toSorted();
test('a table is reported when its columns are known, and again when its rows are extracted', async () => {
  const id = await uploadTable([
    { code: '100000000', other: '', mixed: '1,5', unclear: '1,234' },
    { code: ' ', other: '110000000', mixed: '1,234.5', unclear: '2,345' },
    { code: null, other: '150000000', mixed: '2', unclear: '3,456' },
  ]);
  const detected = await reportOn(id);
  assert.equal(detected.dataset_id, id);
  assert.match(detected.engine, /^GDAL \d+\.\d+\.\d+$/);
  assert.deepEqual(detected.rows, { read: 3, skipped: null });
  assert.equal(detected.raster, null);
  assert.deepEqual(codesOf(detected), ['ambiguous_decimal_comma', 'mixed_decimal_comma']);
  for (const step of ['fetch', 'detect']) assert.ok((detected.timings[step] ?? -1) >= 0, step);

  await mapColumns(id, 'code', 'mixed', 'unclear');
  const extracted = await reportOn(id);
  assert.deepEqual(extracted.rows, { read: 3, skipped: 2 });
  const withRows = ['ambiguous_decimal_comma', 'mixed_decimal_comma', 'rows_without_code'];
  assert.deepEqual(codesOf(extracted), withRows);
  const skipped = extracted.warnings.find(({ code }) => code === 'rows_without_code');
  assert.match(skipped?.message ?? '', /^2 of 3 rows have no code in column "code"/);
  for (const step of ['fetch', 'detect', 'copy', 'geojson'])
    assert.ok((extracted.timings[step] ?? -1) >= 0, step);

  await mapColumns(id, 'other', 'mixed');
  const again = await reportOn(id);
  assert.deepEqual(again.rows, { read: 3, skipped: 1 });
  assert.deepEqual(codesOf(again), withRows);
  assert.match(again.warnings.at(-1)?.message ?? '', /^1 of 3 rows have no code in column "other"/);

  await mapColumns(id, 'unclear', 'mixed');
  const unclear = await reportOn(id);
  assert.deepEqual(unclear.rows, { read: 3, skipped: 0 });
  const withDistricts = ['ambiguous_decimal_comma', 'codes_without_district', 'mixed_decimal_comma'];
  assert.deepEqual(codesOf(unclear), withDistricts);
});

test('codes without a district are reported as the last mapping reads them', async () => {
  const id = await uploadTable([
    { code: '100000000', some: '110000000', name: 'Абай', a: 1, b: 1 },
    { code: '110000000', some: 'x', name: 'Акмола', a: 2, b: 2 },
    { code: '150000000', some: null, name: 'Актобе', a: 3, b: 3 },
  ]);
  const warningsOf = async (kato: string) => {
    await mapColumns(id, kato, 'a', 'b');
    const { warnings } = await reportOn(id);
    return warnings.filter(({ code }) => code !== 'rows_without_code').map(({ message }) => message);
  };
  const [none, ...others] = await warningsOf('name');
  assert.deepEqual(others, []);
  assert.match(none ?? '', /^None of the 3 rows .* column "name" .* map is empty\. .*: "Абай", "Акмола", /);
  assert.equal(JSON.parse(await tables.geoJson(id)).features.length, 0);
  const [some, ...more] = await warningsOf('some');
  assert.deepEqual(more, []);
  assert.match(some ?? '', /^1 of 2 rows that have a code in column "some" .*: "x"\.$/);
  assert.equal(JSON.parse(await tables.geoJson(id)).features.length, 1);
  assert.deepEqual(await warningsOf('code'), []);
});

test('a re-map that fails keeps what is known of the file, and its old observations until a retry has worked', async () => {
  const id = await uploadTable([
    { kato: '100000000', note: 'x'.repeat(300), a: 1, b: '1,234' },
    { kato: '', note: 'y', a: 2, b: '2,345' },
  ]);
  await mapColumns(id, 'kato', 'a');
  const observations = await tables.observations(id);
  const before = await reportOn(id);

  await tables.map(id, mappingOf('note', 'a'));
  assert.match(await untilFailed(id), /Column "note" contains a text of 300 characters/);
  const failed = await reportOn(id);
  assert.deepEqual(failed.source, before.source);
  assert.deepEqual(failed.rows, { read: 2, skipped: null });
  assert.deepEqual(codesOf(failed), ['ambiguous_decimal_comma']);
  assert.deepEqual(await tables.observations(id), observations);

  // The cause is repaired: the same step with the same mapping succeeds.
  const mended = `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":{"note":"150000000","a":3}}]}`;
  await replaceOriginal(id, mended);
  const retried = await retryDataset({ db, messageQueue }, id);
  assert.deepEqual([retried.status, retried.parse_error], ['extracting', null]);
  await tables.untilStatus(id, 'ready');
  const after = await tables.observations(id);
  assert.deepEqual(
    after.map(({ kato_code, value }) => [kato_code, value]),
    [['150000000', 3]],
  );
  assert.deepEqual((await reportOn(id)).rows, { read: 1, skipped: 0 });
});

test('a failed later mapping is taken back; what the earlier one has made stays until another succeeds', async () => {
  const id = await uploadTable([{ kato: '150000000', note: 'x'.repeat(300), a: 3, b: 4 }]);
  await mapColumns(id, 'kato', 'a');
  const before = await tables.observations(id);
  await tables.map(id, mappingOf('note', 'a'));
  await untilFailed(id);
  const back = await takeMappingBack(db, id);
  assert.deepEqual([back.status, back.kato_column], ['awaiting_mapping', null]);
  assert.deepEqual(await tables.observations(id), before);

  await mapColumns(id, 'kato', 'b');
  const after = await tables.observations(id);
  assert.deepEqual(
    after.map(({ value }) => value),
    [4],
  );
});

test('a file that could not be read is read again by a retry', async () => {
  const id = await uploadText('later.geojson', '{"type":"FeatureCollection","features":[', 'vector');
  await untilFailed(id);
  await replaceOriginal(id, '{"type":"FeatureCollection","features":[]}');
  assert.equal((await retryDataset({ db, messageQueue }, id)).status, 'pending');
  const ready = await tables.untilStatus(id, 'ready');
  assert.equal(ready.parse_error, null);
});

test('without its original a dataset fails with what to do, and has a report', async () => {
  const id = await uploadTable([{ kato: '100000000', a: 1 }]);
  await mapColumns(id, 'kato', 'a');
  const before = await reportOn(id);
  await replaceOriginal(id);
  await tables.map(id, mappingOf('kato', 'a'));
  assert.match(await untilFailed(id), /no longer in the object store; upload it again/);
  const failed = await reportOn(id);
  assert.deepEqual(failed.source, before.source);
  assert.deepEqual(failed.rows, { ...before.rows, skipped: null });
});
