import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Client } from 'pg';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { launchService, runSteppe, startService } from '../../support/service.ts';
import { startServices } from '../../support/services/services.ts';
import { assertAllShown, type Shown, succeed, uploadShown } from './backups.ts';

const services = await closeAfterTests(startServices());
const { env } = services;
const first = join(await temporaryFolder(), 'first');
const second = join(await temporaryFolder(), 'second');
const shown = await makeFirst();

async function makeFirst(): Promise<Shown> {
  const dataDir = await temporaryFolder();
  await using service = await startService({ dataDir });
  const seen = await uploadShown(service.baseUrl);
  await succeed(['backup', first], { dataDir });
  return seen;
}

describe('a backup', () => {
  it('is restored into external services, and theirs into an embedded one', async () => {
    const own = await temporaryFolder();
    assert.match(await succeed(['restore', first], { dataDir: own, env }), /no damage/);
    {
      await using service = await startService({ dataDir: own, env });
      await assertAllShown(service.baseUrl, shown);
      await succeed(['backup', second], { dataDir: own, env });
    }
    const back = await temporaryFolder();
    await succeed(['restore', second], { dataDir: back });
    await using restored = await startService({ dataDir: back });
    await assertAllShown(restored.baseUrl, shown);
  });

  it('that is killed has no manifest, and its hold expires', async () => {
    const folder = join(await temporaryFolder(), 'killed');
    const client = new Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    await client.query('begin; lock table tokens in access exclusive mode');
    const command = [process.execPath, join(projectRoot, 'src/main.ts'), 'backup', folder] as const;
    const { child, exited } = launchService({ dataDir: await temporaryFolder(), env, command });
    await eventually('copies tables', async () =>
      (await readdir(folder, { recursive: true }).catch(() => [''])).includes('tables/milestones.copy'),
    );
    child.kill('SIGKILL');
    await exited();
    const { rows } = await client.query(
      `select held_until > now() and held_until < clock_timestamp() + interval '61 s' as "isShort" from backup_holds`,
    );
    await client.query('rollback');
    await client.end();
    assert.deepEqual(rows, [{ isShort: true }]);
    assert.deepEqual(await readdir(folder), ['tables']);
    const refused = await runSteppe(['restore', folder], { dataDir: await temporaryFolder() });
    assert.equal(refused.code, 1);
    assert.match(refused.output, /no manifest\.json/);
  });
});
