import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  assertComputed,
  assertGolden,
  codesOf,
  createLandscapeClient,
  enlarged,
  golden,
  type LandscapeClient,
  nodeCodes,
  outputOf,
  type Run,
} from '../../support/landscape.ts';
import { eventually } from '../../support/processes.ts';
import { type Service, startService } from '../../support/service.ts';

interface RunPage {
  readonly total: number;
  readonly data: readonly { readonly id: string }[];
}

describe('runs', () => {
  let dataDir: string;
  let service: Service;
  let client: LandscapeClient;

  const start = async () => {
    service = await startService({ dataDir, env: { LOG_LEVEL: 'warn' } });
    client = createLandscapeClient(service.baseUrl);
  };

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'steppe-queue-'));
    await start();
    await client.fillAll();
    assertComputed(await client.run(), nodeCodes);
  });
  after(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  test('can be planned without running, which leaves nothing behind', async () => {
    const everything = async () => [
      await client.json('/landscape/runs'),
      await client.json('/landscape/results'),
      await client.json('/datasets?page_size=100'),
    ];
    const before = await everything();
    const plan = async (input: unknown) => {
      const init = { method: 'POST', body: JSON.stringify(input) };
      const { status, body } = await client.json<Run>('/landscape/runs?dry_run=true', init);
      assert.equal(status, 200);
      return body;
    };
    assert.deepEqual(codesOf(await plan({}), 'skipped'), nodeCodes);
    const partial = await plan({ params: { tie_priority: [5, 4, 3, 2, 1] } });
    assert.deepEqual(codesOf(partial, 'pending'), ['32', '34']);
    assert.deepEqual(codesOf(await plan({ from_stage: 0 }), 'pending'), nodeCodes);
    assert.deepEqual(await everything(), before);
  });

  test('that are asked for at once run one after the other, oldest first', async () => {
    const started = await Promise.all([1, 2, 3].map(async () => await client.start({ from_stage: 0 })));
    const runs = await Promise.all(started.map(async ({ id }) => await client.finished(id)));
    const inTurn = runs.toSorted((one, other) => momentOf(one.started_at) - momentOf(other.started_at));
    for (const [index, run] of inTurn.entries()) {
      assertComputed(run, nodeCodes);
      const before = inTurn[index - 1];
      if (before === undefined) continue;
      assert.ok(momentOf(run.started_at) >= momentOf(before.finished_at));
      assert.ok(momentOf(run.created_at) >= momentOf(before.created_at));
    }
    const { body } = await client.json<RunPage>('/landscape/runs?page_size=3');
    assert.deepEqual(
      body.data.map(({ id }) => id).toSorted(byText),
      started.map(({ id }) => id).toSorted(byText),
    );
  });

  test('go on after a restart, the one under way and the one that waits, and nothing is lost', async () => {
    const large = await client.fill('dem', await enlarged(await golden('dem'), 1500, 1000));
    const [running, waiting] = [await client.start(), await client.start()];
    await eventually('a running run', async () => (await client.read(running.id)).status === 'running', 60);
    const slots = await client.json('/landscape/slots');
    assert.equal(await service.stop(), 0);
    const stopped = Date.now();

    await start();
    assert.deepEqual(await client.json('/landscape/slots'), slots);
    const first = await client.finished(running.id);
    const second = await client.finished(waiting.id);
    assertComputed(first, nodeCodes);
    assertComputed(second, []);
    assert.ok(momentOf(first.started_at) < stopped && momentOf(first.finished_at) > stopped);
    assert.ok(momentOf(second.started_at) > stopped);
    assert.equal((await client.pixels(outputOf(first, '34'))).length, 1500 * 1000);

    assert.equal((await fetch(`${service.baseUrl}/datasets/${large}`, { method: 'DELETE' })).status, 204);
    await assertGolden(client, await client.run(), 'default');
  });
});

function momentOf(time: string | null): number {
  assert.ok(time !== null);
  return Date.parse(time);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}
