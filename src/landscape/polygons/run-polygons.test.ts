import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { EngineDied } from '../../geo/engine.ts';
import type { RunPolygons } from './polygons-schema.ts';
import { checkStore } from '../../object-store/fsck.ts';
import { deleteDataset } from '../../datasets/deletion/delete.ts';
import { type Refusal, send, sendJson } from '../../../test/support/datasets.ts';
import { insertSucceededRun } from '../../../test/support/landscape/gap-runs.ts';
import { readZones } from '../../../test/support/areas/polygons.ts';
import { startPolygonsApp } from '../../../test/support/areas/polygons-app.ts';
import { eventually } from '../../../test/support/processes.ts';

const { app, db, addRaster, folder, making, ...rest } = await startPolygonsApp();
after(async () => await rest.close());
/** No data in the north, stripes of two classes, and single pixels of a third class below. */
const stripes = (column: number, row: number) =>
  row < 5 ? 0 : column % 7 === 3 && row % 5 === 2 ? 31 : column < 12 ? 11 : 22;
const rasterId = await addRaster(stripes);
const runId = await insertSucceededRun(db, rasterId);
const pathOf = (run: string) => `/landscape/runs/${run}/polygons`;
const singles = 12;

async function ask(body: unknown, { run = runId, wait = 60 } = {}) {
  return await sendJson<RunPolygons>(app, 'POST', `${pathOf(run)}?wait=${wait}`, body);
}

async function list(run = runId, query = ''): Promise<readonly RunPolygons[]> {
  const { status, body, text } = await send<RunPolygons[]>(app, pathOf(run) + query);
  assert.equal(status, 200, text);
  return body;
}

async function zonesOf({ dataset_id: id }: RunPolygons) {
  const response = await fetch(`${app.baseUrl}/datasets/${id}/download`);
  assert.equal(response.status, 200);
  const path = join(folder, `${id}.gpkg`);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return readZones(path);
}

const datasetsMade = async () =>
  (await db.selectFrom('datasets').select('id').where('file_type', '=', 'vector').execute()).length;

