import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { claim } from '../../claim.ts';
import { readCases } from '../../support/golden.ts';
import { defaults, groupOf, nodeCodes, nodes } from '../../support/graph.ts';
import {
  firstRun,
  goldenPins,
  nodeOf,
  outputOf,
  planGolden,
  type Ref,
  type RunNode,
} from '../../support/landscape.ts';

/** Hash of the documented text of a computation: keys and groups sorted, without blanks. */
function fingerprintOf(
  code: string,
  inputs: readonly Ref[],
  params: Readonly<Record<string, unknown>>,
): string {
  const names = nodes.find((node) => node.code === code)?.params ?? [];
  const text = [
    `{"inputs":[${inputs.map(({ group, dataset_id: id }) => `["${group}","${id}"]`).join(',')}]`,
    `"node":"${code}"`,
    `"params":{${names.map((name) => `"${name}":${JSON.stringify(params[name])}`).join(',')}}}`,
  ].join(',');
  return createHash('sha256').update(text).digest('hex');
}

function assertFingerprint(node: RunNode, params: Readonly<Record<string, unknown>>): void {
  const wanted = fingerprintOf(node.node_code, node.inputs ?? [], params);
  assert.equal(node.fingerprint, wanted, `node ${node.node_code}`);
}

claim(
  [
    ...nodeCodes.map((code) => `L3.2 ${code}`),
    '2.6 LandscapeRunNode.inputs | L3.1 implicit dem | L8.3 upstream | 1.5 graph',
  ],
  'every node reads its groups and the elevation, sorted by group',
  async (client) => {
    const run = await firstRun(client);
    const pins = await goldenPins(client);
    const made = new Map(nodeCodes.map((each) => [groupOf(each), outputOf(run, each)]));
    for (const { code, reads } of nodes) {
      const wanted = reads.map((group) => ({ group, dataset_id: pins[group] ?? made.get(group) }));
      assert.deepEqual(nodeOf(run, code).inputs, wanted, code);
    }
  },
);

claim(
  ['2.6 LandscapeRunNode.outputs', '2.6 LandscapeDatasetRef.group', '2.6 LandscapeDatasetRef.dataset_id'],
  'each node has one output, a dataset of its own in its group',
  async (client) => {
    const run = await firstRun(client);
    for (const { node_code: code, outputs } of run.nodes) {
      assert.equal(outputs?.length, 1);
      assert.deepEqual(Object.keys(outputs?.[0] ?? {}).toSorted(), ['dataset_id', 'group']);
      assert.equal(outputs?.[0]?.group, groupOf(code));
    }
    assert.equal(new Set(nodeCodes.map((code) => outputOf(run, code))).size, nodeCodes.length);
  },
);

claim(
  [
    '2.6 LandscapeRunNode.fingerprint | 4.5 rule 5 fingerprint | L8.3 fingerprint | D6 fingerprint | L3.2 params',
  ],
  'a fingerprint is the SHA-256 of node, inputs and those params that the node depends on, each another',
  async (client) => {
    const { nodes: found } = await firstRun(client);
    for (const node of found) assertFingerprint(node, defaults);
    assert.equal(new Set(found.map(({ fingerprint }) => fingerprint)).size, nodeCodes.length);
  },
);

claim(
  ['L8.3 fingerprint', 'L3.2 params', 'L3.2 window_size', '4.5 rule 5 fingerprint'],
  'params enter the fingerprints of 32 and 33 alone, by their values, and window_size none',
  async (client) => {
    const params = {
      window_size: 512,
      tie_priority: [5, 3, 1, 2, 4],
      v1_min_s_e12: 1,
      v1_min_s_e3: 2,
      v2_min_s_e3: 4,
      v2_min_s_e4: 3,
    };
    const plan = await planGolden(client, { params });
    for (const node of plan.nodes) assertFingerprint(node, params);
  },
);

claim(['L8.3 fingerprint'], 'the worked fingerprint of the design is what the same rule gives', async () => {
  const { fingerprint } = await readCases<{
    fingerprint: { inputs: Record<string, string>; params: Record<string, unknown>; sha256: string };
  }>();
  const sorted = Object.keys(fingerprint.inputs).toSorted();
  const inputs = sorted.map((group) => ({ group, dataset_id: fingerprint.inputs[group] ?? '' }));
  assert.equal(fingerprintOf('32', inputs, fingerprint.params), fingerprint.sha256);
});
