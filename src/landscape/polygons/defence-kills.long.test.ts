import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPolygons } from './polygons-schema.ts';
import { createLandscapeClient } from '../../../test/support/landscape/landscape.ts';
import { assertNoDamage, type Service, startService } from '../../../test/support/service.ts';
import { isTimeUp, repetitions } from '../../../test/support/tier.ts';

/** Number of kills of the worker while it makes results of a run. */
const kills = repetitions('KILLS', 1, 4);
/** Longest wait from the request to the kill. A result that is ready before does not count; the next round requests another one. */
const longestMs = 400;

describe('kill -9 of the worker while zones are taken out of the service', () => {
  let service: Service;
  let client: ReturnType<typeof createLandscapeClient>;
  let run: string;

  before(async () => {
    service = await startService({ env: { LOG_LEVEL: 'warn' } });
    client = createLandscapeClient(service.baseUrl);
    await client.fillAll();
    ({ id: run } = await client.run());
  });
  after(async () => await service[Symbol.asyncDispose]());

  test(`polygons are made once each over ${kills} kills`, async (t) => {
    const path = `/landscape/runs/${run}/polygons`;
    const made: string[] = [];
    const killed = await strike(async (round, wait) => {
      const body = JSON.stringify({ min_area_ha: 1 + round });
      const answer = await client.json<RunPolygons>(`${path}?wait=${wait}`, { method: 'POST', body });
      if (answer.status === 200) made.push(answer.body.id);
      return answer.status;
    });
    const { body: listed } = await client.json<RunPolygons[]>(path);
    assert.deepEqual(listed.map(({ id }) => id).toSorted(), made.toSorted());
    for (const { dataset_id: id } of listed) {
      for (;;) {
        const { status } = await client.status(id ?? assert.fail());
        assert.notEqual(status, 'failed');
        if (status === 'ready') break;
        await sleep(100);
      }
    }
    const { body: vectors } = await client.json<{ total: number }>('/datasets?file_type=vector');
    assert.equal(vectors.total, made.length);
    await assertNoDamage(service.dataDir);
    t.diagnostic(`${killed} kills, ${made.length} made`);
  });

  test(`atlases are made once each over ${kills} kills`, async (t) => {
    const path = `/landscape/runs/${run}/atlas.pdf?by=region`;
    for (const counted of ['balance', 'atlas.pdf?by=region'])
      while ((await fetch(`${service.baseUrl}/landscape/runs/${run}/${counted}`)).status === 202);
    const scales: number[] = [];
    const killed = await strike(async (round, wait) => {
      const scale = 1_000_000 + 10_000 * round;
      const answer = await fetch(`${service.baseUrl}${path}&scale=${scale}&wait=${wait}`);
      const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
      if (answer.status === 200) {
        assert.ok(text.startsWith('%PDF-') && text.trimEnd().endsWith('%%EOF'));
        scales.push(scale);
      }
      return answer.status;
    });
    for (const scale of scales) {
      const [one, other] = [
        await client.sha256(`${path}&scale=${scale}`),
        await client.sha256(`${path}&scale=${scale}`),
      ];
      assert.equal(one, other);
    }
    await assertNoDamage(service.dataDir);
    t.diagnostic(`${killed} kills, ${scales.length} made`);
  });

  /** Requests one result after the other and kills the worker meanwhile, until enough kills have hit; waits for each result. */
  async function strike(ask: (round: number, wait: number) => Promise<number>): Promise<number> {
    let hits = 0;
    for (let round = 0; hits < kills && round < 40 && (hits === 0 || !isTimeUp()); round += 1) {
      assert.equal(await ask(round, 0), 202);
      await sleep(Math.random() * longestMs);
      const pid = await service.workerPid();
      process.kill(pid, 'SIGKILL');
      // A result that is not ready by now is in progress or queued.
      let status = await ask(round, 0);
      if (status === 202) hits += 1;
      while (status !== 200) {
        assert.equal(status, 202, service.output().slice(-2000));
        status = await ask(round, 20);
      }
    }
    assert.ok(hits >= 1);
    return hits;
  }
});
