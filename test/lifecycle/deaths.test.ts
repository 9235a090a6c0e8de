import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import { createCategory, isReady, readCategory } from './catalogue.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const service = await closeAfterTests(startService());
const category = await createCategory(service.baseUrl);

describe('a service whose part is killed', () => {
  test('starts PostgreSQL again and again, and is ready without a restart of its own', async () => {
    for (let round = 0; round < 2; round += 1) {
      const killed = await service.postgresPid();
      process.kill(killed, 'SIGKILL');
      const next = await eventually('another PostgreSQL', async () => {
        const pid = await service.postgresPid();
        return pid !== killed && pid;
      });
      assert.notEqual(next, killed);
      await eventually('ready again', async () => await isReady(service.baseUrl));
      await eventually('an answer from every connection', async () => {
        const answers = await Promise.allSettled(
          Array.from({ length: 30 }, async () => await readCategory(service.baseUrl, category.id)),
        );
        return answers.every(({ status }) => status === 'fulfilled');
      });
      assert.deepEqual(await readCategory(service.baseUrl, category.id), category);
    }
  });

  test('starts the worker again', async () => {
    // Killed, killed again right after the restart, and stopped from outside of the service.
    for (const signal of ['SIGKILL', 'SIGKILL', 'SIGTERM'] as const) {
      const ended = await service.workerPid();
      process.kill(ended, signal);
      await eventually('another worker', async () => (await service.workerPid()) !== ended);
    }
    assert.ok(await isReady(service.baseUrl));
  });

  test('is alive but not ready while PostgreSQL cannot start, and ready once it can', async () => {
    const needed = join(service.dataDir, 'postgres/cluster/global');
    const killed = await service.postgresPid();
    await rename(needed, `${needed}.aside`);
    process.kill(killed, 'SIGKILL');
    await eventually('not ready', async () => !(await isReady(service.baseUrl)));
    assert.equal((await fetch(`${service.baseUrl}/healthz`)).status, 200);
    await eventually('two tries', async () => (service.output().match(/did not start/g)?.length ?? 0) > 1);
    await rename(`${needed}.aside`, needed);
    await eventually('ready again', async () => await isReady(service.baseUrl));
    assert.deepEqual(await readCategory(service.baseUrl, category.id), category);
  });
});
