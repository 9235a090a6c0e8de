import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeCodes } from '../../../test/acceptance/support/graph.ts';
import { codesOf, outputOf, type Run } from '../../../test/acceptance/support/landscape.ts';
import {
  assertComputed,
  createLandscapeClient,
  enlarged,
  golden,
} from '../../../test/support/landscape/landscape.ts';
import { eventually } from '../../../test/support/processes.ts';
import { assertNoDamage, startService } from '../../../test/support/service.ts';
import { openBothSets, type ServiceSet } from '../../../test/support/services/both-sets.ts';
import { isTimeUp, repetitions } from '../../../test/support/tier.ts';

/** Number of cancelled runs on each set of services, at random moments of all phases. */
const cancels = repetitions('CANCELS', 3, 25);
/** Unfinished objects of an attempt are swept after its lease of two minutes, and again after a minute. */
const settleSeconds = 240;

for (const set of await openBothSets()) {
  describe(`runs that are cancelled on ${set.name}`, () => proveCancels(set));
}

function proveCancels({ env }: ServiceSet): void {
  test(`${cancels} times at random moments leave what was published, and nothing else`, async (t) => {
    await using service = await startService({ env: { ...env, LOG_LEVEL: 'warn' } });
    const client = createLandscapeClient(service.baseUrl);
    await client.fillAll({ dem: await enlarged(await golden('dem'), 900, 600) });
    const startedAt = Date.now();
    const undisturbed = await client.run();
    const usualMs = Date.now() - startedAt;
    const runs: Run[] = [undisturbed];
    for (let round = 0; round < cancels && (round < 3 || !isTimeUp()); round += 1) {
      const { id } = await client.start({ from_stage: 0 });
      await sleep(Math.random() * usualMs);
      const answer = await client.cancel(id);
      const run = await client.read(id);
      runs.push(run);
      assert.deepEqual(
        [answer, run.status, run.error],
        answer === 204 ? [204, 'failed', 'cancelled'] : [409, 'succeeded', null],
      );
    }
    const last = await client.run({ from_stage: 0 });
    assertComputed(last, nodeCodes);
    runs.push(last);
    for (const code of nodeCodes) {
      const [one, other] = [undisturbed, last].map((run) => `/datasets/${outputOf(run, code)}.cog`);
      assert.equal(await client.sha256(one ?? ''), await client.sha256(other ?? ''));
    }

    const made = runs.flatMap((run) => codesOf(run, 'succeeded').map((code) => outputOf(run, code)));
    const { body } = await client.json<{ total: number }>('/datasets?category_code=landscape&automated=true');
    assert.equal(body.total, made.length);
    for (const id of made) assert.equal((await client.status(id)).status, 'ready');
    await eventually(
      'empty scratch',
      async () => (await readdir(join(service.dataDir, 'scratch'))).length === 0,
    );
    await eventually(
      'nothing in flight',
      async () => /^0 in flight/m.test(await assertNoDamage(service.dataDir, env)),
      settleSeconds,
    );
    const cancelled = runs.filter(({ error }) => error === 'cancelled');
    const parts = cancelled.filter((run) => codesOf(run, 'succeeded').length > 0);
    t.diagnostic(`${cancelled.length} cancelled, ${parts.length} of them while they published`);
  });
}
