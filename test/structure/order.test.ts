import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Import, importsOf, sourceFilesOf } from '../support/source-tree.ts';
import { slices, sliceOf } from './order.ts';

const files = [...sourceFilesOf('common'), ...sourceFilesOf('src')];

/** Lists the imports from a slice further to the right. */
function breachesOf(imports: readonly Pick<Import, 'file' | 'target'>[]): readonly string[] {
  return imports
    .filter(({ file, target }) => slices.indexOf(sliceOf(target)) > slices.indexOf(sliceOf(file)))
    .map(({ file, target }) => `${file} imports ${target}`);
}

test('every file belongs to a slice, and every slice has files', () => {
  const found = new Set(files.map(sliceOf));
  assert.deepEqual([...found].toSorted(), slices.toSorted());
});

test('each slice imports only from the left, types as well', () => {
  const imports = importsOf(files).filter(
    ({ target, isPackage }) => !isPackage && /^(?:src|common)\//.test(target),
  );
  assert.ok(imports.length > 1000);
  assert.deepEqual(breachesOf(imports), []);
});

test('an import to the right is found', () => {
  const planted = { file: 'src/jobs/ledger.ts', target: 'src/datasets/schema.ts' };
  assert.deepEqual(breachesOf([planted]), ['src/jobs/ledger.ts imports src/datasets/schema.ts']);
  assert.deepEqual(breachesOf([{ file: planted.target, target: planted.file }]), []);
});
