import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { settingsOn } from '../support/tools/commands.ts';
import { openTestDatabase } from '../support/database.ts';
import { eventually } from '../support/processes.ts';
import { freePort } from '../support/ports.ts';
import { insertPendingDatasets } from '../support/geo/rasters.ts';
import { startService } from '../support/service.ts';

const datasets = 20;
const pollsPerDatasetAndApi = 15;

const database = await openTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'steppe-apis-'));
after(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function startApi(number: number) {
  const dataDir = join(folder, String(number));
  const command = [process.execPath, 'src/main.ts', 'api'] as const;
  const metricsPort = await freePort();
  const env = { ...settingsOn(database.target, dataDir), METRICS_PORT: String(metricsPort) };
  return { ...(await startService({ dataDir, env, command })), metricsPort };
}

test('each change wakes its waiters at every api, and those of a killed api wait on at another', async () => {
  const ids = await insertPendingDatasets(database.pool, datasets);
  await using resources = new AsyncDisposableStack();
  const killed = resources.use(await startApi(0));
  const others = [resources.use(await startApi(1)), resources.use(await startApi(2))];
  const services = [killed, ...others];

  /** Polls one api after the other, like a client of a load balancer. */
  async function poll(id: string, place: number): Promise<string> {
    for (let tried = 0; ; tried += 1) {
      const { baseUrl } = services[(place + tried) % services.length] ?? killed;
      try {
        const answer = await fetch(`${baseUrl}/datasets/${id}/status?current=pending&wait=60`);
        const { status }: { status: string } = JSON.parse(await answer.text());
        return status;
      } catch (error) {
        if (tried > services.length) throw error;
      }
    }
  }
  const waiting = ids.flatMap((id) =>
    Array.from(
      { length: services.length * pollsPerDatasetAndApi },
      async (_, place) => await poll(id, place),
    ),
  );
  const heldBy = async (some: typeof services): Promise<number> => {
    let held = 0;
    for (const { metricsPort } of some) {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      held += Number(/^steppe_waiters (\d+)$/m.exec(metrics)?.[1]);
    }
    return held;
  };
  await eventually('all wait', async () => (await heldBy(services)) === waiting.length);
  await killed.kill9();
  await eventually('all wait at the others', async () => (await heldBy(others)) === waiting.length);
  const changedMs = performance.now();
  for (const id of ids) await database.pool.query(`update datasets set status = 'ready' where id = $1`, [id]);
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['ready']));
  assert.ok(performance.now() - changedMs < 15_000, 'told of the change, not of the end of the wait');
});
