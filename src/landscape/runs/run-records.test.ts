import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { createToken, createTokenAuthenticator } from '../../access/tokens.ts';
import type { Database } from '../../database/tables/tables.ts';
import { adoptDatasets } from './adoption.ts';
import type { RunRecord, RunRecordChange } from './record-schema.ts';
import { deleteUnderway, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { insertGroup, type Refusal, send, sendForm, sendJson } from '../../../test/support/datasets.ts';
import { insertRaster } from '../../../test/support/geo/rasters.ts';
import { insertRun } from '../../../test/support/landscape/stored-runs.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { isTimeUp, repetitions } from '../../../test/support/tier.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const { db } = app.services;
const recordPath = (run: string) => `/landscape/runs/${run}/record`;

async function put(run: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  return await send<RunRecord & Refusal>(app, recordPath(run), {
    method: 'PUT',
    body: JSON.stringify(body),
    headers,
  });
}

/** Inserts a run that has read an elevation and made the slope. */
async function insertSlopeRun() {
  const dem = await insertRaster(db);
  const slope = await insertRaster(db);
  const nodes = [{ code: '01', inputs: { 'landscape-in-dem': dem }, output: slope }];
  return { run: await insertRun(db, nodes), dem, slope };
}

const sldOf = (title: string) =>
  `<StyledLayerDescriptor version="1.0.0"><Title>${title}</Title></StyledLayerDescriptor>`;
const remove = async (id: string, headers: Readonly<Record<string, string>> = {}) =>
  await send<Refusal>(app, `/datasets/${id}`, { method: 'DELETE', headers });
const isThere = async (id: string) => (await send(app, `/datasets/${id}`)).status === 200;

describe('the record of a run', () => {
  test('is an empty draft of revision 0 until something is said', async () => {
    const run = await insertRun(db);
    const { headers, body } = await send<RunRecord>(app, recordPath(run));
    const empty = { name: null, note: null, state: 'draft', basis: null };
    assert.deepEqual(body, { run_id: run, ...empty, revision: 0, changed_by: null, changed_at: null });
    assert.equal(headers.get('etag'), '"0"');
    assert.equal('record' in (await send<object>(app, `/landscape/runs/${run}`)).body, false);
  });

  test('is replaced as a whole, and each change stays in the history', async () => {
    const run = await insertRun(db);
    const first = { name: 'Вариант Б', note: 'Строгий', state: 'proposed', basis: '№ 16/8' };
    assert.equal((await put(run, first)).headers.get('etag'), '"1"');
    const second = await put(run, { name: 'Variant B', note: ' ' });
    const said = { name: 'Variant B', note: null, state: 'proposed', basis: null };
    const { changed_at: changedAt, ...rest } = second.body;
    assert.deepEqual(rest, { run_id: run, ...said, revision: 2, changed_by: null });
    assert.deepEqual((await send<RunRecord>(app, recordPath(run))).body, second.body);
    const { body } = await send<{ data: RunRecordChange[]; total: number }>(
      app,
      `${recordPath(run)}/history`,
    );
    const empty = { name: null, note: null, state: 'draft', basis: null };
    assert.deepEqual(
      body.data.map(({ revision, from, to }) => ({ revision, from, to })),
      [
        { revision: 2, from: first, to: said },
        { revision: 1, from: empty, to: first },
      ],
    );
    assert.equal(body.data[0]?.changed_at, changedAt);
    const page = await send<{ data: RunRecordChange[] }>(
      app,
      `${recordPath(run)}/history?page=2&page_size=1`,
    );
    assert.deepEqual(page.body.data, [body.data[1]]);
  });

  test('said once more makes no other revision', async () => {
    const run = await insertRun(db);
    const { body } = await put(run, { name: 'B' });
    assert.deepEqual((await put(run, { name: 'B' })).body, body);
  });

  test('of one who has read an older revision is 412, and of all at once one is stored', async () => {
    const run = await insertRun(db);
    const answers = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, each) => await put(run, { name: `${each}` }, { 'if-match': '"0"' }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    assert.deepEqual(statuses, [200, ...Array.from({ length: 7 }, () => 412)]);
    const stored = await send<RunRecord>(app, recordPath(run), { headers: { 'if-none-match': '"0"' } });
    assert.deepEqual(stored.body, answers.find(({ status }) => status === 200)?.body);
    const known = await send(app, recordPath(run), { headers: { 'if-none-match': '"1"' } });
    assert.deepEqual([known.status, known.text], [304, '']);
    assert.equal((await put(run, { name: 'x' }, { 'if-match': '"1"' })).body.revision, 2);
  });

  test('without If-Match is stored whatever came before: of all at once each is a revision', async () => {
    const run = await insertRun(db);
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, each) => await put(run, { name: `${each}` })),
    );
    const revisions = answers.map(({ body }) => body.revision).toSorted((one, other) => one - other);
    assert.deepEqual(revisions, [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('refuses texts that cannot be stored or are too long, and states that are none', async () => {
    const run = await insertRun(db);
    const { status, body } = await put(run, {
      name: '\u0000',
      note: 'x'.repeat(2001),
      state: 'final',
      basis: 7,
    });
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors ?? {}), ['name', 'note', 'state', 'basis']);
  });

  test('shows in lists and in the run, and lists can be narrowed to a state', async () => {
    const [draft, proposed] = [await insertRun(db), await insertRun(db)];
    await put(proposed, { name: 'B', state: 'proposed' });
    const ids = async (state: string) => {
      const { body } = await send<{ data: { id: string; record?: object }[] }>(
        app,
        `/landscape/runs?page_size=100&state=${state}`,
      );
      return body.data;
    };
    const listed = await ids('proposed');
    assert.deepEqual(
      listed.filter(({ id }) => id === proposed).map(({ record }) => record),
      [{ name: 'B', state: 'proposed' }],
    );
    assert.ok(!listed.some(({ id }) => id === draft));
    assert.ok((await ids('draft')).some(({ id }) => id === draft));
    const { body } = await send<{ record?: object }>(app, `/landscape/runs/${proposed}`);
    assert.deepEqual(body.record, { name: 'B', state: 'proposed' });
    assert.equal((await send(app, '/landscape/runs?state=final')).status, 400);
  });

  test('stays in the database as it is: rows cannot be changed or deleted', async () => {
    const run = await insertRun(db);
    await put(run, { name: 'B' });
    for (const change of [
      sql`update landscape_run_records set name = 'C'`,
      sql`delete from landscape_run_records`,
    ]) {
      await assert.rejects(change.execute(db), /stay as they are/);
    }
  });
});

