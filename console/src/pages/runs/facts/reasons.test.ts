import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '../words/en.ts';
import { type PlannedNode, reasonOf, valueText, whyOf, withTitles } from './reasons.ts';
import type { LandscapeGraph } from '../../../service/types.ts';

const slot = (group: string, title: string): LandscapeGraph['slots'][number] => ({
  group,
  title,
  kind: 'numbers',
  unit: null,
  range: null,
  classes: null,
  zero_where_missing: false,
  quantity: '',
  source: '',
  how: '',
});
const graph: LandscapeGraph = {
  version: 1,
  slots: [slot('in-soil', 'Soil'), slot('in-soil-salinity', 'Salinity')],
  nodes: [],
  params: [
    { name: 'v1', title: 'Threshold', description: '', minimum: 1, maximum: 5, default: 4 },
    { name: 'ties', title: 'Order', description: '', minimum: null, maximum: null, default: [1, 2] },
  ],
  catalogue: { category: { code: 'landscape', name: '', description: '' }, groups: [] },
  sectors: [
    { number: 1, title: 'Irrigation' },
    { number: 2, title: 'Pasture' },
  ],
};
const planned = (changes: Partial<PlannedNode>): PlannedNode => ({
  node_code: '33',
  action: 'compute',
  reason: null,
  inputs: [],
  params: [],
  compared_with: null,
  output: null,
  ...changes,
});

test('a sentence has the titles of inputs in the place of their codes', () => {
  assert.equal(
    withTitles('14: no ready raster for input groups: in-soil-salinity, in-soil, in-soil-other', graph),
    '14: no ready raster for input groups: Salinity, Soil, in-soil-other',
  );
});

test('a short reason names what has changed', () => {
  const { reasons } = runs;
  assert.equal(reasonOf(undefined, graph, runs), undefined);
  assert.equal(reasonOf(planned({}), graph, runs), undefined);
  assert.equal(reasonOf(planned({ reason: 'same' }), graph, runs), reasons.same);
  assert.equal(
    reasonOf(planned({ reason: 'params', params: [{ name: 'v1', from: 4, to: 5 }] }), graph, runs),
    `${reasons.params}: Threshold`,
  );
  const inputs = [{ group: 'in-soil', from: null, to: 'b' }];
  assert.equal(reasonOf(planned({ reason: 'inputs', inputs }), graph, runs), `${reasons.inputs}: Soil`);
});

test('a run that recorded no reason says so, and a forced node names the stage', () => {
  const { why } = runs;
  assert.equal(whyOf(planned({}), null, runs), why.unknown);
  assert.equal(whyOf(planned({ reason: 'forced' }), 2, runs), why.forced(2));
  assert.equal(whyOf(planned({ reason: 'first' }), null, runs), why.first);
});

test('an order of sectors is written by their titles', () => {
  assert.equal(valueText([2, 1, 9], graph), 'Pasture, Irrigation, 9');
  assert.equal(valueText(5, graph), '5');
});
