import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, setState, upload } from '../../../test/support/datasets.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';

const storeFolder = join(await temporaryFolder(), 'objects');
const app = await closeAfterTests(startTestApp({ storeFolder }));
const beside = await closeAfterTests(startTestApp({ storeFolder, databaseTarget: app.databaseTarget }));
const category_id = await insertCategory(app.services.db);

async function statusOf({ baseUrl }: typeof app, path: string): Promise<number> {
  const answer = await fetch(baseUrl + path);
  await answer.bytes();
  return answer.status;
}

test('a raster that has become ready is there for the next request', async () => {
  const { id } = await upload(app, { category_id });
  const cog = `/datasets/${id}.cog`;
  assert.equal(await statusOf(app, cog), 409);
  await setState(app.services, id, { status: 'ready' }, { cog: 'II*' });
  assert.equal(await statusOf(app, cog), 200);
});

test('a deleted raster is gone with the answer to its deletion, and at once for other processes too', async () => {
  const { id } = await upload(app, { category_id });
  await setState(app.services, id, { status: 'ready' }, { cog: 'II*' });
  const paths = [`/datasets/${id}.cog`, `/datasets/${id}/download`];
  for (const each of [app, beside]) for (const path of paths) assert.equal(await statusOf(each, path), 200);
  const { status } = await fetch(`${app.baseUrl}/datasets/${id}`, { method: 'DELETE' });
  assert.equal(status, 204);
  for (const path of paths) assert.equal(await statusOf(app, path), 404);
  for (const path of paths) {
    await eventually('gone', async () => (await statusOf(beside, path)) === 404);
  }
});
