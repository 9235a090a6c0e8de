import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { leaves } from '../model/leaves.ts';
import { type DatedRaster, type EarlierOutput, type NodePlan, planRun, type RunPlan } from './plan.ts';
import type { FinishedComputation } from './reason.ts';
import {
  type Asked,
  changeAtRandom,
  plainly,
  type PlanWorld,
  randomOf,
} from '../../../test/support/landscape/plan-changes.ts';
import { repetitions } from '../../../test/support/tier.ts';

const sequences = repetitions('PLAN_SEQUENCES', 220, 5000);
const stepsOfOne = 6;

/** Parameters of each node, from the description of the graph. */
const ownParams: Readonly<Record<string, readonly (keyof Asked['params'])[]>> = {
  '32': ['tie_priority'],
  '33': ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'],
};

interface Finished extends FinishedComputation {
  readonly code: string;
  readonly fingerprint: string;
  readonly outputId: string;
}

/** Runs without pixels: the content of each raster is a text that states what it was computed from. */
function createWorld() {
  const finished: Finished[] = [];
  const uploads = new Map(leaves.map(({ group }) => [group, [`${group} 0`]]));
  const contents = new Map<string, string>();
  const deleted = new Set<string>();
  let ids = 0;
  const isThere = (id: string) => !deleted.has(id);
  const rasterOf = (id: string): DatedRaster => ({ id, startDate: null, endDate: null });

  function inputsOf({ overrides }: Asked): ReadonlyMap<string, DatedRaster> {
    const chosen = [...uploads].map(([group, all]) => [group, all.findLast(isThere)] as const);
    const all = new Map([...chosen, ...Object.entries(overrides)]);
    return new Map(
      [...all].flatMap(([group, id]) =>
        id !== undefined && isThere(id) ? [[group, rasterOf(id)] as const] : [],
      ),
    );
  }

  const world = {
    finished,
    version: 1,
    isThere,
    contentOf: (id: string) => contents.get(id) ?? id,
    async upload(group: string) {
      uploads.get(group)?.push(`${group} ${(ids += 1)}`);
    },
    async deleteOutput(share: number) {
      const made = finished.map(({ outputId }) => outputId).filter(isThere);
      const id = made[Math.floor(share * made.length)];
      if (id !== undefined) deleted.add(id);
    },
    rasters: async () =>
      [...uploads.values(), finished.map(({ outputId }) => outputId)].flat().filter(isThere),
    async plan(asked: Asked): Promise<RunPlan> {
      const wanted = { params: asked.params, overrides: asked.overrides, fromStage: asked.from_stage };
      return await planRun(wanted, {
        inputs: inputsOf(asked),
        last: new Map(finished.map((each) => [each.code, each])),
        async findEarlier(fingerprints) {
          const newest = new Map(finished.map((each) => [each.fingerprint, each]));
          return new Map(
            fingerprints.flatMap((fingerprint): [string, EarlierOutput][] => {
              const found = newest.get(fingerprint);
              if (found === undefined) return [];
              const { runId, outputId } = found;
              return [[fingerprint, { runId, output: isThere(outputId) ? rasterOf(outputId) : undefined }]];
            }),
          );
        },
        newId: () => `made ${(ids += 1)}`,
        version: world.version,
      });
    },
    /** Text of the result of a node from the rasters that its plan names. */
    compute({ code, inputs }: NodePlan, { params }: Asked): string {
      const own = (ownParams[code] ?? []).map((name) => params[name]);
      const read = inputs.map(({ group, dataset_id: id }) => [group, world.contentOf(id)]);
      const text = JSON.stringify([code, world.version, read, own]);
      return createHash('sha256').update(text).digest('hex');
    },
    finish(runId: string, plans: readonly NodePlan[], asked: Asked): void {
      for (const plan of plans) {
        const { code, fingerprint, inputs, outputId } = plan;
        if (!plan.reuses) contents.set(outputId, world.compute(plan, asked));
        finished.push({
          runId,
          code,
          fingerprint,
          inputs,
          outputId,
          version: world.version,
          params: asked.params,
        });
      }
    },
  };
  return world satisfies PlanWorld;
}

