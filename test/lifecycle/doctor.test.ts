import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { doctor } from '../../src/commands/doctor.ts';
import { runHere } from '../support/tools/commands.ts';
import { temporaryFolder } from '../support/for-tests.ts';
import { examine, main } from './examine.ts';

const mountSmallDisk = 'mount -t tmpfs -o size=64m tmpfs "$0" && exec "$@"';
/** Simulates a small disk at a folder. */
const smallDisk = (folder: string) =>
  ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mountSmallDisk, folder] as const;
const [unshareMount, ...smallDiskArgs] = smallDisk(tmpdir());
const allowsMounts = spawnSync(unshareMount, [...smallDiskArgs, 'true']).status === 0;

const folder = await temporaryFolder();

describe('./steppe doctor', () => {
  test('ends with 1 and names what keeps the service from working, without secrets', async () => {
    const file = join(folder, 'no-folder');
    await writeFile(file, '');
    const database = 'postgres://steppe:secret@127.0.0.1:1/maps';
    const settings = { DATA_DIR: file, DATABASE_URL: database, HTTP_PORT: '0' };
    const { code, stdout: said, output } = await runHere(doctor, [], settings);
    assert.deepEqual([code, output], [1, said]);
    assert.ok(said.includes(`\nData       ${file} cannot be used: ${file} is no folder\n`));
    assert.match(said, /^Database {3}127\.0\.0\.1:1\/maps does not answer: .*ECONNREFUSED.*$/m);
    assert.match(said, /\n\nSteppe cannot work here; see Data, Database\.\n$/);
    assert.ok(!said.includes('secret'));
  });

  if (allowsMounts) {
    test('finds a disk that is too small', async () => {
      const command = [...smallDisk(folder), process.execPath, main];
      const said = await examine({ dataDir: join(folder, 'data'), command }, 1);
      assert.match(said, /^Data {7}.+, 64 MiB free; Steppe needs 512 MiB or more$/m);
      assert.match(said, /\n\nSteppe cannot work here; see Data, Database\.\n$/);
    });
  }

  test('finds a place without folders', async () => {
    const { code, output } = await runHere(doctor, [], { DATA_DIR: '/proc/steppe' });
    assert.equal(code, 1);
    assert.match(output, /^Data {7}\/proc\/steppe cannot be used: \/proc keeps no files$/m);
  });
});
