import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { deleteDatasetGroup } from '../../src/catalogue/dataset-groups.ts';
import { getDataset } from '../../src/datasets/queries.ts';
import { toDatasetSummary } from '../../src/datasets/schema.ts';
import { ensureLandscapeCategory } from '../../src/landscape/groups/category.ts';
import { nodes } from '../../src/landscape/graph/graph.ts';
import { leaves } from '../../src/landscape/model/leaves.ts';
import { listResults } from '../../src/landscape/groups/results.ts';
import { seedLandscape } from '../../src/landscape/groups/seed.ts';
import { findSlotGroup, listSlots } from '../../src/landscape/groups/slots.ts';
import { openTestDatabase } from '../support/database.ts';
import { groupId, insertRaster } from '../support/rasters.ts';
import { openTestStore } from '../support/store.ts';

const database = await openTestDatabase();
const objectStore = await openTestStore();
after(async () => {
  await database.close();
  await objectStore.close();
});
const { db } = database;
const notFound = { name: 'Problem', code: 'not_found' };

const ids = await (async () => {
  await assert.rejects(listSlots(db), notFound);
  await assert.rejects(listResults(db), notFound);
  await seedLandscape({ db, objectStore });
  const groups = await db.selectFrom('dataset_groups').select(['code', 'id']).execute();
  return new Map(groups.map(({ code, id }) => [code, id]));
})();

async function summaryOf(id: string) {
  return toDatasetSummary(await getDataset(db, id));
}

describe('slots', () => {
  test('come in the order of the graph, empty at first', async () => {
    assert.deepEqual(
      await listSlots(db),
      leaves.map(({ group, title }) => ({ code: group, title, group_id: ids.get(group), latest: null })),
    );
  });

  test('show the freshest dataset in any status and of any type', async () => {
    const dg_id = await groupId(db, 'landscape-in-pet');
    const latest = async () => (await listSlots(db)).find(({ code }) => code === 'landscape-in-pet')?.latest;
    const undated = await insertRaster(db, { dg_id, created_at: new Date('2030-01-01') });
    assert.deepEqual(await latest(), await summaryOf(undated));
    const failed = await insertRaster(db, { dg_id, end_date: '2020-12-31', status: 'failed' });
    assert.deepEqual(await latest(), await summaryOf(failed));
    const vector = await insertRaster(db, { dg_id, end_date: '2021-12-31', file_type: 'vector' });
    assert.deepEqual(await latest(), await summaryOf(vector));
    const newer = await insertRaster(db, {
      dg_id,
      end_date: '2021-12-31',
      status: 'pending',
      created_at: new Date('2030-01-01'),
    });
    assert.deepEqual(await latest(), await summaryOf(newer));
  });

  test('are found by their code; outputs and other groups are no slots', async () => {
    assert.equal(await findSlotGroup(db, 'landscape-in-dem'), ids.get('landscape-in-dem'));
    for (const code of ['landscape-01-slope', 'x', '', 'landscape-in-\u0000', 'landscape-in-']) {
      const message = 'there is no such slot; GET /landscape/slots lists them all';
      await assert.rejects(findSlotGroup(db, code), { ...notFound, message }, code);
    }
  });

  test('are named to who writes a code otherwise', async () => {
    for (const [code, meant] of [
      ['dem', 'landscape-in-dem'],
      ['DEM', 'landscape-in-dem'],
      ['landscape-dem', 'landscape-in-dem'],
      ['land_cover', 'landscape-in-land-cover'],
      ['Landscape in Land Cover', 'landscape-in-land-cover'],
    ] as const) {
      const message = `there is no such slot; did you mean ${meant}? GET /landscape/slots lists them all`;
      await assert.rejects(findSlotGroup(db, code), { ...notFound, message }, code);
    }
  });
});

describe('results', () => {
  test('come in the order of the nodes, with the style of their group', async () => {
    assert.deepEqual(
      await listResults(db),
      nodes.map(({ code, output: { group, title } }) => ({
        group,
        title,
        node: code,
        group_id: ids.get(group),
        latest: null,
        cog_url: null,
        sld_url: `/dataset-groups/${ids.get(group)}/sld`,
      })),
    );
  });

  test('show the freshest ready raster', async () => {
    const dg_id = await groupId(db, 'landscape-34-functional-zoning');
    const ready = await insertRaster(db, { dg_id, end_date: '2020-12-31' });
    await insertRaster(db, { dg_id });
    await insertRaster(db, { dg_id, end_date: '2021-12-31', status: 'processing' });
    await insertRaster(db, { dg_id, end_date: '2021-12-31', file_type: 'vector' });
    const result = (await listResults(db)).at(-1);
    assert.deepEqual([result?.latest, result?.cog_url], [await summaryOf(ready), `/datasets/${ready}.cog`]);
  });

  test('have no style where the group has none', async () => {
    await db
      .updateTable('dataset_groups')
      .set({ sld_storage_key: null })
      .where('code', '=', 'landscape-01-slope')
      .execute();
    assert.equal((await listResults(db))[0]?.sld_url, null);
  });
});

test('without one of their groups there are no slots, and no results', async () => {
  await deleteDatasetGroup(db, await groupId(db, 'landscape-in-ndvi'));
  await assert.rejects(listSlots(db), notFound);
  await assert.rejects(findSlotGroup(db, 'landscape-in-ndvi'), notFound);
  assert.equal((await listResults(db)).length, nodes.length);
  await deleteDatasetGroup(db, await groupId(db, 'landscape-14-soil-loss'));
  await assert.rejects(listResults(db), notFound);
});

test('the category is made when it is needed, once, and otherwise left as it is', async () => {
  const id = await ensureLandscapeCategory(db);
  await db.updateTable('categories').set({ name: 'Ours' }).where('id', '=', id).execute();
  assert.equal(await ensureLandscapeCategory(db), id);
  const { name } = await db
    .selectFrom('categories')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(name, 'Ours');
  await db.deleteFrom('categories').where('id', '=', id).execute();
  const made = await Promise.all(Array.from({ length: 5 }, async () => await ensureLandscapeCategory(db)));
  assert.equal(new Set(made).size, 1);
  assert.notEqual(made[0], id);
});
