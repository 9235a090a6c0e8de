import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GiB, MiB } from '../../src/lib/units.ts';
import { nodeCodes } from '../acceptance/support/graph.ts';
import { createClient } from '../support/client.ts';
import { createLandscapeClient } from '../support/landscape/landscape.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { squaresGeoJson } from '../support/geo/generated-files.ts';
import { freePort } from '../support/ports.ts';
import { eventually } from '../support/processes.ts';
import { startService, tellModules } from '../support/service.ts';

const port = await freePort();
const service = await closeAfterTests(
  startService({ env: { METRICS_PORT: String(port), ACCESS_LOG: 'on', NODE_OPTIONS: tellModules } }),
);
const client = createClient(service.baseUrl);
const categoryId = await client.createCategory('metrics');
// The worker may find the first dataset as it starts; by the second one it listens.
for (const name of ['first', 'second']) {
  const id = await client.upload(categoryId, 'vector', new File([squaresGeoJson(3)], `${name}.geojson`));
  await eventually('ready', async () => (await client.status(id)).status === 'ready');
}

const landscape = createLandscapeClient(service.baseUrl);
await landscape.fillAll();
await landscape.run();

async function read(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return await answer.text();
}

test('the figures of the service and of its worker are told together, without an id', async () => {
  const text = await eventually('the attempts are counted', async () => {
    const metrics = await read();
    return /steppe_attempts_total\{kind="run-landscape".* 1\n/.test(metrics) && metrics;
  });
  for (const line of [
    'steppe_http_requests_total{route="/datasets",method="POST",status="201"} 2',
    'steppe_attempts_total{kind="process-dataset",ending="done"} ',
    'steppe_attempts_total{kind="run-landscape",ending="done"} 1',
    'steppe_engine_ends_total{how="answered"} ',
    'steppe_store_seconds_count{op="put"} ',
    'steppe_wake_ups_total{lane="datasets",heard="yes"} ',
    'steppe_pool{state="waiting"} 0',
    'steppe_waiters 0',
    'steppe_run_blocks{state="left"} 0',
    'steppe_workflow_engine_away_seconds 0',
    'steppe_scratch_bytes ',
  ]) {
    assert.ok(text.includes(`\n${line}`), `${line} is not in\n${text}`);
  }
  assert.match(text, /\nsteppe_jobs\{lane="runs",state="queued"\} 0\n/);
  assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-|healthz|readyz/);
});

test('each node of a run is timed, and each child of the engine says how much memory it had', async () => {
  const text = await read();
  for (const code of nodeCodes) {
    assert.match(text, new RegExp(`\\nsteppe_node_seconds_count\\{node="${code}"\\} [1-9]`));
    assert.match(text, new RegExp(`\\nsteppe_node_seconds_sum\\{node="${code}"\\} 0\\.0*[1-9]`));
  }
  const figure = (end: string) =>
    Number(new RegExp(`\\nsteppe_engine_peak_bytes_${end} (\\d+)`).exec(text)?.[1]);
  const mean = figure('sum') / figure('count');
  assert.ok(mean > 40 * MiB && mean < GiB, `${mean / MiB} MiB`);
});

test('the port has nothing else', async () => {
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
  assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status, 404);
});

test('the access log is written while the service runs', async () => {
  await eventually('a line', async () => service.output().includes('"path":"/datasets","status":201'), 5);
});

test('without a collector and a workflow engine nothing of their SDKs is loaded, by the service or by its worker', () => {
  assert.doesNotMatch(service.output(), /loaded /);
});
