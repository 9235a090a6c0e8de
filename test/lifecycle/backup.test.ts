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

const services = await closeAfterTests(startServices());
const { env } = services;
const dataDir = await temporaryFolder();
const first = join(await temporaryFolder(), 'first');
const second = join(await temporaryFolder(), 'second');
/** What readers of the first service saw, by dataset id. */
const shown = new Map<string, string>();

async function ask(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  assert.ok(response.ok, `${url}: ${response.status} ${text}`);
  return text;
}

async function upload(baseUrl: string, name: string): Promise<string> {
  const categories: { id: string }[] = JSON.parse(await ask(`${baseUrl}/categories`));
  const form = new FormData();
  form.set('file_type', 'vector');
  form.set('category_id', categories[0]?.id ?? '');
  form.set('name', name);
  const geometry = { type: 'Point', coordinates: [71, 51] };
  const features = [{ type: 'Feature', properties: { name }, geometry }];
  form.set('file', new File([JSON.stringify({ type: 'FeatureCollection', features })], 'point.geojson'));
  const dataset: { id: string } = JSON.parse(
    await ask(`${baseUrl}/datasets`, { method: 'POST', body: form }),
  );
  return dataset.id;
}

async function readWhenReady(baseUrl: string, id: string): Promise<string> {
  await eventually(`${id} ready`, async () =>
    (await ask(`${baseUrl}/datasets/${id}/status?wait=5&current=pending`)).includes('"ready"'),
  );
  return `${await ask(`${baseUrl}/datasets/${id}`)}\n${await ask(`${baseUrl}/datasets/${id}.geojson`)}`;
}

async function succeed(args: readonly string[], options: Parameters<typeof runSteppe>[1]): Promise<string> {
  const { code, output } = await runSteppe(args, options);
  assert.equal(code, 0, output);
  return output;
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

async function assertAllShown(baseUrl: string): Promise<void> {
  for (const [id, seen] of shown) assert.equal(await readWhenReady(baseUrl, id), seen);
}

/** Proves that every dataset goes on to its end, those that waited or were worked on when the backup was made too. */
async function assertAllEnd(baseUrl: string): Promise<void> {
  const list: { data: { id: string }[] } = JSON.parse(await ask(`${baseUrl}/datasets?page_size=100`));
  assert.ok(list.data.length >= shown.size);
  for (const { id } of list.data) await readWhenReady(baseUrl, id);
}

describe('a backup of a service that works', () => {
  it('has all that was ready, and is restored into another embedded service', async () => {
    {
      await using service = await startService({ dataDir });
      const { baseUrl } = service;
      for (const name of ['Пашня', 'Пастбище']) {
        const id = await upload(baseUrl, name);
        shown.set(id, await readWhenReady(baseUrl, id));
      }
      const backedUp = new AbortController();
      const load = (async () => {
        for (let n = 0; !backedUp.signal.aborted; n += 1) {
          const id = await upload(baseUrl, `load ${n}`);
          await upload(baseUrl, `stays ${n}`);
          await ask(`${baseUrl}/datasets/${id}`, { method: 'DELETE' });
        }
      })();
      const said = await succeed(['backup', first], { dataDir }).finally(() => backedUp.abort());
      await load;
      assert.match(said, /Backed up 14 tables and \d+ objects/);
    }
    const other = await temporaryFolder();
    assert.match(await succeed(['restore', first], { dataDir: other }), /no damage/);
    await using restored = await startService({ dataDir: other });
    await assertAllShown(restored.baseUrl);
    await assertAllEnd(restored.baseUrl);
    const again = await runSteppe(['restore', first], { dataDir: other });
    assert.equal(again.code, 1);
    assert.match(again.output, /database is not empty/);
  });

  it('is restored into external services, and theirs into an embedded one', async () => {
    const own = await temporaryFolder();
    assert.match(await succeed(['restore', first], { dataDir: own, env }), /no damage/);
    {
      await using service = await startService({ dataDir: own, env });
      await assertAllShown(service.baseUrl);
      await succeed(['backup', second], { dataDir: own, env });
    }
    const back = await temporaryFolder();
    await succeed(['restore', second], { dataDir: back });
    await using restored = await startService({ dataDir: back });
    await assertAllShown(restored.baseUrl);
  });

  it('of an older release is brought to the schema of this one', async () => {
    const folder = join(await temporaryFolder(), 'older');
    await cp(first, folder, { recursive: true });
    await writeManifest(folder, await asOlderRelease(folder));
    const dataDir = await temporaryFolder();
    assert.match(await succeed(['restore', folder], { dataDir }), /no damage/);
    await using restored = await startService({ dataDir });
    await assertAllShown(restored.baseUrl);
    await assertAllEnd(restored.baseUrl);
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
