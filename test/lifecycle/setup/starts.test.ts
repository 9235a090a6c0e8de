import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { api } from '../../../src/commands/api.ts';
import type { Command } from '../../../src/commands/command.ts';
import { serve } from '../../../src/commands/serve.ts';
import { worker } from '../../../src/commands/worker.ts';
import { runHere } from '../../support/tools/commands.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { eventually } from '../../support/processes.ts';
import {
  assertNoDamage,
  launchService,
  postmasterPid,
  runToEnd,
  startService,
} from '../../support/service.ts';
import { isReady } from '../catalogue.ts';
import { examine } from '../examine.ts';

const folder = await temporaryFolder();
const dataDir = join(folder, 'new/deeper');
const before = { said: await examine({ dataDir }), names: await readdir(folder) };
const service = await closeAfterTests(startService({ dataDir }));
const { baseUrl } = service;
const { port } = new URL(baseUrl);
const postgres = await service.postgresPid();

describe('a DATA_DIR from its first start on', () => {
  test('does not exist for the doctor before, which creates nothing', () => {
    assert.match(before.said, /^Node\.js {4}24\.\d+\.\d+$/m);
    assert.match(before.said, /^GDAL {7}\d+\.\d+\.\d+, \d+ of its \d+ drivers in use$/m);
    assert.match(before.said, /^Isolation {2}(?:bubblewrap|namespaces|none): children .+$/m);
    assert.match(before.said, /^Limits {5}a child may use .+ of memory and take 3600 s$/m);
    assert.ok(before.said.includes(`\nData       ${dataDir}: is made by the first start, `));
    assert.match(before.said, /^Database {3}embedded, starts and ends with the service$/m);
    assert.match(before.said, /^Address {4}127\.0\.0\.1, any free port$/m);
    assert.match(before.said, /^Access {5}off: anyone on this machine may read and write, no other machine/m);
    assert.match(before.said, /^Service {4}none works with this DATA_DIR\n\nSteppe can work here\.\n$/m);
    assert.deepEqual(before.names, []);
  });

  test('is made closed to other users', async () => {
    const ready = `Steppe is ready: ${baseUrl}  (interface: /docs; first map: npm run demo -- --base-url ${baseUrl})\n`;
    assert.ok(service.output().includes(ready), service.output());
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
    assert.equal((await stat((await readNote()).database.socketFolder)).mode & 0o777, 0o700);
  });

  test('is refused to a second start in one line that says by whom it is in use', async () => {
    const { code, output } = await runToEnd({ dataDir, env: { LOG_LEVEL: 'silent' } });
    assert.equal(code, 1);
    const refusal = `^steppe: .*already in use by process ${service.pid}\\. Stop that one first.*\n$`;
    assert.match(output, new RegExp(refusal));
    assert.ok(await isReady(baseUrl));
  });

  test('is examined by doctor and fsck beside the service, which they do not disturb', async () => {
    const note = await readNote();
    const said = await examine({ dataDir, env: { HTTP_PORT: port } });
    const address = `127.0.0.1 port ${port}`;
    assert.ok(said.includes(`\nAddress    ${address}: in use, while the service of this DATA_DIR runs\n`));
    assert.ok(said.includes(`\nData       ${dataDir}: can be written, `));
    assert.match(said, /^Database {3}embedded: PostgreSQL 18\.\d+ answers$/m);
    assert.match(said, new RegExp(`^Service {4}process ${service.pid} works with this DATA_DIR$`, 'm'));
    await assertNoDamage(dataDir);
    assert.deepEqual(await readNote(), note);
    assert.equal(await service.postgresPid(), postgres);
    assert.ok(await isReady(baseUrl));
  });

  test('has no note, no socket and no process id when the service has ended, and is examined as well', async () => {
    await eventually('a worker at work', async () => (await readdir(dataDir)).includes('scratch'));
    const { socketFolder } = (await readNote()).database;
    assert.equal(await service.stop(), 0);
    const left = ['lock.db', 'logs', 'objects', 'postgres', 'scratch'];
    await assert.rejects(stat(socketFolder), { code: 'ENOENT' });
    await assert.rejects(stat(join(dataDir, 'postgres/cluster/postmaster.pid')), { code: 'ENOENT' });
    const said = await examine({ dataDir, env: { HTTP_PORT: port } });
    assert.ok(said.includes(`\nAddress    127.0.0.1 port ${port}: free\n`));
    assert.match(said, /^Service {4}none works with this DATA_DIR$/m);
    assert.deepEqual((await readdir(dataDir)).toSorted(), left);
    await assertNoDamage(dataDir);
    assert.equal(await postmasterPid(dataDir), undefined);
  });

  async function readNote(): Promise<{ database: { socketFolder: string } }> {
    return JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8'));
  }
});

describe('a start', () => {
  test('whose database is away says once for what it waits, without secrets', async () => {
    const env = { DATABASE_URL: 'postgres://steppe:secret@127.0.0.1:1/maps' };
    const { child, exited, output } = launchService({ dataDir: join(folder, 'away'), env });
    try {
      const waiting = 'waiting for DATABASE_URL at 127.0.0.1:1';
      await eventually('a word', async () => output().includes(waiting));
      await sleep(3000); // several attempts
      assert.equal(output().split(waiting).length, 2, output());
      assert.doesNotMatch(output(), /secret|\bat \w+ \(|cannot be prepared/);
    } finally {
      child.kill('SIGTERM');
      assert.equal(await exited(), 0, output());
    }
  });

  test('on a folder that cannot be one says so in one line', async () => {
    await writeFile(join(folder, 'file'), '');
    await assertRefused(serve, { DATA_DIR: join(folder, 'file') }, /^DATA_DIR: .*EEXIST/);
    await mkdir(join(folder, 'other/postgres/cluster'), { recursive: true });
    await writeFile(join(folder, 'other/postgres/cluster/PG_VERSION'), '12\n');
    await assertRefused(serve, { DATA_DIR: join(folder, 'other') }, /belongs to PostgreSQL 12/);
    await assertRefused(
      serve,
      { DATA_DIR: '/proc/steppe/data' },
      /^DATA_DIR: the folder \/proc\/steppe\/data cannot be made \(.+\)$/,
    );
  });

  test('with a URL that no driver knows names the variable', async () => {
    const why = /^OBJECT_STORE_URL: gopher:\/\/ is not supported/;
    await assertRefused(serve, { OBJECT_STORE_URL: 'gopher://bucket' }, why);
  });

  test('of an api or a worker alone says which URLs it needs', async () => {
    for (const role of [api, worker]) {
      await assertRefused(role, {}, /^DATABASE_URL, OBJECT_STORE_URL, MESSAGE_QUEUE_URL: not set/);
    }
  });
});

async function assertRefused(
  command: Command,
  settings: Readonly<Record<string, string>>,
  why: RegExp,
): Promise<void> {
  const run = runHere(command, [], { DATA_DIR: join(folder, 'refused'), ...settings });
  await assert.rejects(run, ({ message }: Error) => why.test(message) && !message.includes('\n'));
}
