import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import { nodeCodes } from '../support/graph.ts';
import {
  codesOf,
  endOf,
  fillSlot,
  firstRun,
  getRun,
  goldenFile,
  goldenPins,
  nodeOf,
  pinSlots,
  plainPins,
  planRun,
  startRun,
} from '../support/landscape.ts';

const noValidPixel = 'has no valid pixel on the reference grid; check unit, scale and nodata';
const afterNdvi = ['04', '13', '14', '24', '26', '31', '32', '33', '34'];
const afterLandCover = ['05', '13', '21', '22', '23', '24', '25', '26', '31', '32', '33', '34'];

/** A leaf with one thing wrong, what a run says of it, and the nodes that cannot reuse what there is; the first of them fails. */
const spoilt = [
  ['dem', 'dem-without-crs', 'reference raster: no CRS', 'L8.4 reference', nodeCodes],
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
    'ndvi',
    'ndvi-without-scale',
    `input group landscape-in-ndvi ${noValidPixel}`,
    'L8.4 valid pixel',
    afterNdvi,
  ],
  [
    'land-cover',
    'land-cover-of-halves',
    `input group landscape-in-land-cover ${noValidPixel}`,
    'L8.4 valid pixel',
    afterLandCover,
  ],
] as const;

for (const [key, name, sentence, row, left] of spoilt) {
  claim(
    [
      row,
      'L8.3 failure',
      'D6 run error',
      'D6 pass failure',
      '2.6 LandscapeRun.error',
      '2.6 LandscapeRunNode.error',
      'L8.2 content',
    ],
    `${name} is uploaded without complaint; a run over it fails: ${sentence}`,
    async (client) => {
      await firstRun(client);
      const pin = await fillSlot(client, key, await goldenFile(name));
      const overrides = { ...(await goldenPins(client)), [`landscape-in-${key}`]: pin };
      assert.deepEqual(codesOf(await planRun(client, { overrides }), 'pending'), left);
      const run = await endOf(client, (await startRun(client, { overrides })).id);
      const [failed = '', ...others] = left;
      assert.deepEqual([run.status, run.error], ['failed', `${failed}: ${sentence}`]);
      assert.deepEqual([codesOf(run, 'failed'), codesOf(run, 'pending')], [[failed], others]);
      assert.deepEqual(
        codesOf(run, 'skipped'),
        nodeCodes.filter((code) => !left.some((each) => each === code)),
      );
      assert.equal(nodeOf(run, failed).error, sentence);
    },
  );
}

claim(
  [
    'L8.3 failure',
    '2.6 LandscapeRun.finished_at',
    '2.6 LandscapeRunNode.finished_at',
    '2.6 LandscapeRunNode.outputs',
    '3.2 node states',
    '3.2 run states',
  ],
  'a run that failed has its times, and so has the node; nodes that were not reached have neither times nor outputs',
  async (client) => {
    await firstRun(client);
    const pin = await fillSlot(client, 'distance-road', await goldenFile('ndvi-elsewhere'));
    const overrides = { ...(await goldenPins(client)), 'landscape-in-distance-road': pin };
    const run = await endOf(client, (await startRun(client, { overrides })).id);
    assert.equal(run.error, '25: input group landscape-in-distance-road does not overlap the reference grid');
    assert.ok(run.started_at !== null && run.finished_at !== null);
    const failed = nodeOf(run, '25');
    assert.ok(failed.started_at !== null && failed.finished_at !== null);
    assert.match(failed.fingerprint, /^[0-9a-f]{64}$/);
    assert.equal(failed.outputs, null);
    for (const code of codesOf(run, 'pending')) {
      const { started_at, finished_at, outputs, error } = nodeOf(run, code);
      assert.deepEqual([started_at, finished_at, outputs, error], [null, null, null, null], code);
    }
    assert.deepEqual(await getRun(client, run.id), run);
  },
);

claim(
  ['L8.4 valid pixel', 'L2 dem', 'L8.3 failure'],
  'an elevation without a pixel in its range is refused like any other raster',
  async (client) => {
    const dem = {
      rows: [
        [-9999, 9001],
        [NaN, -32_768],
      ],
    };
    const overrides = { ...(await plainPins(client)), ...(await pinSlots(client, { dem })) };
    const run = await endOf(client, (await startRun(client, { overrides })).id);
    assert.equal(run.error, `01: input group landscape-in-dem ${noValidPixel}`);
    assert.deepEqual(codesOf(run, 'pending'), nodeCodes.slice(1));
  },
);

claim(
  ['L8.3 failure', '4.5 rule 4 null'],
  'a run that failed takes nothing from those before it, and does not stand in the way of the next',
  async (client) => {
    const first = await firstRun(client);
    const pins = await goldenPins(client);
    const pin = await fillSlot(client, 'dem', await goldenFile('dem-rotated'));
    const started = await startRun(client, { overrides: { ...pins, 'landscape-in-dem': pin } });
    assert.equal((await endOf(client, started.id)).status, 'failed');
    const next = await endOf(client, (await startRun(client, { overrides: pins })).id);
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
