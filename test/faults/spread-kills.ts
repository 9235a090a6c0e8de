/**
 * Kills, freezes, hand-overs and cancels of spread runs: `STEPPE_TEST_TIER=long node_modules/.bin/node --test test/faults/spread-kills.ts`,
 * as root. It is not part of CI: it takes ten minutes on an idle machine, and its times mean nothing on a busy one.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { codesOf, outputOf } from '../acceptance/support/landscape.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { type SpreadRun, startSpreadDeployment } from '../support/services/spread-deployment.ts';
import { allOrTurnOf, fewOrAll, isTimeUp } from '../support/tier.ts';

const kills = fewOrAll('SPREAD_KILLS', 3, 50);
const cancels = fewOrAll('SPREAD_CANCELS', 2, 20);
const handOvers = fewOrAll('SPREAD_HAND_OVERS', 1, 5);
/** The shorter freeze is longer than the heartbeat timeout of a step, the longer one than the lease of a job. */
const freezeSeconds = fewOrAll('SPREAD_FREEZE_SECONDS', 12, 35);
/** The promise: seconds from the death of a worker to the next attempts of its steps. */
const nextAttemptSeconds = 15;
/** Seconds from a cancel to the end of everything that it ends; a step that the engine cannot notify checks every ten seconds. */
const cancelSeconds = 15;
const engineAwayMs = 2000;
/** Unfinished objects of dead workers are swept after their lease of two minutes, and again after a minute. */
const settleSeconds = 240;

const kinds = ['worker', 'engine', 'holder'] as const;
type Kind = (typeof kinds)[number];

const site = await closeAfterTests(startSpreadDeployment());
const { client, workers, workflows, temporal, read } = site;

describe('a run over workers in networks of their own', () => {
  test(`succeeds as on one machine despite ${kills} kills of workers, holders of the job and the engine`, async (t) => {
    const landed = { worker: 0, engine: 0, holder: 0 };
    const seconds: number[] = [];
    const count = (): number => landed.worker + landed.engine + landed.holder;
    let runs = 0;
    const isLeft = (): boolean => seconds.length === 0 || (count() < kills && !isTimeUp());
    for (; isLeft(); runs += 1) {
      const run = await site.begin();
      for (const kind of [...shuffled(kinds), ...shuffled(kinds)]) {
        await sleep(Math.random() * 2000);
        if (count() >= kills || !(await workflows.isOpen(run.workflowId))) break;
        const next = await strike(run, kind);
        if (next === undefined) continue; // the target does not exist at the moment
        landed[kind] += 1;
        seconds.push(...next);
      }
      await site.assertAsAlone(run);
    }
    t.diagnostic(`${count()} kills in ${runs} runs: ${JSON.stringify(landed)}; ${told(seconds)}`);
    assert.ok(Math.max(...seconds) <= nextAttemptSeconds, told(seconds));
  });

  test(`whose worker is frozen for ${freezeSeconds} s goes on elsewhere, and what that answers late changes nothing`, async (t) => {
    const run = await site.begin();
    const busy = await site.busyWorker(run);
    assert.ok(busy !== undefined);
    const atMs = Date.now();
    const next = await whileFrozen(busy.worker, async () => {
      // The engine may give a step to the frozen worker once more, because the worker had already polled for
      // one.
      const seconds = await site.secondsToNext(run, busy.steps, atMs);
      await sleep(Math.max(0, freezeSeconds * 1000 - (Date.now() - atMs)));
      return seconds;
    });
    await site.assertAsAlone(run);
    t.diagnostic(told(next.map(({ seconds }) => seconds)));
    assert.ok(next.length > 0);
  });

  for (const [name, server] of allOrTurnOf(Object.entries(site.servers), 0)) {
    test(`succeeds although ${name} is frozen for ${freezeSeconds} s`, async () => {
      const run = await site.begin();
      await sleep(Math.random() * 2000);
      await whileFrozen(server.process, async () => await sleep(freezeSeconds * 1000));
      await site.assertAsAlone(run);
    });
  }

  test('goes on with the parts that are there when the database of the engine is emptied', async (t) => {
    const run = await site.begin();
    await eventually('a part', async () => (await site.partsOf(run.id)).length > 0, 60);
    await temporal.process.stop('SIGKILL');
    const before = await site.partsOf(run.id);
    await temporal.empty();
    await temporal.restart();
    let last = before;
    const hasEnded = async (): Promise<boolean> => {
      const parts = await site.partsOf(run.id);
      if (parts.length > 0) last = parts;
      return (await client.read(run.id)).finished_at !== null;
    };
    await eventually('the end of the run', hasEnded, 180);
    await site.assertAsAlone(run);
    t.diagnostic(`${before.length} parts of ${last.length} were there`);
    assert.deepEqual(
      last.filter(({ place }) => before.some((part) => part.place === place)),
      before,
    );
  });

  test(`${handOvers} times hands its steps to other workers when one ends by SIGTERM`, async (t) => {
    const [ends, nexts]: [number[], number[]] = [[], []];
    while (nexts.length < handOvers) {
      const run = await site.begin();
      const busy = await site.busyWorker(run);
      if (busy !== undefined) {
        const { atMs, seconds } = await site.handOver(busy.worker);
        ends.push(seconds);
        for (const next of await site.secondsToNext(run, busy.steps, atMs)) {
          assert.equal(next.after, 'the worker shuts down'); // not a missed heartbeat
          nexts.push(next.seconds);
        }
      }
      await site.assertAsAlone(run);
    }
    t.diagnostic(`ended after ${told(ends)}; begun elsewhere after ${told(nexts)}`);
    assert.ok(Math.max(...ends) < 10);
  });

  test('is left alone by a worker of another release', async () => {
    const [holding, ...others] = workers;
    for (const worker of workers) assert.equal(await worker.end('SIGTERM'), 0);
    await holding?.startAgain({ WORKER_ROLES: 'runs' });
    const other = await site.startOther();
    const id = await site.start();
    const workflowId = await eventually('a workflow', async () => await site.workflowOf(id), 60);
    await sleep(5000);
    assert.deepEqual(await site.partsOf(id), []);
    const events = (await workflows.eventsOf(workflowId)).map(({ eventType }) => eventType);
    assert.deepEqual(events, ['EVENT_TYPE_WORKFLOW_EXECUTION_STARTED', 'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED']);
    for (const worker of others) await worker.startAgain();
    await site.assertAsAlone({ id });
    assert.equal(await other.end('SIGTERM'), 0);
    assert.equal(await holding?.end('SIGTERM'), 0);
    await holding?.startAgain();
  });

  test(`${cancels} times leaves nothing when it is cancelled at a random moment`, async (t) => {
    const usualMs = await usualTime();
    const [closed, gone]: [number[], number[]] = [[], []];
    while (closed.length < cancels && (closed.length === 0 || !isTimeUp())) {
      const id = await site.start();
      await sleep(Math.random() * usualMs);
      const workflowId = await site.workflowOf(id);
      const atMs = Date.now();
      const answer = await client.cancel(id);
      const { status, error } = await client.read(id);
      if (answer === 409) {
        assert.equal(status, 'succeeded');
        await site.assertAsAlone({ id });
        continue;
      }
      assert.deepEqual([answer, status, error], [204, 'failed', 'cancelled']);
      const isClosed = async () => workflowId === undefined || !(await workflows.isOpen(workflowId));
      await eventually('a closed workflow', isClosed, cancelSeconds);
      closed.push((Date.now() - atMs) / 1000);
      await eventually('no child', async () => (await site.children()).length === 0, cancelSeconds);
      gone.push((Date.now() - atMs) / 1000);
      await site.assertNothingOpen();
    }
    t.diagnostic(
      `${closed.length} cancels: workflows closed after ${told(closed)}; children gone after ${told(gone)}`,
    );
  });
});

