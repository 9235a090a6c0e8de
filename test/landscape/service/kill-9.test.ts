import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertComputed,
  codesOf,
  createLandscapeClient,
  enlarged,
  golden,
  type LandscapeClient,
  nodeCodes,
  nodeOf,
  outputOf,
  type Run,
} from '../../support/landscape.ts';
import { eventually } from '../../support/processes.ts';
import { launchService, type Service, startService } from '../../support/service.ts';

/** How often the worker is killed while a run is under way. `KILLS=50` is the long form. */
const kills = Number(process.env['KILLS'] ?? 6);
const killsPerRun = 2;
const settleSeconds = 60;

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly total_pages: number;
}

describe('kill -9 of the worker', () => {
  let dataDir: string;
  let service: Service;
  let client: LandscapeClient;
  let undisturbed: ReadonlyMap<string, string>;
  let undisturbedMs: number;
  const runs: Run[] = [];

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'steppe-kill-run-'));
    service = await startService({ dataDir, env: { LOG_LEVEL: 'warn' } });
    client = createLandscapeClient(service.baseUrl);
    await client.fillAll({ files: { dem: await enlarged(await golden('dem'), 1500, 1000) } });
    const run = await client.run();
    assertComputed(run, nodeCodes);
    undisturbedMs = Date.parse(run.finished_at ?? '') - Date.parse(run.started_at ?? '');
    undisturbed = await cogsOf(run);
    runs.push(run);
  });
  after(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  test(`${kills} times in the middle of runs: each run succeeds, its rasters as if undisturbed`, async (t) => {
    let landed = 0;
    const published: number[] = [];
    for (let round = 0; landed < kills; round += 1) {
      const stage = round % 2;
      const { id } = await client.start({ from_stage: stage });
      const due = Math.min(killsPerRun, kills - landed);
      for (let blow = 0; blow < due; blow += 1) {
        const share = (0.9 * (landed + Math.random())) / kills; // so that no part of a run is left out
        const struck = await strike(id, share * undisturbedMs);
        if (struck === undefined) break; // the run had ended before
        landed += 1;
        published.push(codesOf(struck, 'succeeded').length);
      }
      const run = await client.finished(id);
      assert.equal(run.status, 'succeeded', `${run.error}\n${service.output().slice(-3000)}`);
      assertComputed(
        run,
        nodeCodes.filter((code) => Number(code[0]) >= stage),
      );
      assert.deepEqual(await cogsOf(run), undisturbed);
      runs.push(run);
    }
    report(t, published);
    assert.equal(published.length, kills);
  });

  test('afterwards each output of each run is there exactly once', async () => {
    const made = runs.flatMap((run) =>
      codesOf(run, 'succeeded').map((code) => `${run.id} ${code} ${outputOf(run, code)}`),
    );
    const found: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = `category_code=landscape&automated=true&page_size=100&page=${page}`;
      const { body } = await client.json<Page>(`/datasets?${query}`);
      pages = body.total_pages;
      for (const { id } of body.data) {
        const { body: dataset } = await client.json<{ status: string; meta: Record<string, unknown> }>(
          `/datasets/${id}`,
        );
        assert.equal(dataset.status, 'ready');
        found.push(`${String(dataset.meta['run_id'])} ${String(dataset.meta['node'])} ${id}`);
      }
    }
    assert.deepEqual(found.toSorted(byText), made.toSorted(byText));
  });

  test('afterwards the store holds what the rows own, and nothing is in flight', async () => {
    const command = [process.execPath, 'src/main.ts', 'fsck'] as const;
    const clean = async () => {
      const { exited, output } = launchService({ dataDir, command });
      assert.equal(await exited(), 0, output());
      assert.match(output(), /no damage/);
      return output().includes('\n0 in flight\n'); // what the killed workers were writing is swept in its time
    };
    await eventually('nothing in flight', clean, settleSeconds);
  });

  /** Kills the worker so long after the run began, or began again; what the run was then, undefined when it had ended. */
  async function strike(id: string, afterMs: number): Promise<Run | undefined> {
    const begun = async () => (await client.read(id)).status !== 'queued';
    await eventually(`the begin of run ${id}`, begun);
    await sleep(afterMs);
    const pid = await service.workerPid();
    const before = await client.read(id);
    process.kill(pid, 'SIGKILL');
    const { status } = await client.read(id);
    return before.status === 'running' && status === 'running' ? before : undefined;
  }

  async function cogsOf(run: Run): Promise<Map<string, string>> {
    const sums = new Map<string, string>();
    for (const code of nodeCodes) {
      assert.ok(nodeOf(run, code).error === null);
      sums.set(code, await client.sha256(`/datasets/${outputOf(run, code)}.cog`));
    }
    return sums;
  }

  function report(t: TestContext, published: readonly number[]): void {
    const early = published.filter((count) => count === 0).length;
    t.diagnostic(
      `an undisturbed run takes ${undisturbedMs} ms; ${published.length} kills in ${runs.length - 1} runs, ` +
        `${early} before the first output was published, ${published.length - early} after it`,
    );
  }
});

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}