describe('the zones of a run as polygons', () => {
  test('are made once, and become a vector dataset that is ready', async () => {
    const pending = await ask({}, { wait: 0 });
    assert.deepEqual([pending.status, pending.headers.get('retry-after')], [202, '1']);
    const [one, other] = await Promise.all([ask({ node: '34' }), ask({ min_area_ha: null, by: null })]);
    assert.deepEqual([one.status, other.status], [200, 200], one.text);
    assert.equal(one.body.id, other.body.id);
    assert.equal(making.times, 1);
    const { zones, classes, dataset_id: id } = one.body;
    assert.equal(zones, 2 + singles);
    assert.deepEqual(
      classes?.map(({ value, title, zones_before, zones: left }) => [value, title, zones_before, left]),
      [
        [11, 'V1 irrigation', 1, 1],
        [22, 'V2 snow retention', 1, 1],
        [31, 'V3 conservation', singles, singles],
      ],
    );
    for (const { pixels_ha: pixels, polygons_ha: polygons, difference_ha: difference } of classes ?? []) {
      assert.ok(Math.abs(polygons / pixels - 1) < 1e-6);
      assert.ok(Math.abs(difference - (polygons - pixels)) < 1e-9);
    }
    const ready = await eventually('the dataset', async () => {
      const { body } = await send<{ status: string; file_type: string; automated: boolean; bbox: number[] }>(
        app,
        `/datasets/${id}`,
      );
      return body.status === 'ready' || body.status === 'failed' ? body : undefined;
    });
    assert.deepEqual([ready.status, ready.file_type, ready.automated], ['ready', 'vector', true]);
    const [listed] = await list(runId, '?lang=ru');
    assert.deepEqual([listed?.dataset_status, listed?.classes?.[2]?.title], ['ready', 'V3 сохранение']);
  });

  test('are those of any run with the same raster', async () => {
    const run = await insertSucceededRun(db, rasterId);
    const [own] = await list();
    const [shared] = await list(run);
    assert.deepEqual({ ...shared, run_id: runId }, own);
    const { body } = await ask({}, { run });
    assert.deepEqual([body.id, body.run_id, making.times], [own?.id, run, 1]);
  });

  test('with a minimum area and by unit say what they have moved', async () => {
    const areas = await send<{ rows: { kato: string; area_ha: number; outside_raster_ha: number }[] }>(
      app,
      `/datasets/${rasterId}/areas`,
    );
    assert.equal(areas.status, 200, areas.text);
    const { body, status, text } = await ask({ min_area_ha: 10_000, by: 'district' });
    assert.equal(status, 200, text);
    const found = new Map(body.classes?.map((each) => [each.value, each]));
    assert.deepEqual([found.get(31)?.zones_before, found.get(31)?.zones], [singles, 0]);
    assert.equal(found.get(31)?.difference_ha, -(found.get(31)?.pixels_ha ?? NaN));
    const moved = [...found.values()].reduce((sum, each) => sum + each.difference_ha, 0);
    assert.ok(Math.abs(moved) < 1e-6 * (body.pixels_ha ?? 0));
    const zones = await zonesOf(body);
    assert.equal(zones.length, body.zones);
    assert.deepEqual(
      [...new Set(zones.map(({ attributes: { kato, name } }) => [kato, name].join(' ')))].toSorted(),
      ['101000000 =Западный, район', '102000000 Восточный'],
    );
    assert.deepEqual([body.by, body.zones_below_minimum], ['district', 0]);
  });

  test('of too many zones are 422 with the minimum area that fits, for all who ask', async () => {
    const before = making.times;
    making.change = (task) => ({ ...task, maxZones: 5 });
    const asked = { by: 'region' };
    const { status, body } = await sendJson<Refusal>(app, 'POST', `${pathOf(runId)}?wait=60`, asked);
    assert.equal(status, 422);
    const [newest] = await list(runId, '?lang=en');
    assert.ok(typeof newest?.fitting_min_area_ha === 'number' && newest.fitting_min_area_ha > 0);
    assert.deepEqual([newest.state, newest.dataset_id, newest.error], ['failed', null, body.error]);
    assert.match(
      body.error ?? '',
      new RegExp(`${2 + singles} contiguous zones.*=${newest.fitting_min_area_ha} `),
    );
    assert.equal((await ask(asked)).status, 422);
    assert.equal(making.times, before + 1);
    const fitting = await ask({ ...asked, min_area_ha: newest.fitting_min_area_ha });
    assert.equal(fitting.status, 200, fitting.text);
    assert.ok((fitting.body.zones ?? 9) <= 5);
    making.change = (task) => task;
  });

  test('are made once though the engine and workers die under them', async () => {
    const before = await datasetsMade();
    let deaths = 0;
    const held = Promise.withResolvers<void>();
    making.change = (task) => {
      deaths += 1;
      if (deaths === 1) throw new EngineDied('killed');
      return task;
    };
    making.made = async (made, { signal }) => {
      if (deaths !== 2) return made;
      held.resolve();
      // Waits until its worker is stopped; the result is discarded.
      return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const body = { min_area_ha: 7, by: 'all' };
    assert.equal((await ask(body, { wait: 0 })).status, 202);
    await held.promise;
    await rest.restartWorker();
    const found = await ask(body);
    assert.equal(found.status, 200, found.text);
    assert.deepEqual([deaths, await datasetsMade()], [3, before + 1]);
    making.change = (task) => task;
    making.made = async (made) => await Promise.resolve(made);
    await eventually('the datasets', async () =>
      (await list()).every(({ state, dataset_status: status }) => state === 'failed' || status === 'ready')
        ? true
        : undefined,
    );
    const { damage } = await checkStore(db, app.services.objectStore, { digests: true });
    // The raster was inserted without an original.
    assert.deepEqual(
      damage.filter(({ subject }) => !subject.startsWith('test/')),
      [],
    );
  });

  test('are not believed where the statistics of the raster have other hectares', async () => {
    const counts = (hectares: number) =>
      JSON.stringify({ pixels: 600, area_ha: 1, bands: [{ classes: [{ value: 11, pixels: 1, hectares }] }] });
    const [made] = await list();
    const whole = made?.classes?.[0]?.pixels_ha ?? 0;
    const row = { dataset_id: rasterId, state: 'counted', counts: counts(whole * 1.001) } as const;
    await db.insertInto('raster_statistics').values(row).execute();
    const refused = await ask({ min_area_ha: 11 });
    assert.equal(refused.status, 409, refused.text);
    await db
      .updateTable('raster_statistics')
      .set({ counts: counts(whole) })
      .execute();
    assert.equal((await ask({ min_area_ha: 11 })).status, 409, 'not at once');
    const minuteAgo = new Date(Date.now() - 61_000);
    await db.updateTable('landscape_polygons').set({ changed_at: minuteAgo }).execute();
    const { status, text } = await ask({ min_area_ha: 11 });
    assert.equal(status, 200, text);
  });

  test('are made again once their dataset is deleted, and forgotten with their raster', async () => {
    const [first] = (await list()).filter(({ by, min_area_ha: least }) => by === null && least === null);
    const before = await zonesOf(first ?? assert.fail());
    await deleteDataset(app.services, first?.dataset_id ?? '');
    assert.ok((await list()).every(({ id }) => id !== first?.id));
    const again = await ask({});
    assert.equal(again.status, 200, again.text);
    assert.notEqual(again.body.dataset_id, first?.dataset_id);
    assert.deepEqual(
      (await zonesOf(again.body)).map(({ attributes }) => attributes),
      before.map(({ attributes }) => attributes),
    );
    await deleteDataset(app.services, rasterId);
    assert.deepEqual(await list(), []);
    assert.equal((await send(app, `/datasets/${again.body.dataset_id}`)).status, 200);
    assert.equal((await ask({})).status, 404);
  });
});
