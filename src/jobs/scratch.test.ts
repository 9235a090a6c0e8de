import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { sizeOfScratch } from './scratch.ts';

test('the files of all folders add up', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'a/b'), { recursive: true });
  await writeFile(join(root, 'a/one'), 'x'.repeat(5));
  await writeFile(join(root, 'a/b/two'), 'x'.repeat(7));
  assert.equal(await sizeOfScratch(root), 12);
});

test('scratch that does not exist yet is empty', async () => {
  assert.equal(await sizeOfScratch(join(await temporaryFolder(), 'none')), 0);
});
