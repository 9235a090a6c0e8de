import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { pino } from 'pino';
import { areasOf } from '../../src/areas/area-counts.ts';
import { areasWorkbook } from '../../src/areas/areas-workbook.ts';
import type { DatasetAreas, OwnAreas } from '../../src/areas/areas-schema.ts';
import { type AreaCounts, type AreaTask, EngineDied, type GeoEngine } from '../../src/geo/engine.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { createJobHandlers } from '../../src/processing/handlers.ts';
import { startTestApp } from '../support/app.ts';
import { box } from '../support/areas.ts';
import { insertCategory, type Refusal, send, setState } from '../support/datasets.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { insertSucceededRun } from '../support/gap-runs.ts';
import { writeRaster } from '../support/geotiffs.ts';
import { insertRaster } from '../support/rasters.ts';
import { openRasterEngineHere } from '../support/raster-conversion.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const { db, pool, objectStore } = app.services;
const { engine: real } = await closeAfterTests(openRasterEngineHere());
const folder = await temporaryFolder();
const category = await insertCategory(db);
/** Stands in the place of each counting; tests put other steps there. */
let counting = async (task: AreaTask): Promise<AreaCounts> => await real.countAreas(task);
let counts = 0;
const engine: GeoEngine = {
  ...real,
  countAreas: async (task) => {
    counts += 1;
    return await counting(task);
  },
};
const startCounting = () =>
  startWorker({
    db,
    objectStore,
    messageQueue: app.services.messageQueue,
    handlers: createJobHandlers({ db, pool, objectStore, engine }),
    concurrency: 2,
    scratchRoot: join(folder, 'scratch'),
    log: pino({ level: 'silent' }),
    timing: { lookEveryMs: 50 },
  });
const worker = startCounting();
after(async () => await worker.stop());

const names = { name_kk: null, name_en: null };
await db
  .insertInto('districts')
  .values([
    {
      kato_code: '100000000',
      level: 'region',
      name: 'Область',
      ...names,
      geometry: JSON.stringify(box(60, 48, 64, 50)),
    },
    {
      kato_code: '101000000',
      level: 'district',
      name: '=Западный, район',
      ...names,
      name_kk: 'Батыс',
      geometry: JSON.stringify(box(60, 48, 62, 50)),
    },
    {
      kato_code: '102000000',
      level: 'district',
      name: 'Восточный',
      ...names,
      geometry: JSON.stringify(box(62, 48, 64, 50)),
    },
  ])
  .execute();

const degrees = {
  width: 30,
  height: 20,
  affine: [60, 0.1, 0, 50, 0, -0.1],
  epsg: 4326,
  dataType: 'Byte',
  noData: 0,
} as const;

async function addRaster(value: (column: number, row: number) => number, raster = {}): Promise<string> {
  const path = join(folder, 'raster.tif');
  writeRaster(path, { ...degrees, ...raster, value });
  const dataset = await insertRaster(db, { category_id: category, name: 'Зоны', view_state: 'none' });
  await setState(app.services, dataset, {}, { cog: await readFile(path) });
  return dataset;
}

const zones = (column: number, row: number) => (row < 5 ? 0 : column < 10 ? 11 : 22);
const id = await addRaster(zones);
const path = `/datasets/${id}/areas`;
const isNear = (one: number, other: number) => Math.abs(one / other - 1) < 1e-9;

/** The members of a ZIP archive as texts, by name. */
function unzipped(archive: Buffer): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const end = archive.length - 22;
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((place) => archive.readUInt16LE(at + place));
    const local = archive.readUInt32LE(at + 42);
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(from, from + archive.readUInt32LE(at + 20));
    const content = archive.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
    members.set(archive.toString('utf8', at + 46, at + 46 + (name ?? 0)), content.toString());
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return members;
}

