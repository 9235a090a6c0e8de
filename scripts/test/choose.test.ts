import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchesOf } from './choose.ts';
import { listTestFiles, needsOf, tierOf } from './needs.ts';

const batches = batchesOf(listTestFiles().filter((file) => tierOf(file) === 'short'));
const nameOf = (file: string) => batches.find(({ files }) => files.includes(file))?.name.replace(/-\d+$/, '');

test('imports decide how a test beside its code runs, and not its folder', () => {
  for (const [file, name] of [
    ['src/lib/durations.test.ts', 'units'],
    ['src/jobs/ledger.test.ts', 'database'],
    ['src/geo/child/raster/image/write-cog.test.ts', 'plain'],
    ['src/maps/thread/canvas/text.test.ts', 'src/maps/thread/canvas/text.test.ts'],
  ] as const)
    assert.equal(nameOf(file), name, file);
});

test('unit tests need nothing that is prepared, and no engine', () => {
  const units = batches.filter(({ name }) => name === 'units').flatMap(({ files }) => files);
  assert.ok(units.length > 200);
  const needy = units.filter((file) => [...needsOf(file)].some((need) => need !== 'tier'));
  assert.deepEqual(needy, []);
});

test('each test runs once', () => {
  const files = batches.flatMap((batch) => batch.files);
  assert.deepEqual(
    files.toSorted(),
    listTestFiles().filter((file) => tierOf(file) === 'short'),
  );
});
