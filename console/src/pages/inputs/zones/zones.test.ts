import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classes, zoneOf } from './zones.ts';
import { evaluateNode, nodeOf } from '../../../../../test/support/landscape/graph.ts';

/** Every pair of suitability and sensitivity, as two rows of pixels. */
const pairs = classes.flatMap((s) => classes.map((e) => ({ s, e })));
const pixels = new Map([
  ['31', Uint8Array.from(pairs, ({ s }) => s)],
  ['26', Uint8Array.from(pairs, ({ e }) => e)],
]);

test('the table of zones on the page is what a run computes, for all 625 sets of thresholds', () => {
  const node = nodeOf('33');
  let sets = 0;
  for (const v1_min_s_e12 of classes)
    for (const v1_min_s_e3 of classes)
      for (const v2_min_s_e3 of classes)
        for (const v2_min_s_e4 of classes) {
          const thresholds = { v1_min_s_e12, v1_min_s_e3, v2_min_s_e3, v2_min_s_e4 };
          const shown = pairs.map(({ s, e }) => zoneOf(s, e, thresholds));
          assert.deepEqual([...evaluateNode(node, pixels, thresholds)], shown, JSON.stringify(thresholds));
          sets += 1;
        }
  assert.equal(sets, 625);
});