describe('afterwards', () => {
  test('each output of each run is there exactly once', async () => {
    const made: string[] = [];
    for (const id of site.runIds()) {
      const run = await client.read(id);
      made.push(...codesOf(run, 'succeeded').map((code) => `${id} ${code} ${outputOf(run, code)} ready`));
    }
    const found = await read<{ line: string }>(
      `select concat_ws(' ', meta ->> 'run_id', meta ->> 'node', id, status) as line from datasets where automated`,
    );
    assert.deepEqual(found.map(({ line }) => line).toSorted(), made.toSorted());
  });

  test('no scratch, no draft and no part is left, and the store holds what the rows own', async (t) => {
    const ended = await Promise.all(workers.map(async (worker) => await worker.end('SIGTERM')));
    assert.deepEqual(ended, [0, 0, 0]);
    for (const worker of workers) await worker.startAgain(); // a start sweeps the folder, as happens every ten minutes
    for (const worker of workers) {
      const isEmpty = async () => (await site.scratchOf(worker)).length === 0;
      await eventually(`an empty scratch folder of ${worker.name}`, isEmpty);
    }
    const settled = async () => {
      const { code, output } = await site.runFsck();
      assert.equal(code, 0, output);
      return /^0 in flight\nno damage/m.test(output) && output;
    };
    t.diagnostic(await eventually('nothing in flight', settled, settleSeconds));
    await site.assertNothingOpen();
  });
});

/** Freezes something during `work`, and always thaws it again. */
async function whileFrozen<T>(
  frozen: { freeze(): Promise<unknown>; thaw(): Promise<unknown> },
  work: () => Promise<T>,
): Promise<T> {
  await frozen.freeze();
  try {
    return await work();
  } finally {
    await frozen.thaw();
  }
}

/** Kills a target; returns the seconds until the lost steps were begun again. Undefined when the target does not exist at the moment. */
async function strike(run: SpreadRun, kind: Kind): Promise<readonly number[] | undefined> {
  if (kind === 'engine') {
    await temporal.process.stop('SIGKILL');
    await sleep(Math.random() * engineAwayMs);
    await temporal.restart();
    return [];
  }
  const holder = await site.holderOf(run.id);
  const victim = kind === 'holder' ? holder : (await site.busyWorker(run))?.worker;
  if (victim === undefined) return undefined;
  const begun = await workflows.begunSteps(run.workflowId);
  const lost = begun.filter(({ worker }) => worker.startsWith(`${victim.pid}@`));
  const { atMs } = await site.kill(victim);
  return (await site.secondsToNext(run, lost, atMs)).map(({ seconds }) => seconds);
}

/** Duration of an undisturbed run in milliseconds. */
async function usualTime(): Promise<number> {
  const startedMs = Date.now();
  await site.assertAsAlone({ id: await site.start() });
  return Date.now() - startedMs;
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/** Minimum, median and maximum of durations in seconds. */
function told(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((one, other) => one - other);
  const [least = 0, middle = 0, most = 0] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  return `${sorted.length}: ${least.toFixed(1)} to ${most.toFixed(1)} s, middle ${middle.toFixed(1)} s`;
}
