import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createClient } from '../support/client.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { squaresGeoJson } from '../support/generated-files.ts';
import { eventually } from '../support/processes.ts';
import { launchService, startService } from '../support/service.ts';

/** The one that whoever migrates holds. */
const migrationLock = 5_738_266_001;

/** Settings that tell a role alone where everything is. */
function environmentOf({ target }: Pick<TestDatabase, 'target'>, folder: string) {
  const { host, user, database } = target;
  const url = `postgres:///${database}?${new URLSearchParams({ host: String(host), user: String(user) }).toString()}`;
  return {
    DATABASE_URL: url,
    MESSAGE_QUEUE_URL: url,
    OBJECT_STORE_URL: pathToFileURL(join(folder, 'objects')).href,
  };
}

test('an api and a worker alone work together over a given database and store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-roles-'));
  const database = await openTestDatabase();
  const env = environmentOf(database, folder);
  const dataDir = join(folder, 'data');
  const worker = launchService({ dataDir, env, command: [process.execPath, 'src/main.ts', 'worker'] });
  try {
    await using api = await startService({
      dataDir,
      env,
      command: [process.execPath, 'src/main.ts', 'api'],
    });
    const client = createClient(api.baseUrl);
    const categoryId = await client.createCategory('roles');
    const id = await client.upload(categoryId, 'vector', new File([squaresGeoJson(3)], 'squares.geojson'));
    await eventually('ready', async () => (await client.status(id)).status === 'ready');
    assert.ok(!(await readdir(dataDir)).includes('postgres'));
  } finally {
    worker.child.kill('SIGTERM');
    assert.equal(await worker.exited(), 0, worker.output());
    await database.close();
    await rm(folder, { recursive: true });
  }
});

test('an api that waits for its first migration is alive, and 503 where it needs the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-roles-'));
  const database = await openTestDatabase();
  await database.pool.query('drop schema public cascade; create schema public');
  const migrating = await database.pool.connect();
  await migrating.query('begin');
  await migrating.query(`select pg_advisory_xact_lock(${migrationLock})`);
  const port = await freePort();
  const api = launchService({
    dataDir: join(folder, 'data'),
    env: { ...environmentOf(database, folder), HTTP_PORT: String(port) },
    command: [process.execPath, 'src/main.ts', 'api'],
  });
  try {
    const statusOf = async (path: string): Promise<number> => {
      return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    };
    await eventually('alive', async () => (await statusOf('/healthz').catch(() => 0)) === 200);
    assert.equal(await statusOf('/readyz'), 503);
    const answer = await fetch(`http://127.0.0.1:${port}/datasets`);
    assert.deepEqual([answer.status, await answer.json()], [503, { error: 'database unavailable' }]);
    await migrating.query('rollback');
    await eventually('prepared', async () => (await statusOf('/readyz')) === 200);
    assert.equal(await statusOf('/datasets'), 200);
  } finally {
    migrating.release(true);
    api.child.kill('SIGTERM');
    assert.equal(await api.exited(), 0, api.output());
    await database.close();
    await rm(folder, { recursive: true });
  }
});

test('an api whose store is away serves what needs none, and is ready once it has seeded after all', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-roles-'));
  const database = await openTestDatabase();
  await writeFile(join(folder, 'objects'), 'where the folder of the store should be');
  const port = await freePort();
  const api = launchService({
    dataDir: join(folder, 'data'),
    env: { ...environmentOf(database, folder), HTTP_PORT: String(port) },
    command: [process.execPath, 'src/main.ts', 'api'],
  });
  try {
    const get = async (path: string) => await fetch(`http://127.0.0.1:${port}${path}`);
    await eventually('prepared', async () => (await get('/datasets').catch(() => undefined))?.status === 200);
    const unready = await get('/readyz');
    const components = { database: 'ok', object_store: 'unavailable', message_queue: 'ok' };
    assert.deepEqual([unready.status, await unready.json()], [503, { ready: false, components }]);
    await rm(join(folder, 'objects'));
    await eventually('ready', async () => (await get('/readyz')).status === 200);
    for (const path of ['/landscape/slots', '/landscape/results'])
      assert.equal((await get(path)).status, 200);
  } finally {
    api.child.kill('SIGTERM');
    assert.equal(await api.exited(), 0, api.output());
    await database.close();
    await rm(folder, { recursive: true });
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}
