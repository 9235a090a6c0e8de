import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { sql } from 'kysely';
import { areasOf } from './area-counts.ts';
import { areasFile } from './areas-files.ts';
import type { DatasetAreas } from './areas-schema.ts';
import { EngineDied } from '../geo/engine.ts';
import { box } from '../../test/support/areas/areas.ts';
import { startCountingApp, zones } from '../../test/support/areas/counting-app.ts';
import { getRaw, type Refusal, send } from '../../test/support/datasets.ts';
import { readParquet } from '../../test/support/tables/parquet.ts';

const { app, db, count, counting, addRaster, ...rest } = await startCountingApp();
after(async () => await rest.close());
const id = await addRaster(zones);
const path = `/datasets/${id}/areas`;
const isNear = (one: number, other: number) => Math.abs(one / other - 1) < 1e-9;

/** Members of a ZIP archive as texts, by name. */
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
    counting.count = async (task) => {
      await gate.promise;
      return await count(task);
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
    assert.equal(counting.times, 1);
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
    // The second unit covers two degrees, one of which lies outside of the raster.
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
    assert.ok([...kazakh.values()].join('').includes('Аумақтар бойынша алаңдар'));
    assert.ok([...kazakh.values()].join('').includes('Батыс'));
    const sheet = russian.get('xl/worksheets/sheet1.xml') ?? '';
    const cell = (name: string) =>
      new RegExp(`<c r="${name}"([^>]*)>(.*?)</c>`).exec(sheet) ?? assert.fail(name);
    const [, attributes = '', content = ''] = cell('A2');
    assert.match(attributes, /t="inlineStr"/);
    assert.match(content, />101000000</);
    assert.ok(sheet.includes('>=Западный, район<'));
    assert.ok(!all.includes('<f>'));
    // Programs open the first sheet by default.
    assert.match(russian.get('xl/workbook.xml') ?? '', /<sheets><sheet name="Площади" sheetId="1"/);
    const { body } = await send<DatasetAreas>(app, path);
    assert.equal(Number(/<v>([^<]+)</.exec(cell('D2')[2] ?? '')?.[1]), body.rows[0]?.area_ha);
    // At a later time and without a cache, because members of an archive have times.
    const facts = { title: 'Зоны', countedAt: new Date(0) };
    const made = await areasFile('xlsx', body, facts, 'ru');
    for (const member of ['xl/workbook.xml', 'xl/styles.xml']) assert.ok(unzipped(made).has(member));
    assert.equal(made.readUInt32LE(10), 0x00_21_00_00);
  });

  test('have another ETag when their bytes differ, as after a later count', async () => {
    const forms = ['', '.csv', '.xlsx', '.parquet'];
    const read = async () => await Promise.all(forms.map((form) => getRaw(app, path + form)));
    const before = await read();
    const later = sql<Date>`changed_at + interval '1 hour'`;
    await db.updateTable('area_counts').set({ changed_at: later }).execute();
    const after = await read();
    const isSame = forms.map((_, at) => {
      const [one, other] = [before[at] ?? assert.fail(), after[at] ?? assert.fail()];
      const isSameTag = one.headers.get('etag') === other.headers.get('etag');
      assert.equal(one.bytes.equals(other.bytes), isSameTag);
      return isSameTag;
    });
    assert.deepEqual(isSame, [true, true, false, true]); // a workbook states when it was counted
  });

  test('come as Parquet, with the figures of the JSON', async () => {
    const accept = 'application/vnd.apache.parquet';
    const [byPath, byAccept] = [await getRaw(app, `${path}.parquet`), await getRaw(app, path, { accept })];
    assert.ok(byPath.bytes.equals(byAccept.bytes));
    const { body } = await send<DatasetAreas>(app, path);
    assert.deepEqual(
      (await readParquet(byPath.bytes)).rows.map(({ kato, area_ha }) => [kato, area_ha]),
      body.rows.map(({ kato, area_ha }) => [kato, area_ha]),
    );
  });

  test('are refused in the language of the client', async () => {
    counting.count = async (task) => await count(task);
    const wild = await addRaster((column, row) => column + 40 * row, { dataType: 'Int16', noData: -1 });
    const refused = await send<Refusal>(app, `/datasets/${wild}/areas`, {
      headers: { 'accept-language': 'ru' },
    });
    assert.equal(refused.status, 422);
    assert.match(refused.body.error ?? '', /у растра нет классов/);
    const before = counting.times;
    assert.equal((await send(app, `/datasets/${wild}/areas`)).status, 422);
    assert.equal(counting.times, before);
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
  const ask = async (cog: string) => await areasOf(app.services, { cogs: [cog] });

  test('is taken up by another attempt, and its result is the same', async () => {
    const again = await addRaster(zones);
    const before = counting.times;
    counting.count = async (task) => {
      if (counting.times < before + 3) throw new EngineDied('killed');
      return await count(task);
    };
    const answer = await send<DatasetAreas>(app, `/datasets/${again}/areas?wait=60`);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.rows, (await send<DatasetAreas>(app, path)).body.rows);
    assert.equal(counting.times, before + 3);
  });

  test('is tried again a minute after it has failed for no fault of the raster', async () => {
    const dead = await addRaster(zones);
    counting.count = async () => {
      throw new EngineDied('killed');
    };
    assert.equal((await send(app, `/datasets/${dead}/areas?wait=60`)).status, 404);
    counting.count = async (task) => await count(task);
    assert.equal((await send(app, `/datasets/${dead}/areas`)).status, 404);
    await db
      .updateTable('area_counts')
      .set({ changed_at: new Date(Date.now() - 61_000) })
      .where('state', '=', 'failed')
      .where('is_final', '=', false)
      .execute();
    assert.equal((await send(app, `/datasets/${dead}/areas?wait=60`)).status, 200);
  });

  test('counts the units as they are now when they have changed meanwhile', async () => {
    const cog = await cogOf(await addRaster(zones));
    counting.count = async (task) => await count(task);
    const asked = await ask(cog);
    await db.updateTable('districts').set({ name: 'Восток' }).where('kato_code', '=', '102000000').execute();
    const later = await ask(cog);
    assert.ok(asked.isPending && later.isPending && asked.ref !== later.ref);
    const { body } = await send<DatasetAreas>(app, `${path}?wait=60`);
    assert.equal(body.rows[1]?.name, 'Восток');
  });
});

