import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../support/client.ts';
import { temporaryFolder } from '../support/for-tests.ts';
import { floatTiff, katoTable, squaresGeoJson } from '../support/geo/generated-files.ts';
import { freePort } from '../support/ports.ts';
import { descendantsOf, eventually, killAll } from '../support/processes.ts';
import { assertNoDamage, type Service, startService } from '../support/service.ts';
import { openBothSets, type ServiceSet } from '../support/services/both-sets.ts';
import { isTimeUp, repetitions } from '../support/tier.ts';

/** Number of kills of each part; each kill finds a dataset of every type in progress. */
const kills = repetitions('KILLS', 1, 20);
/** The promise: seconds until ready after the kill, or after the end of the lease of what was killed; beside the work itself. */
const readyWithin = 40;
/** A start and the work again take at most this many times as long as the work alone, however busy the machine is. */
const workTimes = 10;

const mapping = {
  kato_column: 'kato',
  year_columns: [
    { column: '2001', start_date: '2001-12-31' },
    { column: '2002', start_date: '2002-01-01', end_date: '2002-12-31' },
    { column: '2003', start_date: '2003-12-31' },
  ],
};
const files = {
  raster: new File([floatTiff(1500)], 'elevation.tif'),
  vector: new File([squaresGeoJson(3000)], 'fields.geojson'),
  vector_with_kato: new File([katoTable(1500, 3)], 'table.geojson'),
};

interface Uploaded {
  readonly raster: string;
  readonly vector: string;
  readonly table: string;
}

for (const set of await openBothSets()) describe(`kill -9 on ${set.name}`, () => proveKills(set));

function proveKills({ env: services, leaseSeconds }: ServiceSet): void {
  const readySeconds = readyWithin + leaseSeconds;
  let dataDir: string;
  let start: () => Promise<Service>;
  let service: Service;
  let client: Client;
  let categoryId: string;
  let undisturbed: Awaited<ReturnType<typeof outcome>>;
  let undisturbedMs: number | undefined;

  before(async () => {
    dataDir = await temporaryFolder();
    const env = { ...services, HTTP_PORT: String(await freePort()), LOG_LEVEL: 'warn' };
    start = async () => await startService({ dataDir, env });
    service = await start();
    client = createClient(service.baseUrl);
    categoryId = await client.createCategory('kill-nine');
    const uploaded = await uploadAll();
    const begin = performance.now();
    await follow(uploaded);
    undisturbedMs = performance.now() - begin;
    undisturbed = await outcome(uploaded);
    assert.ok(undisturbed.observations.length === 4500, 'one observation per row and mapped column');
  });
  after(async () => void (await service.stop()));

  test(`of the engine child, ${kills} times: everything becomes ready, as if undisturbed`, async (t) => {
    await survive(t, async (isOver) => {
      const children = await eventually('an engine child, or the end', async () => {
        const found = (await descendantsOf(service.pid)).filter(isEngineChild);
        return (found.length > 0 || isOver()) && found;
      });
      return killAll(children.map(({ pid }) => pid));
    });
  });

  test(`of the worker, ${kills} times: everything becomes ready, as if undisturbed`, async (t) => {
    await survive(t, async () => killAll([await service.workerPid()]));
  });

  test(`of everything at once, ${kills} times: a new start makes everything ready, as if undisturbed`, async (t) => {
    await survive(t, async () => {
      const everything = [service.pid, ...(await descendantsOf(service.pid)).map(({ pid }) => pid)];
      const killed = killAll(everything);
      await service.exited();
      service = await start();
      return killed;
    });
  });

  test('afterwards the store holds what the rows own, and nothing else', async () => {
    await assertNoDamage(dataDir, services);
  });

  async function uploadAll(): Promise<Uploaded> {
    const [raster, vector, table] = await Promise.all([
      client.upload(categoryId, 'raster', files.raster),
      client.upload(categoryId, 'vector', files.vector),
      client.upload(categoryId, 'vector_with_kato', files.vector_with_kato),
    ]);
    return { raster, vector, table };
  }

  /** Waits until all three are ready, and maps the table on the way. */
  async function follow({ raster, vector, table }: Uploaded): Promise<void> {
    await settled(table, 'awaiting_mapping');
    await client.map(table, mapping);
    await Promise.all([raster, vector, table].map(async (id) => await settled(id, 'ready')));
  }

  async function settled(id: string, wanted: string): Promise<void> {
    await eventually(
      `${id} is ${wanted}`,
      async () => {
        const { status, parse_error: reason } = await client.status(id);
        assert.notEqual(status, 'failed', reason ?? '');
        return (
          status === wanted || (wanted === 'awaiting_mapping' && ['extracting', 'ready'].includes(status))
        );
      },
      readySeconds + (workTimes * (undisturbedMs ?? 0)) / 1000,
    );
  }

  async function outcome({ raster, vector, table }: Uploaded) {
    return {
      cog: await client.sha256(`/datasets/${raster}.cog`),
      vector: await client.sha256(`/datasets/${vector}.geojson`),
      observations: await client.observations(table),
      map: await client.sha256(`/datasets/${table}.geojson`),
    };
  }

  /** Uploads one dataset of each type, kills at a random moment of their processing, and expects the undisturbed outcome; repeatedly. */
  async function survive(t: TestContext, kill: (isOver: () => boolean) => Promise<number>): Promise<void> {
    let round = 0;
    while (round < kills && (round === 0 || !isTimeUp())) {
      const uploaded = await uploadAll();
      let isOver = false;
      const following = follow(uploaded).then(() => (isOver = true));
      const killing = sleep(Math.random() * (undisturbedMs ?? 0)).then(async () => await kill(() => isOver));
      const [killed] = await Promise.all([killing, following]);
      assert.deepEqual(await outcome(uploaded), undisturbed);
      if (killed > 0) round += 1; // else everything was ready before the kill
    }
    t.diagnostic(`${round} kills`);
  }
}

function isEngineChild({ commandLine }: { commandLine: string }): boolean {
  return commandLine.includes('geo/child/main.ts');
}
