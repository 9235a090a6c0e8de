import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  changedParams,
  countStates,
  lastNodeOf,
  nodeStateOf,
  phasesOf,
  runsBefore,
  runStateOf,
  slotsToBlame,
} from './run-facts.ts';
import { settingsHref } from '../../../service/run-request.ts';
import { runs } from '../words/en.ts';
import { differencesOf } from './run-differences.ts';
import type { LandscapeGraph, LandscapePlan, LandscapeRun } from '../../../service/types.ts';

type Node = NonNullable<LandscapeRun['nodes']>[number];

const params = {
  window_size: 2048,
  tie_priority: [1, 2, 3, 4, 5],
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
};

function runOf(changes: Partial<LandscapeRun> = {}, nodes: readonly Partial<Node>[] = []): LandscapeRun {
  return {
    id: 'run',
    status: 'running',
    params,
    overrides: {},
    from_stage: null,
    error: null,
    created_at: '2026-11-22T09:05:00.000Z',
    started_at: null,
    finished_at: null,
    nodes: nodes.map((node, index) => ({
      id: `node ${index}`,
      run_id: 'run',
      node_code: `0${index}`,
      stage: 0,
      status: 'pending',
      fingerprint: '',
      inputs: null,
      outputs: null,
      error: null,
      started_at: null,
      finished_at: null,
      ...node,
    })),
    ...changes,
  };
}

const slot = (group: string): LandscapeGraph['slots'][number] => ({
  group,
  title: group,
  kind: 'numbers',
  unit: null,
  range: null,
  classes: null,
  zero_where_missing: false,
  quantity: '',
  source: '',
  how: '',
});
const nodeFact = (code: string, inputs: readonly string[]): LandscapeGraph['nodes'][number] => ({
  code,
  stage: 0,
  group: `group-${code}`,
  title: code,
  unit: null,
  inputs,
  params: [],
  legend: { kind: 'values', entries: [] },
  reading: '',
});
const param = (name: string, usual: number | readonly number[]): LandscapeGraph['params'][number] => ({
  name,
  title: name,
  description: '',
  minimum: null,
  maximum: null,
  default: usual,
});
const graph: LandscapeGraph = {
  version: 1,
  slots: [slot('in-pet'), slot('in-petrol'), slot('in-dem')],
  nodes: [nodeFact('00', ['in-dem']), nodeFact('02', ['group-00']), nodeFact('01', ['in-pet', 'in-petrol'])],
  params: [
    param('window_size', 2048),
    param('tie_priority', [1, 2, 3, 4, 5]),
    param('v1_min_s_e12', 3),
    param('v1_min_s_e3', 4),
  ],
  sectors: [],
  catalogue: { category: { code: 'landscape', name: '', description: '' }, groups: [] },
};
const plan = (missing: readonly string[]): LandscapePlan => ({
  planned_at: null,
  params,
  overrides: {},
  from_stage: null,
  error: null,
  missing,
  inputs: [],
  nodes: [],
});

describe('phases of a run', () => {
  test('nothing is known of a run that waits', () => {
    const phases = phasesOf(runOf({ status: 'queued' }, [{}, {}]));
    assert.deepEqual(
      [phases?.plan, phases?.compute.step, phases?.publish.step],
      ['waiting', 'waiting', 'waiting'],
    );
  });

  test('the share of a pass is that of its slowest node', () => {
    const running = { status: 'running', progress: 0.5 } as const;
    const phases = phasesOf(runOf({}, [{ status: 'skipped' }, running, { ...running, progress: 0.25 }]));
    assert.deepEqual(phases, {
      plan: 'done',
      compute: { step: 'now', share: 0.25 },
      publish: { step: 'waiting', stored: 0, of: 2 },
    });
  });

  test('maps are stored once all pixels are computed', () => {
    const running = { status: 'running', progress: 1 } as const;
    const phases = phasesOf(runOf({}, [{ status: 'succeeded' }, { status: 'skipped' }, running]));
    assert.deepEqual(phases?.compute, { step: 'done', share: 1 });
    assert.deepEqual(phases?.publish, { step: 'now', stored: 1, of: 2 });
  });

  test('an attempt that begins again keeps what is stored, and computes the rest', () => {
    const phases = phasesOf(runOf({}, [{ status: 'succeeded' }, { status: 'running', progress: 0 }]));
    assert.deepEqual(phases?.compute, { step: 'now', share: 0 });
    assert.deepEqual(phases?.publish, { step: 'waiting', stored: 1, of: 2 });
  });

  test('a run that reuses all has nothing to compute, and one that has ended has no phases', () => {
    assert.equal(phasesOf(runOf({}, [{ status: 'skipped' }]))?.compute.step, 'none');
    assert.equal(phasesOf(runOf({ status: 'succeeded' }, [{ status: 'succeeded' }])), undefined);
  });
});