test('the author of a change is the name of the token', async () => {
  const access = (own: Database) => ({
    authentication: { mode: 'token', authenticator: createTokenAuthenticator(own) } as const,
  });
  await using guarded = await startTestApp({ access });
  const own = guarded.services.db;
  const token = await createToken(own, {
    name: 'Planner',
    scopes: ['landscape:run'],
    expiresInDays: undefined,
  });
  const run = await insertRun(own);
  const headers = { authorization: `Bearer ${token.text}` };
  const init = { method: 'PUT', body: '{"name":"B","changed_by":"Minister"}', headers };
  const { body } = await send<RunRecord>(guarded, recordPath(run), init);
  assert.equal(body.changed_by, 'Planner');
  const rows = await own.selectFrom('landscape_run_records').select('credentials').execute();
  assert.deepEqual(rows, [{ credentials: `token:${token.id}` }]);
});

describe('while a run is adopted', () => {
  test('what it has read, made and reused cannot be deleted, and the refusal names it', async () => {
    const { run: earlier, dem, slope } = await insertSlopeRun();
    const aridity = await insertRaster(db);
    const run = await insertRun(db, [
      { code: '01', status: 'skipped', inputs: { 'landscape-in-dem': dem }, output: slope },
      { code: '03', inputs: { 'landscape-in-dem': dem, 'landscape-01-slope': slope }, output: aridity },
    ]);
    assert.equal((await put(run, { name: 'Вариант Б', state: 'adopted' })).status, 200);
    for (const id of [dem, slope, aridity]) {
      const { status, body } = await remove(id);
      assert.deepEqual([status, body.error?.includes('the adopted run "Вариант Б", so')], [409, true]);
    }
    const russian = await remove(slope, { 'accept-language': 'ru' });
    assert.match(russian.body.error ?? '', /утверждённый расчёт «Вариант Б»/);
    const kazakh = await remove(slope, { 'accept-language': 'kk' });
    assert.match(kazakh.body.error ?? '', /бекітілген «Вариант Б» есептеуіне/);
    await put(earlier, { state: 'adopted' });
    assert.match((await remove(slope)).body.error ?? '', / and 1 more, so/);
    await put(run, { name: 'Вариант Б', state: 'withdrawn' });
    assert.match((await remove(slope)).body.error ?? '', new RegExp(`run "${earlier}", so`));
    assert.equal((await remove(aridity)).status, 204);
    // A PUT without a state does not release the outputs.
    assert.equal((await put(earlier, { name: 'Earlier' })).body.state, 'adopted');
    assert.equal((await remove(slope)).status, 409);
    await put(earlier, { state: 'draft' });
    for (const id of [dem, slope]) assert.equal((await remove(id)).status, 204);
  });

  test('its datasets can be described otherwise, and read again only when they failed', async () => {
    const { run, dem } = await insertSlopeRun();
    await put(run, { state: 'adopted' });
    const changes = { name: 'Other', end_date: '2020-01-01', dg_id: null };
    assert.equal((await sendJson(app, 'PATCH', `/datasets/${dem}`, changes)).status, 200);
    assert.equal((await send(app, `/datasets/${dem}/retry`, { method: 'POST' })).status, 409);
    assert.equal((await remove(dem)).status, 409);
  });

  test('its record names the outputs whose style is another one than then', async () => {
    const { run, dem, slope } = await insertSlopeRun();
    const group = await insertGroup(db);
    const style = async (path: string, title: string) => {
      const file = new File([sldOf(title)], 'style.sld');
      assert.equal((await sendForm(app, `${path}/sld`, [['file', file]])).status, 200);
    };
    const shown = async () => {
      const { body } = await send<{ record?: object }>(app, `/landscape/runs/${run}`);
      return body.record;
    };
    await sendJson(app, 'PATCH', `/datasets/${slope}`, { dg_id: group });
    await style(`/dataset-groups/${group}`, 'one');
    await put(run, { state: 'adopted' });
    assert.deepEqual(await shown(), { name: null, state: 'adopted' });
    await style(`/dataset-groups/${group}`, 'other');
    assert.deepEqual(await shown(), { name: null, state: 'adopted', restyled: [slope] });
    await put(run, { name: 'B', state: 'adopted' });
    assert.deepEqual(await shown(), { name: 'B', state: 'adopted', restyled: [slope] });
    await style(`/dataset-groups/${group}`, 'one');
    await style(`/datasets/${dem}`, 'own');
    assert.deepEqual(await shown(), { name: 'B', state: 'adopted' });
    await sendJson(app, 'PATCH', `/datasets/${slope}`, { dg_id: null });
    assert.deepEqual(await shown(), { name: 'B', state: 'adopted', restyled: [slope] });
    await put(run, { name: 'B', state: 'draft' });
    assert.deepEqual(await shown(), { name: 'B', state: 'draft' });
  });

  test('it can only be one that has succeeded, with all its datasets', async () => {
    for (const status of ['queued', 'running', 'failed'] as const) {
      const { status: answered, body } = await put(await insertRun(db, [], status), { state: 'adopted' });
      assert.deepEqual(
        [answered, body.error],
        [409, `only a run that has succeeded can be adopted; this one is ${status}`],
      );
    }
    const { run, dem, slope } = await insertSlopeRun();
    await remove(dem);
    const refused = await put(run, { state: 'adopted' });
    assert.match(refused.body.error ?? '', new RegExp(`were deleted: ${dem} of group landscape-in-dem$`));
    assert.equal((await send<RunRecord>(app, recordPath(run))).body.revision, 0);
    assert.equal((await remove(slope)).status, 204);
  });
});

