import assert from 'node:assert/strict';
import { test, describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../support/client.ts';
import { type Dependency, startDeployment } from '../support/services/deployment.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { type Answered, type Load, startLoad } from '../support/services/load.ts';
import { eventually } from '../support/processes.ts';
import { repetitions } from '../support/tier.ts';

/** Duration of the outage of each dependency. */
const outageSeconds = repetitions('OUTAGE_SECONDS', 12, 12);
/** Longest time until an answer. */
const answerMs = 10_000;
/** Work resumes within five seconds on a machine of its own; the other tests share this one. */
const resumeSeconds = 12;
/** Readiness is cached for a second, and a dependency that hangs is noticed after its deadline. */
const noticeSeconds = 8;
/** The sweeper removes an upload that the store has not answered, and removes it again after a minute. */
const settleSeconds = 240;

const deployment = await closeAfterTests(startDeployment({ apis: 2, workers: 2 }));
const { apis, dependencies } = deployment;

const manners = {
  stopped: {
    begin: async ({ server }) => await server.process.stop(),
    end: async ({ server }) => await server.restart(),
  },
  frozen: {
    begin: async ({ server }) => await server.process.freeze(),
    end: async ({ server }) => await server.process.thaw(),
  },
  'cut off': {
    begin: async ({ place }) => await place.cut(),
    end: async ({ place }) => await place.mend(),
  },
} satisfies Record<
  string,
  Record<'begin' | 'end', (each: (typeof dependencies)[Dependency]) => Promise<void>>
>;

for (const [manner, { begin, end }] of Object.entries(manners)) {
  describe(`${manner} for ${outageSeconds} s under load`, () => {
    for (const name of ['database', 'object_store', 'message_queue'] as const) {
      test(`${name}: every request is answered, readiness names it alone, and work goes on when it is back`, async (t) => {
        await using load = await startLoad(apis);
        await sleep(2000);
        await begin(dependencies[name]);
        const seen = await watchHealth(name);
        await end(dependencies[name]);
        const resumed = await secondsToWork(load);
        t.diagnostic(JSON.stringify(resumed));
        for (const [step, seconds] of Object.entries(resumed)) {
          assert.ok(seconds <= resumeSeconds, `${step} after ${seconds} s`);
        }
        await sleep(1000);
        await load.stop();
        assert.ok(seen > 0);
        for (const { what, api, status, ms } of load.answered()) {
          assert.ok(status !== undefined, `${what} of ${api} got no answer in ${ms} ms`);
          assert.ok(ms < answerMs, `${what} of ${api} took ${ms} ms (${status})`);
          assert.ok(status < 500 || status === 503, `${what} of ${api}: ${status}`);
        }
        assert.ok(load.accepted() > 0);
        await load.verify();
      });
    }
  });
}

test('afterwards the store holds what the rows own, byte for byte, and nothing else', async () => {
  await eventually(
    'no damage, nothing in flight',
    async () => {
      const { code, output } = await deployment.run('fsck', '--digests');
      assert.equal(code, 0, output);
      return /\n0 in flight\nno damage/.test(output);
    },
    settleSeconds,
  );
});

/** Checks both apis during the outage. Returns the number of checks with the expected readiness. */
async function watchHealth(name: Dependency): Promise<number> {
  const begun = performance.now();
  let seen = 0;
  while (performance.now() - begun < outageSeconds * 1000) {
    for (const { baseUrl, name: api } of apis) {
      const alive = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(2000) });
      assert.equal(alive.status, 200);
      await alive.arrayBuffer();
      const ready = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(answerMs) });
      const { components }: { components: Record<string, string> } = JSON.parse(await ready.text());
      const unavailable = Object.keys(components).filter((each) => components[each] !== 'ok');
      if (performance.now() - begun < noticeSeconds * 1000) continue;
      assert.deepEqual([api, unavailable], [api, [name]]);
      seen += 1;
    }
    await sleep(500);
  }
  return seen;
}

/** Seconds until both apis are ready, one has taken an upload, and a worker has made a dataset ready. */
async function secondsToWork(load: Load) {
  const backAt = performance.now();
  const client = createClient(apis[0]?.baseUrl ?? '');
  const countReady = async (): Promise<number> => {
    const path = `/datasets?category_id=${load.categoryId}&status=ready&page_size=1`;
    return (await client.json<{ total: number }>(path)).body.total;
  };
  const until = async (what: string, claim: () => Promise<boolean>): Promise<number> => {
    await eventually(what, claim, 60);
    return Number(((performance.now() - backAt) / 1000).toFixed(2));
  };
  const readyBefore = await countReady();
  const [ready, uploaded, processed] = await Promise.all([
    until('both are ready', async () =>
      (await Promise.all(apis.map(async (api) => await api.isReady()))).every(Boolean),
    ),
    until('an upload is taken', async () => load.answered().some(isUploadSince(backAt))),
    until('a dataset becomes ready', async () => (await countReady()) > readyBefore),
  ]);
  return { ready, uploaded, processed };
}

function isUploadSince(time: number): (answered: Answered) => boolean {
  return ({ what, status, at }) => what === 'upload' && status === 201 && at >= time;
}
