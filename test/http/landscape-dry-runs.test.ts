import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { send, sendJson, setState } from '../support/datasets.ts';
import {
  addDataset,
  countRows,
  createRun,
  defaultParams,
  type Failure,
  failingFields,
  type NodeBody,
  nodeCodes,
  type RunBody,
  slotCodes,
} from '../support/run-requests.ts';

let app: TestApp;
let raster: string;
let computed: string;
before(async () => {
  app = await startTestApp();
  raster = await addDataset(app, 'ready');
  computed = await addDataset(app, 'ready');
  await setState(app.services, computed, {}, { cog_storage_key: 'COG' });
});
after(async () => await app.close());

describe('a dry run', () => {
  const path = '/landscape/runs?dry_run=true';

  test('answers 200 with the run as it would start, and stores nothing', async () => {
    const before = await countRows(app);
    const answer = await sendJson<RunBody>(app, 'POST', path, {
      from_stage: 1,
      params: { window_size: 512 },
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('location'), null);
    const { nodes, status, params, from_stage } = answer.body;
    assert.deepEqual([status, params, from_stage], ['queued', { ...defaultParams, window_size: 512 }, 1]);
    assert.deepEqual(
      nodes.map(({ node_code, status: nodeStatus }) => [node_code, nodeStatus]),
      nodeCodes.map((code) => [code, 'pending']),
    );
    assert.deepEqual(await countRows(app), before);
    assert.equal((await send(app, `/landscape/runs/${answer.body.id}`)).status, 404);
  });

  test('says which inputs are missing, at the first node that reads one', async () => {
    const { body } = await send<RunBody>(app, path, { method: 'POST' });
    const missing = slotCodes.join(', ');
    assert.deepEqual(
      body.nodes.filter(({ error }) => error !== null).map(({ node_code, error }) => [node_code, error]),
      [['01', `no ready raster for input groups: ${missing}`]],
    );
  });

  test('skips what an earlier run has computed, with the output that is used again', async () => {
    const overrides = Object.fromEntries(slotCodes.map((code) => [code, raster]));
    const planned = async (input: object): Promise<NodeBody> => {
      const { body } = await sendJson<RunBody>(app, 'POST', path, { overrides, ...input });
      const [first, ...others] = body.nodes;
      assert.deepEqual(
        others.map(({ status }) => status),
        others.map(() => 'pending'),
      );
      assert.ok(first !== undefined);
      return first;
    };
    const { fingerprint, ...before } = await planned({});
    assert.match(fingerprint, /^[0-9a-f]{64}$/);
    assert.deepEqual(before.inputs, [{ group: 'landscape-in-dem', dataset_id: raster }]);
    assert.deepEqual([before.status, before.outputs], ['pending', null]);
    const { id } = await createRun(app, { overrides });
    await app.services.pool.query(
      `update landscape_run_nodes set status = 'succeeded', fingerprint = $1, output_id = $2, finished_at = now()
        where run_id = $3 and node_code = '01'`,
      [fingerprint, computed, id],
    );
    const { status, outputs } = await planned({});
    assert.deepEqual([status, outputs], ['skipped', [{ group: 'landscape-01-slope', dataset_id: computed }]]);
    assert.equal((await planned({ from_stage: 0 })).status, 'pending');
  });

  test('is checked like any run', async () => {
    const query = '?dry_run=true';
    assert.deepEqual(Object.keys(await failingFields(app, { from_stage: 4 }, query)), ['from_stage']);
    assert.equal((await sendJson(app, 'POST', path, '{')).status, 400);
  });

  test('is none when dry_run is false', async () => {
    assert.equal((await send(app, '/landscape/runs?dry_run=false', { method: 'POST' })).status, 202);
  });

  for (const query of ['dry_run=1', 'dry_run=', 'dry_run=TRUE', 'dry_run', 'dry_run=true&dry_run=true']) {
    test(`with ${query} is 400 and stores nothing`, async () => {
      const before = await countRows(app);
      const answer = await send<Failure>(app, `/landscape/runs?${query}`, { method: 'POST' });
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['error']]);
      assert.deepEqual(await countRows(app), before);
    });
  }
});
