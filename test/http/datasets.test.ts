import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  insertCategory,
  insertGroup,
  leftovers,
  nothing,
  send,
  sendJson,
  setState,
  upload,
  type DatasetBody,
} from '../support/datasets.ts';

interface Errors {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

const unknownId = '00000000-0000-0000-0000-00000000000f';
let app: TestApp;
let category: string;
let group: string;
before(async () => {
  app = await startTestApp();
  category = await insertCategory(app.services.db);
  group = await insertGroup(app.services.db);
});
after(async () => await app.close());

const described = { dg_id: () => group, start_date: '2020-01-01', end_date: '2020-12-31' };

/** A dataset whose every optional field is filled. */
async function uploadFull(): Promise<DatasetBody> {
  return await upload(app, {
    category_id: category,
    name: 'Rain',
    description: 'of the year',
    unit: 'mm',
    meta: '{"n":1.0}',
    dg_id: described.dg_id(),
    start_date: described.start_date,
    end_date: described.end_date,
  });
}

describe('GET /datasets/{id}', () => {
  it('is what the upload answered, under a uuid in either case', async () => {
    const created = await uploadFull();
    for (const id of [created.id, created.id.toUpperCase()]) {
      const { status, body } = await send(app, `/datasets/${id}`);
      assert.deepEqual([status, body], [200, created]);
    }
  });

  it('has a bbox once it is known, and not before', async () => {
    const { id } = await upload(app, { category_id: category });
    assert.ok(!('bbox' in (await send(app, `/datasets/${id}`)).body));
    await setState(app.services, id, { status: 'ready', bbox: [67, 51.5, 70, 53] });
    const { body } = await send(app, `/datasets/${id}`);
    assert.deepEqual(body['bbox'], [67, 51.5, 70, 53]);
    assert.ok(!('geometry' in body) && !('properties' in body) && !('geojson_storage_key' in body));
  });

  it('shows what was detected and mapped', async () => {
    const { id } = await upload(app, { category_id: category, file_type: 'vector_with_kato' });
    const columns = [{ name: '__proto__', samples: ['1'] }, { name: 'kato' }];
    const years = [{ column: '__proto__', start_date: '2020-01-01', end_date: null }];
    await setState(app.services, id, {
      status: 'ready',
      attribute_columns: JSON.stringify(columns),
      kato_column: 'kato',
      year_columns: JSON.stringify(years),
    });
    const { body } = await send(app, `/datasets/${id}`);
    assert.deepEqual([body['attribute_columns'], body['year_columns']], [columns, years]);
  });
});

describe('every path with an id', () => {
  const calls = [
    ['GET', ''],
    ['PUT', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/status'],
  ] as const;
  for (const [method, suffix] of calls) {
    it(`${method} /datasets/{id}${suffix} is 400 for what is no uuid and 404 for an unknown one`, async () => {
      const init = { method, ...(method.startsWith('P') ? { body: '{}' } : {}) };
      for (const id of ['1', `{${unknownId}}`, `${unknownId}0`, unknownId.replaceAll('-', ''), '%00']) {
        const malformed = await send<Errors>(app, `/datasets/${id}${suffix}`, init);
        assert.deepEqual([malformed.status, typeof malformed.body.error], [400, 'string'], id);
      }
      const unknown = await send<Errors>(app, `/datasets/${unknownId}${suffix}`, init);
      assert.deepEqual([unknown.status, typeof unknown.body.error], [404, 'string']);
    });
  }

  for (const method of ['PUT', 'PATCH']) {
    it(`${method} is 400 for a body that is no JSON object`, async () => {
      const { id } = await upload(app, { category_id: category });
      for (const body of ['', '{', '[]', 'null', '""', '{"a":1,}', `${'['.repeat(70)}${']'.repeat(70)}`]) {
        const { status } = await sendJson(app, method, `/datasets/${id}`, body);
        assert.equal(status, 400, body);
      }
    });
  }
});

describe('PUT /datasets/{id}', () => {
  it('replaces what is said about the file, and nothing else', async () => {
    const before = await uploadFull();
    const other = await insertCategory(app.services.db);
    const body = {
      category_id: other,
      name: 'Snow',
      description: 'of the winter',
      unit: 'cm',
      dg_id: null,
      start_date: '2021-01-01',
      end_date: '2021-12-31',
      status: 'ready',
      file_type: 'vector',
      unknown: 1,
    };
    const { status, body: after } = await sendJson(app, 'PUT', `/datasets/${before.id}`, body);
    assert.equal(status, 200);
    const { status: _status, file_type: _fileType, unknown: _unknown, ...changed } = body;
    assert.deepEqual(after, { ...before, ...changed, updated_at: after.updated_at });
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual((await send(app, `/datasets/${before.id}`)).body, after);
  });

  it('clears group and period when they are omitted, and texts when they are empty', async () => {
    const { id } = await uploadFull();
    const body = { category_id: category, name: 'Rain', description: '', unit: '' };
    const { body: after } = await sendJson(app, 'PUT', `/datasets/${id}`, body);
    const cleared = ['description', 'unit', 'dg_id', 'start_date', 'end_date'];
    assert.deepEqual(
      cleared.map((name) => after[name]),
      cleared.map(() => null),
    );
  });

  it('names every failing field at once', async () => {
    const { id } = await uploadFull();
    const missing = await sendJson<Errors>(app, 'PUT', `/datasets/${id}`, {});
    assert.equal(missing.status, 422);
    assert.deepEqual(Object.keys(missing.body.errors ?? {}).toSorted(), [
      'category_id',
      'description',
      'name',
      'unit',
    ]);
    const wrong = await sendJson<Errors>(app, 'PUT', `/datasets/${id}`, {
      category_id: unknownId,
      name: ' ',
      description: null,
      unit: 1,
      dg_id: unknownId,
      start_date: '2021-02-30',
      end_date: 'x',
    });
    assert.equal(wrong.status, 422);
    assert.equal(Object.keys(wrong.body.errors ?? {}).length, 7);
  });

  it('refuses a period that ends before it starts on end_date', async () => {
    const { id } = await uploadFull();
    const body = { category_id: category, name: 'a', description: '', unit: '' };
    const period = { start_date: '2021-01-02', end_date: '2021-01-01' };
    const { status, body: answer } = await sendJson<Errors>(app, 'PUT', `/datasets/${id}`, {
      ...body,
      ...period,
    });
    assert.deepEqual([status, Object.keys(answer.errors ?? {})], [422, ['end_date']]);
  });
});

describe('PATCH /datasets/{id}', () => {
  const changes = [
    ['name', 'Hail'],
    ['name', '😀'.repeat(255)],
    ['description', null],
    ['unit', null],
    ['dg_id', null],
    ['start_date', null],
    ['end_date', null],
    ['start_date', '2020-12-31'],
  ] as const;
  for (const [field, value] of changes) {
    it(`changes ${field} to ${JSON.stringify(value)?.slice(0, 20)} and nothing else`, async () => {
      const before = await uploadFull();
      const { status, body } = await sendJson(app, 'PATCH', `/datasets/${before.id}`, { [field]: value });
      assert.equal(status, 200);
      assert.deepEqual(body, { ...before, [field]: value, updated_at: body.updated_at });
    });
  }

  it('moves to another category and group', async () => {
    const { id } = await uploadFull();
    const moved = {
      category_id: await insertCategory(app.services.db),
      dg_id: await insertGroup(app.services.db),
    };
    const { body } = await sendJson(app, 'PATCH', `/datasets/${id}`, moved);
    assert.deepEqual([body['category_id'], body['dg_id']], [moved.category_id, moved.dg_id]);
  });

  it('stores empty texts as null', async () => {
    const { id } = await uploadFull();
    const { body } = await sendJson(app, 'PATCH', `/datasets/${id}`, { description: '', unit: '' });
    assert.deepEqual([body['description'], body['unit']], [null, null]);
  });

  it('without any known property is 422 with one error', async () => {
    const { id } = await uploadFull();
    for (const body of [{}, { status: 'ready' }, { __proto__: null, constructor: 1 }]) {
      const { status, body: answer } = await sendJson<Errors>(app, 'PATCH', `/datasets/${id}`, body);
      assert.deepEqual([status, typeof answer.error], [422, 'string']);
    }
  });

  const wrong = [
    ['category_id', null],
    ['category_id', unknownId],
    ['name', null],
    ['name', '\t'],
    ['name', 'x'.repeat(256)],
    ['name', 'a\0b'],
    ['name', '\ud800'],
    ['description', 1],
    ['unit', '\0'],
    ['dg_id', unknownId],
    ['dg_id', ''],
    ['start_date', '2020-13-01'],
    ['end_date', '2019-12-31'],
  ] as const;
  for (const [field, value] of wrong) {
    it(`refuses ${field} ${JSON.stringify(value).slice(0, 20)} on ${field}`, async () => {
      const before = await uploadFull();
      const { status, body } = await sendJson<Errors>(app, 'PATCH', `/datasets/${before.id}`, {
        [field]: value,
      });
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, [field]]);
      assert.deepEqual((await send(app, `/datasets/${before.id}`)).body, before);
    });
  }

  it('refuses a start after the stored end on end_date', async () => {
    const { id } = await uploadFull();
    const { status, body } = await sendJson<Errors>(app, 'PATCH', `/datasets/${id}`, {
      start_date: '2021-01-01',
    });
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['end_date']]);
  });
});

