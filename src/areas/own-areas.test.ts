import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { OwnAreas } from './areas-schema.ts';
import { box } from '../../test/support/areas/areas.ts';
import { startCountingApp, zones } from '../../test/support/areas/counting-app.ts';
import { type Refusal, send } from '../../test/support/datasets.ts';
import { insertSucceededRun } from '../../test/support/landscape/gap-runs.ts';

const { app, db, count, counting, addRaster, ...rest } = await startCountingApp();
after(async () => await rest.close());
const id = await addRaster(zones);
const isNear = (one: number, other: number) => Math.abs(one / other - 1) < 1e-9;

describe('the areas of polygons of a client', () => {
  const feature = (geometry: object, more: object = {}) => ({
    type: 'Feature',
    properties: {},
    geometry,
    ...more,
  });
  const collection = (...features: readonly object[]) => ({ type: 'FeatureCollection', features });
  const ask = async <T = OwnAreas>(run: string, body: unknown, query = '?wait=60') =>
    await send<T>(app, `/landscape/runs/${run}/areas${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });

  test('are those of the zoning of the run, and of their union', async () => {
    const run = await insertSucceededRun(db, id);
    const fields = collection(
      feature(box(60.2, 48.2, 61.2, 49), { id: 'west' }),
      feature(box(61, 48.2, 62.2, 49), { id: 7 }),
      feature(box(62.5, 48.2, 63.5, 49)),
    );
    const { status, body, text } = await ask(run, fields);
    assert.equal(status, 200, text);
    assert.deepEqual([body.run_id, body.dataset_id], [run, id]);
    assert.deepEqual(
      body.rows.map((row) => [row.index, row.id]),
      [
        [0, 'west'],
        [1, 7],
        [2, null],
      ],
    );
    const [west, middle, east] = body.rows;
    assert.ok(west !== undefined && middle !== undefined && east !== undefined);
    assert.ok(
      isNear(west.classes['11'] ?? 0, west.area_ha * 0.8) ||
        Math.abs((west.classes['11'] ?? 0) / west.area_ha - 0.8) < 1e-9,
    );
    assert.ok(Math.abs(east.outside_raster_ha / east.area_ha - 0.5) < 1e-9);
    const shared = west.area_ha * 0.2;
    assert.ok(isNear(body.union.area_ha, west.area_ha + middle.area_ha + east.area_ha - shared));
    const before = counting.times;
    assert.deepEqual((await ask(run, fields)).body, body);
    assert.equal(counting.times, before);
    const single = await ask(run, feature(box(60.2, 48.2, 61.2, 49)));
    assert.ok(isNear(single.body.rows[0]?.area_ha ?? 0, west.area_ha));
  });

  test('are refused for a body that is not GeoJSON of polygons on the earth, and for what is too much', async () => {
    const run = await insertSucceededRun(db, id);
    const refused = async (body: unknown, status: number, words: RegExp) => {
      const answer = await ask<Refusal>(run, body);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, words);
    };
    await refused({ type: 'FeatureCollection', features: [] }, 422, /features/);
    await refused({ type: 'Point', coordinates: [60, 48] }, 422, /"type":"must be FeatureCollection/);
    await refused(box(60, 48, 600, 49), 422, /not longitude and latitude/);
    await refused(
      {
        type: 'Polygon',
        coordinates: [
          [
            [60, 48],
            [61, 48],
            [61, 49],
            [60, 49],
          ],
        ],
      },
      422,
      /does not end where it begins/,
    );
    await refused(
      collection(...Array.from({ length: 1001 }, () => feature(box(60, 48, 61, 49)))),
      422,
      /features/,
    );
    const long = Array.from({ length: 250_002 }, (_, i) => [60 + (i % 2), 48]);
    await refused({ type: 'Polygon', coordinates: [[...long, long[0]]] }, 422, /250000 positions/);
    await refused({ type: 'Polygon', coordinates: [], more: 'x'.repeat(5_300_000) }, 413, /bytes|MiB|limit/);
    const line = [
      [60, 48],
      [61, 48],
      [60, 48],
      [60, 48],
    ];
    await refused({ type: 'Polygon', coordinates: [line] }, 422, /has no area/);
    const none = '00000000-0000-4000-8000-000000000000';
    assert.equal((await ask(none, box(60, 48, 61, 49))).status, 404);
  });

  test('wait in a bounded queue, and are removed after a day', async () => {
    const run = await insertSucceededRun(db, id);
    const gate = Promise.withResolvers<void>();
    counting.count = async (task) => {
      await gate.promise;
      return await count(task);
    };
    const field = (at: number) => box(60 + at / 100, 48, 61, 49);
    const asked = await Promise.all(
      Array.from({ length: 32 }, async (_, at) => (await ask(run, field(at), '?wait=0')).status),
    );
    assert.deepEqual(new Set(asked), new Set([202]));
    assert.equal((await ask(run, field(40), '?wait=0')).status, 429);
    gate.resolve();
    // All of them: one that is counted later would be used again.
    for (let at = 0; at < 32; at += 1) assert.equal((await ask(run, field(at))).status, 200);
    await db
      .updateTable('area_counts')
      .set({ used_at: new Date(Date.now() - 90_000_000) })
      .where('districts_version', 'is', null)
      .execute();
    assert.equal((await ask(run, field(41))).status, 200);
    const left = await db
      .selectFrom('area_counts')
      .select('id')
      .where('districts_version', 'is', null)
      .execute();
    assert.ok(left.length <= 2, `${left.length}`);
  });
});