test('nodes that a run has not come to are not reached once it has ended', () => {
  const nodes = [{ status: 'succeeded' }, { status: 'skipped' }, { status: 'failed' }, {}] as const;
  const run = runOf({ status: 'failed' }, nodes);
  assert.deepEqual(
    run.nodes?.map((node) => nodeStateOf(node, run)),
    ['computed', 'reused', 'failed', 'unreached'],
  );
  assert.deepEqual(countStates(run), {
    computed: 1,
    reused: 1,
    running: 0,
    waiting: 0,
    failed: 1,
    unreached: 1,
  });
  const going = runOf({}, [{}]);
  assert.deepEqual(
    going.nodes?.map((node) => nodeStateOf(node, going)),
    ['waiting'],
  );
});

test('a cancelled run is told from one that has failed, also one of an earlier release', () => {
  const failed = { status: 'failed', error: 'cancelled' } as const;
  assert.equal(
    runStateOf(runOf({ ...failed, failure: { code: 'run_fault.cancelled', facts: [] } })),
    'cancelled',
  );
  assert.equal(
    runStateOf(runOf({ ...failed, nodes: null, failure: { code: 'run_fault.atNode', facts: [] } })),
    'failed',
  );
  assert.equal(runStateOf(runOf(failed, [{}])), 'cancelled');
  assert.equal(runStateOf(runOf(failed, [{ status: 'failed' }])), 'failed');
  assert.equal(runStateOf(runOf({ ...failed, nodes: null })), 'failed');
});

test('the one that is running and older ones in the queue are before a run', () => {
  const at = (id: string, status: LandscapeRun['status'], minute: number) =>
    runOf({ id, status, created_at: `2026-11-22T09:0${minute}:00.000Z` });
  const runs = [at('e', 'queued', 5), at('d', 'queued', 4), at('c', 'queued', 3), at('b', 'running', 2)];
  const [, , third] = runs;
  assert.ok(third);
  assert.equal(runsBefore(third, [...runs, at('a', 'succeeded', 1)]), 1);
  assert.equal(runsBefore(at('e', 'queued', 5), runs), 3);
});

test('settings are written into the address of the inputs, without defaults', () => {
  assert.equal(settingsHref(runOf(), graph), '#/landscape');
  const changed = runOf({
    params: { ...params, v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5] },
    overrides: { 'in-dem': 'a', 'in-pet': 'b' },
    from_stage: 0,
  });
  const query = new URLSearchParams(settingsHref(changed, graph).split('?')[1]);
  assert.deepEqual(Object.fromEntries(query), {
    ties: '3,1,2,4,5',
    v1_min_s_e3: '5',
    pin: 'in-dem:a,in-pet:b',
    from: '0',
  });
  assert.deepEqual(
    changedParams(changed.params, graph).map(({ param: { name } }) => name),
    ['tie_priority', 'v1_min_s_e3'],
  );
});

