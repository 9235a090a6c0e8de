import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextSteps } from '../../messages/datasets/english.ts';
import { startTestApp } from '../../../test/support/app.ts';
import {
  insertCategory,
  send,
  sendForm,
  sendJson,
  setState,
  tiffBytes,
  upload,
} from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const category_id = await insertCategory(app.services.db);

const failed = { status: 'failed', parse_error: 'The file is cut short.' };
const mapping = { kato_column: 'kato', year_columns: [{ column: 'y', start_date: '2020-01-01' }] };
const mapped = { ...mapping, year_columns: JSON.stringify(mapping.year_columns), mapping_version: 3 };

/** Inserts a table in this state, uploaded long ago. */
async function tableIn(columns: Readonly<Record<string, unknown>>): Promise<string> {
  const { id } = await upload(app, { category_id, file_type: 'vector_with_kato' });
  await app.services.db.updateTable('jobs').set({ state: 'failed' }).where('ref_id', '=', id).execute();
  await setState(app.services, id, { attribute_columns: '[{"name":"kato"},{"name":"y"}]', ...columns });
  return id;
}

const map = async (id: string) => await sendJson(app, 'POST', `/datasets/${id}/mapping`, mapping);
const retry = async (id: string) => await send(app, `/datasets/${id}/retry`, { method: 'POST' });
const takeBack = async (id: string) =>
  await send(app, `/datasets/${id}/retry?step=mapping`, { method: 'POST' });

async function queued(id: string) {
  const jobs = app.services.db.selectFrom('jobs').select(['id', 'kind']).where('ref_id', '=', id);
  return await jobs.where('state', '=', 'queued').execute();
}

describe('one job is queued and the workers are notified', () => {
  const requests: Readonly<Record<string, readonly [kind: string, ask: () => Promise<string>]>> = {
    'by an upload': ['process-dataset', async () => (await upload(app, { category_id })).id],
    'by an upload to a slot': [
      'process-dataset',
      async () => {
        const file = new File([tiffBytes], 'a.tif');
        return (await sendForm(app, '/landscape/slots/landscape-in-dem', [['file', file]])).body.id;
      },
    ],
    'by a run': [
      'run-landscape',
      async () => (await send(app, '/landscape/runs', { method: 'POST' })).body.id,
    ],
    'by a mapping': [
      'extract-observations',
      async () => (await map(await tableIn({ status: 'awaiting_mapping' }))).body.id,
    ],
    'by a mapping of what is ready': [
      'extract-observations',
      async () => (await map(await tableIn({ status: 'ready' }))).body.id,
    ],
    'by a retry of a file that could not be read': [
      'process-dataset',
      async () => {
        const { body } = await retry(await tableIn(failed));
        assert.deepEqual([body['status'], body['parse_error']], ['pending', null]);
        return body.id;
      },
    ],
    'by a retry of an extraction that failed, with the mapping that it has': [
      'extract-observations',
      async () => {
        const { body } = await retry(await tableIn({ ...failed, ...mapped }));
        assert.deepEqual([body['status'], body['year_columns']], ['extracting', mapping.year_columns]);
        return body.id;
      },
    ],
  };
  for (const [what, [kind, ask]] of Object.entries(requests)) {
    test(what, async () => {
      const [job, ...others] = await queued(await ask());
      assert.deepEqual([job?.kind, others], [kind, []]);
      assert.ok(app.notified.includes(job?.id ?? ''));
    });
  }
});

test('each mapping has a version of its own', async () => {
  const id = await tableIn({ status: 'ready', ...mapped });
  assert.equal((await map(id)).status, 200);
  const row = app.services.db.selectFrom('datasets').select('mapping_version').where('id', '=', id);
  assert.equal((await row.executeTakeFirstOrThrow()).mapping_version, 4);
});

test('a mapping in failed after another mapping is 409, and says how to take that one back', async () => {
  const id = await tableIn({ ...failed, ...mapped });
  const answer = await map(id);
  assert.equal(answer.status, 409);
  assert.match(
    String(answer.body['error']),
    /retry tries again, or, with step=mapping, allows another mapping$/,
  );
  assert.equal((await takeBack(id)).status, 200);
  assert.deepEqual(await queued(id), []);
  assert.equal((await map(id)).status, 200);
});

test('of twenty that take a mapping back at once one succeeds, and there is no job', async () => {
  const id = await tableIn({ ...failed, ...mapped });
  const answers = await Promise.all(Array.from({ length: 20 }, async () => await takeBack(id)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 19);
  assert.deepEqual(await queued(id), []);
});

const others = ['pending', 'processing', 'parsing', 'extracting'] as const;
for (const [what, ask, states] of [
  ['a mapping', map, [...others, 'failed']],
  ['a retry', retry, [...others, 'awaiting_mapping', 'ready']],
] as const) {
  for (const status of states) {
    test(`${what} in ${status} is 409, changes nothing and queues nothing`, async () => {
      const id = await tableIn({ status });
      const before = await send(app, `/datasets/${id}`);
      const answer = await ask(id);
      assert.equal(answer.status, 409);
      assert.ok(String(answer.body['error']).endsWith(`is ${status}${nextSteps[status]}`), answer.text);
      assert.deepEqual((await send(app, `/datasets/${id}`)).body, before.body);
      assert.deepEqual(await queued(id), []);
    });
  }

  test(`of twenty of ${what} at once one succeeds, and there is one job`, async () => {
    const id = await tableIn(what === 'a retry' ? failed : { status: 'awaiting_mapping' });
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await ask(id)));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 409)]);
    assert.equal((await queued(id)).length, 1);
  });
}
