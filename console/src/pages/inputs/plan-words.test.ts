import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputs as en } from './words/en.ts';
import { inputs as kk } from './words/kk.ts';
import { inputs as ru } from './words/ru.ts';
import { explainPlan, unnamedIn } from './plan-words.ts';
import type { LandscapeGraph, LandscapePlan } from '../../service/types.ts';

type PlannedNode = LandscapePlan['nodes'][number];

const codes = ['01', '31', '32', '33', '34'];
const graph: LandscapeGraph = {
  version: 1,
  slots: [
    {
      group: 'landscape-in-dem',
      title: 'Elevation',
      kind: 'numbers',
      unit: 'm',
      range: [-500, 9000],
      classes: null,
      zero_where_missing: false,
      quantity: '',
      source: '',
      how: '',
    },
  ],
  nodes: codes.map((code) => ({
    code,
    stage: Number(code[0]),
    group: `out-${code}`,
    title: `Map ${code}`,
    unit: null,
    inputs: [],
    params: [],
    legend: { kind: 'values', entries: [] },
    reading: '',
  })),
  params: [
    { name: 'v1_min_s_e3', title: 'V1, E = 3', description: '', minimum: 1, maximum: 5, default: 4 },
    { name: 'tie_priority', title: 'Order', description: '', minimum: null, maximum: null, default: [1, 2] },
  ],
  catalogue: { category: { code: 'landscape', name: '', description: '' }, groups: [] },
  sectors: [
    { number: 1, title: 'Crop' },
    { number: 2, title: 'Pasture' },
  ],
};
const [older, newer, gone] = ['older', 'newer', 'gone'];
const names = new Map([
  [older, 'dem-2020'],
  [newer, 'dem-2021'],
]);

function planned(code: string, node: Partial<PlannedNode> = {}): PlannedNode {
  const action = node.reason === undefined || node.reason === 'same' ? 'reuse' : 'compute';
  const none = { inputs: [], params: [], compared_with: null, output: null };
  return { node_code: code, action, reason: 'same', ...none, ...node };
}

function planOf(nodes: readonly PlannedNode[]): LandscapePlan {
  const params = {
    window_size: 2048,
    tie_priority: [1, 2],
    v1_min_s_e12: 3,
    v1_min_s_e3: 4,
    v2_min_s_e3: 3,
    v2_min_s_e4: 5,
  };
  const rest = { planned_at: null, overrides: {}, from_stage: null, error: null, missing: [], inputs: [] };
  return { params, ...rest, nodes };
}

/** The plan as lines: sign, nodes, reason. */
function lines(nodes: readonly PlannedNode[], words: typeof en): readonly string[] {
  return explainPlan(planOf(nodes), { words, graph, names }).map(
    ({ action, nodes, reason }) => `${action === 'compute' ? '+' : '='} ${nodes.join(', ')}: ${reason}`,
  );
}

const dem = { group: 'landscape-in-dem', from: older, to: newer };
const reads = (code: string) => ({ group: `out-${code}`, from: older, to: null });

test('a changed threshold is told with its values, and what follows from it by its number', () => {
  const plan = [
    planned('01'),
    planned('31'),
    planned('32'),
    planned('33', { reason: 'params', params: [{ name: 'v1_min_s_e3', from: 4, to: 5 }] }),
    planned('34', { reason: 'inputs', inputs: [reads('33')] }),
  ];
  assert.deepEqual(lines(plan, en), [
    '+ 33 Map 33: V1, E = 3: was 4, is 5',
    '+ 34 Map 34: because 33 is computed',
    '= 01 Map 01, 31 Map 31, 32 Map 32: none of their inputs has changed',
  ]);
  assert.deepEqual(lines(plan, ru), [
    '+ 33 Map 33: V1, E = 3: было 4, стало 5',
    '+ 34 Map 34: потому что вычисляется 33',
    '= 01 Map 01, 31 Map 31, 32 Map 32: то, от чего они зависят, не изменилось',
  ]);
  assert.deepEqual(lines(plan, kk), [
    '+ 33 Map 33: V1, E = 3: бұрын 4, енді 5',
    '+ 34 Map 34: себебі 33 есептеледі',
    '= 01 Map 01, 31 Map 31, 32 Map 32: тәуелді деректері өзгермеген',
  ]);
});

test('nodes with the same reason are one sentence', () => {
  const first = codes.map((code) => planned(code, { reason: 'first' }));
  const all = codes.map((code) => `${code} Map ${code}`).join(', ');
  assert.deepEqual(lines(first, en), [`+ ${all}: computed for the first time`]);
  assert.deepEqual(lines(first, ru), [`+ ${all}: первое вычисление`]);
  assert.deepEqual(lines(first, kk), [`+ ${all}: алғаш рет есептеледі`]);
});

test('another dataset is named beside the one before, and a deleted one is said to be one', () => {
  const plan = [
    planned('01', { reason: 'inputs', inputs: [dem] }),
    planned('31', { reason: 'inputs', inputs: [{ ...dem, from: gone }, reads('01')] }),
    planned('33', { reason: 'inputs', inputs: [{ group: 'out-31', from: null, to: newer }] }),
  ];
  assert.deepEqual(lines(plan, en), [
    '+ 01 Map 01: Elevation: was dem-2020, is dem-2021',
    '+ 31 Map 31: Elevation: was a deleted dataset, is dem-2021; because 01 is computed',
    '+ 33 Map 33: 31 Map 31: now dem-2021',
  ]);
  assert.deepEqual(unnamedIn(planOf(plan)), [gone, newer, older].toSorted());
});

test('another output, which has the name of the one before, is said to be made again', () => {
  const plan = [
    planned('33', { reason: 'inputs', inputs: [{ group: 'out-31', from: 'an earlier one', to: gone }] }),
  ];
  assert.deepEqual(lines(plan, en), ['+ 33 Map 33: 31 Map 31: recomputed since']);
  assert.deepEqual(lines(plan, ru), ['+ 33 Map 33: 31 Map 31: с тех пор рассчитано заново']);
});

test('many nodes that follow others are one sentence, and the order of sectors has their names', () => {
  const follow = (code: string, ...read: readonly string[]) =>
    planned(code, { reason: 'inputs', inputs: read.map(reads) });
  const order = { name: 'tie_priority', from: [1, 2], to: [2, 1] };
  const few = [planned('32', { reason: 'params', params: [order] }), follow('34', '32', '33')];
  assert.deepEqual(lines(few, en), [
    '+ 32 Map 32: Order: was Crop, Pasture, is Pasture, Crop',
    '+ 34 Map 34: because 32, 33 are computed',
  ]);
  const many = [follow('31', '01'), follow('32', '01'), follow('33', '31'), follow('34', '32', '33')];
  assert.deepEqual(lines(many, en), [
    '+ 31 Map 31, 32 Map 32, 33 Map 33, 34 Map 34: because maps that they read are computed',
  ]);
});

test('every other reason has words in every language', () => {
  for (const reason of ['forced', 'output_gone', 'algorithm', null] as const) {
    for (const words of [en, ru, kk]) {
      const text = words.reasons[reason ?? 'unknown'];
      assert.deepEqual(lines([planned('01', { action: 'compute', reason })], words), [
        `+ 01 Map 01: ${text}`,
      ]);
    }
  }
});
