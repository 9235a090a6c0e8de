import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { withReferences } from '../../src/remote/referenced-objects.ts';
import type { RemoteFiles } from '../../src/remote/remote-files.ts';
import type { WorkerSteps, WorkflowEngine } from '../../src/landscape/spread/workflow-engine.ts';
import { sweepObjects } from '../../src/object-store/sweeper.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { filledSlots, refer } from '../support/landscape/referred-inputs.ts';
import { codesOf, type startRuns } from '../support/landscape/runs.ts';
import { digestsOf, openSpreading } from '../support/landscape/spread.ts';

type Runs = Awaited<ReturnType<typeof startRuns>>;

/** A server of the files of references. */
export interface SourceServer {
  /** Serves a file, also in the place of another one, and returns its address. */
  serve(name: string, bytes: Buffer): Promise<string>;
  /** A new reader, as each process has one. */
  openReader(): RemoteFiles;
}

/** Change of a file after the first block of a run. */
export interface Change {
  readonly name: string;
  /** @param file the name of the elevation on the server */
  readonly change: (file: string, bytes: Buffer) => Promise<unknown>;
  readonly sentence: RegExp;
}

interface Referred {
  /** Runs with filled slots, over a grid of two blocks. */
  readonly runs: Runs;
  /** Clients of one engine, for a worker each. */
  readonly engines: readonly [WorkflowEngine, WorkflowEngine];
  readonly sources: SourceServer;
  readonly changes: readonly Change[];
}

const stamp = 'own';

/**
 * Describes runs over references that two workers compute, one block each. The workers share nothing but the database, the store and
 * the engine.
 */
export async function describeSpreadReferences(name: string, referred: Referred): Promise<void> {
  const { runs, engines, sources, changes } = referred;
  const { db, store } = runs;
  const slots = await filledSlots(runs);
  const expected = await digestsOf(runs, await runs.execute({ from_stage: 0 }));
  const spreading = await closeAfterTests(openSpreading(runs, engines[0]));

  /** Registers a file for each slot. */
  async function referAll() {
    using reader = disposable(sources.openReader());
    const prefix = randomUUID();
    const overrides: Record<string, string> = {};
    for (const [leaf, bytes] of slots) {
      const group = `landscape-in-${leaf}`;
      const address = await sources.serve(`${prefix}/${leaf}.tif`, bytes);
      overrides[group] = await refer(runs, reader, { group, address, bytes });
    }
    return { overrides, elevation: `${prefix}/dem.tif` };
  }

  /** Executes a run; `between` is called when one worker has stored the first block, and before the other one begins to read. */
  async function execute(overrides: Readonly<Record<string, string>>, between: () => Promise<unknown>) {
    await using closing = new AsyncDisposableStack();
    const open = () => closing.use(disposable(sources.openReader()));
    const [both, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begun = 0;
    const asked = [0, 0];
    const blocks: [number, number][] = [];
    const { queue } = spreading.placeOf(stamp);
    for (const [index, engine] of engines.entries()) {
      const reader = open();
      const read: RemoteFiles['read'] = async (...request) => {
        asked[index] = (asked[index] ?? 0) + 1;
        return await reader.read(...request);
      };
      const steps = spreading.steps(stamp, {}, withReferences(store, { read }));
      const computeBlock: WorkerSteps['computeBlock'] = async (input, call) => {
        begun += 1;
        if (begun === engines.length) both.resolve();
        await both.promise;
        if (input.place > 0) await first.promise;
        try {
          await steps.computeBlock(input, call);
          blocks.push([index, input.place]);
          if (input.place === 0) await between();
        } finally {
          if (input.place === 0) first.resolve();
        }
      };
      const taking = engine.serve({ queue, slots: 1, steps: { ...steps, computeBlock } });
      closing.defer(async () => await taking.close());
    }
    const faults = { store: { ...withReferences(store, open()), put: store.put } };
    const run = await runs.execute({ from_stage: 0, overrides }, faults, spreading.cluster(stamp));
    return { run, asked, blocks };
  }

  async function assertNothingLeft(): Promise<void> {
    await sweepObjects(db, store);
    for (const table of ['landscape_passes', 'landscape_parts'] as const)
      assert.deepEqual(await db.selectFrom(table).select('run_id').execute(), []);
    const parts = db.selectFrom('objects').select('key').where('key', 'like', 'parts/%');
    assert.deepEqual(await parts.execute(), []);
  }

  describe(`a run over references that is spread over two workers: ${name}`, () => {
    test('has the bytes of the run over uploads', async () => {
      const { overrides } = await referAll();
      const { run, asked, blocks } = await execute(overrides, async () => await Promise.resolve());
      assert.deepEqual([run.status, run.error], ['succeeded', null]);
      assert.equal(expected.size, 19);
      assert.deepEqual(await digestsOf(runs, run), expected);
      assert.deepEqual(new Set(blocks.map(([worker]) => worker)), new Set([0, 1]));
      assert.ok(
        asked.every((requests) => requests >= slots.size),
        `requests ${asked.join(' and ')}`,
      );
      await assertNothingLeft();
    });

    for (const { name: what, change, sentence } of changes) {
      test(`fails with the reason if a file ${what} between its blocks`, async () => {
        const { overrides, elevation } = await referAll();
        const bytes = slots.get('dem') ?? assert.fail('no elevation');
        const { run, blocks } = await execute(overrides, async () => await change(elevation, bytes));
        assert.deepEqual(
          blocks.map(([, place]) => place),
          [0],
        );
        assert.equal(run.status, 'failed');
        assert.match(run.error ?? '', sentence);
        assert.deepEqual(codesOf(run, 'succeeded'), []);
        await assertNothingLeft();
      });
    }
  });
}

function disposable(reader: RemoteFiles) {
  return { ...reader, [Symbol.dispose]: () => reader.close() };
}
