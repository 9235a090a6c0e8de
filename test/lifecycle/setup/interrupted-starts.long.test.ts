import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../support/for-tests.ts';
import { launchService, startService } from '../../support/service.ts';
import { createCategory, isReady, readCategory } from '../catalogue.ts';

const dataDir = await temporaryFolder();

describe('a start', () => {
  test('heals what an interrupted first start left, whenever that was', async () => {
    const interrupted = join(dataDir, 'interrupted');
    for (const milliseconds of [300, 450, 600, 750, 900, 1100, 1400]) {
      const { child, exited } = launchService({ dataDir: interrupted });
      await sleep(milliseconds);
      child.kill('SIGKILL');
      await exited();
    }
    await using service = await startService({ dataDir: interrupted });
    assert.ok(await isReady(service.baseUrl));
    assert.ok(!(await readdir(interrupted)).some((name) => name.includes('partial')));
    assert.equal(await service.stop(), 0);
  });

  test('that is asked to end before it is done ends well', async () => {
    for (const milliseconds of [150, 400, 700, 1000]) {
      const { child, exited, output } = launchService({ dataDir: join(dataDir, 'asked') });
      await sleep(milliseconds);
      child.kill('SIGTERM');
      const how = await exited();
      // Before Node runs the first line of set-up, the kernel handles the signal.
      assert.ok(how === 0 || (how === 'SIGTERM' && output() === ''), `${how}\n${output()}`);
    }
  });

  test('is not misled by a process id that belongs to another process by now', async () => {
    const stale = join(dataDir, 'stale');
    await using service = await startService({ dataDir: stale });
    const category = await createCategory(service.baseUrl);
    const pidFile = join(stale, 'postgres/cluster/postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    await service.kill9();
    await writeFile(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'));
    await using next = await startService({ dataDir: stale });
    assert.deepEqual(await readCategory(next.baseUrl, category.id), category);
    assert.equal(await next.stop(), 0);
  });
});
