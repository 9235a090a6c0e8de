import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { WarningCode } from '../../src/geo/findings.ts';
import { startTestApp } from '../support/app.ts';
import { insertCategory, send, setState, upload } from '../support/datasets.ts';

const app = await startTestApp();
after(async () => await app.close());
const { db } = app.services;
const category_id = await insertCategory(db);

/** A dataset in this state, whose upload is long over. */
async function datasetIn(columns: Readonly<Record<string, unknown>>): Promise<string> {
  const { id } = await upload(app, { category_id, file_type: 'vector_with_kato' });
  await db.updateTable('jobs').set({ state: 'failed' }).where('ref_id', '=', id).execute();
  await setState(app.services, id, columns);
  return id;
}

async function retry(id: string) {
  return await send(app, `/datasets/${id}/retry`, { method: 'POST' });
}

async function liveJobs(id: string) {
  return await db
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where('ref_id', '=', id)
    .where('state', '=', 'queued')
    .execute();
}

const failed = { status: 'failed', parse_error: 'The file is cut short.' };
const mapping = {
  attribute_columns: '[{"name":"kato"},{"name":"y"}]',
  kato_column: 'kato',
  year_columns: '[{"column":"y","start_date":"2020-01-01"}]',
  mapping_version: 3,
};

test('a file that could not be read is pending again, and its job is queued and the workers are notified', async () => {
  const id = await datasetIn(failed);
  const { status, body } = await retry(id);
  assert.equal(status, 200);
  assert.deepEqual([body['status'], body['parse_error']], ['pending', null]);
  const [job, ...others] = await liveJobs(id);
  assert.deepEqual([job?.kind, others], ['process-dataset', []]);
  assert.ok(app.notified.includes(job?.id ?? ''));
  assert.deepEqual((await send(app, `/datasets/${id}`)).body, body);
});

test('an extraction that failed is extracting again, with the mapping that it has', async () => {
  const id = await datasetIn({ ...failed, ...mapping });
  const { status, body } = await retry(id);
  assert.equal(status, 200);
  assert.deepEqual([body['status'], body['kato_column']], ['extracting', 'kato']);
  assert.deepEqual(body['year_columns'], [{ column: 'y', start_date: '2020-01-01' }]);
  assert.deepEqual(
    (await liveJobs(id)).map(({ kind }) => kind),
    ['extract-observations'],
  );
});

for (const status of ['pending', 'processing', 'parsing', 'awaiting_mapping', 'extracting', 'ready']) {
  test(`in ${status} it is 409 and changes nothing`, async () => {
    const id = await datasetIn({ status });
    const before = await send(app, `/datasets/${id}`);
    const answer = await retry(id);
    assert.equal(answer.status, 409);
    assert.match(String(answer.body['error']), new RegExp(`this one is ${status}(?:: .+)?$`));
    assert.deepEqual((await send(app, `/datasets/${id}`)).body, before.body);
    assert.deepEqual(await liveJobs(id), []);
  });
}

test('of twenty at once one succeeds, and there is one job', async () => {
  const id = await datasetIn(failed);
  const answers = await Promise.all(Array.from({ length: 20 }, async () => await retry(id)));
  const statuses = answers.map(({ status }) => String(status)).toSorted();
  assert.deepEqual(statuses, ['200', ...Array(19).fill('409')]);
  assert.equal((await liveJobs(id)).length, 1);
});

test('an unknown dataset is 404, a malformed id 400', async () => {
  assert.equal((await retry(randomUUID())).status, 404);
  assert.equal((await retry('x1')).status, 400);
});

test('a dataset whose file has not been looked at has no report yet, nor has an unknown one', async () => {
  const id = await datasetIn({ status: 'pending' });
  const waiting = await send(app, `/datasets/${id}/report`);
  assert.deepEqual([waiting.status, waiting.body], [404, { error: 'the file has not been looked at yet' }]);
  assert.equal((await send(app, `/datasets/${randomUUID()}/report`)).status, 404);
  assert.equal((await send(app, '/datasets/x1/report')).status, 400);
});

test('the description of the report lists every code of warnings', async () => {
  const { text } = await send(app, '/openapi.json');
  const description: { paths: Record<string, { get: { description: string } }> } = JSON.parse(text);
  const listed = description.paths['/datasets/{id}/report']?.get.description ?? '';
  for (const code of WarningCode.options) {
    assert.ok(listed.includes(`\`${code}\``), code);
  }
});