describe('DELETE /datasets/{id}', () => {
  it('leaves no row, object, ledger entry or live job, whatever the dataset had', async () => {
    await using own = await startTestApp();
    const id = await insertCategory(own.services.db);
    const dataset = await upload(own, { category_id: id });
    const { db } = own.services;
    const set = await db
      .insertInto('observation_sets')
      .values({ dataset_id: dataset.id, job_id: unknownId, attempt: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setState(
      own.services,
      dataset.id,
      { observation_set_id: set.id },
      { cog_storage_key: 'cog', geojson_storage_key: '{}', sld_storage_key: '<a/>' },
    );
    assert.equal((await leftovers(own.services)).stored.length, 4);
    const { status, text } = await send(own, `/datasets/${dataset.id}`, { method: 'DELETE' });
    assert.deepEqual([status, text], [204, '']);
    assert.deepEqual(await leftovers(own.services), nothing);
    assert.equal((await send(own, `/datasets/${dataset.id}`)).status, 404);
  });
});

describe('GET /datasets/{id}/status', () => {
  it('answers at once without current, or when it differs', async () => {
    const { id } = await upload(app, { category_id: category });
    for (const query of ['', '?wait=60', '?current=ready&wait=60', '?current=pending&wait=0']) {
      const { status, body } = await send(app, `/datasets/${id}/status${query}`);
      assert.deepEqual([status, body], [200, { id, status: 'pending', parse_error: null }]);
    }
  });

  it('is held until the status changes', async () => {
    const { id } = await upload(app, { category_id: category });
    const waiting = send(app, `/datasets/${id}/status?current=pending&wait=60`);
    while (app.services.statusWaiters.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await setState(app.services, id, { status: 'failed', parse_error: 'The file is cut short.' });
    const { body } = await waiting;
    assert.deepEqual(body, { id, status: 'failed', parse_error: 'The file is cut short.' });
  });

  it('gives the unchanged status when the time is up', async () => {
    const { id } = await upload(app, { category_id: category });
    const startedMs = Date.now();
    const { body } = await send(app, `/datasets/${id}/status?current=pending&wait=1`);
    assert.equal(body['status'], 'pending');
    assert.ok(Date.now() - startedMs >= 1000);
  });

  it('turns 404 when the dataset is deleted meanwhile', async () => {
    const { id } = await upload(app, { category_id: category });
    const waiting = send(app, `/datasets/${id}/status?current=pending&wait=60`);
    while (app.services.statusWaiters.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await send(app, `/datasets/${id}`, { method: 'DELETE' });
    assert.equal((await waiting).status, 404);
  });

  for (const query of [
    'wait=-1',
    'wait=61',
    'wait=1.5',
    'wait=',
    'wait=0x1',
    'current=nope',
    'wait=1&wait=2',
  ]) {
    it(`?${query} is 400`, async () => {
      const { id } = await upload(app, { category_id: category });
      assert.equal((await send(app, `/datasets/${id}/status?${query}`)).status, 400);
    });
  }
});
