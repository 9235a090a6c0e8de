import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { cloneInto, makeClosedFolder, serviceUsers } from '../support/tools/clones.ts';

/** The layers must work without root, in a path with special characters, and in folders closed to others. */
test('every layer holds for an ordinary user, in a closed folder under a path with a blank and Cyrillic letters', async () => {
  const user = serviceUsers.at(-1);
  assert.ok(user !== undefined && (user.uid ?? process.getuid?.()) !== 0);
  await using place = await makeClosedFolder(user, 'Дала деректері', 'tmp');
  const clone = await cloneInto(place.folder, ['test']);
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: place.folder };
  const node = [join(clone, 'node_modules/.bin/node'), '--test', 'test/hostile/layers.test.ts'];
  const [file = '', ...args] = [...user.prefix, ...node];
  const { stdout } = await promisify(execFile)(file, args, { cwd: clone, env, maxBuffer: 1e8 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  assert.match(stdout, /^. fail 0$/m, stdout);
  assert.match(stdout, /^. pass [1-9]\d+$/m, stdout);
});
