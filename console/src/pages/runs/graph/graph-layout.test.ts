import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crossingsOf, layOut, nearnessTo, neighbourOf } from './graph-layout.ts';
import type { LandscapeGraph } from '../../../service/types.ts';

/** Slots a, b and c; nodes by what they read. Node 3 is two columns right of slot a. */
const reads = { 1: ['c'], 2: ['a', 'b'], 3: ['g1', 'a'], 4: ['g2'], 5: ['g3', 'g4'] } as const;

const graph: LandscapeGraph = {
  version: 1,
  slots: ['a', 'b', 'c'].map((group) => ({
    group,
    title: `slot ${group}`,
    kind: 'numbers',
    unit: null,
    range: null,
    classes: null,
    zero_where_missing: false,
    quantity: '',
    source: '',
    how: '',
  })),
  nodes: Object.entries(reads).map(([code, inputs]) => ({
    code,
    stage: 0,
    group: `g${code}`,
    title: `node ${code}`,
    unit: null,
    inputs,
    params: [],
    legend: { kind: 'values', entries: [] },
    reading: '',
  })),
  params: [],
  sectors: [],
  catalogue: { category: { code: 'landscape', name: '', description: '' }, groups: [] },
};
const layout = layOut(graph);

test('a node stands right of all that it reads', () => {
  assert.deepEqual(
    layout.columns.map((column) => column.toSorted()),
    [['a', 'b', 'c'], ['1', '2'], ['3', '4'], ['5']],
  );
  assert.ok(layout.edges.every(({ from, to }) => depthOf(from) < depthOf(to)));
  assert.equal(layout.edges.length, 8);
});

function depthOf(key: string): number {
  return layout.vertices.get(key)?.depth ?? Number.NaN;
}

test('columns are sorted so that fewer edges cross', () => {
  const byCode = [['a', 'b', 'c'], ['1', '2'], ['3', '4'], ['5']];
  const before = crossingsOf(byCode, layout.vertices, layout.edges);
  const after = crossingsOf(layout.columns, layout.vertices, layout.edges);
  assert.ok(before > 0 && after < before, `${before} → ${after}`);
});

test('around the one in focus, neighbours, ancestors and others are told apart', () => {
  const nearness = nearnessTo('3', layout);
  const named = (of: string) => [...(nearness ?? [])].flatMap(([key, near]) => (near === of ? [key] : []));
  assert.deepEqual(named('self'), ['3']);
  assert.deepEqual(named('near').toSorted(), ['1', '5', 'a']);
  assert.deepEqual(named('ancestor'), ['c']);
  assert.deepEqual(named('apart').toSorted(), ['2', '4', 'b']);
  assert.equal(nearnessTo('none', layout), undefined);
});

test('arrow keys lead along edges and within a column, and end at its ends', () => {
  assert.equal(neighbourOf('3', 'ArrowLeft', layout), '1');
  assert.equal(neighbourOf('4', 'ArrowRight', layout), '5');
  assert.equal(neighbourOf('5', 'ArrowRight', layout), undefined);
  const [top = '', bottom = ''] = layout.columns[1] ?? [];
  assert.equal(neighbourOf(top, 'ArrowDown', layout), bottom);
  assert.equal(neighbourOf(top, 'ArrowUp', layout), undefined);
  assert.equal(neighbourOf(bottom, 'Home', layout), top);
  assert.equal(neighbourOf(top, 'End', layout), bottom);
  assert.equal(neighbourOf(top, 'a', layout), undefined);
});

test('a graph that reads itself is drawn all the same', () => {
  const [first, ...others] = graph.nodes;
  assert.ok(first);
  const circle = { ...graph, nodes: [{ ...first, inputs: ['g5'] }, ...others] };
  assert.equal(layOut(circle).vertices.size, 8);
});
