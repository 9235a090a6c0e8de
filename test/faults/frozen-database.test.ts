import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../support/client.ts';
import { squaresGeoJson } from '../support/generated-files.ts';
import { afterTests, closeAfterTests } from '../support/for-tests.ts';
import { descendantsOf, eventually } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import { repetitions } from '../support/tier.ts';
import { isReady } from '../lifecycle/catalogue.ts';

const answerMs = 10_000;
const resumeSeconds = 5;
/** For how long PostgreSQL is stopped after every request was answered. */
const outageSeconds = repetitions('OUTAGE_SECONDS', 3, 60);

const service = await closeAfterTests(startService());
const client = createClient(service.baseUrl);
const categoryId = await client.createCategory('frozen');
const category = '{"code":"x","name":"x"}';
const squares = () => new File([squaresGeoJson(3)], 'squares.geojson');

/** All processes of the service's PostgreSQL; what begins later belongs to none that is stopped. */
async function postgresProcesses(): Promise<readonly number[]> {
  const postmaster = await service.postgresPid();
  return [postmaster, ...(await descendantsOf(postmaster)).map(({ pid }) => pid)];
}

/** Stops PostgreSQL without ending it, until the result is called. */
async function freeze(): Promise<() => void> {
  const pids = await postgresProcesses();
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // it has ended since
      }
    }
  };
  signal('SIGSTOP');
  afterTests(async () => signal('SIGCONT')); // whatever becomes of the test
  return () => signal('SIGCONT');
}

async function timed(path: string, init: RequestInit = {}) {
  const startedAt = performance.now();
  const answer = await fetch(service.baseUrl + path, init);
  const body: unknown = await answer.json();
  return { status: answer.status, body, ms: performance.now() - startedAt };
}

describe('a PostgreSQL that is stopped', () => {
  test('answers every request 503 within ten seconds, and goes on where it was when it is back', async () => {
    const waiting = await client.upload(categoryId, 'vector', squares());
    await eventually('ready', async () => (await client.status(waiting)).status === 'ready');
    const thaw = await freeze();
    const upload = new FormData();
    upload.set('file', squares());
    upload.set('file_type', 'vector');
    upload.set('category_id', categoryId);
    const asking = Promise.all([
      timed('/datasets'),
      timed(`/datasets/${waiting}`),
      timed(`/datasets/${waiting}/status?current=ready&wait=60`),
      timed(`/datasets/${waiting}.geojson`),
      timed('/categories', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: category,
      }),
      timed('/landscape/runs', { method: 'POST' }),
      timed('/datasets', { method: 'POST', body: upload }),
      // More than there are connections.
      ...Array.from({ length: 40 }, async (_, page) => await timed(`/datasets?page=${page + 1}`)),
    ]);
    for (const { status, body, ms } of await asking) {
      assert.deepEqual([status, body], [503, { error: 'database unavailable' }]);
      assert.ok(ms < answerMs, `${ms} ms`);
    }
    const begun = performance.now();
    do {
      // It is known by now: no request waits any more.
      for (const [path, init] of [
        ['/datasets'],
        ['/categories', { method: 'POST', body: category }],
      ] as const) {
        const { status, ms } = await timed(path, init);
        assert.equal(status, 503);
        assert.ok(ms < 1000, `${path}: ${ms} ms`);
      }
      assert.equal((await timed('/healthz')).status, 200);
      const ready = await timed('/readyz');
      assert.equal(ready.status, 503);
      assert.match(JSON.stringify(ready.body), /"database":"unavailable","object_store":"ok"/);
      await delay(500);
    } while (performance.now() - begun < outageSeconds * 1000);

    thaw();
    await eventually('answers', async () => (await timed('/datasets')).status === 200, resumeSeconds);
    const id = await client.upload(categoryId, 'vector', squares());
    await eventually('processed', async () => (await client.status(id)).status === 'ready');
    await eventually('ready again', async () => await isReady(service.baseUrl));
    assert.match(service.output(), /the database does not answer/);
    assert.match(service.output(), /the database answers again/);
    assert.doesNotMatch(service.output(), /it is started again/);
  });

  test('that is back before anybody gave up has lost nothing', async () => {
    const thaw = await freeze();
    const asked = timed('/datasets');
    await delay(1500);
    thaw();
    assert.equal((await asked).status, 200);
  });
});
