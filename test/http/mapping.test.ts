import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { z } from 'zod';
import type { DatasetStatus, FileType } from '../../src/database/tables.ts';
import { createUnpivot } from '../../src/datasets/table/unpivot.ts';
import { copyObservations } from '../../src/processing/copy-observations.ts';
import { nextStepOf } from '../../src/datasets/next-step.ts';
import { startTestApp } from '../support/app.ts';

const service = await startTestApp();
after(async () => await service.close());
const { db, pool } = service.services;

const categoryId = randomUUID();
await db
  .insertInto('categories')
  .values({ id: categoryId, code: 'tables', name: 'Tables', description: '' })
  .execute();

interface Given {
  readonly status: DatasetStatus;
  readonly fileType?: FileType;
  readonly observationSet?: number;
}

const columns = ['kato', '2020', '2021', ''].map((name) => ({ name, samples: ['1'] }));

async function insertDataset({
  status,
  fileType = 'vector_with_kato',
  observationSet,
}: Given): Promise<string> {
  const id = randomUUID();
  const key = `original/${id}`;
  await db.insertInto('objects').values({ key, state: 'live', lease_until: null }).execute();
  const file = {
    filename: 'table.geojson',
    storage_key: key,
    size_bytes: 1,
    content_type: 'application/geo+json',
  };
  const row = { id, category_id: categoryId, name: 'Table', file_type: fileType, status, ...file };
  await db
    .insertInto('datasets')
    .values({
      ...row,
      attribute_columns: JSON.stringify(columns),
      observation_set_id: observationSet ?? null,
    })
    .execute();
  return id;
}

async function call(path: string, init?: RequestInit) {
  const response = await fetch(service.baseUrl + path, init);
  const body = z.record(z.string(), z.unknown()).parse(await response.json());
  return { status: response.status, body, headers: response.headers };
}

async function map(id: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return await call(`/datasets/${id}/mapping`, { method: 'POST', body: text });
}

async function liveJobs(datasetId: string) {
  return await db
    .selectFrom('jobs')
    .select(['id', 'kind', 'state'])
    .where('ref_id', '=', datasetId)
    .where('state', '=', 'queued')
    .execute();
}

const point = { column: '2020', start_date: '2020-01-01' };
const period = { column: '2021', start_date: '2021-01-01', end_date: '2021-12-31' };
const mapping = { kato_column: 'kato', year_columns: [point, period] };

for (const status of ['awaiting_mapping', 'ready'] as const) {
  test(`a mapping in ${status} is stored, and its extraction is queued and the workers are notified`, async () => {
    const id = await insertDataset({ status });
    const answer = await map(id, mapping);
    assert.equal(answer.status, 200);
    assert.equal(answer.body['id'], id);
    assert.equal(answer.body['status'], 'extracting');
    assert.equal(answer.body['kato_column'], 'kato');
    assert.deepEqual(answer.body['year_columns'], mapping.year_columns);
    assert.deepEqual(answer.body['attribute_columns'], columns);
    const jobs = await liveJobs(id);
    assert.deepEqual(
      jobs.map(({ kind }) => kind),
      ['extract-observations'],
    );
    assert.ok(service.notified.includes(jobs[0]?.id ?? ''));
  });
}

