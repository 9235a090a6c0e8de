import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { Problem } from '../../src/common/errors.ts';
import { nodes } from '../../src/landscape/graph/graph.ts';
import { leaves } from '../../src/landscape/model/leaves.ts';
import { LandscapeParams } from '../../src/landscape/model/params.ts';
import { checkRunInput } from '../../src/landscape/runs/input.ts';
import { openTestDatabase } from '../support/database.ts';
import { insertRaster } from '../support/rasters.ts';

const database = await openTestDatabase();
after(async () => await database.close());
const { db } = database;

const raster = await insertRaster(db);
const vector = await insertRaster(db, { file_type: 'vector', cog_storage_key: null });
const pending = await insertRaster(db, { status: 'processing', cog_storage_key: null });

/** As a client sends it: keys like `__proto__` included. */
async function check(json: string) {
  return await checkRunInput(db, JSON.parse(json));
}

async function faultsOf(json: string): Promise<Readonly<Record<string, string>>> {
  return await check(json).then(
    () => assert.fail(`accepted ${json.slice(0, 200)}`),
    (error: unknown) => {
      assert.ok(error instanceof Problem && error.fields !== undefined, String(error));
      assert.equal(error.status, 422);
      return error.fields;
    },
  );
}

const faultyFields = async (json: string): Promise<string[]> => Object.keys(await faultsOf(json)).toSorted();

describe('without wishes a run has all defaults:', () => {
  const defaults = { params: LandscapeParams.parse({}), overrides: {}, fromStage: null };
  test('no body', async () => {
    assert.deepEqual(await checkRunInput(db, undefined), defaults);
    assert.deepEqual(defaults.params, {
      window_size: 2048,
      tie_priority: [1, 2, 3, 4, 5],
      v1_min_s_e12: 3,
      v1_min_s_e3: 4,
      v2_min_s_e3: 3,
      v2_min_s_e4: 5,
    });
  });
  for (const json of [
    '{}',
    '{"params":null,"overrides":null,"from_stage":null}',
    '{"params":{},"overrides":{}}',
    '{"params":{"__proto__":{"window_size":1},"unknown":[]},"unknown":1,"constructor":{}}',
  ]) {
    test(json, async () => assert.deepEqual(await check(json), defaults));
  }
});

test('what is asked for is taken, missing params by default, uuids in lower case', async () => {
  const asked = {
    from_stage: 2,
    params: { window_size: 256, tie_priority: [5, 4, 3, 2, 1], v1_min_s_e3: 1, v2_min_s_e3: 5 },
    overrides: { 'landscape-in-dem': raster.toUpperCase(), 'landscape-21-irrigation': raster },
  };
  assert.deepEqual(await checkRunInput(db, asked), {
    fromStage: 2,
    params: { ...LandscapeParams.parse({}), ...asked.params },
    overrides: { 'landscape-in-dem': raster, 'landscape-21-irrigation': raster },
  });
});

test('a whole number is one however it is written', async () => {
  const { fromStage, params } = await check('{"from_stage":1.0,"params":{"window_size":2.56e2}}');
  assert.deepEqual([fromStage, params.window_size], [1, 256]);
});

test('the ends of every range are in it', async () => {
  for (const [low, high] of [
    ['{"params":{"window_size":256}}', '{"params":{"window_size":8192}}'],
    ['{"params":{"v2_min_s_e4":1}}', '{"params":{"v2_min_s_e4":5}}'],
    ['{"from_stage":0}', '{"from_stage":3}'],
  ] as const) {
    await check(low);
    await check(high);
  }
});