test('rural districts with borders are a level of their own in areas, statistics, collections, tiles and files', async () => {
  counting.count = async (task) => await count(task);
  const okrugs = ['101033000', '101035000'].map((kato_code, at) => ({
    kato_code,
    level: 'okrug' as const,
    name: `Округ ${at}`,
    name_kk: null,
    name_en: null,
    geometry: JSON.stringify(box(60 + at, 48, 61 + at, 50)),
  }));
  assert.equal((await send(app, '/ogc/collections/okrugs')).status, 404);
  await db.insertInto('districts').values(okrugs).execute();
  const by = async (level: string) => (await send<DatasetAreas>(app, `${path}?by=${level}&wait=60`)).body;
  const [own, all, district] = [await by('okrug'), await by('all'), await by('district')];
  assert.deepEqual(own.levels, ['region', 'district', 'okrug']);
  assert.deepEqual(
    own.rows.map(({ kato, level, name }) => [kato, level, name]),
    [
      ['101033000', 'okrug', 'Округ 0'],
      ['101035000', 'okrug', 'Округ 1'],
    ],
  );
  assert.ok(isNear(own.total.area_ha, district.rows[0]?.area_ha ?? 0), 'they cover their district');
  const inside = own.total.area_ha - own.total.outside_raster_ha;
  assert.ok(isNear(inside + own.outside_units.area_ha, own.raster.area_ha));
  assert.deepEqual(
    all.rows.map(({ level }) => level),
    ['region', 'district', 'okrug', 'okrug', 'district'],
  );
  assert.ok(isNear(all.total.area_ha, all.rows[0]?.area_ha ?? 0), 'the regions are the whole');
  const none = await by('settlement');
  assert.deepEqual([none.rows, none.outside_units.area_ha], [[], none.raster.area_ha]);
  const { body: zonal } = await send<{ rows: readonly { level: string }[] }>(
    app,
    `/datasets/${id}/zonal?by=okrug&stats=mean&wait=60`,
  );
  assert.deepEqual(
    zonal.rows.map(({ level }) => level),
    ['okrug', 'okrug'],
  );
  const items = await send(app, '/ogc/collections/okrugs/items?skipGeometry=true');
  assert.match(items.text, /"numberMatched":2\b/);
  assert.equal((await send(app, '/ogc/collections/settlements')).status, 404);
  const { body: listed } = await send<{ collections: readonly { id: string }[] }>(app, '/ogc/collections');
  assert.deepEqual(
    listed.collections.slice(0, 3).map((each) => each.id),
    ['districts', 'regions', 'okrugs'],
  );
  const { body: tiles } = await send<{ vector_layers: readonly { id: string }[] }>(
    app,
    '/districts/tilejson.json',
  );
  assert.deepEqual(
    tiles.vector_layers.map((layer) => layer.id),
    ['regions', 'districts', 'okrugs'],
  );
  const borders = await send(app, '/districts.geojson?level=okrug');
  assert.deepEqual(borders.text.match(/"kato":"\d+"/g), ['"kato":"101033000"', '"kato":"101035000"']);
  const { body: units } = await send<{ data: readonly { kato: string; has_borders: boolean }[] }>(
    app,
    '/districts?within=101000000&level=okrug',
  );
  assert.deepEqual(
    units.data
      .map(({ kato, has_borders: has }) => [kato, has])
      .filter(([kato]) => String(kato).endsWith('000')),
    units.data.map(({ kato, has_borders: has }) => [kato, has]),
  );
  assert.deepEqual(
    units.data.flatMap(({ kato, has_borders: has }) => (has ? [kato] : [])),
    ['101033000', '101035000'],
  );
  await db.deleteFrom('districts').where('level', '=', 'okrug').execute();
});
