import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOn } from '../support/ports.ts';
import { eventually } from '../support/processes.ts';
import { launchService, runToEnd, startService } from '../support/service.ts';
import { isReady } from './catalogue.ts';
import { temporaryFolder } from '../support/for-tests.ts';

const dataDir = await temporaryFolder();

describe('a start', () => {
  test('on a DATA_DIR in use is refused in one line that says by whom, and disturbs no service', async () => {
    const inUse = join(dataDir, 'in-use');
    await using first = await startService({ dataDir: inUse });
    const { baseUrl } = first;
    const ready = `Steppe is ready: ${baseUrl}  (interface: /docs; first map: npm run demo -- --base-url ${baseUrl})\n`;
    assert.ok(first.output().includes(ready), first.output());
    const refused = await complaintOf({ dataDir: inUse });
    assert.match(refused, new RegExp(`already in use by process ${first.pid}\\. Stop that one first`));
    assert.ok(await isReady(baseUrl));
    assert.equal(await first.stop(), 0);
  });

  test('makes DATA_DIR closed to other users, and leaves no note, no socket and no process id behind', async () => {
    const own = join(dataDir, 'new/deeper');
    await using service = await startService({ dataDir: own });
    assert.equal((await stat(own)).mode & 0o777, 0o700);
    await eventually('a worker at work', async () => (await readdir(own)).includes('scratch'));
    assert.ok(await isReady(service.baseUrl));
    const note: { database: { socketFolder: string } } = JSON.parse(
      await readFile(join(own, 'service.json'), 'utf8'),
    );
    const { socketFolder } = note.database;
    assert.equal((await stat(socketFolder)).mode & 0o777, 0o700);
    assert.equal(await service.stop(), 0);
    await assert.rejects(stat(socketFolder), { code: 'ENOENT' });
    assert.deepEqual((await readdir(own)).toSorted(), ['lock.db', 'logs', 'objects', 'postgres', 'scratch']);
    await assert.rejects(stat(join(own, 'postgres/cluster/postmaster.pid')), { code: 'ENOENT' });
  });

  test('on a port in use says so in one line', async () => {
    await using server = createServer();
    const port = await listenOn(server);
    const env = { HTTP_PORT: String(port) };
    const said = await complaintOf({ dataDir: join(dataDir, 'port'), env });
    assert.match(said, new RegExp(`^steppe: HTTP_PORT: port ${port} of 127.0.0.1 is already in use`));
    const metrics = await complaintOf({
      dataDir: join(dataDir, 'metrics'),
      env: { METRICS_PORT: String(port) },
    });
    assert.match(metrics, new RegExp(`^steppe: METRICS_PORT: port ${port} of 127.0.0.1 is already in use`));
  });

  test('whose database is away says once for what it waits, without secrets', async () => {
    const env = { DATABASE_URL: 'postgres://steppe:secret@127.0.0.1:1/maps' };
    const { child, exited, output } = launchService({ dataDir: join(dataDir, 'away'), env });
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
    await writeFile(join(dataDir, 'file'), '');
    assert.match(await complaintOf({ dataDir: join(dataDir, 'file') }), /^steppe: DATA_DIR: .*EEXIST/);
    await mkdir(join(dataDir, 'other/postgres/cluster'), { recursive: true });
    await writeFile(join(dataDir, 'other/postgres/cluster/PG_VERSION'), '12\n');
    assert.match(await complaintOf({ dataDir: join(dataDir, 'other') }), /belongs to PostgreSQL 12/);
  });

  test('on a folder in a place without folders says so in one line', async () => {
    const { child, output } = launchService({ dataDir: '/proc/steppe/data' });
    try {
      await eventually('its end', async () => child.exitCode === 1);
    } finally {
      child.kill('SIGKILL');
    }
    assert.match(output(), /^steppe: DATA_DIR: the folder \/proc\/steppe\/data cannot be made \(.+\)\n$/);
  });

  test('with a URL that no driver knows names the variable', async () => {
    const env = { OBJECT_STORE_URL: 'gopher://bucket' };
    const said = await complaintOf({ dataDir: join(dataDir, 'url'), env });
    assert.match(said, /^steppe: OBJECT_STORE_URL: gopher:\/\/ is not supported/);
  });

  test('of an api or a worker alone says which URLs it needs', async () => {
    for (const role of ['api', 'worker'] as const) {
      const command = [process.execPath, 'src/main.ts', role] as const;
      const said = await complaintOf({ dataDir: join(dataDir, 'role'), command });
      assert.match(said, /^steppe: DATABASE_URL, OBJECT_STORE_URL, MESSAGE_QUEUE_URL: not set/);
    }
  });
});

/** The one line that a failed start leaves. */
async function complaintOf(options: Parameters<typeof launchService>[0]): Promise<string> {
  const { code, output } = await runToEnd({ ...options, env: { LOG_LEVEL: 'silent', ...options.env } });
  assert.equal(code, 1, output);
  assert.equal(output.trimEnd().split('\n').length, 1, output);
  return output;
}