test('each mapping has a version of its own', async () => {
  const id = await insertDataset({ status: 'ready' });
  await db.updateTable('datasets').set({ mapping_version: 7 }).where('id', '=', id).execute();
  assert.equal((await map(id, mapping)).status, 200);
  const row = await db
    .selectFrom('datasets')
    .select('mapping_version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(row.mapping_version, 8);
});

for (const status of ['pending', 'processing', 'parsing', 'extracting', 'failed'] as const) {
  test(`a mapping in ${status} is 409 and changes nothing`, async () => {
    const id = await insertDataset({ status });
    const answer = await map(id, mapping);
    assert.equal(answer.status, 409);
    assert.equal(
      answer.body['error'],
      `a dataset cannot be mapped while it is ${status}${nextStepOf(status)}`,
    );
    const row = await db.selectFrom('datasets').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    assert.deepEqual([row.status, row.kato_column, row.mapping_version], [status, null, 0]);
    assert.deepEqual(await liveJobs(id), []);
  });
}

test('a malformed id or body is 400', async () => {
  const id = await insertDataset({ status: 'awaiting_mapping' });
  for (const answer of [
    await map('7', mapping),
    await map(id, '{'),
    await map(id, '[]'),
    await map(id, ''),
  ]) {
    assert.equal(answer.status, 400);
    assert.equal(typeof answer.body['error'], 'string');
  }
});

test('a dataset that does not exist is 404, whatever the body holds', async () => {
  assert.equal((await map(randomUUID(), mapping)).status, 404);
  assert.equal((await map(randomUUID(), {})).status, 404);
});

async function fieldsRefused(id: string, body: unknown): Promise<string[]> {
  const answer = await map(id, body);
  assert.equal(answer.status, 422);
  return Object.keys(z.record(z.string(), z.string()).parse(answer.body['errors'])).toSorted();
}

test('wrong fields are 422, all at once, before the file type and the state are looked at', async () => {
  const wrong = {
    year_columns: [{ ...period, end_date: '2020-12-31' }, 5, { column: '2020' }, period, period],
  };
  const expected = ['kato_column', 'year_columns.0.end_date', 'year_columns.1', 'year_columns.2.start_date'];
  assert.deepEqual(await fieldsRefused(await insertDataset({ status: 'pending' }), wrong), expected);
  const raster = await insertDataset({ status: 'ready', fileType: 'raster' });
  assert.deepEqual(await fieldsRefused(raster, wrong), expected);
  assert.deepEqual(await fieldsRefused(raster, { ...mapping, year_columns: [] }), ['year_columns']);
});

test('a dataset of another type is 422, before its state is looked at', async () => {
  for (const fileType of ['raster', 'vector'] as const) {
    const answer = await map(await insertDataset({ status: 'processing', fileType }), mapping);
    assert.equal(answer.status, 422);
    assert.equal(typeof answer.body['error'], 'string');
  }
});

test('columns that the dataset does not have are 422, each by its place', async () => {
  const id = await insertDataset({ status: 'awaiting_mapping' });
  const year_columns = [point, { ...point, column: 'gone' }, { ...point, column: '__proto__' }];
  assert.deepEqual(await fieldsRefused(id, { kato_column: 'KATO', year_columns }), [
    'kato_column',
    'year_columns.1.column',
    'year_columns.2.column',
  ]);
  assert.deepEqual(await liveJobs(id), []);
});

test('the KATO column as a year column and a repeated column are 422 at each repetition', async () => {
  const id = await insertDataset({ status: 'awaiting_mapping' });
  const year_columns = [{ ...point, column: 'kato' }, point, period, point];
  assert.deepEqual(await fieldsRefused(id, { kato_column: 'kato', year_columns }), [
    'year_columns.0.column',
    'year_columns.3.column',
  ]);
});

test('a column without a name can be mapped', async () => {
  const id = await insertDataset({ status: 'awaiting_mapping' });
  assert.equal((await map(id, { kato_column: '', year_columns: [point] })).status, 200);
});

test('of twenty mappings at once one is taken', async () => {
  const id = await insertDataset({ status: 'awaiting_mapping' });
  const days = Array.from({ length: 20 }, (_, index) => `2020-01-${String(index + 1).padStart(2, '0')}`);
  const answers = await Promise.all(
    days.map(
      async (start_date) => await map(id, { kato_column: 'kato', year_columns: [{ ...point, start_date }] }),
    ),
  );
  const taken = answers.filter(({ status }) => status === 200);
  assert.equal(taken.length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 19);
  assert.equal((await liveJobs(id)).length, 1);
  assert.deepEqual((await call(`/datasets/${id}`)).body['year_columns'], taken[0]?.body['year_columns']);
});

async function insertObservations(): Promise<string> {
  async function* rows() {
    yield ['"350000000"', '1', '2'];
    yield ['"110000000"', '"н/д"', '3'];
    yield ['"350000000"', 'null', '4.5'];
  }
  const unpivot = createUnpivot(['kato', 'a', 'b'], {
    katoColumn: 'kato',
    yearColumns: [
      { column: 'a', start_date: '2020-01-01', end_date: '2020-12-31' },
      { column: 'b', start_date: '2020-01-01' },
    ],
    formats: [],
  });
  const attempt = {
    refId: randomUUID(),
    jobId: randomUUID(),
    number: 1,
    signal: new AbortController().signal,
  };
  const { setId } = await copyObservations(pool, attempt, { mappingVersion: 1, rows: rows(), unpivot });
  return await insertDataset({ status: 'ready', observationSet: setId });
}

const Page = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  page: z.number(),
  page_size: z.number(),
  total: z.number(),
  total_pages: z.number(),
});

