import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from '../client.ts';
import { claim } from '../claim.ts';
import { makeCategory, makeGroup } from '../support/catalogue.ts';
import { type Dataset, getDataset, sharedCategory, upload } from '../support/datasets.ts';
import { emptyLayer } from '../support/files.ts';
import { makeOneOfEach, sharedGroup, sharedVector } from '../support/shared.ts';

/** A dataset of which everything is said. */
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

/** The fields that PUT and PATCH may change, as they read back. */
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
  ['4.4 put', '4.4 put name', '4.4 put category_id', '8 name length'],
  'PUT replaces all that is said about a dataset',
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
    assert.deepEqual(edited(await client.read(200, 'PUT', `/datasets/${id}`, { json: body })), body);
    assert.deepEqual(edited(await getDataset(client, id)), body);
  },
);

for (const [what, sent] of [
  ['omitted', {}],
  ['null', { dg_id: null, start_date: null, end_date: null }],
] as const) {
  claim(
    ['4.4 put dg_id, start_date, end_date', '4.4 put description', '4.4 put unit', 'D3 PUT clears'],
    `PUT clears group and period that are ${what}, and texts that are empty`,
    async (client) => {
      const { id } = await makeFull(client);
      const category_id = await sharedCategory(client);
      const json = { category_id, name: 'n', description: '', unit: '', ...sent };
      assert.deepEqual(edited(await client.read(200, 'PUT', `/datasets/${id}`, { json })), {
        category_id,
        name: 'n',
        description: null,
        unit: null,
        dg_id: null,
        start_date: null,
        end_date: null,
      });
    },
  );
}

claim(
  ['3.1 PUT and PATCH', '4.4 put', '4.4 patch'],
  'PUT and PATCH never change file, file type, status, meta or mapping, whatever they carry',
  async (client) => {
    for (const before of await makeOneOfEach(client)) {
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

for (const [row, field, value, readsBack] of [
  ['4.4 patch name', 'name', '𐰴'.repeat(255), undefined],
  ['4.4 patch description', 'description', 'x', undefined],
  ['4.4 patch description', 'description', '', null],
  ['4.4 patch null', 'description', null, null],
  ['4.4 patch unit', 'unit', 'мм', undefined],
  ['4.4 patch null', 'unit', null, null],
  ['4.4 patch null', 'dg_id', null, null],
  ['4.4 patch start_date, end_date', 'start_date', '2020-12-31', undefined],
  ['4.4 patch start_date, end_date', 'end_date', '2020-01-01', undefined],
  ['4.4 patch null', 'start_date', null, null],
  ['4.4 patch null', 'end_date', null, null],
] as const) {
  claim(
    [row, '4.4 patch null', '4.4 patch'],
    `PATCH of ${field} to ${JSON.stringify(value).slice(0, 20)} changes that and nothing else`,
    async (client) => {
      const before = await makeFull(client);
      const json = { [field]: value };
      const after = await client.read<Dataset>(200, 'PATCH', `/datasets/${before.id}`, { json });
      const expected = { ...edited(before), [field]: readsBack === undefined ? value : readsBack };
      assert.deepEqual(edited(after), expected);
    },
  );
}

claim(
  ['4.4 patch category_id', '4.4 patch dg_id'],
  'PATCH moves a dataset to another category and group, under ids in either case',
  async (client) => {
    const { id } = await makeFull(client);
    const [category_id, dg_id] = [(await makeCategory(client)).id, (await makeGroup(client)).id];
    const json = { category_id: category_id.toUpperCase(), dg_id: dg_id.toUpperCase() };
    const patched = await client.read<Dataset>(200, 'PATCH', `/datasets/${id}`, { json });
    assert.deepEqual([patched.category_id, patched.dg_id], [category_id, dg_id]);
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
  ['D3 PATCH period', '4.4 patch start_date, end_date'],
  'PATCH holds one end of a period against the one that is stored',
  async (client) => {
    const { id } = await makeFull(client);
    const path = `/datasets/${id}`;
    await client.invalid(['end_date'], 'PATCH', path, { json: { start_date: '2021-01-01' } });
    await client.invalid(['end_date'], 'PATCH', path, { json: { end_date: '2019-12-31' } });
    const moved = { start_date: '2021-01-01', end_date: '2021-01-01' };
    await client.expect(200, 'PATCH', path, { json: moved });
    const json = { start_date: '2030-01-01', end_date: null };
    const { start_date, end_date } = await client.read<Dataset>(200, 'PATCH', path, { json });
    assert.deepEqual([start_date, end_date], ['2030-01-01', null]);
  },
);