describe('422 names the field that is wrong:', () => {
  for (const [field, ...values] of [
    ['params.window_size', 255, 8193, 256.5, '512', null, true, [512], 1e300],
    [
      'params.tie_priority',
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5, 5],
      [1, 2, 3, 4, 4],
      [0, 2, 3, 4, 5],
      [1, 2, 3, 4, 6],
    ],
    [
      'params.tie_priority',
      ['1', 2, 3, 4, 5],
      [1, 2, 3, 4, 5.5],
      [null, 2, 3, 4, 5],
      {},
      null,
      '1,2,3,4,5',
      [],
    ],
    ['params.v1_min_s_e12', 0, 6, 2.5, null, '3'],
    ['params.v1_min_s_e3', 0, 6, {}],
    ['params.v2_min_s_e3', 0, 6, []],
    ['params.v2_min_s_e4', 0, 6, false],
  ] as const) {
    test(`${field} ${JSON.stringify(values)}`, async () => {
      for (const value of values) {
        const json = JSON.stringify({ params: { [field.slice('params.'.length)]: value } });
        assert.deepEqual(await faultyFields(json), [field], json);
      }
    });
  }
  for (const [field, ...values] of [
    ['from_stage', -1, 4, 1.5, '1', true, []],
    ['params', [], 'x', 1, false],
    ['overrides', [], 'x', 1, false],
  ] as const) {
    test(`${field} ${JSON.stringify(values)}`, async () => {
      for (const value of values) {
        assert.deepEqual(await faultyFields(JSON.stringify({ [field]: value })), [field]);
      }
    });
  }
});

test('a pin is on a group that nodes read, and on a raster that is ready', async () => {
  const unknown = randomUUID();
  const overrides = {
    'landscape-in-dem': unknown,
    'landscape-in-pet': vector,
    'landscape-01-slope': pending,
    'landscape-in-ndvi': 'relief.tif',
    'landscape-in-precipitation': null,
    'landscape-05-allocable': raster,
    'landscape-34-functional-zoning': raster,
    dem: raster,
  };
  assert.deepEqual(await faultsOf(JSON.stringify({ overrides })), {
    'overrides.landscape-in-dem': 'dataset not found',
    'overrides.landscape-in-pet': 'dataset is not a raster',
    'overrides.landscape-01-slope': 'dataset is not ready',
    'overrides.landscape-in-ndvi': 'must be a uuid',
    'overrides.landscape-in-precipitation': 'must be a uuid',
    'overrides.landscape-34-functional-zoning': 'not an input group of the graph',
    'overrides.dem': 'not an input group of the graph',
  });
});

test('every slot and every output but the last can be pinned', async () => {
  const outputs = nodes.map(({ output }) => output.group);
  const groups = [...leaves.map(({ group }) => group), ...outputs.slice(0, -1)];
  assert.equal(groups.length, 13 + 18);
  const overrides = Object.fromEntries(groups.map((group) => [group, raster]));
  assert.deepEqual((await checkRunInput(db, { overrides })).overrides, overrides);
});

test('names that objects inherit are names like any other', async () => {
  const json = `{"overrides":{"__proto__":"${raster}","constructor":"${raster}","toString":1}}`;
  assert.deepEqual(await faultyFields(json), [
    'overrides.__proto__',
    'overrides.constructor',
    'overrides.toString',
  ]);
});

test('all that is wrong is said at once', async () => {
  const json = JSON.stringify({
    from_stage: 4,
    params: { window_size: 1, tie_priority: [1, 1, 1, 1, 9], v2_min_s_e4: 'x' },
    overrides: { 'landscape-in-dem': randomUUID(), other: 1 },
  });
  assert.deepEqual(await faultyFields(json), [
    'from_stage',
    'overrides.landscape-in-dem',
    'overrides.other',
    'params.tie_priority',
    'params.v2_min_s_e4',
    'params.window_size',
  ]);
  assert.deepEqual(await faultyFields('{"from_stage":"x","params":1,"overrides":2}'), [
    'from_stage',
    'overrides',
    'params',
  ]);
});

test('a body of 100,000 overrides or a million sectors is refused field by field', async () => {
  const overrides = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`g-${index}`, raster]));
  const faults = await faultsOf(JSON.stringify({ overrides }));
  assert.equal(Object.keys(faults).length, 100_000);
  assert.equal(faults['overrides.g-99999'], 'not an input group of the graph');
  const sectors = JSON.stringify({ params: { tie_priority: Array.from({ length: 1_000_000 }, () => 'x') } });
  assert.deepEqual(await faultyFields(sectors), ['params.tie_priority']);
});

test('a body that is no object is malformed', async () => {
  for (const json of ['[]', 'null', '1', '"x"']) {
    await assert.rejects(check(json), { name: 'Problem', code: 'malformed' }, json);
  }
});

test('more than 100,000 overrides are one fault', async () => {
  const overrides = Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`g${index}`, 1]));
  assert.deepEqual(await faultyFields(JSON.stringify({ overrides })), ['overrides']);
});
