import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import { nodeCodes } from '../support/graph.ts';
import {
  codesOf,
  fillSlot,
  firstRun,
  getRun,
  goldenFile,
  goldenPins,
  nodeOf,
  pinSlots,
  planRun,
  runToEnd,
} from '../support/landscape.ts';

const afterNdvi = ['04', '13', '14', '24', '26', '31', '32', '33', '34'];
const afterLandCover = ['05', '13', '21', '22', '23', '24', '25', '26', '31', '32', '33', '34'];

/** A leaf with one thing wrong, what a run says of it, and the nodes that cannot reuse what there is; the first of them fails. */
const spoilt = [
  ['dem', 'dem-rotated', 'reference raster: not north-up', 'L8.4 reference', nodeCodes],
  [
    'ndvi',
    'ndvi-without-crs',
    'input group landscape-in-ndvi: CRS missing or not supported',
    'L8.4 CRS',
    afterNdvi,
  ],
  [
    'ndvi',
    'ndvi-elsewhere',
    'input group landscape-in-ndvi does not overlap the reference grid',
    'L8.4 overlap',
    afterNdvi,
  ],
  [
    'land-cover',
    'land-cover-of-halves',
    'input group landscape-in-land-cover has no valid pixel on the reference grid; check unit, scale and nodata',
    'L8.4 valid pixel',
    afterLandCover,
  ],
] as const;

for (const [key, name, sentence, row, left] of spoilt) {
  claim(
    [
      row,
      'L8.3 failure | D6 run error | D6 pass failure | L8.2 content | 3.2 node states | 3.2 run states',
      '2.6 LandscapeRun.error | 2.6 LandscapeRun.finished_at | 2.6 LandscapeRunNode.error',
      '2.6 LandscapeRunNode.finished_at | 2.6 LandscapeRunNode.outputs',
    ],
    `${name} is uploaded without complaint; a run over it fails: ${sentence}`,
    async (client) => {
      const pin = await fillSlot(client, key, await goldenFile(name));
      const overrides = { ...(await goldenPins(client)), [`landscape-in-${key}`]: pin };
      assert.deepEqual(codesOf(await planRun(client, { overrides }), 'pending'), left);
      const run = await runToEnd(client, { overrides });
      const [code = '', ...others] = left;
      assert.deepEqual([run.status, run.error], ['failed', `${code}: ${sentence}`]);
      assert.deepEqual([codesOf(run, 'failed'), codesOf(run, 'pending')], [[code], others]);
      assert.deepEqual(
        codesOf(run, 'skipped'),
        nodeCodes.filter((each) => !left.some((one) => one === each)),
      );
      assert.ok(run.started_at !== null && run.finished_at !== null);
      const failed = nodeOf(run, code);
      assert.deepEqual([failed.error, failed.outputs], [sentence, null]);
      assert.ok(failed.started_at !== null && failed.finished_at !== null);
      assert.match(failed.fingerprint, /^[0-9a-f]{64}$/);
      for (const each of others) {
        const { started_at, finished_at, outputs, error } = nodeOf(run, each);
        assert.deepEqual([started_at, finished_at, outputs, error], [null, null, null, null], each);
      }
      assert.deepEqual(await getRun(client, run.id), run);
    },
  );
}

claim(
  ['L8.3 failure', '4.5 rule 4 null', 'L8.4 valid pixel', 'L2 dem'],
  'an elevation without a pixel in its range fails its run, which takes nothing from those before it or after it',
  async (client) => {
    const first = await firstRun(client);
    const dem = {
      rows: [
        [-9999, 9001],
        [NaN, -32_768],
      ],
    };
    const overrides = { ...(await goldenPins(client)), ...(await pinSlots(client, { dem })) };
    const run = await runToEnd(client, { overrides });
    assert.match(run.error ?? '', /^01: input group landscape-in-dem has no valid pixel/);
    const next = await runToEnd(client, { overrides: await goldenPins(client) });
    assert.deepEqual([next.status, codesOf(next, 'skipped')], ['succeeded', nodeCodes]);
    assert.deepEqual(await getRun(client, first.id), first);
  },
);

checkedElsewhere('test/landscape/failures.test.ts', {
  'names all slots that are empty, at the lowest node that reads one': [
    'D6 missing leaves',
    'D6 dry run missing',
    'L8.4 no raster',
    'L8.1 missing leaf',
    'L8.3 leaves first',
  ],
  'says that a grid has more pixels than it may': ['L8.4 reference'],
  'says that a pinned dataset is gone, when it was deleted while the run waited': ['L8.4 deleted'],
});
checkedElsewhere('test/landscape/execution.test.ts', {
  'an output that cannot be stored fails its node; those published stay, for the next run to use': [
    'D6 pass failure',
    'L8.4 store',
  ],
  'a batch whose child always dies is an internal error of the lowest node': ['L8.4 internal'],
});
checkedElsewhere('test/landscape/landscape-engine.test.ts', {
  'names a source whose pixels cannot be read': ['L8.4 unreadable'],
});
