import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { send, sendJson } from '../support/datasets.ts';
import { exchange } from '../support/raw-http.ts';
import { addDataset, createRun, defaultParams, nodeCodes, type RunBody } from '../support/run-requests.ts';

interface Page {
  readonly data: readonly RunBody[];
  readonly total: number;
  readonly [field: string]: unknown;
}

let app: TestApp;
let raster: string;
before(async () => {
  app = await startTestApp();
  raster = await addDataset(app, 'ready');
});
after(async () => await app.close());

describe('a run that is created', () => {
  test('is queued, complete with defaults, and has 19 pending nodes by code', async () => {
    const { id, created_at, nodes, ...rest } = await createRun(app);
    assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal(new Date(created_at).toISOString(), created_at);
    assert.deepEqual(rest, {
      status: 'queued',
      params: defaultParams,
      overrides: {},
      from_stage: null,
      error: null,
      started_at: null,
      finished_at: null,
    });
    assert.deepEqual(
      nodes.map(({ id: nodeId, ...node }) => {
        assert.match(nodeId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        return node;
      }),
      nodeCodes.map((code) => ({
        run_id: id,
        node_code: code,
        stage: Number(code[0]),
        status: 'pending',
        fingerprint: '',
        inputs: null,
        outputs: null,
        error: null,
        started_at: null,
        finished_at: null,
      })),
    );
    assert.equal(new Set(nodes.map((node) => node.id)).size, 19);
  });

  test('is read at its Location as it was answered', async () => {
    const answer = await sendJson<RunBody>(app, 'POST', '/landscape/runs', {});
    assert.equal(answer.headers.get('location'), `/landscape/runs/${answer.body.id}`);
    const read = await send(app, answer.headers.get('location') ?? '');
    assert.equal(read.status, 200);
    assert.deepEqual(read.body, answer.body);
  });

  test('has one queued job that the queue was notified of', async () => {
    const { id } = await createRun(app);
    const jobs = await app.services.db.selectFrom('jobs').selectAll().where('ref_id', '=', id).execute();
    assert.deepEqual(
      jobs.map(({ kind, state }) => [kind, state]),
      [['run-landscape', 'queued']],
    );
    assert.ok(app.notified.includes(jobs[0]?.id ?? ''));
  });

  test('keeps what was asked for, and fills up its params', async () => {
    const pinned = { 'landscape-in-dem': raster, 'landscape-33-use-zone': raster.toUpperCase() };
    const run = await createRun(app, {
      from_stage: 2,
      overrides: pinned,
      params: { window_size: 256, tie_priority: [5, 4, 3, 2, 1], v2_min_s_e4: 1 },
    });
    assert.equal(run['from_stage'], 2);
    assert.deepEqual(run['overrides'], {
      'landscape-in-dem': raster,
      'landscape-33-use-zone': raster,
    });
    const asked = { window_size: 256, tie_priority: [5, 4, 3, 2, 1], v2_min_s_e4: 1 };
    assert.deepEqual(run['params'], { ...defaultParams, ...asked });
  });

  test('ignores what nobody knows, and takes null for not sent', async () => {
    const nulls = { from_stage: null, overrides: null, params: null };
    const unknown = { more: 1, params: { halo: 3 } };
    for (const body of [nulls, unknown]) {
      const { params, overrides, from_stage } = await createRun(app, body);
      assert.deepEqual([params, overrides, from_stage], [defaultParams, {}, null]);
    }
  });

  test('may have its thresholds in any order', async () => {
    const thresholds = { v1_min_s_e12: 5, v1_min_s_e3: 1, v2_min_s_e3: 5, v2_min_s_e4: 1 };
    assert.deepEqual((await createRun(app, { params: thresholds }))['params'], {
      ...defaultParams,
      ...thresholds,
    });
  });

  test('may have its params at either bound, and any stage', async () => {
    for (const window_size of [256, 8192]) await createRun(app, { params: { window_size } });
    for (const from_stage of [0, 1, 2, 3])
      assert.equal((await createRun(app, { from_stage })).from_stage, from_stage);
  });
});

describe('a body that is empty', () => {
  const post = 'POST /landscape/runs HTTP/1.1\r\nhost: test\r\nconnection: close\r\n';
  const heads = [
    [`no length and no type`, ''],
    ['a length of 0', 'content-length: 0\r\n'],
    ['the type of JSON', 'content-length: 0\r\ncontent-type: application/json\r\n'],
    ['the type of a form', 'content-length: 0\r\ncontent-type: multipart/form-data; boundary=x\r\n'],
    ['a type that is none', 'content-length: 0\r\ncontent-type: rubbish\r\n'],
  ] as const;
  for (const [what, headers] of heads) {
    test(`and has ${what} is a run with all defaults`, async () => {
      const answer = await exchange(app.port, `${post}${headers}\r\n`);
      assert.match(answer, /^HTTP\/1\.1 202 .*"window_size":2048/s);
    });
  }

  test('and comes in no chunks is a run with all defaults', async () => {
    const answer = await exchange(app.port, `${post}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 202 .*"window_size":2048/s);
  });
});

describe('GET /landscape/runs', () => {
  let own: TestApp;
  const ids: string[] = [];
  before(async () => {
    own = await startTestApp();
    for (let count = 0; count < 5; count += 1) {
      const { body } = await sendJson<RunBody>(own, 'POST', '/landscape/runs', { from_stage: count % 4 });
      ids.unshift(body.id);
      await own.services.pool.query(
        `update landscape_runs set created_at = '2026-01-01'::timestamptz + make_interval(mins => $1)
          where id = $2`,
        [count, body.id],
      );
    }
  });
  after(async () => await own.close());

  test('lists all runs, newest first', async () => {
    const { status, body } = await send<Page>(own, '/landscape/runs');
    const { data, ...page } = body;
    assert.deepEqual([status, page], [200, { page: 1, page_size: 20, total: 5, total_pages: 1 }]);
    assert.deepEqual(
      data.map(({ id }) => id),
      ids,
    );
  });

  test('gives each run as it is read by itself, but without its nodes', async () => {
    const { body } = await send<Page>(own, '/landscape/runs');
    for (const run of body.data) {
      const single = await send<RunBody>(own, `/landscape/runs/${run.id}`);
      assert.deepEqual(run, { ...single.body, nodes: null });
    }
  });

  test('gives one page of them, and links to the others', async () => {
    const { body, headers } = await send<Page>(own, '/landscape/runs?page=2&page_size=2');
    const { data, ...page } = body;
    assert.deepEqual(
      data.map(({ id }) => id),
      ids.slice(2, 4),
    );
    assert.deepEqual(page, { page: 2, page_size: 2, total: 5, total_pages: 3 });
    assert.equal(
      headers.get('link'),
      ['1>; rel="first"', '1>; rel="prev"', '3>; rel="next"', '3>; rel="last"']
        .map((end) => `<?page=${end.replace('>', '&page_size=2>')}`)
        .join(', '),
    );
  });

  test('gives an empty page past the end', async () => {
    const { body } = await send<Page>(own, '/landscape/runs?page=4&page_size=2');
    assert.deepEqual(body, { data: [], page: 4, page_size: 2, total: 5, total_pages: 3 });
  });

  for (const query of ['page=0', 'page_size=0', 'page_size=101', 'page=x', 'page=1&page=1']) {
    test(`with ${query} is 400`, async () => {
      assert.equal((await send(own, `/landscape/runs?${query}`)).status, 400);
    });
  }
});

describe('GET /landscape/runs/{id}', () => {
  test('takes its id in either case', async () => {
    const run = await createRun(app);
    assert.deepEqual((await send(app, `/landscape/runs/${run.id.toUpperCase()}`)).body, run);
  });

  test('is 404 when there is no such run, and 400 when the id is none', async () => {
    assert.equal((await send(app, `/landscape/runs/${randomUUID()}`)).status, 404);
    assert.equal((await send(app, '/landscape/runs/x')).status, 400);
  });
});
