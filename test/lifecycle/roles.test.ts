import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../support/client.ts';
import { settingsOn } from '../support/tools/commands.ts';
import { openTestDatabase } from '../support/database.ts';
import { squaresGeoJson } from '../support/geo/generated-files.ts';
import { freePort } from '../support/ports.ts';
import { eventually } from '../support/processes.ts';
import { launchService, startService } from '../support/service.ts';

/** Number of the lock that the migrating process holds. */
const migrationLock = 5_738_266_001;

/** Opens a database and a folder for separate roles, and the settings with their places. */
async function openParts() {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-roles-'));
  const database = await openTestDatabase();
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  return {
    database,
    dataDir,
    objects: join(dataDir, 'objects'),
    env: settingsOn(database.target, dataDir),
    async [Symbol.asyncDispose]() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** Starts one role without waiting; at the end it must exit successfully. */
async function launchRole(role: 'api' | 'worker', { dataDir, env }: Parts) {
  const port = await freePort();
  const { child, exited, output } = launchService({
    dataDir,
    env: { ...env, HTTP_PORT: String(port) },
    command: [process.execPath, 'src/main.ts', role],
  });
  return {
    get: async (path: string) => await fetch(`http://127.0.0.1:${port}${path}`),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      assert.equal(await exited(), 0, output());
    },
  };
}

test('an api and a worker alone work together over a given database and store', async () => {
  await using parts = await openParts();
  const { dataDir, env } = parts;
  await using _worker = await launchRole('worker', parts);
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
});

test('an api that waits for its first migration is alive, and 503 where it needs the database', async () => {
  await using parts = await openParts();
  const { pool } = parts.database;
  await pool.query('drop schema public cascade; create schema public');
  const migrating = await pool.connect();
  await migrating.query('begin');
  await migrating.query(`select pg_advisory_xact_lock(${migrationLock})`);
  await using api = await launchRole('api', parts);
  using _released = { [Symbol.dispose]: () => migrating.release(true) };
  const statusOf = async (path: string): Promise<number> => (await api.get(path)).status;
  await eventually('alive', async () => (await statusOf('/healthz').catch(() => 0)) === 200);
  assert.equal(await statusOf('/readyz'), 503);
  const answer = await api.get('/datasets');
  assert.deepEqual([answer.status, await answer.json()], [503, { error: 'database unavailable' }]);
  await migrating.query('rollback');
  await eventually('prepared', async () => (await statusOf('/readyz')) === 200);
  assert.equal(await statusOf('/datasets'), 200);
});

test('an api whose store is away serves what needs none, and is ready once it has seeded after all', async () => {
  await using parts = await openParts();
  await writeFile(parts.objects, 'where the folder of the store should be');
  await using api = await launchRole('api', parts);
  const { get } = api;
  await eventually('prepared', async () => (await get('/datasets').catch(() => undefined))?.status === 200);
  const unready = await get('/readyz');
  const components = { database: 'ok', object_store: 'unavailable', message_queue: 'ok' };
  assert.deepEqual([unready.status, await unready.json()], [503, { ready: false, components }]);
  await rm(parts.objects);
  await eventually('ready', async () => (await get('/readyz')).status === 200);
  for (const path of ['/landscape/slots', '/landscape/results']) assert.equal((await get(path)).status, 200);
});
