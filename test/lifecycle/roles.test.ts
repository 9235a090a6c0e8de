import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createClient } from '../support/client.ts';
import { openTestDatabase } from '../support/database.ts';
import { squaresGeoJson } from '../support/generated-files.ts';
import { eventually } from '../support/processes.ts';
import { launchService, startService } from '../support/service.ts';

test('an api and a worker alone work together over a given database and store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-roles-'));
  const database = await openTestDatabase();
  const { host, user, database: name } = database.target;
  const url = `postgres:///${name}?${new URLSearchParams({ host: String(host), user: String(user) }).toString()}`;
  const env = {
    DATABASE_URL: url,
    MESSAGE_QUEUE_URL: url,
    OBJECT_STORE_URL: pathToFileURL(join(folder, 'objects')).href,
  };
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
