import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createZonedRuns } from '../balance/zoned-runs.ts';
import { leaves } from '../model/leaves.ts';
import { replaceRecord } from '../runs/record.ts';
import { cancelRun } from '../runs/run-rows.ts';
import { checkInputs } from './check-inputs.ts';
import type { LandscapeWatch } from './watch-schema.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { emptyTables } from '../../../test/support/database.ts';
import { insertCategory, type Refusal, send } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { createPretendedRuns } from '../../../test/support/landscape/pretended-runs.ts';
import { groupId, insertRaster } from '../../../test/support/geo/rasters.ts';
import { sampleOf } from '../../../test/support/tier.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const { db, messageQueue } = app.services;
const category_id = await insertCategory(db);
const runs = createPretendedRuns(db, category_id);
const zonedRuns = createZonedRuns({ db, messageQueue });
const look = async () => await checkInputs({ db, messageQueue, zonedRuns });

const add = async (leaf: string, columns: object = {}) =>
  await insertRaster(db, { dg_id: await groupId(db, `landscape-in-${leaf}`), category_id, ...columns });
const watch = async (language = 'en') =>
  (await send<LandscapeWatch>(app, '/landscape/watch', { headers: { 'accept-language': language } })).body;
const put = async (body: object, language = 'en') =>
  await send<LandscapeWatch & Refusal>(app, '/landscape/watch', {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'accept-language': language },
  });
const on = async (hold = 'PT30M', language = 'en') =>
  assert.equal((await put({ on: 'input', hold }, language)).status, 200);
/** Moves the last change this many minutes into the past. */
const later = async (minutes: number) =>
  await sql`update landscape_watch set seen_at = seen_at - make_interval(mins => ${minutes})`.execute(db);
const drafts = async () =>
  (await db.selectFrom('landscape_watch_drafts').select('run_id').orderBy('made_at').execute()).map(
    ({ run_id: id }) => id,
  );
const say = async (run: string, body: object) =>
  await replaceRecord(db, run, { body, author: { name: null, credentials: null }, isExpected: () => true });
const finish = async (id: string) => {
  assert.equal(await runs.begin(id), undefined);
  return await runs.finish(id);
};
/** Checks until a draft is made from the changes, after the hold. */
const draftOf = async () => {
  assert.equal(await look(), undefined);
  await later(30);
  return (await look()) ?? assert.fail('no draft was made');
};
/** An adopted run over one raster in each slot, with other thresholds than the default. */
const params = { v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5] };
const adoptedRun = async (overrides: Readonly<Record<string, string>> = {}) => {
  for (const { key } of leaves) await add(key, { name: `${key} 2025`, end_date: '2025-09-30' });
  const { id } = await runs.run({ params, overrides });
  await say(id, { name: 'Plan of 2025', state: 'adopted' });
  return id;
};

beforeEach(async () => await emptyTables(db));

