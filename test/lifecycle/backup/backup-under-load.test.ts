import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../support/client.ts';
import { temporaryFolder } from '../../support/for-tests.ts';
import { type Load, startLoad } from '../../support/services/load.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { assertNoDamage, launchService, runSteppe, runTool, startService } from '../../support/service.ts';
import { openBothSets, type ServiceSet } from '../../support/services/both-sets.ts';
import { isReady } from '../catalogue.ts';

/** Collections whose elements have an id and paths of their own. */
const collections = ['/categories', '/dataset-groups', '/datasets', '/landscape/runs'] as const;
const [embedded, external] = await openBothSets();
const folders = {
  first: join(await temporaryFolder(), 'first'),
  second: join(await temporaryFolder(), 'second'),
};
const places = {
  source: await temporaryFolder(),
  external: await temporaryFolder(),
  last: await temporaryFolder(),
};
/** Sheets print their address, which must not depend on the port. */
const publicUrl = { PUBLIC_URL: 'http://steppe.example' };
/** Answers of the source by path. */
let told: ReadonlyMap<string, string>;
const loads: { readonly load: Load; readonly written: number }[] = [];

/** Reads every path of the interface with an id, also of parts; returns status and digest of each. */
async function readAll(baseUrl: string): Promise<Map<string, string>> {
  const { json } = createClient(baseUrl);
  const { body: description } = await json<{ paths: Record<string, object> }>('/openapi.json');
  const answers = new Map<string, string>();
  for (const collection of collections) {
    const templates = Object.entries(description.paths)
      .filter(
        ([path, methods]) =>
          'get' in methods && path.split('{')[0] === `${collection}/` && path.split('{').length === 2,
      )
      .map(([path]) => path);
    const ids = await idsIn(json, collection);
    assert.ok(templates.length > 0 && ids.length > 0, collection);
    for (const path of ids.flatMap((id) => templates.map((each) => each.replace(/\{[^}]*\}/, id)))) {
      // A result that is made on the first request, such as a report.
      const answer = await eventually(path, async () => {
        const asked = await fetch(baseUrl + path);
        if (asked.status !== 202) return asked;
        await asked.arrayBuffer();
        return undefined;
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      answers.set(path, `${answer.status} ${createHash('sha256').update(bytes).digest('hex')}`);
    }
  }
  return answers;
}

async function idsIn(
  json: ReturnType<typeof createClient>['json'],
  collection: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { body } = await json<readonly Item[] | { data: readonly Item[]; total_pages?: number }>(
      `${collection}?page_size=100&page=${page}`,
    );
    const items = 'data' in body ? body.data : body;
    ids.push(...items.map(({ id }) => id));
    pages = 'data' in body ? (body.total_pages ?? 1) : 1;
  }
  return ids;
}

interface Item {
  readonly id: string;
}

/** Makes a backup of a service that takes uploads meanwhile. */
async function backUpUnderLoad(baseUrl: string, folder: string, dataDir: string, { env }: ServiceSet) {
  await using load = await startLoad([
    { name: 'the service', baseUrl, isReady: async () => await isReady(baseUrl) },
  ]);
  await eventually('a load', async () => load.accepted() > 10);
  loads.push({ load, written: load.written() });
  const { code, output } = await runSteppe(['backup', folder], { dataDir, env });
  assert.equal(code, 0, output);
  await sleep(500);
  await load.stop();
  assert.deepEqual(
    load.answered().filter(({ status }) => status === undefined || status >= 500),
    [],
  );
  return output;
}

/** Starts a command and sends it a signal once it has reached a point. */
async function interrupt(
  args: readonly string[],
  dataDir: string,
  signal: NodeJS.Signals,
  hasBegun: () => Promise<boolean>,
) {
  const command = [process.execPath, join(projectRoot, 'src/main.ts'), ...args] as const;
  const { child, exited, output } = launchService({ dataDir, command });
  await eventually('it has begun', async () => {
    assert.equal(child.exitCode, null, output());
    return await hasBegun();
  });
  child.kill(signal);
  return { ending: await exited(), output: output() };
}

async function assertSame(baseUrl: string): Promise<void> {
  const now = await readAll(baseUrl);
  for (const [path, answer] of told) assert.equal(now.get(path), answer, path);
  for (const { load, written } of loads) await load.verify({ baseUrl, written });
}

describe('a backup under load', () => {
  test('of embedded services is restored into external ones: all that was there is the same, and all work goes on', async (t) => {
    {
      await using service = await startService({ dataDir: places.source, env: publicUrl });
      const { baseUrl } = service;
      const shown = await runTool(['demo'], { dataDir: places.source, env: { BASE_URL: baseUrl } });
      assert.equal(shown.code, 0, shown.output);
      told = await readAll(baseUrl);
      assert.ok(
        [...told.values()].filter((answer) => answer.startsWith('200 ')).length > 150,
        String(told.size),
      );
      t.diagnostic(await backUpUnderLoad(baseUrl, folders.first, places.source, embedded));
    }
    const env = { ...external.env, ...publicUrl };
    const restored = await runSteppe(['restore', folders.first], { dataDir: places.external, env });
    assert.equal(restored.code, 0, restored.output);
    assert.match(restored.output, /no damage/);
    await using service = await startService({ dataDir: places.external, env });
    await assertSame(service.baseUrl);
    await assertNoDamage(places.external, env);
  });

  test('of external services is restored into embedded ones, over restores that were interrupted', async (t) => {
    {
      const env = { ...external.env, ...publicUrl };
      await using service = await startService({ dataDir: places.external, env });
      t.diagnostic(await backUpUnderLoad(service.baseUrl, folders.second, places.external, external));
    }
    const restore = ['restore', folders.second] as const;
    const objects = async (): Promise<number> =>
      (await readdir(join(places.last, 'objects'), { recursive: true }).catch(() => [])).length;
    const asked = await interrupt(restore, places.last, 'SIGTERM', async () => (await objects()) > 5);
    assert.equal(asked.ending, 1, asked.output);
    assert.match(asked.output, /stopped before the end\. Start it again/);
    const before = await objects();
    const killed = await interrupt(
      restore,
      places.last,
      'SIGKILL',
      async () => (await objects()) > before + 5,
    );
    assert.equal(killed.ending, 'SIGKILL');
    const { code, output } = await runSteppe(restore, { dataDir: places.last });
    assert.equal(code, 0, output);
    assert.match(output, /no damage/);
    await using service = await startService({ dataDir: places.last, env: publicUrl });
    await assertSame(service.baseUrl);
    await assertNoDamage(places.last);
  });

  test('that is asked to stop says so, and leaves no manifest', async () => {
    const folder = join(await temporaryFolder(), 'stopped');
    const { ending, output } = await interrupt(['backup', folder], places.last, 'SIGINT', async () =>
      (await readdir(folder).catch(() => [''])).includes('tables'),
    );
    assert.equal(ending, 1, output);
    assert.match(output, /stopped before the end\. Start it again/);
    assert.ok(!(await readdir(folder)).includes('manifest.json'));
  });
});
