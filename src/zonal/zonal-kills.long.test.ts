import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as DatabaseClient } from 'pg';
import type { DatasetZonal, GroupZonal } from './zonal-schema.ts';
import { writeRaster } from '../../test/acceptance/support/files.ts';
import { type Client, createClient } from '../../test/support/client.ts';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { freePort } from '../../test/support/ports.ts';
import { descendantsOf, eventually, killAll } from '../../test/support/processes.ts';
import { assertNoDamage, type Service, startService } from '../../test/support/service.ts';
import { connectTo } from '../../test/support/service-database.ts';
import { isTimeUp, repetitions } from '../../test/support/tier.ts';

/** Number of kills while rasters come and go. */
const kills = repetitions('KILLS', 2, 20);
/** Number of rasters from which one more is deleted. */
const mostRasters = 4;
const settleSeconds = 180;
/** Longer than most jobs about these rasters take. */
const mostWorkMs = 300;

describe(`the table of a group over ${kills} kills -9 of the worker, and of the api with it`, () => {
  let dataDir: string;
  let start: () => Promise<Service>;
  let service: Service;
  let database: DatabaseClient;
  let client: Client;
  let category: string;
  let group: string;
  const rasters: string[] = [];
  let made = 0;

  before(async () => {
    dataDir = await temporaryFolder();
    const env = { HTTP_PORT: String(await freePort()), LOG_LEVEL: 'warn' };
    start = async () => await startService({ dataDir, env });
    service = await start();
    await connect();
    client = createClient(service.baseUrl);
    category = await client.createCategory('zonal-kills');
    const body = JSON.stringify({ code: 'zonal-kills', name: 'Kills' });
    group = (await client.json<{ id: string }>('/dataset-groups', { method: 'POST', body })).body.id;
    const followed = await client.json<GroupZonal>(`/dataset-groups/${group}/zonal`, {
      method: 'PUT',
      body: JSON.stringify({ stats: ['mean'], by: 'all' }),
    });
    assert.equal(followed.status, 200, JSON.stringify(followed.body));
  });
  after(async () => {
    await database.end();
    await service.stop();
  });

  test('has in the end each ready raster once, and nothing of those that were deleted', async (t) => {
    await addRaster();
    await addRaster();
    let killed = 0;
    const interrupted = new Map<string, number>();
    for (let round = 0; killed < kills && (round < 2 || !isTimeUp()); round += 1) {
      // The deletion comes first, so that it may occur while the table is made.
      if (rasters.length >= mostRasters || round % 3 === 1) await deleteRaster(round);
      await addRaster();
      // Alternately while the table is made, and at any time.
      const isDue = (kind: string) => kind === 'zonal-table' || round % 2 === 1;
      await eventually('a job at work', async () => (await kindsAtWork()).some(isDue), 60);
      await sleep(Math.random() * mostWorkMs);
      for (const kind of await kindsAtWork()) interrupted.set(kind, 1 + (interrupted.get(kind) ?? 0));
      killed += await kill(round % 4 === 3 ? 'all' : 'worker');
      await endPauses();
    }
    const table = await settled();
    assert.deepEqual(await client.observations(table), await expected());
    const kinds = [...interrupted].map(([kind, times]) => `${kind} ${times}`).join(', ');
    t.diagnostic(`${killed} kills, ${made} rasters, ${rasters.length} of them left; at work: ${kinds}`);
  });

  test('leaves nothing behind', async () => {
    // Expires the drafts of killed workers, which otherwise takes two minutes.
    await database.query("update objects set lease_until = now() where state <> 'live'");
    const isClean = async () => /^0 in flight/m.test(await assertNoDamage(dataDir));
    await eventually('nothing in flight', isClean, 240);
  });

  async function addRaster(): Promise<void> {
    const day = String(1 + made).padStart(2, '0');
    const rows = Array.from({ length: 30 }, (_, row) =>
      Array.from({ length: 40 }, (_each, column) => ((column * 7 + row * 13 + made * 31) % 101) / 8),
    );
    made += 1;
    const id = await client.upload(
      category,
      'raster',
      writeRaster({ rows, pixelSize: 8000 }, `r${made}.tif`),
    );
    const body = JSON.stringify({ dg_id: group, start_date: `2024-03-${day}` });
    const { status } = await client.json(`/datasets/${id}`, { method: 'PATCH', body });
    assert.equal(status, 200);
    rasters.push(id);
  }

  async function deleteRaster(round: number): Promise<void> {
    const [id] = rasters.splice(round % rasters.length, 1);
    const answer = await fetch(`${service.baseUrl}/datasets/${id}`, { method: 'DELETE' });
    assert.equal(answer.status, 204);
  }

  async function connect(): Promise<void> {
    database = await connectTo(service);
    database.on('error', () => undefined); // it is killed with the service
  }

  async function kindsAtWork(): Promise<readonly string[]> {
    const { rows } = await database.query<{ kind: string }>("select kind from jobs where state = 'running'");
    return rows.map(({ kind }) => kind);
  }

  /** Ends the pauses, so that the next round finds active jobs: each death doubles the pause before the next attempt. */
  async function endPauses(): Promise<void> {
    await database.query(
      "update jobs set worker_deaths = 0, run_after = now() where state in ('queued', 'running')",
    );
  }

  async function kill(what: 'worker' | 'all'): Promise<number> {
    if (what === 'worker') return killAll([await service.workerPid()]);
    const killed = killAll([service.pid, ...(await descendantsOf(service.pid)).map(({ pid }) => pid)]);
    await service.exited();
    service = await start();
    await connect();
    return killed > 0 ? 1 : 0;
  }

  async function settled(): Promise<string> {
    return await eventually(
      'a table of all rasters',
      async () => {
        const { body } = await client.json<GroupZonal>(`/dataset-groups/${group}/zonal`);
        assert.notEqual(body.state, 'failed', body.message);
        // A raster that is not ready yet does not count in the group.
        const isWhole = body.state === 'up_to_date' && body.rasters.in_table === rasters.length;
        return isWhole && body.dataset_id !== null && body.dataset_id;
      },
      settleSeconds,
    );
  }

  /** Expected lines, from the statistics of each remaining raster. */
  async function expected(): Promise<string[]> {
    const lines: string[] = [];
    for (const id of rasters) {
      const { body: raster } = await client.json<{ start_date: string }>(`/datasets/${id}`);
      const { body } = await client.json<DatasetZonal>(`/datasets/${id}/zonal?by=all&stats=mean&wait=60`);
      for (const { kato: kato_code, values } of body.rows) {
        const value = values['mean'] ?? null;
        lines.push(
          JSON.stringify({
            kato_code,
            start_date: raster.start_date,
            end_date: null,
            value,
            value_text: null,
          }),
        );
      }
    }
    assert.ok(lines.length > 200);
    return lines.toSorted();
  }
});
