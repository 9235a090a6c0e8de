import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress } from '../../address/address.ts';
import type { LandscapeGraph } from '../../service/landscape-types.ts';
import { settingsHref } from '../runs/run-facts.ts';
import { readRequest } from './request.ts';

const usual = {
  window_size: 2048,
  tie_priority: [1, 2, 3, 4, 5],
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
};
const graph: LandscapeGraph = {
  version: 1,
  slots: [],
  nodes: [],
  catalogue: { category: { code: 'landscape', name: '', description: '' }, groups: [] },
  params: Object.entries(usual).map(([name, value]) => ({
    name,
    title: name,
    description: '',
    minimum: typeof value === 'number' ? 1 : null,
    maximum: typeof value === 'number' ? 8192 : null,
    default: value,
  })),
  sectors: [],
};

test('the page of inputs reads the settings of a run out of the link to one like it', () => {
  const id = '0d5f9c5e-7a51-4a8e-9b35-2f8a4b8f1d06';
  const changed = { v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5] };
  const overrides = { 'landscape-in-dem': id, 'landscape-in-ndvi': id };
  const href = settingsHref(
    {
      id,
      status: 'queued',
      params: { ...usual, ...changed },
      overrides,
      from_stage: 0,
      error: null,
      created_at: '2026-11-22T09:05:00.000Z',
      started_at: null,
      finished_at: null,
      nodes: null,
    },
    graph,
  );
  const { misread, ...read } = readRequest(parseAddress(href).query, graph.params);
  assert.deepEqual([misread, read], [[], { params: changed, overrides, from_stage: 0 }]);
});
