import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from '../../client.ts';
import { claim } from '../../claim.ts';
import { makeCategory, makeGroup } from '../../support/catalogue.ts';
import {
  type Dataset,
  getDataset,
  makeMapped,
  process,
  sharedCategory,
  upload,
} from '../../support/datasets.ts';
import { emptyLayer, smallRaster } from '../../support/files.ts';
import { sharedGroup, sharedVector } from '../../support/shared.ts';

/** Creates a dataset with every field set. */
async function makeFull(client: Client): Promise<Dataset> {
  return await upload(client, emptyLayer(), {
    name: 'before',
    description: 'd',
    unit: 'u',
    dg_id: (await sharedGroup(client)).id,
    start_date: '2020-01-01',
    end_date: '2020-12-31',
    meta: '{"kept":1.0}',
    automated: 'true',
  });
}

/** Fields that PUT and PATCH may change, as GET returns them. */
const edited = ({ category_id, name, description, unit, dg_id, start_date, end_date }: Dataset) => ({
  category_id,
  name,
  description,
  unit,
  dg_id,
  start_date,
  end_date,
});

claim(
  [
    '4.4 put | 4.4 put name | 4.4 put category_id | 8 name length',
    '4.4 put dg_id, start_date, end_date | 4.4 put description | 4.4 put unit | D3 PUT clears',
  ],
  'PUT replaces all that is said about a dataset, and clears group and period that are omitted or null, and texts that are empty',
  async (client) => {
    const { id } = await makeFull(client);
    const body = {
      category_id: (await makeCategory(client)).id,
      name: 'Ё'.repeat(255),
      description: 'после',
      unit: 'га',
      dg_id: (await makeGroup(client)).id,
      start_date: '1999-12-31',
      end_date: '2000-01-01',
    };
    const category_id = await sharedCategory(client);
    const nothing = { dg_id: null, start_date: null, end_date: null };
    const put = async (json: object) =>
      edited(await client.read<Dataset>(200, 'PUT', `/datasets/${id}`, { json }));
    for (const sent of [{}, nothing]) {
      assert.deepEqual(await put(body), body);
      assert.deepEqual(edited(await getDataset(client, id)), body);
      const cleared = { category_id, name: 'n', description: null, unit: null, ...nothing };
      assert.deepEqual(await put({ category_id, name: 'n', description: '', unit: '', ...sent }), cleared);
    }
  },
);

claim(
  ['3.1 PUT and PATCH', '4.4 put', '4.4 patch'],
  'PUT and PATCH never change file, file type, status, meta or mapping, whatever they carry',
  async (client) => {
    for (const before of await Promise.all([
      process(client, 'ready', smallRaster()),
      makeMapped(client, [{ kato: '710000000', y: 1 }], 'y'),
    ])) {
      const strange = { id: randomUUID(), file_type: 'raster', status: 'failed', meta: {}, storage_key: 'x' };
      const more = { filename: 'x', size_bytes: 1, automated: true, kato_column: 'x', bbox: [0, 0, 1, 1] };
      const { category_id, name } = before;
      const said = { category_id, name, description: '', unit: '' };
      for (const method of ['PUT', 'PATCH']) {
        const json = { ...strange, ...more, ...said };
        const path = `/datasets/${before.id}`;
        const { updated_at, ...rest } = await client.read<Dataset>(200, method, path, { json });
        assert.ok(Date.parse(updated_at) > Date.parse(before.updated_at));
        assert.deepEqual({ ...rest, updated_at: before.updated_at }, before);
      }
    }
  },
);

claim(
  ['name', 'description', 'unit', 'start_date, end_date', 'null']
    .map((name) => `4.4 patch ${name}`)
    .concat('4.4 patch'),
  'PATCH changes the field that it names and no other, to a value, to nothing and to null',
  async (client) => {
    const made = await makeFull(client);
    let expected = edited(made);
    for (const [field, value, readsBack = value] of [
      ['name', '𐰴'.repeat(255)],
      ['description', 'x'],
      ['description', '', null],
      ['unit', 'мм'],
      ['unit', null],
      ['dg_id', null],
      ['start_date', '2020-12-31'],
      ['start_date', null],
      ['end_date', '2020-01-01'],
      ['end_date', null],
      ['description', null],
    ] as const) {
      const json = { [field]: value };
      const after = await client.read<Dataset>(200, 'PATCH', `/datasets/${made.id}`, { json });
      expected = { ...expected, [field]: readsBack };
      assert.deepEqual(edited(after), expected, JSON.stringify(json));
    }
  },
);

claim(
  ['D3 PATCH nothing', '4.4 patch'],
  'PATCH without any known property is 422 with one error',
  async (client) => {
    const { id } = await sharedVector(client);
    for (const json of [{}, { status: 'ready' }, { Name: 'x' }]) {
      await client.refused(422, 'PATCH', `/datasets/${id}`, { json });
    }
  },
);

claim(
  ['D3 PATCH period', '4.4 patch start_date, end_date', '4.4 patch category_id', '4.4 patch dg_id'],
  'PATCH holds one end of a period against the one that is stored, and moves a dataset under ids in either case',
  async (client) => {
    const { id } = await makeFull(client);
    const path = `/datasets/${id}`;
    await client.invalid(['end_date'], 'PATCH', path, { json: { start_date: '2021-01-01' } });
    await client.invalid(['end_date'], 'PATCH', path, { json: { end_date: '2019-12-31' } });
    const moved = { start_date: '2021-01-01', end_date: '2021-01-01' };
    await client.expect(200, 'PATCH', path, { json: moved });
    const [category_id, dg_id] = [(await makeCategory(client)).id, (await makeGroup(client)).id];
    const ids = { category_id: category_id.toUpperCase(), dg_id: dg_id.toUpperCase() };
    const json = { start_date: '2030-01-01', end_date: null, ...ids };
    const patched = await client.read<Dataset>(200, 'PATCH', path, { json });
    assert.deepEqual([patched.start_date, patched.end_date], ['2030-01-01', null]);
    assert.deepEqual([patched.category_id, patched.dg_id], [category_id, dg_id]);
  },
);
