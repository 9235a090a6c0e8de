import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { runSteppe, startService } from '../support/service.ts';
import { startServices } from '../support/services/services.ts';

const services = await closeAfterTests(startServices());
const { s3, nats, env } = services;
const service = await closeAfterTests(startService({ dataDir: await temporaryFolder(), env }));
const file = new File(['{"type":"Point","coordinates":[71,51]}'], 'point.geojson');

async function read<T>(path: string): Promise<T> {
  const answer = await fetch(service.baseUrl + path);
  return JSON.parse(await answer.text());
}

/** An upload, and the seconds until it was answered. */
async function upload() {
  const categories = await read<readonly { id: string }[]>('/categories');
  const form = new FormData();
  form.set('file_type', 'vector');
  form.set('category_id', categories[0]?.id ?? '');
  form.set('file', file);
  const startedAt = performance.now();
  const answer = await fetch(`${service.baseUrl}/datasets`, { method: 'POST', body: form });
  const { id }: { id?: string } = JSON.parse(await answer.text());
  return { status: answer.status, id, seconds: (performance.now() - startedAt) / 1000 };
}

const readiness = async () =>
  await read<{ ready: boolean; components: Readonly<Record<string, string>> }>('/readyz');
const isReady = async (id: string | undefined): Promise<boolean> => {
  const { status } = await read<{ status: string }>(`/datasets/${id}/status`);
  return status === 'ready';
};

describe('a service whose neighbour hangs without a word', () => {
  it('refuses uploads in time while the object store does, and takes them when it is back', async () => {
    await s3.process.freeze();
    const refused = await upload();
    assert.equal(refused.status, 503);
    assert.ok(refused.seconds < 15, `${refused.seconds} s`);
    const { components } = await readiness();
    assert.equal(components['object_store'], 'unavailable');
    await s3.process.thaw();
    const taken = await upload();
    assert.equal(taken.status, 201);
    await eventually('ready', async () => await isReady(taken.id));
    // What was refused leaves nothing, once the store has answered the sweeper twice.
    const isClean = async () => {
      const { code, output } = await runSteppe(['fsck', '--digests'], { dataDir: service.dataDir, env });
      return code === 0 && output.includes('\n0 in flight\n');
    };
    await eventually('nothing is left', isClean, 120);
  });

  it('takes and processes uploads while NATS does, and says so in its readiness', async () => {
    await nats.process.freeze();
    const taken = await upload();
    assert.equal(taken.status, 201);
    assert.ok(taken.seconds < 3, `${taken.seconds} s`);
    await eventually('ready', async () => await isReady(taken.id));
    const { components } = await readiness();
    assert.deepEqual(components, { database: 'ok', object_store: 'ok', message_queue: 'unavailable' });
    await nats.process.thaw();
    await eventually('is ready again', async () => (await readiness()).ready);
  });
});