describe('the areas of a raster by unit', () => {
  test('are waited for, counted once, and add up', async () => {
    const gate = Promise.withResolvers<void>();
    counting = async (task) => {
      await gate.promise;
      return await real.countAreas(task);
    };
    const pending = await send<{ status: string }>(app, `${path}?wait=0`);
    assert.deepEqual(
      [pending.status, pending.body.status, pending.headers.get('retry-after')],
      [202, 'pending', '1'],
    );
    const waiting = [send<DatasetAreas>(app, path), send<DatasetAreas>(app, `${path}?by=all&wait=60`)];
    gate.resolve();
    const [districts, all] = await Promise.all(waiting);
    assert.ok(districts?.status === 200 && all?.status === 200, districts?.text);
    assert.equal(counts, 1);
    const { body } = districts;
    assert.deepEqual(
      body.rows.map(({ kato, level }) => [kato, level]),
      [
        ['101000000', 'district'],
        ['102000000', 'district'],
      ],
    );
    assert.deepEqual(
      all.body.rows.map(({ kato }) => kato),
      ['100000000', '101000000', '102000000'],
    );
    assert.deepEqual(
      body.classes.map(({ value }) => value),
      [11, 22],
    );
    for (const { area_ha: area, classes, no_data_ha: noData, outside_raster_ha: outside } of all.body.rows)
      assert.ok(isNear((classes['11'] ?? 0) + (classes['22'] ?? 0) + noData + outside, area));
    // Of two degrees of the second unit, one lies beyond the raster.
    const [, east] = body.rows;
    assert.ok(east !== undefined && Math.abs(east.outside_raster_ha / east.area_ha - 0.5) < 1e-9);
    for (const { raster, total, outside_units: outside, overlap } of [body, all.body]) {
      assert.ok(
        isNear(total.area_ha - total.outside_raster_ha + outside.area_ha - overlap.area_ha, raster.area_ha),
      );
      assert.ok(isNear(total.classes['22'] ?? 0, raster.classes['22'] ?? 0));
    }
    const region = all.body.rows[0];
    assert.ok(region !== undefined && isNear(all.body.total.area_ha, region.area_ha));
  });

  test('have a strong ETag, also of some classes and for HEAD', async () => {
    const first = await send(app, path);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"/);
    assert.equal((await send(app, path, { headers: { 'if-none-match': etag } })).status, 304);
    assert.equal((await fetch(app.baseUrl + path, { method: 'HEAD' })).headers.get('etag'), etag);
    const some = await send<DatasetAreas>(app, `${path}?class=22`);
    assert.notEqual(some.headers.get('etag'), etag);
    assert.deepEqual(
      some.body.rows.map(({ classes }) => Object.keys(classes)),
      [['22'], ['22']],
    );
    assert.equal((await send(app, `${path}?class=a`)).status, 400);
  });

  test('come as CSV by path and by Accept, without formulas', async () => {
    const csv = await send(app, `${path}.csv`);
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(csv.headers.get('content-disposition') ?? '', /areas-district\.csv/);
    const [head, first] = csv.text.split('\r\n');
    assert.equal(head, 'kato,name,level,area_ha,class_11_ha,class_22_ha,no_data_ha,outside_raster_ha');
    assert.ok(first?.startsWith(`101000000,"'=Западный, район",district,`), first);
    const { body } = await send<DatasetAreas>(app, path);
    assert.ok(csv.text.includes(`,${body.rows[0]?.area_ha},${body.rows[0]?.classes['11']},`));
    const accepted = await send(app, path, { headers: { accept: 'text/csv, application/json;q=0.5' } });
    assert.equal(accepted.text, csv.text);
    assert.match(accepted.headers.get('vary') ?? '', /Accept\b/);
    assert.notEqual(
      (await send(app, path, { headers: { accept: 'text/csv;q=0.1, application/json' } })).text,
      csv.text,
    );
  });

  test('come as a workbook: codes as text, hectares as numbers, the same bytes each time', async () => {
    const read = async (language: string) => {
      const answer = await fetch(`${app.baseUrl}${path}.xlsx?lang=${language}`);
      assert.equal(answer.status, 200);
      return Buffer.from(await answer.arrayBuffer());
    };
    const [russian, kazakh] = [unzipped(await read('ru')), unzipped(await read('kk'))];
    const all = [...russian.values()].join('');
    for (const words of ['Площади по территориям', 'Зоны', 'WGS 84', 'Нет данных, га'])
      assert.ok(all.includes(words), words);
    assert.ok([...kazakh.values()].join('').includes('Аумақтар бойынша аудандар'));
    assert.ok([...kazakh.values()].join('').includes('Батыс'));
    const strings = [...(russian.get('xl/sharedStrings.xml') ?? '').matchAll(/<t[^>]*>([^<]*)</g)].map(
      ([, text]) => text,
    );
    const sheet = russian.get('xl/worksheets/sheet2.xml') ?? '';
    const cell = (name: string) =>
      new RegExp(`<c r="${name}"([^>]*)>(.*?)</c>`).exec(sheet) ?? assert.fail(name);
    const [, attributes = '', content = ''] = cell('A2');
    assert.match(attributes, /t="s"/);
    assert.equal(strings[Number(/<v>(\d+)</.exec(content)?.[1])], '101000000');
    assert.ok(strings.includes('=Западный, район'));
    assert.ok(!all.includes('<f>'));
    const { body } = await send<DatasetAreas>(app, path);
    assert.equal(Number(/<v>([^<]+)</.exec(cell('D2')[2] ?? '')?.[1]), body.rows[0]?.area_ha);
    // A later minute, and nothing is kept of the answer: members of an archive have times.
    const facts = { title: 'Зоны', countedAt: new Date(0) };
    const made = await areasWorkbook(body, facts, 'ru');
    for (const member of ['xl/workbook.xml', 'xl/styles.xml']) assert.ok(unzipped(made).has(member));
    assert.equal(made.readUInt32LE(10), 0x00_21_00_00);
  });

  test('are refused in the language of the client', async () => {
    counting = async (task) => await real.countAreas(task);
    const wild = await addRaster((column, row) => column + 40 * row, { dataType: 'Int16', noData: -1 });
    const refused = await send<Refusal>(app, `/datasets/${wild}/areas`, {
      headers: { 'accept-language': 'ru' },
    });
    assert.equal(refused.status, 422);
    assert.match(refused.body.error ?? '', /у растра нет классов/);
    const before = counts;
    assert.equal((await send(app, `/datasets/${wild}/areas`)).status, 422);
    assert.equal(counts, before);
  });
});