describe('at the same moment', () => {
  /** Does `work` in a transaction that stays open until the request waits for it. */
  async function whileOpen<T>(
    work: Parameters<ReturnType<TestApp['services']['db']['transaction']>['execute']>[0],
    request: () => Promise<T>,
  ): Promise<T> {
    const { rows } = await db.transaction().execute(async (trx) => {
      await work(trx);
      const requested = request();
      for (;;) {
        const waiting = await app.services.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        if (waiting.rows.length > 0) return { rows: requested };
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    });
    return await rows;
  }

  test('a deletion that waits for an adoption is refused', async () => {
    const { run, dem } = await insertSlopeRun();
    const adopting = async (trx: Parameters<typeof adoptDatasets>[0]) =>
      await adoptDatasets(trx, { id: run, status: 'succeeded' });
    const { status } = await whileOpen(adopting, async () => await remove(dem));
    assert.deepEqual([status, await isThere(dem)], [409, true]);
  });

  test('an adoption that waits for a deletion is refused', async () => {
    const { run, dem } = await insertSlopeRun();
    const { status, body } = await deleteUnderway(
      app.services,
      { table: 'datasets', id: dem },
      async () => await put(run, { state: 'adopted' }),
    );
    assert.deepEqual([status, body.error?.includes(dem)], [409, true]);
  });

  test('either the run is adopted with all its datasets, or not', async () => {
    const rounds = repetitions('ADOPTION_ROUNDS', 10, 500);
    for (let round = 0; round < rounds && !isTimeUp(); round += 1) {
      const { run, dem, slope } = await insertSlopeRun();
      const other = await insertRun(db, [{ code: '01', inputs: { 'landscape-in-dem': dem }, output: slope }]);
      const adopt = async (id: string) => (await put(id, { state: 'adopted' })).status;
      const drop = async (id: string) => (await remove(id)).status;
      const asked = [adopt(run), drop(slope), adopt(other), drop(dem)];
      const outcome = (await Promise.all(round % 2 === 0 ? asked : asked.toReversed())).join(' ');
      const adopted = [run, other].map(
        async (id) => (await send<RunRecord>(app, recordPath(id))).body.state === 'adopted',
      );
      const present = (await Promise.all([dem, slope].map(isThere))).every(Boolean);
      assert.ok(!outcome.includes('5'), outcome);
      if ((await Promise.all(adopted)).includes(true)) assert.ok(present, outcome);
    }
  });
});

test('a dataset that no adopted run has is deleted as ever', async () => {
  const { slope } = await insertSlopeRun();
  assert.equal((await remove(slope)).status, 204);
  assert.equal((await put(randomUUID(), {})).status, 404);
});
