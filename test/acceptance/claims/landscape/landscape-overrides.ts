import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { unreadable } from '../../support/catalogue.ts';
import { process, upload } from '../../support/datasets.ts';
import { pinnable } from '../../support/graph.ts';
import {
  assertLeftToDo,
  firstRun,
  goldenFile,
  goldenPins,
  nodeOf,
  outputOf,
  planRun,
} from '../../support/landscape.ts';
import { failedRaster, sharedVector } from '../../support/shared.ts';

/** Requests a plan and a run, and returns the messages about each pin, which are equal. */
async function messagesFor({ expect }: Client, overrides: object): Promise<unknown> {
  const json = { overrides };
  const planned = await expect(422, 'POST', '/landscape/runs?dry_run=true', { json });
  const run = await expect(422, 'POST', '/landscape/runs', { json });
  assert.equal(run.text, planned.text);
  return planned.read<{ errors: unknown }>().errors;
}

claim(
  ['L8.1 override key', '2.6 LandscapeRunInput.overrides'],
  'a group that no node reads cannot be pinned: an unknown one, the last output, and names that objects inherit',
  async (client) => {
    const { 'landscape-in-dem': raster } = await goldenPins(client);
    for (const group of [
      'nothing',
      'landscape',
      'dem',
      '34',
      'landscape-34-functional-zoning',
      'constructor',
      '__proto__',
      '',
    ]) {
      const errors = { [`overrides.${group}`]: 'not an input group of the graph' };
      assert.deepEqual(await messagesFor(client, { [group]: raster }), errors);
    }
  },
);

claim(
  ['L8.1 pinned', 'L8.1 override key', '4.5 rule 3 pinned'],
  'a pinned dataset must exist, be a raster and be ready; each pin has its own error',
  async (client) => {
    const { 'landscape-in-dem': raster } = await goldenPins(client);
    const overrides = {
      'landscape-in-pet': (await upload(client, unreadable.raster)).id,
      'landscape-in-ndvi': (await failedRaster(client)).id,
      'landscape-01-slope': randomUUID(),
      'landscape-21-irrigation': (await sharedVector(client)).id,
      other: raster,
      'landscape-in-dem': raster,
    };
    assert.deepEqual(await messagesFor(client, overrides), {
      'overrides.landscape-in-pet': 'dataset is not ready',
      'overrides.landscape-in-ndvi': 'dataset is not ready',
      'overrides.landscape-01-slope': 'dataset not found',
      'overrides.landscape-21-irrigation': 'dataset is not a raster',
      'overrides.other': 'not an input group of the graph',
    });
  },
);

claim(
  ['L8.1 pinned output', '2.6 LandscapeRunInput.overrides', '2.6 LandscapeRun.overrides'],
  'all 31 groups that a node reads can be pinned, and pins come back as they were sent',
  async (client) => {
    const { 'landscape-in-dem': raster = '' } = await goldenPins(client);
    assert.equal(pinnable.length, 31);
    const overrides = Object.fromEntries(pinnable.map((group) => [group, raster]));
    const run = await planRun(client, { overrides });
    assert.deepEqual(run.overrides, overrides);
    for (const { inputs } of run.nodes) {
      assert.ok((inputs ?? []).length > 0 && inputs?.every(({ dataset_id: id }) => id === raster));
    }
  },
);

claim(
  ['L8.1 pinned output', '4.5 rule 3 overrides'],
  'a raster of any category and group can be pinned',
  async (client) => {
    const { id, dg_id } = await process(client, 'ready', await goldenFile('ndvi'));
    assert.equal(dg_id, null);
    const run = await planRun(client, {
      overrides: { ...(await goldenPins(client)), 'landscape-in-ndvi': id },
    });
    assertLeftToDo(run, 'pending', ['04', '13', '14', '24', '26', '31', '32', '33', '34']);
    for (const code of ['04', '14']) {
      const ref = nodeOf(run, code).inputs?.find(({ group }) => group === 'landscape-in-ndvi');
      assert.equal(ref?.dataset_id, id);
    }
  },
);

claim(
  ['2.6 LandscapeRun.overrides', '2.6 LandscapeRunInput.overrides'],
  'the uuid of a pin may be in upper case; it is shown in lower case, and is the same pin',
  async (client) => {
    const pins = await goldenPins(client);
    const overrides = Object.fromEntries(
      Object.entries(pins).map(([group, id]) => [group, id.toUpperCase()]),
    );
    const run = await planRun(client, { overrides });
    assert.deepEqual(run.overrides, pins);
    assertLeftToDo(run, 'pending', []);
  },
);

claim(
  ['L8.1 pinned output', '4.5 rule 3 overrides', 'L8.3 upstream'],
  'who reads a pinned output reads the pin, while the node that makes it is left as it is',
  async (client) => {
    const first = await firstRun(client);
    const pins = await goldenPins(client);
    const pin = pins['landscape-in-ndvi'] ?? '';
    const run = await planRun(client, { overrides: { ...pins, 'landscape-04-vegetation-cover': pin } });
    assertLeftToDo(run, 'pending', ['13', '24', '26', '31', '32', '33', '34']);
    assert.equal(outputOf(run, '04'), outputOf(first, '04'));
    for (const code of ['13', '24']) {
      const ref = nodeOf(run, code).inputs?.find(({ group }) => group === 'landscape-04-vegetation-cover');
      assert.equal(ref?.dataset_id, pin, code);
    }
  },
);
