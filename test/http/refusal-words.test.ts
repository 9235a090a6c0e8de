import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { type Refusal, send, sendJson } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));

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
});