test('the last node is the one that no other reads', () => {
  assert.equal(lastNodeOf(graph)?.code, '01');
  assert.equal(lastNodeOf({ ...graph, nodes: graph.nodes.slice(0, 2) })?.code, '02');
});

describe('the slot to blame', () => {
  const failed = (code: string, facts: readonly unknown[]) =>
    runOf({ status: 'failed' }, [
      { inputs: [{ group: 'in-dem', dataset_id: 'd' }] },
      {
        status: 'failed',
        failure: { code, facts },
        inputs: [
          { group: 'in-dem', dataset_id: 'd' },
          { group: 'in-pet', dataset_id: 'p' },
        ],
      },
    ]);
  const blamed = (run: LandscapeRun, of?: LandscapePlan) =>
    slotsToBlame(run, of, graph).map(({ group }) => group);

  test('is the one that the sentence names, and none whose code is longer', () => {
    assert.deepEqual(blamed(failed('run_fault.unreadable', ['in-pet'])), ['in-pet']);
  });

  test('is each one without a raster', () => {
    assert.deepEqual(blamed(failed('run_fault.noReadyRaster', [['in-dem', 'in-pet']])), ['in-pet', 'in-dem']);
    assert.deepEqual(blamed(runOf({ status: 'failed' }), plan(['in-petrol'])), ['in-petrol']);
  });

  test('is the one that all nodes read, where the reference raster is at fault', () => {
    assert.deepEqual(blamed(failed('run_fault.referenceNotNorthUp', [])), ['in-dem']);
  });

  test('is each one that no run can begin with, also before a node has read anything', () => {
    const code = 'no_reference_system' as const;
    const of = {
      ...plan([]),
      inputs: (['stops', 'warns'] as const).map((severity, place) => ({
        group: place === 0 ? 'in-dem' : 'in-pet',
        dataset: null,
        because: 'only' as const,
        waiting: null,
        findings: [{ code, severity, message: '' }],
      })),
    };
    assert.deepEqual(blamed(failed('run_fault.referenceWithoutCrs', []), of), ['in-dem']);
  });

  test('is none where the service is to blame, or where the run has not failed', () => {
    assert.deepEqual(blamed(failed('run_fault.internalError', ['01'])), []);
    assert.deepEqual(blamed(runOf({}), plan(['in-dem'])), []);
  });
});

describe('what tells a run from others', () => {
  const slots = ['dem', 'ndvi', 'pet', 'soil', 'roads'].map(slot);
  const known = { ...graph, slots };
  const reading = (ids: readonly string[], changes: Partial<LandscapeRun> = {}) => {
    const inputs = ids.map((id, index) => ({ group: slots[index]?.group ?? '', dataset_id: id }));
    return runOf({ status: 'succeeded', ...changes }, [{ status: 'succeeded', inputs }]);
  };
  const told = (run: LandscapeRun, before?: LandscapeRun) =>
    differencesOf(run, { graph: known, before, words: runs });
  const { list, settings } = runs;
  const first = reading(['a', 'b', 'c', 'd', 'e']);

  test('settings that are no defaults, a stage and pins', () => {
    assert.deepEqual(told(first), [list.usual]);
    const strict = { params: { ...params, v1_min_s_e3: 5 }, from_stage: 2, overrides: { dem: 'x' } };
    assert.deepEqual(told(runOf(strict), first), ['v1_min_s_e3: 5', list.again(2), settings.pinned('dem')]);
  });

  test('inputs that are others than in the run before, by name where they are few', () => {
    assert.deepEqual(told(reading(['a', 'B', 'c', 'd', 'e']), first), [list.other('ndvi')]);
    assert.deepEqual(told(reading(['A', 'B', 'C', 'D', 'e']), first), [list.countOthers(4)]);
    assert.deepEqual(told(reading(['a', 'b', 'c', 'd', 'e']), first), [list.asBefore]);
    // A run without nodes, as lists have it, says nothing about inputs.
    assert.deepEqual(told(runOf(), first), [list.usual]);
  });
});
