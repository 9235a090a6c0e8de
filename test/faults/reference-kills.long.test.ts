import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { createClient } from '../support/client.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { fixture } from '../support/geo/engine.ts';
import { byRanges, openBucketServer } from '../support/http/archive-server.ts';
import { freePort } from '../support/ports.ts';
import { eventually } from '../support/processes.ts';
import { assertNoDamage, type Service, startService } from '../support/service.ts';

// A bucket of the operator may be on this machine; no host that users name may.
const bucket = await closeAfterTests(openBucketServer('archive'));
const cog = await readFile(fixture('raster/cog_already.tif'));
const features = await readFile(fixture('flatgeobuf/every_kind.fgb'));

interface Referred {
  readonly status: string;
  readonly storage_key: string;
  readonly reference?: { readonly state: string; readonly copying: boolean };
}

/** Holds requests for an object until the process that sent them is killed. */
function createHold() {
  let isHeld = true;
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let requests = 0;
  return {
    asked,
    release: () => void (isHeld = false),
    /** Lets the first requests through. */
    behaviour:
      (free: number): typeof byRanges =>
      (...call) => {
        requests += 1;
        if (!isHeld || requests <= free) byRanges(...call);
        else resolve();
      },
  };
}

describe('a service that is killed while it reads a reference', async () => {
  const dataDir = await temporaryFolder();
  const env = {
    HTTP_PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
    REFERENCE_BUCKETS: bucket.url,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  let service: Service = await startService({ dataDir, env });
  const client = createClient(service.baseUrl);
  const category = await client.createCategory('references');
  await closeAfterTests(Promise.resolve({ close: async () => void (await service.stop()) }));

  const read = async (id: string) => (await client.json<Referred>(`/datasets/${id}`)).body;
  const register = async (address: string): Promise<string> => {
    const body = JSON.stringify({ address, category_id: category });
    const answer = await client.json<{ id: string }>('/datasets/references', { method: 'POST', body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  const killAndStart = async (): Promise<void> => {
    await service.kill9();
    service = await startService({ dataDir, env });
  };
  const until = async (id: string, is: (dataset: Referred) => boolean) =>
    await eventually('the end of the work', async () => {
      const dataset = await read(id);
      return is(dataset) && dataset;
    });

  for (const [name, bytes] of [
    ['relief.tif', cog],
    ['fields.fgb', features],
  ] as const) {
    test(`ends its registration and its copy after the next start: ${name}`, async () => {
      const file = { bytes, etag: `"${name}"` };
      const registering = createHold();
      const address = bucket.serve(name, file, registering.behaviour(1));
      const id = await register(address);
      await registering.asked;
      await killAndStart();
      registering.release();
      const ready = await until(id, ({ status }) => status === 'ready');
      assert.equal(ready.reference?.state, 'unchanged');

      const copying = createHold();
      bucket.serve(name, file, copying.behaviour(0));
      const asked = await client.json(`/datasets/${id}/copy`, { method: 'POST' });
      assert.equal(asked.status, 200);
      await copying.asked;
      await killAndStart();
      copying.release();
      const copied = await until(id, ({ reference }) => reference === undefined);
      assert.match(copied.storage_key, /^originals\//);
      bucket.remove(name);
      const download = await fetch(`${service.baseUrl}/datasets/${id}/download`);
      assert.deepEqual(Buffer.from(await download.arrayBuffer()), bytes);
    });
  }

  test('loses nothing, and keeps nothing that no dataset has', async () => {
    await assertNoDamage(dataDir, env);
  });
});
