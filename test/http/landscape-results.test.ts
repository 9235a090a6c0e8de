import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type DatasetBody, insertCategory, send, setState, upload } from '../support/datasets.ts';

interface Result {
  readonly group: string;
  readonly title: string;
  readonly node: string;
  readonly group_id: string;
  readonly latest: DatasetBody | null;
  readonly cog_url: string | null;
  readonly sld_url: string | null;
}

const groups = [
  'landscape-01-slope',
  'landscape-02-ruggedness',
  'landscape-03-aridity',
  'landscape-04-vegetation-cover',
  'landscape-05-allocable',
  'landscape-11-soil-quality',
  'landscape-12-climate-quality',
  'landscape-13-vegetation-quality',
  'landscape-14-soil-loss',
  'landscape-21-irrigation',
  'landscape-22-snow',
  'landscape-23-crop',
  'landscape-24-pasture',
  'landscape-25-tourism',
  'landscape-26-sensitivity',
  'landscape-31-max-suitability',
  'landscape-32-leading-sector',
  'landscape-33-use-zone',
  'landscape-34-functional-zoning',
];

let app: TestApp;
let category: string;
before(async () => {
  app = await startTestApp({ landscape: true });
  category = await insertCategory(app.services.db);
});
after(async () => await app.close());

async function result(code: string): Promise<Result> {
  const { status, body, text } = await send<Result[]>(app, '/landscape/results');
  assert.equal(status, 200, text);
  const found = body.find(({ group }) => group === code);
  assert.ok(found !== undefined, code);
  return found;
}

async function add(groupId: string, status: string, fields: Readonly<Record<string, string>> = {}) {
  const dataset = await upload(app, { category_id: category, dg_id: groupId, ...fields });
  await setState(app.services, dataset.id, { status });
  return dataset.id;
}

describe('GET /landscape/results', () => {
  test('lists the 19 outputs by node, each with its group and title', async () => {
    const { body } = await send<Result[]>(app, '/landscape/results');
    assert.deepEqual(
      body.map(({ group, node }) => [group, node]),
      groups.map((group) => [group, group.split('-')[1]]),
    );
    for (const { group, group_id, title } of body) {
      assert.equal((await send(app, `/dataset-groups/${group_id}`)).body['code'], group);
      assert.match(title, /\S/);
    }
  });

  test('has neither raster nor COG where nothing is computed', async () => {
    const { latest, cog_url } = await result('landscape-34-functional-zoning');
    assert.deepEqual([latest, cog_url], [null, null]);
  });

  test('shows the freshest ready raster and the path of its COG, nothing else', async () => {
    const code = 'landscape-01-slope';
    const { group_id } = await result(code);
    await add(group_id, 'processing', { end_date: '2024-12-31' });
    await add(group_id, 'failed', { end_date: '2024-12-31' });
    await add(group_id, 'ready', { end_date: '2024-12-31', file_type: 'vector' });
    assert.equal((await result(code)).latest, null);
    const dated = await add(group_id, 'ready', { end_date: '2020-12-31' });
    await add(group_id, 'ready');
    const { latest, cog_url } = await result(code);
    assert.deepEqual([latest?.id, cog_url], [dated, `/datasets/${dated}.cog`]);
    const summary = (await send<{ data: DatasetBody[] }>(app, `/datasets?dg_id=${group_id}`)).body.data;
    assert.deepEqual(
      latest,
      summary.find(({ id }) => id === dated),
    );
  });

  test('leads to the legend of each group', async () => {
    const { body } = await send<Result[]>(app, '/landscape/results');
    for (const { group_id, sld_url } of body) {
      assert.equal(sld_url, `/dataset-groups/${group_id}/sld`);
      const style = await send(app, sld_url);
      assert.equal(style.status, 200);
      assert.match(style.text, /StyledLayerDescriptor/);
    }
  });

  test('has no path of a legend where the group has none', async () => {
    const { group_id } = await result('landscape-02-ruggedness');
    await app.services.db
      .updateTable('dataset_groups')
      .set({ sld_storage_key: null, sld_filename: null, sld_content_type: null })
      .where('id', '=', group_id)
      .execute();
    assert.equal((await result('landscape-02-ruggedness')).sld_url, null);
  });

  test('is 404 when the group of any output is missing', async () => {
    await using own = await startTestApp({ landscape: true });
    const { body } = await send<Result[]>(own, '/landscape/results');
    const last = body.at(-1)?.group_id;
    assert.equal((await send(own, `/dataset-groups/${last}`, { method: 'DELETE' })).status, 204);
    assert.equal((await send(own, '/landscape/results')).status, 404);
    assert.equal((await send(own, '/landscape/slots')).status, 200);
  });
});
