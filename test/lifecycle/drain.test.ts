import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../support/client.ts';
import { squaresGeoJson } from '../support/geo/generated-files.ts';
import { eventually } from '../support/processes.ts';
import { formType, rawForm, textPart } from '../support/http/raw-http.ts';
import { openDataDir, startService } from '../support/service.ts';

describe('a service that is asked to end', () => {
  test('answers who waits, and lets an upload under way end: what was answered 201 is there after the next start', async () => {
    const dataDir = await openDataDir();
    try {
      await using service = await startService({ dataDir });
      const client = createClient(service.baseUrl);
      const categoryId = await client.createCategory('drain');
      const id = await client.upload(categoryId, 'vector', new File([squaresGeoJson(3)], 'squares.geojson'));
      await settled(client, id);
      const poll = fetch(`${service.baseUrl}/datasets/${id}/status?current=ready&wait=60`);
      const upload = startSlowUpload(service.baseUrl, categoryId);
      await sleep(500); // both have arrived

      service.signal('SIGTERM');
      const state: { status: string } = JSON.parse(await (await poll).text());
      assert.equal(state.status, 'ready');
      await sleep(500);
      upload.finish();
      const response = await upload.response;
      assert.equal(response.status, 201);
      const uploaded: { id: string } = JSON.parse(await response.text());
      assert.equal(await service.exited(), 0);

      await using next = await startService({ dataDir });
      await settled(createClient(next.baseUrl), uploaded.id);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

  test('goes on serving while balancers notice, and lets an upload take as long as it is told', async () => {
    await using service = await startService({ env: { DRAIN_DELAY_SECONDS: '2', DRAIN_SECONDS: '20' } });
    const categoryId = await createClient(service.baseUrl).createCategory('drain');
    const upload = startSlowUpload(service.baseUrl, categoryId);
    await sleep(500);
    service.signal('SIGTERM');
    const ready = async () => await fetch(`${service.baseUrl}/readyz`);
    await eventually('says that it is not ready', async () => (await ready()).status === 503, 1);
    const answer = await fetch(`${service.baseUrl}/datasets/00000000-0000-4000-8000-000000000000`);
    assert.deepEqual([answer.status, answer.headers.get('connection')], [404, 'close']);
    await eventually('takes nothing more', async () => await ready().then(isNever, isAlways), 5);
    await sleep(9000); // longer than any other command may take to end
    upload.finish();
    assert.equal((await upload.response).status, 201);
    assert.equal(await service.exited(), 0);
  });
});

function isNever(): boolean {
  return false;
}

function isAlways(): boolean {
  return true;
}

async function settled(client: Client, id: string): Promise<void> {
  await eventually('ready', async () => (await client.status(id)).status === 'ready');
}

/** Sends an upload without its last bytes, which `finish` sends. */
function startSlowUpload(baseUrl: string, categoryId: string) {
  const fields = [textPart('file_type', 'vector'), textPart('category_id', categoryId)];
  const head = new Blob([
    rawForm(fields, '--edge\r\nContent-Disposition: form-data; name="file"; filename="slow.geojson"\r\n\r\n'),
    squaresGeoJson(3),
  ]);
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await head.bytes();
    await finished;
    yield Buffer.from('\r\n--edge--\r\n');
  }
  const response = fetch(`${baseUrl}/datasets`, {
    method: 'POST',
    headers: formType,
    body: ReadableStream.from(body()),
    duplex: 'half',
  });
  response.catch(() => undefined); // checked later
  return { response, finish };
}
