import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Lineage } from './lineage-schema.ts';
import { nodeByCode } from '../graph/graph.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, send, upload } from '../../../test/support/datasets.ts';
import { groupId, insertRaster } from '../../../test/support/geo/rasters.ts';
import { insertRun } from '../../../test/support/landscape/stored-runs.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const { db } = app.services;

async function lineageOf(id: string): Promise<Lineage> {
  const { status, body } = await send<Lineage>(app, `/datasets/${id}/lineage`);
  assert.equal(status, 200);
  return body;
}

/** Asserts that each step comes before its sources. */
function assertInOrder({ steps }: Lineage): void {
  const places = new Map(steps.map(({ dataset_id: id }, place) => [id, place]));
  assert.equal(places.size, steps.length);
  for (const [place, { inputs }] of steps.entries())
    for (const input of inputs) assert.ok((places.get(input) ?? Infinity) > place);
}

const dem = 'landscape-in-dem';
const slopeGroup = 'landscape-01-slope';
const textureGroup = 'landscape-in-soil-texture';
const qualityGroup = 'landscape-11-soil-quality';

describe('the lineage of a dataset', () => {
  test('of an upload is the upload, with the digest of its bytes', async () => {
    const { id } = await upload(app, { category_id: await insertCategory(db), name: 'Relief' });
    const { steps, is_complete: isComplete } = await lineageOf(id);
    const { created_at: _, size_bytes: size, sha256, ...step } = steps[0] ?? assert.fail();
    assert.deepEqual([steps.length, isComplete, size !== null], [1, true, true]);
    assert.match(sha256 ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(step, {
      dataset_id: id,
      group: null,
      title: null,
      node: null,
      run_id: null,
      is_deleted: false,
      name: 'Relief',
      filename: 'relief.tif',
      start_date: null,
      end_date: null,
      origin: null,
      inputs: [],
    });
  });

  test('goes through outputs that were reused and pinned, down to the uploads', async () => {
    const elevation = await insertRaster(db, { dg_id: await groupId(db, dem), name: 'dem.tif' });
    const slope = await insertRaster(db, { dg_id: await groupId(db, slopeGroup) });
    const texture = await insertRaster(db, { end_date: '2020-12-31' });
    const quality = await insertRaster(db);
    const first = await insertRun(db, [{ code: '01', inputs: { [dem]: elevation }, output: slope }]);
    const second = await insertRun(db, [
      { code: '01', status: 'skipped', inputs: { [dem]: elevation }, output: slope },
      {
        code: '11',
        inputs: { [slopeGroup]: slope, [dem]: elevation, [textureGroup]: texture },
        output: quality,
      },
    ]);
    const lineage = await lineageOf(quality);
    assertInOrder(lineage);
    const byId = new Map(lineage.steps.map((step) => [step.dataset_id, step]));
    const told = [quality, slope, texture, elevation].map((id) => {
      const { group, node, run_id: run, inputs } = byId.get(id) ?? assert.fail(id);
      return { group, node, run, inputs };
    });
    const uploaded = { node: null, run: null, inputs: [] };
    assert.deepEqual(told, [
      { group: qualityGroup, node: '11', run: second, inputs: [slope, elevation, texture] },
      { group: slopeGroup, node: '01', run: first, inputs: [elevation] },
      { group: textureGroup, ...uploaded },
      { group: dem, ...uploaded },
    ]);
    assert.deepEqual([lineage.steps.length, lineage.steps[0]?.dataset_id], [4, quality]);
    const slots = (await send<{ code: string; title: string }[]>(app, '/landscape/slots')).body;
    for (const [id, group] of [
      [elevation, dem],
      [texture, textureGroup],
    ] as const) {
      assert.equal(byId.get(id)?.title, slots.find(({ code }) => code === group)?.title);
    }
    assert.equal(byId.get(slope)?.title, nodeByCode('01')?.output.title);
    assert.equal(byId.get(texture)?.end_date, '2020-12-31');
    const russian = await send<Lineage>(app, `/datasets/${quality}/lineage`, {
      headers: { 'accept-language': 'ru' },
    });
    const titles = russian.body.steps.map(({ title }) => title ?? '');
    assert.deepEqual([russian.headers.get('content-language'), titles.length], ['ru', 4]);
    for (const title of titles) assert.match(title, /^[А-Яа-яЁё]/);
  });

  test('names what was deleted, and goes on behind it', async () => {
    const [elevation, slope, zone] = [await insertRaster(db), await insertRaster(db), await insertRaster(db)];
    const run = await insertRun(db, [
      { code: '01', inputs: { [dem]: elevation }, output: slope },
      { code: '11', inputs: { [slopeGroup]: slope, [dem]: elevation }, output: zone },
    ]);
    for (const id of [slope, elevation]) {
      assert.equal((await send(app, `/datasets/${id}`, { method: 'DELETE' })).status, 204);
    }
    const lineage = await lineageOf(zone);
    assertInOrder(lineage);
    assert.deepEqual(
      lineage.steps.map(({ dataset_id: id, is_deleted: isDeleted, name, node, run_id }) => [
        id,
        isDeleted,
        name,
        node,
        run_id,
      ]),
      [
        [zone, false, 'raster', '11', run],
        [slope, true, null, '01', run],
        [elevation, true, null, null, null],
      ],
    );
    assert.equal((await send(app, `/datasets/${slope}/lineage`)).status, 404);
  });

  test('says the role of a pinned raster, not the group in which it lies', async () => {
    const pinned = await insertRaster(db, { dg_id: await groupId(db, slopeGroup) });
    const slope = await insertRaster(db);
    await insertRun(db, [{ code: '01', inputs: { [dem]: pinned }, output: slope }]);
    assert.equal((await lineageOf(slope)).steps[1]?.group, dem);
    assert.equal((await lineageOf(pinned)).steps[0]?.group, slopeGroup);
  });

  test('has an end, also where rows say that datasets were made of each other', async () => {
    const [one, other] = [await insertRaster(db), await insertRaster(db)];
    await insertRun(db, [{ code: '01', inputs: { [dem]: other }, output: one }]);
    await insertRun(db, [{ code: '01', inputs: { [dem]: one }, output: other }]);
    const ids = (await lineageOf(one)).steps.map(({ dataset_id: id }) => id);
    assert.deepEqual(ids, [one, other]);
  });

  test('of more than 1,000 datasets has the nearest ones, and says so', async () => {
    const first = await insertRaster(db);
    const idsOf = (count: number) => Array.from({ length: count }, () => randomUUID());
    const [near, far] = [idsOf(600), idsOf(600)];
    const inputsOf = (ids: readonly string[]) =>
      Object.fromEntries(ids.map((id, place) => [`g${place}`, id]));
    await insertRun(db, [
      { code: '11', inputs: inputsOf(near), output: first },
      { code: '01', inputs: inputsOf(far), output: near[0] ?? '' },
    ]);
    const { steps, is_complete: isComplete } = await lineageOf(first);
    const found = new Set(steps.map(({ dataset_id: id }) => id));
    const all = [first, ...near, ...far];
    assert.deepEqual(
      all.filter((id) => found.has(id)),
      all.slice(0, 1000),
    );
    assert.deepEqual([steps.length, isComplete], [1000, false]);
  });
});
