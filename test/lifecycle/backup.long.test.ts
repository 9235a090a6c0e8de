import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Client } from 'pg';
import {
  type Manifest,
  readBackup,
  tablePath,
  writeManifest,
  writtenFacts,
} from '../../src/backup/manifest.ts';
import { measureFile } from '../../src/object-store/measure.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { projectRoot } from '../support/project.ts';
import { launchService, runSteppe, startService } from '../support/service.ts';
import { startServices } from '../support/services/services.ts';
import { assertAllEnd, assertAllShown, type Shown, succeed, uploadShown } from './backups.ts';

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

const newColumns: ReadonlyMap<string, readonly string[]> = new Map([
  ['jobs', ['trace']],
  ['objects', ['late_until']],
  ['datasets', ['view_mesh_storage_key', 'view_cog_storage_key', 'view_state']],
]);
/** Of the keys of what rasters are drawn with. */
const viewFolder = 'view/';

/** Takes away what migration 0015 and those after it have added, as a release without them would have written it. */
async function asOlderRelease(folder: string): Promise<Manifest> {
  const { signal } = new AbortController();
  const manifest = await readBackup(folder, signal);
  await rm(join(folder, 'manifest.json'));
  const level = manifest.migrations.findIndex(({ name }) => name === '0015_job_traces.sql');
  assert.ok(level > 0);
  const tables = await Array.fromAsync(manifest.tables, async (table) => {
    const added = newColumns.get(table.name) ?? [];
    if (added.length === 0) return table;
    const columns = table.columns.slice(0, table.columns.length - added.length);
    assert.deepEqual(table.columns.slice(columns.length), added);
    const path = tablePath(folder, table.name);
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => !line.startsWith(viewFolder));
    assert.ok(lines.length > 1);
    const shorter = lines.map((line) => line.split('\t').slice(0, columns.length).join('\t'));
    await writeFile(path, shorter.join('\n'));
    return { ...table, ...writtenFacts(await measureFile(path, signal)), columns };
  });
  return {
    ...manifest,
    migrations: manifest.migrations.slice(0, level),
    tables,
    objects: manifest.objects.filter(({ key }) => !key.startsWith(viewFolder)),
  };
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

  it('of an older release is brought to the schema of this one', async () => {
    const folder = join(await temporaryFolder(), 'older');
    await cp(first, folder, { recursive: true });
    await writeManifest(folder, await asOlderRelease(folder));
    const dataDir = await temporaryFolder();
    assert.match(await succeed(['restore', folder], { dataDir }), /no damage/);
    await using restored = await startService({ dataDir });
    await assertAllShown(restored.baseUrl, shown);
    await assertAllEnd(restored.baseUrl, shown);
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