describe('a count that does not go well', () => {
  const cogOf = async (dataset: string) => {
    const { object_key: key } = await db
      .selectFrom('dataset_files')
      .select('object_key')
      .where('dataset_id', '=', dataset)
      .where('kind', '=', 'cog')
      .executeTakeFirstOrThrow();
    return key;
  };
  const ask = async (cog: string) => await areasOf(app.services, { cogs: [cog], by: 'district' });

  test('is taken up by another attempt, and its result is the same', async () => {
    const again = await addRaster(zones);
    const before = counts;
    counting = async (task) => {
      if (counts < before + 3) throw new EngineDied('killed');
      return await real.countAreas(task);
    };
    const answer = await send<DatasetAreas>(app, `/datasets/${again}/areas?wait=60`);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.rows, (await send<DatasetAreas>(app, path)).body.rows);
    assert.equal(counts, before + 3);
  });

  test('is tried again a minute after it has failed for no fault of the raster', async () => {
    const dead = await addRaster(zones);
    counting = async () => {
      throw new EngineDied('killed');
    };
    assert.equal((await send(app, `/datasets/${dead}/areas?wait=60`)).status, 404);
    counting = async (task) => await real.countAreas(task);
    assert.equal((await send(app, `/datasets/${dead}/areas`)).status, 404);
    await db
      .updateTable('area_counts')
      .set({ changed_at: new Date(Date.now() - 61_000) })
      .where('state', '=', 'failed')
      .where('is_final', '=', false)
      .execute();
    assert.equal((await send(app, `/datasets/${dead}/areas?wait=60`)).status, 200);
  });

  test('has a job again when that is gone, and never two', async () => {
    const cog = await cogOf(await addRaster(zones));
    const gate = Promise.withResolvers<void>();
    counting = async (task) => {
      await gate.promise;
      return await real.countAreas(task);
    };
    const asked = await Promise.all([ask(cog), ask(cog), ask(cog)]);
    const [first] = asked;
    assert.ok(first?.isPending === true);
    const jobs = async () =>
      await db
        .selectFrom('jobs')
        .select('id')
        .where('ref_id', '=', first.ref)
        .where('state', 'in', ['queued', 'running'])
        .execute();
    assert.equal((await jobs()).length, 1);
    await db.updateTable('jobs').set({ state: 'cancelled' }).where('ref_id', '=', first.ref).execute();
    assert.deepEqual(await ask(cog), first);
    assert.equal((await jobs()).length, 1);
    gate.resolve();
  });

  test('counts the units as they are now when they have changed meanwhile', async () => {
    const cog = await cogOf(await addRaster(zones));
    counting = async (task) => await real.countAreas(task);
    const asked = await ask(cog);
    await db.updateTable('districts').set({ name: 'Восток' }).where('kato_code', '=', '102000000').execute();
    const later = await ask(cog);
    assert.ok(asked.isPending && later.isPending && asked.ref !== later.ref);
    const { body } = await send<DatasetAreas>(app, `${path}?wait=60`);
    assert.equal(body.rows[1]?.name, 'Восток');
  });
});

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
    const before = counts;
    assert.deepEqual((await ask(run, fields)).body, body);
    assert.equal(counts, before);
    const single = await ask(run, feature(box(60.2, 48.2, 61.2, 49)));
    assert.ok(isNear(single.body.rows[0]?.area_ha ?? 0, west.area_ha));
  });

  test('are refused for what is no GeoJSON of polygons on the earth, and for what is too much', async () => {
    const run = await insertSucceededRun(db, id);
    const refused = async (body: unknown, status: number, words: RegExp) => {
      const answer = await ask<Refusal>(run, body);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, words);
    };
    await refused({ type: 'FeatureCollection', features: [] }, 422, /features/);
    await refused({ type: 'Point', coordinates: [60, 48] }, 422, /type/);
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

  test('wait in a queue that has an end, and leave after a day', async () => {
    const run = await insertSucceededRun(db, id);
    const gate = Promise.withResolvers<void>();
    counting = async (task) => {
      await gate.promise;
      return await real.countAreas(task);
    };
    const field = (at: number) => box(60 + at / 100, 48, 61, 49);
    const asked = await Promise.all(
      Array.from({ length: 32 }, async (_, at) => (await ask(run, field(at), '?wait=0')).status),
    );
    assert.deepEqual(new Set(asked), new Set([202]));
    assert.equal((await ask(run, field(40), '?wait=0')).status, 429);
    gate.resolve();
    assert.equal((await ask(run, field(31))).status, 200);
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
