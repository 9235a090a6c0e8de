import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { EngineDied } from '../../engine.ts';
import { exceedsFileLimit, ownResult } from './results.ts';

test('a result is a regular file inside the folder of its child', async () => {
  const parent = await realpath(await temporaryFolder());
  const folder = join(parent, 'scratch');
  await mkdir(join(folder, 'inner'), { recursive: true });
  const own = join(folder, 'inner', '..result');
  for (const path of [own, join(parent, 'secret'), join(parent, 'scratch-of-another')])
    await writeFile(path, 'x');
  await symlink('../secret', join(folder, 'link'));

  assert.equal(await ownResult(folder, own), own);
  assert.equal(await ownResult(folder, 'inner/..result'), own);
  const outside = ['../secret', join(parent, 'secret'), '../scratch-of-another', 'link', '', '..', '../..'];
  for (const path of [...outside, 'inner', 'missing', '/etc/passwd'])
    await assert.rejects(ownResult(folder, path), EngineDied, path);

  assert.equal(await exceedsFileLimit([folder], 1), true);
  assert.equal(await exceedsFileLimit([folder], 2), false);
});
