import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import { process } from '../../support/datasets.ts';
import { groupOf, nodeCodes } from '../../support/graph.ts';
import {
  assertLeftToDo,
  codesOf,
  goldenFile,
  goldenPins,
  nodeOf,
  outputOf,
  planRun,
  removeAtEnd,
  resultOf,
  succeed,
} from '../../support/landscape.ts';
import { readCog } from '../../support/rasters.ts';

claim(
  [
    '4.5 rule 4 stages | L8.3 from_stage | 2.6 LandscapeRun.from_stage | L8.3 reuse',
    'L4 later run | L8.3 results | 2.6 LandscapeResult.latest',
  ],
  'what is computed again is a new dataset with the same pixels, which shows and is reused instead of the old; older rasters displace nothing',
  async (client) => {
    await using made = removeAtEnd(client);
    // Not in a slot, where runs without pins would read it.
    const file = await goldenFile('dem');
    const dem = made.add((await process(client, 'ready', file, { end_date: '9990-12-31' })).id);
    const overrides = { ...(await goldenPins(client)), 'landscape-in-dem': dem };
    // A node that reads no slot into which other claims put rasters of a later date.
    const shown = async () => (await resultOf(client, '24')).latest?.id;
    const first = await succeed(client, { overrides });
    for (const code of nodeCodes) made.add(outputOf(first, code));
    assertLeftToDo(first, 'succeeded', nodeCodes);
    assert.equal(await shown(), outputOf(first, '24'));
    const second = await succeed(client, { overrides, from_stage: 2 });
    const again = nodeCodes.filter((code) => code >= '21');
    for (const code of again) made.add(outputOf(second, code));
    assertLeftToDo(second, 'succeeded', again);
    assert.equal(second.from_stage, 2);
    assert.equal(await shown(), outputOf(second, '24'));
    for (const code of nodeCodes) {
      assert.equal(outputOf(second, code) !== outputOf(first, code), again.includes(code), code);
      assert.equal(nodeOf(second, code).fingerprint !== nodeOf(first, code).fingerprint, code >= '31', code);
    }
    const [before, after] = await Promise.all(
      [first, second].map(async (run) => await readCog(client, outputOf(run, '34'))),
    );
    assert.deepEqual(after?.values, before?.values);
    const third = await planRun(client, { overrides });
    assertLeftToDo(third, 'pending', []);
    for (const code of nodeCodes) assert.equal(outputOf(third, code), outputOf(second, code));
    const pins = await goldenPins(client);
    const cover = { [groupOf('04')]: pins['landscape-in-soil-salinity'] ?? '' };
    const older = await succeed(client, { overrides: { ...pins, ...cover } });
    assert.ok(codesOf(older, 'succeeded').includes('24'));
    assert.equal(await shown(), outputOf(second, '24'));
  },
);
