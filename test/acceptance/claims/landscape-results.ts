import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { type GroupBody, unreadable } from '../support/catalogue.ts';
import { process } from '../support/datasets.ts';
import { nodeCodes, nodes } from '../support/graph.ts';
import {
  firstRun,
  goldenFile,
  listResults,
  outputOf,
  removeAtEnd,
  type Result,
} from '../support/landscape.ts';
import type { Client } from '../client.ts';

async function resultOf(client: Client, code: string): Promise<Result> {
  const result = (await listResults(client)).find(({ node }) => node === code);
  assert.ok(result !== undefined, code);
  return result;
}

claim(
  [
    '4.5 GET results',
    '2.6 LandscapeResult.group',
    '2.6 LandscapeResult.title',
    '2.6 LandscapeResult.node',
    '1.5 results',
  ],
  'results are one for each of the 19 nodes, in the order of their codes',
  async (client) => {
    assert.equal(nodeCodes.length, 19);
    assert.deepEqual(
      (await listResults(client)).map(({ node, group, title }) => [node, group, title]),
      nodes.map(({ code, group, title }) => [code, group, title]),
    );
  },
);

claim(
  [
    '2.6 LandscapeResult',
    '2.6 LandscapeResult.group_id',
    '2.6 LandscapeResult.cog_url',
    '2.6 LandscapeResult.sld_url',
  ],
  'a result has its seven fields and no other; its paths are made of the ids that it names',
  async (client) => {
    const fields = ['group', 'title', 'node', 'group_id', 'latest', 'cog_url', 'sld_url'];
    for (const result of await listResults(client)) {
      assert.deepEqual(Object.keys(result).toSorted(), fields.toSorted());
      const { latest, group_id, cog_url, sld_url } = result;
      assert.equal(cog_url, latest === null ? null : `/datasets/${latest.id}.cog`);
      const group: GroupBody = (await client.expect(200, 'GET', `/dataset-groups/${group_id}`)).read();
      assert.equal(group.code, result.group);
      assert.equal(sld_url, group.sld_storage_key === null ? null : `/dataset-groups/${group_id}/sld`);
    }
  },
);

claim(
  ['2.6 LandscapeResult.latest', '1.5 results', 'L8.3 results'],
  'once a run has succeeded every output has a latest raster, ready, with its COG and its legend',
  async (client) => {
    await firstRun(client);
    for (const { latest, cog_url, sld_url } of await listResults(client)) {
      assert.ok(latest !== null && cog_url !== null && sld_url !== null);
      assert.equal(latest.status, 'ready');
      const cog = await fetch(client.baseUrl + cog_url);
      assert.deepEqual([cog.status, cog.headers.get('content-type')], [200, 'image/tiff']);
      await cog.bytes();
      const sld = await client.expect(200, 'GET', sld_url);
      assert.match(sld.headers.get('content-type') ?? '', /^application\/xml/);
    }
  },
);

claim(
  ['2.6 LandscapeResult.latest', 'L8.3 results', '2.6 LandscapeResult.cog_url'],
  'latest is the ready raster with the greatest end_date, whoever made it, and no other dataset',
  async (client) => {
    const own = outputOf(await firstRun(client), '12');
    const { group_id: dg_id } = await resultOf(client, '12');
    const { id, later } = await (async () => {
      await using made = removeAtEnd(client);
      const file = await goldenFile('pet');
      const id = made.add((await process(client, 'ready', file, { dg_id, end_date: '9998-12-30' })).id);
      const fields = { dg_id, end_date: '9998-12-31' };
      const later = made.add((await process(client, 'failed', unreadable.raster, fields)).id);
      const { latest, cog_url } = await resultOf(client, '12');
      assert.deepEqual([latest?.id, cog_url], [id, `/datasets/${id}.cog`]);
      return { id, later };
    })();
    const after = await resultOf(client, '12');
    assert.ok(after.latest !== null && ![id, later].includes(after.latest.id));
    await client.expect(200, 'GET', `/datasets/${own}`);
  },
);
