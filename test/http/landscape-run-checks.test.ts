import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { sendJson } from '../support/datasets.ts';
import { addDataset, countRows, createRun, type Failure, failingFields } from '../support/run-requests.ts';

let app: TestApp;
/** Datasets in the states that a pin can meet. */
let raster: string;
let pending: string;
let vector: string;
before(async () => {
  app = await startTestApp();
  raster = await addDataset(app, 'ready');
  pending = await addDataset(app, 'processing');
  vector = await addDataset(app, 'ready', 'vector');
});
after(async () => await app.close());

describe('a body that is wrong', () => {
  for (const body of ['{', ' ', '[]', '[{}]', 'null', '"x"', '1', 'from_stage=1']) {
    test(`because it is ${JSON.stringify(body)} is 400`, async () => {
      const answer = await sendJson<Failure>(app, 'POST', '/landscape/runs', body);
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['error']]);
    });
  }

  test('because it is over the limit is 413', async () => {
    await using small = await startTestApp({ maxUploadBytes: 20 });
    const answer = await sendJson(small, 'POST', '/landscape/runs', { more: 'x'.repeat(20) });
    assert.equal(answer.status, 413);
  });

  const values: readonly (readonly [field: string, body: object])[] = [
    ...[255, 8193, 512.5, '512', null, true].map(
      (window_size) => ['params.window_size', { params: { window_size } }] as const,
    ),
    ...['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'].flatMap((name) =>
      [0, 6, 2.5, '3', null].map((value) => [`params.${name}`, { params: { [name]: value } }] as const),
    ),
    ...[
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5, 5],
      [1, 1, 2, 3, 4],
      [0, 1, 2, 3, 4],
      [1, 2, 3, 4, 6],
      [1, 2, 3, 4, '5'],
      [1, 2, 3, 4, null],
      [],
      '12345',
      null,
      {},
    ].map((tie_priority) => ['params.tie_priority', { params: { tie_priority } }] as const),
    ...[-1, 4, 1.5, '1', true, []].map((from_stage) => ['from_stage', { from_stage }] as const),
    ...[[], 'x', 1].map((params) => ['params', { params }] as const),
    ...[[], 'x', 1].map((overrides) => ['overrides', { overrides }] as const),
    ...['x', '', 1, null, {}, []].map(
      (id) => ['overrides.landscape-in-dem', { overrides: { 'landscape-in-dem': id } }] as const,
    ),
  ];
  for (const [field, body] of values) {
    test(`because of ${JSON.stringify(body)} is 422 on ${field}`, async () => {
      assert.deepEqual(Object.keys(await failingFields(app, body)), [field]);
    });
  }

  test('names every failing field at once', async () => {
    const body = {
      from_stage: 9,
      params: { window_size: 1, tie_priority: [1], v1_min_s_e3: 'x' },
      overrides: { 'landscape-in-dem': 'x', 'landscape-in-ndvi': vector, nothing: raster },
    };
    assert.deepEqual(Object.keys(await failingFields(app, body)).toSorted(), [
      'from_stage',
      'overrides.landscape-in-dem',
      'overrides.landscape-in-ndvi',
      'overrides.nothing',
      'params.tie_priority',
      'params.v1_min_s_e3',
      'params.window_size',
    ]);
  });

  test('stores nothing', async () => {
    const before = await countRows(app);
    await failingFields(app, { from_stage: 9 });
    await failingFields(app, { overrides: { 'landscape-in-dem': randomUUID() } });
    assert.deepEqual(await countRows(app), before);
  });
});

describe('overrides', () => {
  const groups = [
    ['a slot', 'landscape-in-protected-areas'],
    ['an output that others read', 'landscape-01-slope'],
  ] as const;
  for (const [what, group] of groups) {
    test(`pin ${what}`, async () => {
      assert.deepEqual((await createRun(app, { overrides: { [group]: raster } }))['overrides'], {
        [group]: raster,
      });
    });
  }

  const others = ['landscape-34-functional-zoning', 'landscape-in-more', 'dem', '01', '', 'a.b', 'toString'];
  for (const group of others) {
    test(`of ${JSON.stringify(group)} are refused: no node reads it`, async () => {
      const errors = await failingFields(app, { overrides: { [group]: raster } });
      assert.deepEqual(errors, { [`overrides.${group}`]: 'not an input group of the graph' });
    });
  }

  test('of __proto__ are refused like any other name', async () => {
    const errors = await failingFields(app, `{"overrides":{"__proto__":"${raster}"}}`);
    assert.deepEqual(errors, { 'overrides.__proto__': 'not an input group of the graph' });
  });

  const pins = [
    ['that does not exist', () => randomUUID(), 'dataset not found'],
    ['that is no raster', () => vector, 'dataset is not a raster'],
    ['that is not ready', () => pending, 'dataset is not ready'],
  ] as const;
  for (const [what, pinned, message] of pins) {
    test(`with a dataset ${what} are refused: ${message}`, async () => {
      const errors = await failingFields(app, { overrides: { 'landscape-in-dem': pinned() } });
      assert.deepEqual(errors, { 'overrides.landscape-in-dem': message });
    });
  }
});
