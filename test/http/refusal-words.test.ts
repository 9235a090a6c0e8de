import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, send, sendForm, sendJson, upload } from '../support/datasets.ts';

interface Refusal {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

let app: TestApp;
let dataset: string;
before(async () => {
  app = await startTestApp({ landscape: true });
  ({ id: dataset } = await upload(app, { category_id: await insertCategory(app.services.db) }));
});
after(async () => await app.close());

const required = 'is required';

describe('what is missing is said to be required:', () => {
  const bodies: readonly (readonly [method: string, path: string, fields: readonly string[]])[] = [
    ['POST', '/categories', ['code', 'name']],
    ['POST', '/dataset-groups', ['code', 'name']],
    ['PUT', '/datasets/{id}', ['category_id', 'description', 'name', 'unit']],
    ['POST', '/datasets/{id}/mapping', ['kato_column', 'year_columns']],
  ];
  for (const [method, path, fields] of bodies) {
    test(`${method} ${path}`, async () => {
      const { status, body } = await sendJson<Refusal>(app, method, path.replace('{id}', dataset), {});
      assert.deepEqual([status, Object.keys(body.errors ?? {}).toSorted()], [422, fields]);
      assert.deepEqual(new Set(Object.values(body.errors ?? {})), new Set([required]));
    });
  }

  test('in the items of a mapping', async () => {
    const mapping = { kato_column: 'kato', year_columns: [{}] };
    const { body } = await sendJson<Refusal>(app, 'POST', `/datasets/${dataset}/mapping`, mapping);
    assert.deepEqual(body.errors, {
      'year_columns.0.column': required,
      'year_columns.0.start_date': required,
    });
  });

  test('in a form', async () => {
    const { body } = await sendForm<Refusal>(app, '/datasets', [['name', 'x']]);
    assert.deepEqual(body.errors, { file_type: required, category_id: required, file: required });
  });
});

describe('what is wrong is said in plain words:', () => {
  const stage = 'must be a whole number from 0 to 3';
  const sectors = 'must be a list of the numbers from 1 to 5, each of them once';
  const wishes: readonly (readonly [body: object, errors: Refusal['errors']])[] = [
    [{ from_stage: 4 }, { from_stage: stage }],
    [{ from_stage: '1' }, { from_stage: stage }],
    [
      { params: { window_size: 1, v1_min_s_e3: 9, tie_priority: [1, 2, 3, 4, 9] } },
      {
        'params.window_size': 'must be a whole number from 256 to 8192',
        'params.v1_min_s_e3': 'must be a whole number from 1 to 5',
        'params.tie_priority': sectors,
      },
    ],
    [{ params: { tie_priority: [1, 2] } }, { 'params.tie_priority': sectors }],
    [{ params: [] }, { params: 'must be an object' }],
  ];
  for (const [body, errors] of wishes) {
    test(`a run with ${JSON.stringify(body)}`, async () => {
      const answer = await sendJson<Refusal>(app, 'POST', '/landscape/runs', body);
      assert.deepEqual([answer.status, answer.body.errors], [422, errors]);
    });
  }

  const date = 'must be a calendar date written YYYY-MM-DD';
  const statuses = 'pending, processing, parsing, awaiting_mapping, extracting, ready, failed';
  const queries: Readonly<Record<string, string>> = {
    'status=READY': `status: must be one of ${statuses}`,
    'status=ready&status=ready': 'status: was sent more than once',
    'page=0&category_id=x':
      'page: must be a whole number from 1 to 9007199254740991; category_id: must be a uuid',
    'start_date_from=': `start_date_from: ${date}`,
    'automated=1': 'automated: must be true or false',
  };
  for (const [query, error] of Object.entries(queries)) {
    test(`?${query}`, async () => {
      const { status, body } = await send<Refusal>(app, `/datasets?${query}`);
      assert.deepEqual([status, body.error], [400, error]);
    });
  }

  test('a file type that there is not', async () => {
    const { body } = await sendForm<Refusal>(app, '/datasets', [['file_type', 'map']]);
    assert.equal(body.errors?.['file_type'], 'must be one of vector_with_kato, vector, raster');
  });
});