async function listPage(id: string, query = '') {
  const answer = await call(`/datasets/${id}/observations${query}`);
  assert.equal(answer.status, 200);
  return { ...Page.parse(answer.body), link: answer.headers.get('link') };
}

test('observations come by code, start and end, points in time first', async () => {
  const id = await insertObservations();
  const { data, link, ...counts } = await listPage(id);
  assert.deepEqual(counts, { page: 1, page_size: 20, total: 6, total_pages: 1 });
  assert.ok(link);
  const facts = data.map((row) => [row['kato_code'], row['end_date'], row['value'], row['value_text']]);
  assert.deepEqual(facts.slice(0, 2), [
    ['110000000', null, 3, null],
    ['110000000', '2020-12-31', null, 'н/д'],
  ]);
  assert.deepEqual(
    facts.slice(2).map(([code, end]) => [code, end]),
    [
      ['350000000', null],
      ['350000000', null],
      ['350000000', '2020-12-31'],
      ['350000000', '2020-12-31'],
    ],
  );
  for (const row of data) {
    const keys = ['id', 'dataset_id', 'kato_code', 'start_date', 'end_date', 'value', 'value_text'];
    assert.deepEqual(Object.keys(row), keys);
    assert.equal(row['dataset_id'], id);
    assert.equal(row['start_date'], '2020-01-01');
  }
  const ids = data.slice(2, 4).map((row) => String(row['id']));
  assert.deepEqual(ids, ids.toSorted());
});

test('observations are paged and filtered by code, with exact totals', async () => {
  const id = await insertObservations();
  const all = await listPage(id);
  const second = await listPage(id, '?page=2&page_size=4');
  assert.deepEqual(second.data, all.data.slice(4));
  assert.deepEqual([second.total, second.total_pages], [6, 2]);
  const past = await listPage(id, '?page=3&page_size=4');
  assert.deepEqual([past.data, past.total], [[], 6]);
  const ofOne = await listPage(id, '?kato_code=350000000&page_size=3');
  assert.deepEqual(ofOne.data, all.data.slice(2, 5));
  assert.deepEqual([ofOne.total, ofOne.total_pages], [4, 2]);
  const ofNone = await listPage(id, '?kato_code=35');
  assert.deepEqual([ofNone.data, ofNone.total, ofNone.total_pages], [[], 0, 0]);
});

test('a dataset of any type and state without observations gives an empty page', async () => {
  const given: Given[] = [
    { status: 'pending' },
    { status: 'failed' },
    { status: 'ready', fileType: 'raster' },
    { status: 'processing', fileType: 'vector' },
  ];
  for (const dataset of given) {
    const { link: _, ...page } = await listPage(await insertDataset(dataset));
    assert.deepEqual(page, { data: [], page: 1, page_size: 20, total: 0, total_pages: 0 });
  }
});

test('observations of a dataset that does not exist are 404, a malformed id or query is 400', async () => {
  assert.equal((await call(`/datasets/${randomUUID()}/observations`)).status, 404);
  const id = await insertDataset({ status: 'ready' });
  const queries = ['?page=0', '?page_size=101', '?page=x', '?kato_code=a&kato_code=b', '?kato_code=%00'];
  for (const path of ['7/observations', ...queries.map((query) => `${id}/observations${query}`)]) {
    assert.equal((await call(`/datasets/${path}`)).status, 400, path);
  }
});
