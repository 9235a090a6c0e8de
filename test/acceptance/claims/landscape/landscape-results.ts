import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import { type GroupBody, unreadable } from '../../support/catalogue.ts';
import type { Client } from '../../client.ts';
import { process } from '../../support/datasets.ts';
import { nodeCodes, nodes } from '../../support/graph.ts';
import {
  firstRun,
  goldenFile,
  listResults,
  outputOf,
  removeAtEnd,
  resultOf,
} from '../../support/landscape.ts';
import { assertKeys } from '../../support/errors.ts';

/** Requests the COG of the latest raster; if that was deleted meanwhile, of its successor. */
async function cogOf(client: Client, code: string): Promise<readonly [status: number, type: string | null]> {
  const { latest, cog_url } = await resultOf(client, code);
  const cog = await fetch(`${client.baseUrl}${cog_url}`);
  await cog.bytes();
  const isOutdated = cog.status === 404 && (await resultOf(client, code)).latest?.id !== latest?.id;
  return isOutdated ? await cogOf(client, code) : [cog.status, cog.headers.get('content-type')];
}

claim(
  [
    '4.5 GET results | 1.5 results | 2.6 LandscapeResult',
    ...['group', 'title', 'node', 'group_id', 'cog_url', 'sld_url'].map(
      (name) => `2.6 LandscapeResult.${name}`,
    ),
  ],
  'results are one for each of the 19 nodes, in the order of their codes, of seven fields; paths are made of the ids that they name',
  async (client) => {
    const results = await listResults(client);
    assert.equal(nodeCodes.length, 19);
    assert.deepEqual(
      results.map(({ node, group, title }) => [node, group, title]),
      nodes.map(({ code, group, title }) => [code, group, title]),
    );
    for (const result of results) {
      assertKeys(result, ['group', 'title', 'node', 'group_id', 'latest', 'cog_url', 'sld_url']);
      const { latest, group_id, cog_url, sld_url } = result;
      assert.equal(cog_url, latest === null ? null : `/datasets/${latest.id}.cog`);
      const group: GroupBody = await client.get(`/dataset-groups/${group_id}`);
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
    assert.ok((await listResults(client)).every(({ latest }) => latest?.status === 'ready'));
    for (const code of ['01', '21', '34']) {
      const { latest, sld_url } = await resultOf(client, code);
      assert.equal(latest?.status, 'ready');
      assert.deepEqual(await cogOf(client, code), [200, 'image/tiff']);
      const sld = await client.expect(200, 'GET', sld_url ?? '');
      assert.match(sld.headers.get('content-type') ?? '', /^application\/xml/);
    }
  },
);

claim(
  ['2.6 LandscapeResult.latest', 'L8.3 results', '2.6 LandscapeResult.cog_url'],
  'latest is the ready raster with the greatest end_date, whatever made it, and no other dataset',
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
