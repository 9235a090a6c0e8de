import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Member, startDeployment } from '../support/services/deployment.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { type Load, startLoad } from '../support/services/load.ts';
import { eventually } from '../support/processes.ts';
import { isTimeUp, repetitions } from '../support/tier.ts';

const kills = repetitions('KILLS', 1, 10);
const rollingRestarts = repetitions('ROLLING_RESTARTS', 1, 2);
const pauseMs = 500;
/** By then the leases of dead attempts have expired and their scratch is swept. */
const tidySeconds = 240;

const deployment = await closeAfterTests(startDeployment({ apis: 2, workers: 3 }));
const { apis, workers } = deployment;
const members = [...apis, ...workers];

describe('two apis and three workers, each in a network of its own, under load', () => {
  test(`of ${kills} random kills nothing is lost, doubled or left in part`, async (t) => {
    await using load = await startLoad(apis);
    const killed = new Map<string, number>();
    for (let round = 0; round < kills && (round === 0 || !isTimeUp()); round += 1) {
      await sleep(Math.random() * pauseMs);
      const member = members[Math.floor(Math.random() * members.length)];
      assert.ok(member);
      assert.equal(await member.end('SIGKILL'), 'SIGKILL');
      await member.startAgain();
      killed.set(member.name, (killed.get(member.name) ?? 0) + 1);
    }
    await sleep(pauseMs);
    await load.stop();
    t.diagnostic(`${JSON.stringify(Object.fromEntries(killed))}; ${told(load)}`);
    await load.verify();
  });

  test(`of ${rollingRestarts} rolling restarts no client notices anything`, async (t) => {
    await using load = await startLoad(apis);
    for (let round = 0; round < rollingRestarts; round += 1) {
      for (const member of members) await restart(member);
    }
    await load.stop();
    t.diagnostic(told(load));
    const failed = load.answered().filter(({ status }) => status === undefined || status >= 500);
    assert.deepEqual(failed, []);
    await load.verify();
  });

  test('afterwards scratch is empty, and the store holds what the rows own, byte for byte', async () => {
    for (const { name, dataDir } of members) {
      await eventually(
        `scratch of ${name} is empty`,
        async () => (await readdir(join(dataDir, 'scratch')).catch(() => [])).length === 0,
        tidySeconds,
      );
    }
    await eventually(
      'no damage, nothing in flight',
      async () => {
        const { code, output } = await deployment.run('fsck', '--digests');
        assert.equal(code, 0, output);
        return /\n0 in flight\nno damage/.test(output);
      },
      tidySeconds,
    );
  });
});

async function restart(member: Member): Promise<void> {
  assert.equal(await member.end('SIGTERM'), 0, member.output());
  await member.startAgain();
}

function told(load: Load): string {
  return `${load.answered().length} requests, ${load.accepted()} datasets`;
}