describe('the watch', () => {
  test('is off until it is switched on, and makes nothing then', async () => {
    await adoptedRun();
    assert.deepEqual([(await watch()).state, (await watch()).on], ['off', null]);
    await add('precipitation', { end_date: '2026-09-30' });
    assert.equal(await look(), undefined);
    await on();
    assert.equal(await look(), undefined);
    assert.equal((await watch()).state, 'waiting');
    assert.equal((await send(app, '/landscape/watch', { method: 'DELETE' })).status, 204);
    await later(60);
    assert.equal(await look(), undefined);
    assert.deepEqual([(await watch()).state, await drafts()], ['off', []]);
    await on();
    await look();
    assert.equal(await look(), undefined, 'the hold begins again');
  });

  test('makes one draft of a change that was left alone for the hold, as the adopted run', async () => {
    const adopted = await adoptedRun();
    await on();
    assert.equal(await look(), undefined);
    assert.deepEqual((await watch()).outcome?.result, 'same');
    const raster = await add('precipitation', { name: 'Осадки 2026', end_date: '2026-09-30' });
    assert.equal(await look(), undefined);
    const waiting = await watch('ru');
    assert.equal(waiting.state, 'waiting');
    assert.deepEqual(
      waiting.changed.map(({ group, title, from, to }) => [group, title, from?.name, to?.dataset_id]),
      [['landscape-in-precipitation', 'Годовая сумма осадков', 'precipitation 2025', raster]],
    );
    await later(29);
    assert.equal(await look(), undefined, 'a minute before');
    await later(1);
    const draft = (await look()) ?? assert.fail();
    const { params: own } = (await send<{ params: object }>(app, `/landscape/runs/${draft}`)).body;
    assert.deepEqual({ ...own, ...params }, own);
    const { last, state, adopted_run_id } = await watch();
    assert.deepEqual([state, adopted_run_id, last?.run_id, last?.status], ['idle', adopted, draft, 'queued']);
    assert.equal(last?.name, 'Draft by the watch: Annual precipitation 2026-09');
    const record = (await send<{ note: string; state: string }>(app, `/landscape/runs/${draft}/record`)).body;
    assert.equal(record.state, 'draft');
    assert.match(record.note, /adopted run: Annual precipitation: "precipitation 2025" → "Осадки 2026"/);
    await finish(draft);
    for (let round = 0; round < 3; round += 1) {
      await later(60);
      assert.equal(await look(), undefined);
    }
    assert.deepEqual(await drafts(), [draft]);
  });

  test('has the comparison with the adopted run counted, and adopts nothing', async () => {
    const adopted = await adoptedRun();
    await on();
    await add('precipitation', { end_date: '2026-09-30' });
    const draft = await draftOf();
    assert.equal((await watch()).last?.comparison, null);
    await finish(draft);
    await look();
    const { last } = await watch();
    assert.equal(last?.comparison, `/landscape/runs/${adopted}/compare/${draft}`);
    const counts = await db.selectFrom('area_counts').select(['id', 'cogs']).execute();
    const zones = await db
      .selectFrom('landscape_run_nodes')
      .innerJoin('dataset_files', 'dataset_files.dataset_id', 'output_id')
      .select(['run_id', 'object_key'])
      .where('node_code', '=', '34')
      .where('kind', '=', 'cog')
      .execute();
    const keyOf = (run: string) => zones.find(({ run_id: id }) => id === run)?.object_key;
    assert.deepEqual(
      counts.map(({ cogs }) => cogs),
      [[keyOf(adopted), keyOf(draft)]],
    );
    await look();
    assert.equal((await db.selectFrom('area_counts').select('id').execute()).length, 1);
    const { state } = (await send<{ state: string }>(app, `/landscape/runs/${draft}/record`)).body;
    assert.equal(state, 'draft');
    await say(draft, { state: 'adopted' });
    await say(adopted, { note: 'A word more does not adopt it again' });
    await look();
    const now = await watch();
    assert.deepEqual([now.adopted_run_id, now.last?.comparison], [draft, null]);
  });

  test('begins its hold again with each change, and names all that differ', async () => {
    await adoptedRun();
    await on();
    await add('precipitation', { end_date: '2026-09-30' });
    await look();
    await later(20);
    await add('pet', { end_date: '2026-09-30' });
    await look();
    await later(20);
    assert.equal(await look(), undefined);
    await later(10);
    const draft = (await look()) ?? assert.fail();
    assert.equal((await watch()).last?.changed.length, 2);
    const { name } = (await send<{ name: string }>(app, `/landscape/runs/${draft}/record`)).body;
    assert.match(name, /Annual precipitation 2026-09, Annual reference evapotranspiration 2026-09/);
  });

  test('hears of new dates, of another group and of a deletion', async () => {
    await adoptedRun();
    await on();
    const dated = await add('precipitation', { end_date: '2020-01-01' });
    await look();
    assert.equal((await watch()).state, 'idle', 'it is not the freshest');
    const change = async (columns: object) =>
      await db.updateTable('datasets').set(columns).where('id', '=', dated).execute();
    await change({ end_date: '2026-09-30' });
    const first = await draftOf();
    await finish(first);
    await change({ dg_id: await groupId(db, 'landscape-in-pet') });
    const second = await draftOf();
    assert.deepEqual(
      (await watch()).last?.changed.map(({ group }) => group),
      ['landscape-in-pet'],
    );
    await finish(second);
    await db.deleteFrom('dataset_files').where('dataset_id', '=', dated).execute();
    await db.deleteFrom('datasets').where('id', '=', dated).execute();
    await look();
    const { state, outcome } = await watch();
    assert.deepEqual([state, outcome?.result], ['idle', 'same'], 'the inputs of the adopted run are back');
    assert.deepEqual(await drafts(), [first, second]);
  });

  test('makes no draft of what a run has computed already', async () => {
    await adoptedRun();
    await on();
    await add('precipitation', { end_date: '2026-09-30' });
    const { id } = await runs.run({ params });
    await look();
    const { state, outcome } = await watch();
    assert.deepEqual([state, outcome?.result, outcome?.run_id], ['idle', 'same', id]);
  });

  test('makes no draft for a pinned slot, and keeps the pins', async () => {
    const pinned = await add('pet', { end_date: '2024-01-01' });
    await adoptedRun({ 'landscape-in-pet': pinned });
    await on();
    await add('pet', { end_date: '2026-09-30' });
    await look();
    assert.deepEqual([(await watch()).state, (await watch()).pinned], ['idle', ['landscape-in-pet']]);
    await add('ndvi', { end_date: '2026-09-30' });
    const draft = await draftOf();
    const { overrides } = (await send<{ overrides: object }>(app, `/landscape/runs/${draft}`)).body;
    assert.deepEqual(overrides, { 'landscape-in-pet': pinned });
  });

  test('waits for the end of another run, and then looks again', async () => {
    await adoptedRun();
    await on();
    await add('precipitation', { end_date: '2026-09-30' });
    const { id } = await runs.create({ params: { v1_min_s_e3: 1 } });
    await look();
    await later(30);
    assert.equal(await look(), undefined);
    assert.equal((await watch()).state, 'run_in_progress');
    await finish(id);
    assert.notEqual(await look(), undefined);
    assert.equal((await drafts()).length, 1);
  });

  test('says why a draft has failed, and makes no second one of the same inputs', async () => {
    await adoptedRun();
    await on();
    await add('precipitation', { end_date: '2026-09-30' });
    const draft = await draftOf();
    await cancelRun(db, draft);
    await later(60);
    assert.equal(await look(), undefined);
    const { last } = await watch('ru');
    assert.deepEqual([last?.status, last?.error], ['failed', 'расчёт отменён']);
    await put({ on: 'input', hold: 'PT0S' });
    assert.equal(await look(), undefined);
    const other = await add('precipitation', { end_date: '2027-09-30' });
    const next = (await look()) ?? assert.fail('other inputs, without a hold');
    await cancelRun(db, next);
    await db.deleteFrom('dataset_files').where('dataset_id', '=', other).execute();
    await db.deleteFrom('datasets').where('id', '=', other).execute();
    assert.equal(await look(), undefined);
    assert.deepEqual(
      [(await watch()).outcome?.result, (await watch()).outcome?.run_id],
      ['made_before', draft],
    );
  });

  test('goes by what a draft has read, not by what it was made for', async () => {
    await adoptedRun();
    await on();
    await add('precipitation', { end_date: '2026-09-30' });
    const draft = await draftOf();
    await add('precipitation', { end_date: '2026-10-31' });
    await finish(draft);
    await look();
    assert.deepEqual([(await watch()).state, (await drafts()).length], ['idle', 1]);
  });

  test('says what keeps a run from beginning', async () => {
    await adoptedRun();
    await on();
    const grouped = sql`update datasets set dg_id = null where dg_id = ${await groupId(db, 'landscape-in-ndvi')}`;
    await grouped.execute(db);
    await look();
    const { state, outcome } = await watch('kk');
    assert.deepEqual([state, outcome?.result], ['idle', 'cannot_begin']);
    assert.match(outcome?.error ?? '', /мына кіріс деректер үшін дайын растр жоқ/);
  });

  test('makes one draft however many look at once', async () => {
    await adoptedRun();
    await on();
    for (const [round, leaf] of sampleOf(['precipitation', 'pet', 'ndvi'], 3).entries()) {
      await add(leaf, { end_date: '2026-09-30' });
      await look();
      await later(30);
      const made = await Promise.all(Array.from({ length: 8 }, look));
      const [draft, ...others] = made.filter((id) => id !== undefined);
      assert.deepEqual([others, (await drafts()).length], [[], round + 1]);
      await finish(draft ?? assert.fail());
    }
  });

  test('begins without any run, in the language of its switch', async () => {
    for (const { key } of leaves) await add(key);
    await on('PT30M', 'kk');
    const draft = await draftOf();
    const { name, note } = (
      await send<{ name: string; note: string }>(app, `/landscape/runs/${draft}/record`)
    ).body;
    assert.equal(name, 'Бақылау жобасы: бірінші есептеу');
    assert.match(note, /13 кіріс растрды/);
    await finish(draft);
    assert.deepEqual([(await watch()).adopted_run_id, (await watch()).last?.comparison], [null, null]);
  });

  test('refuses any other text than a hold', async () => {
    for (const hold of ['P1M', 'PT1H30M', 'P8D', 30])
      assert.match((await put({ on: 'input', hold })).body.errors?.['hold'] ?? '', /PT30M/);
    assert.equal((await put({ on: 'output' })).status, 422);
    assert.equal((await put({ on: 'input' })).body.hold, 'PT30M');
  });
});
