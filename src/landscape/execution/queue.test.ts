import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { nodeCodes } from '../../../test/acceptance/support/graph.ts';
import { codesOf, outputOf } from '../../../test/acceptance/support/landscape.ts';
import {
  assertComputed,
  createLandscapeClient,
  enlarged,
  golden,
} from '../../../test/support/landscape/landscape.ts';
import { afterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';
import { openDataDir, startService } from '../../../test/support/service.ts';

const size = [120, 80] as const;

const dataDir = await openDataDir();
const start = async () => await startService({ dataDir, env: { LOG_LEVEL: 'warn' } });
let service = await start();
let client = createLandscapeClient(service.baseUrl);
afterTests(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true });
});
const filled = await client.fillAll({ dem: await enlarged(await golden('dem'), ...size) });

describe('runs', () => {
  test('go on after a restart, the one under way and the one that waits, and nothing is lost', async () => {
    await deleteGroup('landscape-34-functional-zoning');
    const killed = await service.workerPid();
    process.kill(killed, 'SIGKILL');
    await eventually('another worker', async () => (await service.workerPid()) !== killed);
    const statusOfResults = async () => (await client.json('/landscape/results')).status;
    assert.equal(await statusOfResults(), 404, 'no worker makes a group again that was deleted');

    const [running, waiting] = [await client.start(), await client.start()];
    await eventually('a running run', async () => (await client.read(running.id)).status === 'running', 60);
    const slots = await client.json('/landscape/slots');
    assert.equal(await service.stop(), 0);
    const stopped = Date.now();

    service = await start();
    client = createLandscapeClient(service.baseUrl);
    assert.deepEqual(await client.json('/landscape/slots'), slots);
    const first = await client.finished(running.id);
    const second = await client.finished(waiting.id);
    assertComputed(first, nodeCodes);
    assertComputed(second, []);
    assert.ok(momentOf(first.started_at) < stopped && momentOf(first.finished_at) > stopped);
    assert.ok(momentOf(second.started_at) > stopped);
    assert.equal((await client.pixels(outputOf(first, '34'))).length, size[0] * size[1]);
    assert.equal(await statusOfResults(), 200, 'a run has made it again');
  });

  test('can be cancelled while they wait and while they compute, and the next one begins at once', async () => {
    const large = await client.fill('dem', await enlarged(await golden('dem'), 600, 400));
    const [computing, waiting, next] = [
      await client.start(),
      await client.start(),
      await client.start({ overrides: { 'landscape-in-dem': filled.get('dem') ?? '' } }),
    ];
    await eventually('nodes that compute', async () => {
      const run = await client.read(computing.id);
      return codesOf(run, 'running').length === nodeCodes.length && run;
    });
    assert.equal(await client.cancel(waiting.id), 204);
    assert.equal(await client.cancel(computing.id), 204);
    const cancelledAt = Date.now();
    const readBoth = async () => await Promise.all([waiting, computing].map(({ id }) => client.read(id)));
    const cancelled = await readBoth();
    for (const { id, status, error, finished_at: finished, nodes } of cancelled) {
      assert.deepEqual([status, error, finished === null], ['failed', 'cancelled', false]);
      assert.ok(nodes?.every((node) => node.status === 'pending' && node.error === null));
      assert.equal(await client.cancel(id), 409);
    }
    const after = await client.finished(next.id);
    assertComputed(after, []);
    assert.ok(momentOf(after.started_at) - cancelledAt < 5000);
    assert.deepEqual(await readBoth(), cancelled);
    // The pixels of the outputs are counted meanwhile.
    await eventually('empty scratch', async () => (await readdir(join(dataDir, 'scratch'))).length === 0);
    assert.equal(await client.cancel(randomUUID()), 404);
    assert.equal((await fetch(`${service.baseUrl}/datasets/${large}`, { method: 'DELETE' })).status, 204);
  });
});

async function deleteGroup(code: string): Promise<void> {
  const { body } = await client.json<{ data: { id: string; code: string }[] }>(
    '/dataset-groups?page_size=100',
  );
  const group = body.data.find((each) => each.code === code);
  const { status } = await fetch(`${service.baseUrl}/dataset-groups/${group?.id}`, { method: 'DELETE' });
  assert.equal(status, 204);
}

function momentOf(time: string | null): number {
  assert.ok(time !== null);
  return Date.parse(time);
}
