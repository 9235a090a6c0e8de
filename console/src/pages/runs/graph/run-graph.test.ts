import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crossingsOf, layOut } from './graph-layout.ts';
import { describeGraph } from '../../../../../src/landscape/groups/graph-answer.ts';

test('the drawing of a run has every node and edge of the graph, the zoning alone at the right', () => {
  const graph = describeGraph('en');
  const { columns, edges, vertices } = layOut(graph);
  assert.deepEqual(
    columns.map(({ length }) => length),
    [13, 5, 9, 3, 1, 1],
  );
  assert.deepEqual(columns.at(-1), ['34']);
  assert.equal(edges.length, 72);
  const byCode = columns.map((column) => column.toSorted());
  assert.ok(crossingsOf(columns, vertices, edges) < crossingsOf(byCode, vertices, edges));
});
