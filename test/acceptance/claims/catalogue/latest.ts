import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { makeCategory, makeGroup, unreadable } from '../../support/catalogue.ts';
import { type Dataset, getDataset, process, upload } from '../../support/datasets.ts';
import { tiffFile } from '../../support/files.ts';

/** A group, and a function that adds datasets with these dates to it. */
async function groupToFill(client: Client) {
  const [group, category] = [await makeGroup(client), await makeCategory(client)];
  const ids = { category_id: category.id, dg_id: group.id };
  return {
    ids,
    path: `/dataset-groups/${group.id}/latest`,
    put: async (name: string, dates: Readonly<Record<string, string>> = {}) =>
      await upload(client, unreadable.raster, { ...ids, name, ...dates }),
    latest: async () => (await client.get<Dataset>(`/dataset-groups/${group.id}/latest`)).name,
  };
}

claim(
  [
    '4.3 GET latest | 4.3 latest greatest end_date | 4.3 latest without end_date | 4.3 latest ties | 1.4 groups',
    '4.3 GET latest 404 | 7 404 latest',
  ],
  'the greatest end_date wins, none comes last, of equals the one created last comes first; a change of date, group or existence counts at once',
  async (client) => {
    const { put, latest, path } = await groupToFill(client);
    await client.refused(404, 'GET', path);
    const undated = await put('undated');
    assert.equal(await latest(), 'undated');
    const later = await put('undated, later', { start_date: '9999-12-31' });
    assert.equal(await latest(), 'undated, later');
    const dated = await put('dated', { start_date: '0001-01-01', end_date: '0001-01-01' });
    assert.equal(await latest(), 'dated');
    const twin = await put('dated, later', { end_date: '0001-01-01' });
    assert.equal(await latest(), 'dated, later');
    const patch = async ({ id }: Dataset, json: object) =>
      await client.expect(200, 'PATCH', `/datasets/${id}`, { json });
    await patch(undated, { end_date: '2022-12-31' });
    assert.equal(await latest(), 'undated');
    await patch(dated, { end_date: '9999-12-31' });
    assert.equal(await latest(), 'dated');
    await patch(dated, { end_date: null });
    assert.equal(await latest(), 'undated');
    await patch(undated, { dg_id: null });
    assert.equal(await latest(), 'dated, later');
    for (const { id } of [twin, dated]) await client.expect(204, 'DELETE', `/datasets/${id}`);
    assert.equal(await latest(), later.name);
    await client.expect(204, 'DELETE', `/datasets/${later.id}`);
    await client.refused(404, 'GET', path);
  },
);

claim(
  ['4.3 GET latest status', '4.3 GET latest file_type', '4.3 GET latest', '7 404 latest'],
  'only datasets of the status and the file type that are asked for are considered; without a match it is 404',
  async (client) => {
    const { ids, path } = await groupToFill(client);
    const ready = await process(client, 'ready', tiffFile({ width: 4, height: 4 }), ids);
    const newer = { ...ids, end_date: '2024-12-31' };
    const failed = await process(client, 'failed', unreadable.vector, newer);
    const latest = async (query: string) => await client.get<Dataset>(path + query);
    assert.equal((await latest('')).id, failed.id);
    assert.equal((await latest('?status=failed')).id, failed.id);
    assert.equal((await latest('?file_type=vector')).id, failed.id);
    assert.deepEqual(await latest('?status=ready'), await getDataset(client, ready.id));
    assert.equal((await latest('?file_type=raster')).id, ready.id);
    assert.equal((await latest('?file_type=raster&status=ready&nobody=knows')).id, ready.id);
    for (const query of [
      '?status=ready&file_type=vector',
      '?status=extracting',
      '?file_type=vector_with_kato',
    ]) {
      await client.refused(404, 'GET', path + query);
    }
  },
);