type World = ReturnType<typeof createWorld>;

/** Expected plan of a node without fingerprints, derived from all finished computations. */
function truthOf(world: World, run: readonly NodePlan[], { code, inputs }: NodePlan, asked: Asked) {
  const own = ownParams[code] ?? [];
  const toText = (computation: Pick<FinishedComputation, 'inputs' | 'params' | 'version'>) =>
    JSON.stringify([computation.version, computation.inputs, own.map((name) => computation.params[name])]);
  const now = { version: world.version, inputs, params: asked.params };
  const ofNode = world.finished.filter((each) => each.code === code);
  const same = ofNode.findLast((each) => toText(each) === toText(now));
  if (same !== undefined) {
    const isForced = asked.from_stage !== null && Number(code[0]) >= asked.from_stage;
    const reason = world.isThere(same.outputId) ? (isForced ? 'forced' : 'same') : 'output_gone';
    return { reason, inputs: [], params: [], compared_with: same.runId };
  }
  const last = ofNode.at(-1);
  if (last === undefined) return { reason: 'first', inputs: [], params: [], compared_with: null };
  const made = new Set(run.filter(({ reuses }) => !reuses).map(({ outputId }) => outputId));
  const before = new Map(last.inputs.map((ref) => [ref.group, ref.dataset_id]));
  const changed = inputs
    .filter((ref) => before.get(ref.group) !== ref.dataset_id)
    .map(({ group, dataset_id: id }) => ({ group, from: before.get(group), to: made.has(id) ? null : id }));
  const params = own
    .map((name) => ({ name, from: last.params[name], to: asked.params[name] }))
    .filter(({ from, to }) => String(from) !== String(to));
  const isOld = last.version !== world.version;
  const reason = isOld ? 'algorithm' : params.length > 0 ? 'params' : 'inputs';
  return { reason, inputs: changed, params, compared_with: last.runId };
}

test(`a plan and the run that follows agree over ${sequences} sequences of changes, and say what is true`, async (t) => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= sequences; seed += 1) {
    const random = randomOf(seed);
    const world = createWorld();
    let asked = plainly;
    for (let step = 0; step < stepsOfOne; step += 1) {
      const where = `seed ${seed}, step ${step}`;
      if (step > 0) asked = await changeAtRandom(random, world, asked);
      if (random() < 0.05) world.version = 3 - world.version;
      const [plan, run] = [await world.plan(asked), await world.plan(asked)];
      if ('fault' in run) {
        assert.deepEqual(plan, run, where);
        asked = { ...asked, overrides: {} };
        continue;
      }
      assert.ok('nodes' in plan, where);
      assert.deepEqual(plan.nodes.map(shown), run.nodes.map(shown), where);
      for (const node of run.nodes) {
        const { action, ...told } = node.reason;
        assert.deepEqual(told, truthOf(world, run.nodes, node, asked), `${where}, node ${node.code}`);
        assert.equal(action === 'reuse', told.reason === 'same', where);
        assert.equal(node.reuses, action === 'reuse', where);
        seen.set(told.reason ?? '', (seen.get(told.reason ?? '') ?? 0) + 1);
      }
      world.finish(where, run.nodes, asked);
      for (const node of run.nodes)
        assert.equal(
          world.contentOf(node.outputId),
          world.compute(node, asked),
          `${where}, node ${node.code}`,
        );
    }
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(seen)));
  const reasons = ['algorithm', 'first', 'forced', 'inputs', 'output_gone', 'params', 'same'];
  assert.deepEqual([...seen.keys()].toSorted(), reasons);
  assert.ok(
    [...seen.values()].every((count) => count >= sequences / 10),
    'each reason is seen often',
  );
});

/** Parts of a plan that can be compared: the ids of new outputs are random. */
function shown({ code, reuses, reason, outputId }: NodePlan) {
  return { code, reason, output: reuses ? outputId : null };
}
