import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { GroupFreshness } from './cadence-schema.ts';
import { listFreshness } from './cadences.ts';
import { freshnessOf } from './freshness.ts';
import { addCalendar } from '../lib/durations.ts';
import { startTestApp } from '../../test/support/app.ts';
import { insertGroup, type Refusal, send, sendJson } from '../../test/support/datasets.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { oneOf, randomOf } from '../../test/support/landscape/plan-changes.ts';
import { insertRaster } from '../../test/support/geo/rasters.ts';
import { repetitions } from '../../test/support/tier.ts';

const app = await closeAfterTests(startTestApp());
const { db } = app.services;

const cadencePath = (group: string) => `/dataset-groups/${group}/cadence`;
const put = async (group: string, body: object) =>
  await send<GroupFreshness & Refusal>(app, cadencePath(group), {
    method: 'PUT',
    body: JSON.stringify(body),
  });
const today = () => new Date().toISOString().slice(0, 10);
/** Date in UTC, this number of days from today. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('the cadence of a group', () => {
  test('gives the state of today, from the freshest ready dataset', async () => {
    const group = await insertGroup(db);
    assert.equal((await send(app, cadencePath(group))).status, 404);
    const first = await put(group, { every: 'P1Y' });
    assert.equal(first.status, 200);
    assert.deepEqual(
      {
        state: first.body.state,
        grace: first.body.grace,
        latest: first.body.latest,
        next: first.body.next_due,
      },
      { state: 'empty', grace: 'P0D', latest: null, next: null },
    );
    await insertRaster(db, { dg_id: group });
    assert.equal((await put(group, { every: 'P10D', grace: 'P5D' })).body.state, 'undated');
    await insertRaster(db, { dg_id: group, start_date: inDays(-400), end_date: inDays(-3) });
    await insertRaster(db, { dg_id: group, end_date: inDays(50), status: 'processing' });
    const fresh = (await send<GroupFreshness>(app, cadencePath(group))).body;
    assert.deepEqual(
      [fresh.state, fresh.next_due, fresh.overdue_after, fresh.today],
      ['fresh', inDays(7), inDays(12), today()],
    );
    assert.equal((await put(group, { every: 'P3D', grace: 'P0D' })).body.state, 'due');
    assert.equal((await put(group, { every: 'P2D', grace: 'P1D' })).body.state, 'due');
    assert.equal((await put(group, { every: 'P2D', grace: 'P0D' })).body.state, 'overdue');
    assert.equal((await send(app, cadencePath(group), { method: 'DELETE' })).status, 204);
    assert.equal((await send(app, cadencePath(group), { method: 'DELETE' })).status, 404);
  });

  test('depends on the start date where no dataset has an end date', async () => {
    const group = await insertGroup(db);
    await insertRaster(db, { dg_id: group, start_date: '2026-02-28' });
    const { body } = await put(group, { every: 'P1M' });
    assert.equal(body.next_due, '2026-03-28');
    assert.equal(body.latest?.start_date, '2026-02-28');
  });

  test('is listed with its state, and goes with its group', async () => {
    const [late, empty] = [await insertGroup(db), await insertGroup(db)];
    await insertRaster(db, { dg_id: late, end_date: '2001-12-31' });
    await put(late, { every: 'P1Y', grace: 'P60D' });
    await put(empty, { every: 'P1Y' });
    const codes = async (query: string) => {
      const { body } = await send<GroupFreshness[]>(app, `/dataset-groups/freshness${query}`);
      return body.map(({ group_id: id }) => id);
    };
    assert.ok((await codes('')).includes(late) && (await codes('')).includes(empty));
    assert.deepEqual(
      [(await codes('?state=overdue')).includes(late), (await codes('?state=overdue')).includes(empty)],
      [true, false],
    );
    assert.ok((await codes('?state=empty')).includes(empty));
    assert.equal((await send(app, '/dataset-groups/freshness?state=late')).status, 400);
    assert.equal((await send(app, `/dataset-groups/${empty}`, { method: 'DELETE' })).status, 204);
    assert.equal((await codes('')).includes(empty), false);
  });

  test('refuses everything but such a duration, with an error on its field', async () => {
    const group = await insertGroup(db);
    for (const every of ['P1Y6M', 'PT1H', 'P0D', '1 year', 12, null]) {
      const { status, body } = await sendJson<Refusal>(app, 'PUT', cadencePath(group), {
        every,
        grace: 'PT1H',
      });
      assert.equal(status, 422);
      assert.match(body.errors?.['every'] ?? '', /P1Y, P3M, P2W or P10D/);
      assert.match(body.errors?.['grace'] ?? '', /P60D/);
    }
    assert.equal((await put(randomUUID(), { every: 'never' })).status, 404);
  });

  test('counts the days of UTC, wherever the database is', async () => {
    const zones = ['Pacific/Kiritimati', 'Asia/Almaty', 'Pacific/Niue'];
    const group = await insertGroup(db);
    await put(group, { every: 'P1Y' });
    for (const zone of zones) {
      const [row] = await db.transaction().execute(async (trx) => {
        await sql`select set_config('timezone', ${zone}, true)`.execute(trx);
        return await listFreshness(trx, undefined);
      });
      assert.equal(row?.today, today(), zone);
    }
  });
});

test('freshness changes at midnight of its days', () => {
  const latest = { start_date: '2024-03-01', end_date: '2025-02-28' };
  const on = (day: string) => freshnessOf({ every: 'P1Y', grace: 'P1M' }, latest, day);
  const due = { next_due: '2026-02-28', overdue_after: '2026-03-28' };
  assert.deepEqual(on('2026-02-27'), { state: 'fresh', ...due });
  assert.deepEqual(on('2026-02-28'), { state: 'due', ...due });
  assert.deepEqual(on('2026-03-28'), { state: 'due', ...due });
  assert.deepEqual(on('2026-03-29'), { state: 'overdue', ...due });
});

test('months and leap years are those of PostgreSQL', async () => {
  const random = randomOf(33);
  const asked = Array.from({ length: repetitions('STEPPE_DURATIONS', 2000, 100_000) }, () => {
    const day = Math.floor(random() * 3_000_000);
    const date = new Date(0);
    date.setUTCFullYear(1, 0, 1 + day);
    const count = 1 + Math.floor(random() * 999);
    return {
      date: date.toISOString().slice(0, 10),
      duration: `P${count}${oneOf(random, ['Y', 'M', 'W', 'D'])}`,
    };
  });
  const { rows } = await sql<{ date: string; duration: string; later: string }>`
    select date, duration, to_char(date::date + duration::interval, 'YYYY-MM-DD') as later
      from json_to_recordset(${JSON.stringify(asked)}::json) asked (date text, duration text)`.execute(db);
  assert.equal(rows.length, asked.length);
  for (const { date, duration, later } of rows)
    assert.equal(addCalendar(date, duration), later, `${date} ${duration}`);
});
