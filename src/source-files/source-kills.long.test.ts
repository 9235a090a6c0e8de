import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as DatabaseClient } from 'pg';
import { type Client, createClient } from '../../test/support/client.ts';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { hostileZip } from '../../test/support/hostile/hostile-zip.ts';
import { append, begin } from '../../test/support/http/tus.ts';
import { eventually, killAll } from '../../test/support/processes.ts';
import { assertNoDamage, type Service, startService } from '../../test/support/service.ts';
import { connectTo } from '../../test/support/service-database.ts';
import type { RasterOrder } from './schema.ts';

/** Deaths of the worker in each order; a job gives up after more. */
const deaths = 2;
const settleSeconds = 180;
const columns = 900;

/** A tile of ASCII, which takes a second to read. */
function heights(west: number, value: number): string {
  const row = Array.from({ length: columns }, (_, column) => value + (column % 7)).join(' ');
  const rows = Array.from({ length: columns }, () => row).join('\n');
  return `ncols ${columns}\nnrows ${columns}\nxllcorner ${west}\nyllcorner 5400000\ncellsize 30\n${rows}\n`;
}

describe('an order of a mosaic, whose worker is killed with -9', () => {
  let dataDir: string;
  let service: Service;
  let database: DatabaseClient;
  let client: Client;
  before(async () => {
    dataDir = await temporaryFolder();
    service = await startService({ dataDir, env: { LOG_LEVEL: 'warn' } });
    database = await connectTo(service);
    client = createClient(service.baseUrl);
  });
  after(async () => {
    await database.end();
    await service.stop();
  });

  test('is made once, at whatever moment the worker dies', async () => {
    const archive = hostileZip([
      { name: 'a.asc', bytes: heights(500_000, 1) },
      { name: 'b.asc', bytes: heights(500_000 + 30 * columns, 2) },
    ]);
    const upload = await begin(service.baseUrl, archive.length, { filename: 'h.zip', use: 'rasters' });
    const answer = await append(service.baseUrl + upload, 0, new Uint8Array(archive));
    const path = answer.headers.get('location') ?? assert.fail(await answer.text());
    await client.json(`${path}/variables?wait=60`);
    const category_id = await client.createCategory('kills');
    const body = JSON.stringify({ variable: 'band 1', category_id, crs: 'EPSG:32642' });
    const headers = { 'content-type': 'application/json', 'idempotency-key': '"kills"' };
    const ordered = await client.json<RasterOrder[]>(`${path}/rasters?wait=60`, {
      method: 'POST',
      body,
      headers,
    });
    assert.equal(ordered.status, 201, JSON.stringify(ordered.body));
    for (let killed = 0; killed < deaths; killed += 1) {
      await eventually('the order at work, or made', async () => (await stateOfJob()) !== 'queued', 60);
      if ((await stateOfJob()) !== 'running') break;
      await sleep(Math.random() * 1000);
      killAll([await service.workerPid()]);
      await database.query("update jobs set run_after = now() where state in ('queued', 'running')");
    }
    const order = await eventually(
      'the mosaic',
      async () => {
        const { body: orders } = await client.json<RasterOrder[]>(`${path}/rasters`);
        assert.equal(orders.length, 1);
        assert.notEqual(orders[0]?.state, 'failed', orders[0]?.failure ?? '');
        return orders[0]?.state === 'made' ? orders[0] : undefined;
      },
      settleSeconds,
    );
    assert.equal(order.mosaic?.valid, 2 * columns * columns);
    const { rows } = await database.query('select id from datasets');
    assert.deepEqual(
      rows.map(({ id }) => id),
      [order.rasters[0]?.dataset_id],
    );
    const again = await client.json<RasterOrder[]>(`${path}/rasters`, { method: 'POST', body, headers });
    assert.deepEqual(again.body, ordered.body);
    // Expires the drafts of killed workers, which otherwise takes two minutes.
    await database.query("update objects set lease_until = now() where state <> 'live'");
    const isClean = async () => /^0 in flight/m.test(await assertNoDamage(dataDir));
    await eventually('nothing in flight', isClean, 240);
  });

  async function stateOfJob(): Promise<string | undefined> {
    const { rows } = await database.query<{ state: string }>(
      "select jobs.state from jobs join results on results.id::text = jobs.ref_id::text where results.kind = 'source-rasters'",
    );
    return rows[0]?.state;
  }
});
