import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../support/for-tests.ts';
import { postmasterPid, startService } from '../support/service.ts';
import { isReady } from './catalogue.ts';
import { examine, main } from './examine.ts';

const mountSmallDisk = 'mount -t tmpfs -o size=64m tmpfs "$0" && exec "$@"';
/** Makes a command find a small disk at a folder. */
const smallDisk = (folder: string) =>
  ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mountSmallDisk, folder] as const;
const [unshareMount, ...smallDiskArgs] = smallDisk(tmpdir());
const allowsMounts = spawnSync(unshareMount, [...smallDiskArgs, 'true']).status === 0;

const folder = await temporaryFolder();

describe('./steppe doctor', () => {
  test('says how things stand beside a service and without one, and changes nothing', async () => {
    const dataDir = join(folder, 'data');
    const before = await examine({ dataDir });
    assert.match(before, /^Node\.js {4}24\.\d+\.\d+$/m);
    assert.match(before, /^GDAL {7}\d+\.\d+\.\d+, \d+ of its \d+ drivers in use$/m);
    assert.match(before, /^Isolation {2}(?:bubblewrap|namespaces|none): children .+$/m);
    assert.match(before, /^Limits {5}a child may use .+ of memory and take 3600 s$/m);
    assert.ok(before.includes(`\nData       ${dataDir}: is made by the first start, `));
    assert.match(before, /^Database {3}embedded, starts and ends with the service$/m);
    assert.match(before, /^Address {4}127\.0\.0\.1, any free port$/m);
    assert.match(before, /^Access {5}off: anyone on this machine may read and write, no other machine/m);
    assert.match(before, /^Service {4}none works with this DATA_DIR\n\nSteppe can work here\.\n$/m);
    assert.deepEqual(await readdir(folder), []);

    await using service = await startService({ dataDir });
    const postgres = await service.postgresPid();
    const note = await readFile(join(dataDir, 'service.json'), 'utf8');
    const { port } = new URL(service.baseUrl);
    const during = await examine({ dataDir, env: { HTTP_PORT: port } });
    const address = `127.0.0.1 port ${port}`;
    assert.ok(during.includes(`\nAddress    ${address}: in use, while the service of this DATA_DIR runs\n`));
    assert.ok(during.includes(`\nData       ${dataDir}: can be written, `));
    assert.match(during, /^Database {3}embedded: PostgreSQL 18\.\d+ answers$/m);
    assert.match(during, new RegExp(`^Service {4}process ${service.pid} works with this DATA_DIR$`, 'm'));
    assert.equal(await readFile(join(dataDir, 'service.json'), 'utf8'), note);
    assert.equal(await service.postgresPid(), postgres);
    assert.ok(await isReady(service.baseUrl));
    assert.equal(await service.stop(), 0);

    const rested = await examine({ dataDir, env: { HTTP_PORT: port } });
    assert.ok(rested.includes(`\nAddress    ${address}: free\n`));
    const names = await readdir(dataDir);
    assert.match(await examine({ dataDir }), /^Service {4}none works with this DATA_DIR$/m);
    assert.deepEqual(await readdir(dataDir), names);
    assert.equal(await postmasterPid(dataDir), undefined);
  });

  test('ends with 1 and names what keeps the service from working, without secrets', async () => {
    const file = join(folder, 'no-folder');
    await writeFile(file, '');
    const said = await examine(
      { dataDir: file, env: { DATABASE_URL: 'postgres://steppe:secret@127.0.0.1:1/maps' } },
      1,
    );
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
    const said = await examine({ dataDir: '/proc/steppe' }, 1);
    assert.match(said, /^Data {7}\/proc\/steppe cannot be used: \/proc keeps no files$/m);
  });
});
