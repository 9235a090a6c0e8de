import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crossingsOf, layOut } from '../../console/src/pages/runs/graph-layout.ts';
import { parseAddress } from '../../console/src/address/address.ts';
import { readRequest } from '../../console/src/pages/landscape/request.ts';
import { settingsHref } from '../../console/src/pages/runs/run-facts.ts';
import { describeGraph } from '../../src/landscape/groups/graph-answer.ts';
import { defaultParams } from '../../src/landscape/model/params.ts';

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

test('the page of inputs reads the settings of a run out of the link to one like it', () => {
  const graph = describeGraph('en');
  const params = { ...defaultParams, v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5] };
  const id = '0d5f9c5e-7a51-4a8e-9b35-2f8a4b8f1d06';
  const overrides = { 'landscape-in-dem': id, 'landscape-in-ndvi': id };
  const times = { created_at: '2026-11-22T09:05:00.000Z', started_at: null, finished_at: null };
  const run = {
    id,
    status: 'queued',
    params,
    overrides,
    from_stage: 0,
    error: null,
    nodes: null,
    ...times,
  } as const;
  const { misread, ...read } = readRequest(parseAddress(settingsHref(run, graph)).query, graph.params);
  assert.deepEqual(misread, []);
  assert.deepEqual(read, {
    params: { v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5] },
    overrides,
    from_stage: 0,
  });
});
