import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeCodes } from '../../../test/acceptance/support/graph.ts';
import { codesOf, nodeOf, outputOf, type Run } from '../../../test/acceptance/support/landscape.ts';
import {
  assertComputed,
  createLandscapeClient,
  enlarged,
  golden,
} from '../../../test/support/landscape/landscape.ts';
import { descendantsOf, eventually } from '../../../test/support/processes.ts';
import { assertNoDamage, type Service, startService } from '../../../test/support/service.ts';
import { openBothSets, type ServiceSet } from '../../../test/support/services/both-sets.ts';
import { isTimeUp, repetitions } from '../../../test/support/tier.ts';

/** Number of kills of the worker during a run: at least one in each phase. */
const kills = repetitions('KILLS', 2, 50);
/** Unfinished objects of a killed worker are swept after its lease of two minutes, and again after a minute. */
const settleSeconds = 240;
const killsPerRun = 2;

/** Phases in which the worker is killed, in order, each with the longest wait in milliseconds before the kill. */
const phases = { computing: 1000, assembling: 300, publishing: 200 } as const;
type Phase = keyof typeof phases;
const phaseNames = ['computing', 'assembling', 'publishing'] as const;

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly total_pages: number;
}

for (const set of await openBothSets()) {
  describe(`kill -9 of the worker on ${set.name}`, () => proveKills(set));
}

function proveKills({ env }: ServiceSet): void {
  let service: Service;
  let client: ReturnType<typeof createLandscapeClient>;
  let undisturbed: ReadonlyMap<string, string>;
  const runs: Run[] = [];

  before(async () => {
    service = await startService({ env: { ...env, LOG_LEVEL: 'warn' } });
    client = createLandscapeClient(service.baseUrl);
    await client.fillAll({ dem: await enlarged(await golden('dem'), 900, 600) });
    const run = await client.run();
    assertComputed(run, nodeCodes);
    undisturbed = await cogsOf(run);
    runs.push(run);
  });
  after(async () => await service[Symbol.asyncDispose]());

  test(`${kills} times in all parts of runs: each run succeeds, its rasters as if undisturbed`, async (t) => {
    const landed: Phase[] = [];
    for (let round = 0; landed.length < kills && (round < 2 || !isTimeUp()); round += 1) {
      const stage = round % 2;
      const { id } = await client.start({ from_stage: stage });
      for (let blow = 0; blow < killsPerRun && landed.length < kills; blow += 1) {
        const phase = phaseNames[landed.length % phaseNames.length] ?? 'computing';
        if (await strike(id, phase)) landed.push(phase); // else the phase had just ended
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
    const counts = phaseNames.map((name) => `${landed.filter((each) => each === name).length} ${name}`);
    t.diagnostic(`${landed.length} kills in ${runs.length - 1} runs: ${counts.join(', ')}`);
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

  test('afterwards the store holds what the rows own, and in time nothing else', async () => {
    const settled = async () => {
      const output = await assertNoDamage(service.dataDir, env);
      return /^0 in flight/m.test(output);
    };
    await eventually('nothing in flight', settled, settleSeconds);
  });

  /** Kills the worker a moment after the run has reached a phase; returns true if the run was still in this phase. */
  async function strike(id: string, phase: Phase): Promise<boolean> {
    const publishedBefore = codesOf(await client.read(id), 'succeeded').length;
    const isIn = async (): Promise<boolean> => {
      const run = await client.read(id);
      if (run.status !== 'running') return false;
      if (phase === 'publishing') return codesOf(run, 'succeeded').length > publishedBefore;
      const child = phase === 'computing' ? /compute\/child\/main\.ts/ : /geo\/child\/main\.ts/;
      return (await descendantsOf(service.pid)).some(({ commandLine }) => child.test(commandLine));
    };
    const hasEnded = async () => (await client.read(id)).finished_at !== null;
    await eventually(`a run that is ${phase}`, async () => (await isIn()) || (await hasEnded()), 180);
    await sleep(Math.random() * phases[phase]);
    const pid = await service.workerPid();
    const wasIn = await isIn();
    process.kill(pid, 'SIGKILL');
    return wasIn && !(await hasEnded());
  }

  async function cogsOf(run: Run): Promise<Map<string, string>> {
    const sums = new Map<string, string>();
    for (const code of nodeCodes) {
      assert.ok(nodeOf(run, code).error === null);
      sums.set(code, await client.sha256(`/datasets/${outputOf(run, code)}.cog`));
    }
    return sums;
  }
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}
