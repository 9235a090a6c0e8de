import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { openTracing } from '../../src/runtime/tracing.ts';
import { inTrace as inNewTrace } from '../../src/tracing/tracing.ts';
import { createClient } from '../support/client.ts';
import { type CollectedSpan, openCollector, openHangingCollector } from '../support/services/collector.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { floatTiff } from '../support/geo/generated-files.ts';
import { freePort } from '../support/ports.ts';
import { eventually } from '../support/processes.ts';
import { startService, tellModules } from '../support/service.ts';

const server = 2;
const consumer = 5;
const failed = 2;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpanId = '00f067aa0ba902b7';
const unsampledId = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const secret = 'Ivanov';

const collector = await closeAfterTests(openCollector());
const service = await closeAfterTests(
  startService({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=maps',
      OTEL_SERVICE_NAME: 'maps',
      NODE_OPTIONS: tellModules,
    },
  }),
);
const { baseUrl } = service;
const client = createClient(baseUrl);
const categoryId = await client.createCategory('traced');
for (const probe of ['/healthz', '/readyz', '/healthz', '/readyz'])
  await (await fetch(baseUrl + probe)).text();

const datasetId = await upload(`00-${traceId}-${callerSpanId}-01`);
await eventually('ready', async () => (await client.status(datasetId)).status === 'ready');
await fetch(`${baseUrl}/no-such-path/${secret}?token=${secret}`);
await fetch(`${baseUrl}/datasets?name=${secret}&page=1`);
await fetch(`${baseUrl}/categories`, { headers: { traceparent: `00-${unsampledId}-${callerSpanId}-00` } });
await fetch(`${baseUrl}/categories`, { headers: { traceparent: 'nonsense' } });
await eventually('an attempt is told', async () => named('attempt process-dataset').length > 0);
await eventually('the last request is told', async () => named('GET /categories').length === 1);

async function upload(traceparent: string): Promise<string> {
  const form = new FormData();
  form.append('file_type', 'raster');
  form.append('category_id', categoryId);
  form.append('name', secret);
  form.append('file', new File([floatTiff(64)], `${secret}.tif`));
  const headers = { traceparent };
  const response = await fetch(`${baseUrl}/datasets?token=${secret}`, {
    method: 'POST',
    body: form,
    headers,
  });
  assert.equal(response.status, 201);
  const body: { id: string } = JSON.parse(await response.text());
  return body.id;
}

function named(name: string): readonly CollectedSpan[] {
  return collector.spans.filter((span) => span.name === name);
}

function inTrace(name: string): CollectedSpan {
  const [span] = named(name).filter((each) => each.traceId === traceId);
  return span ?? assert.fail(`${name} is not among ${collector.spans.map((each) => each.name).join(', ')}`);
}

/** Names of a span and of its ancestors, up to the first one from outside of this service. */
function pathOf(span: CollectedSpan): readonly string[] {
  const parent = collector.spans.find(
    ({ spanId, traceId: id }) => spanId === span.parentSpanId && id === span.traceId,
  );
  return parent === undefined ? [span.name] : [span.name, ...pathOf(parent)];
}

describe('the trace of an upload', () => {
  const attempted = ['attempt process-dataset', 'enqueue process-dataset', 'transaction', 'POST /datasets'];

  test('begins below the span of the caller, with template, method and status', () => {
    const request = inTrace('POST /datasets');
    assert.equal(request.parentSpanId, callerSpanId);
    assert.equal(request.kind, server);
    assert.deepEqual(request.attributes, {
      'http.request.method': 'POST',
      'http.route': '/datasets',
      'http.response.status_code': 201,
    });
  });

  test('goes on in statements, in the store and at the queue', () => {
    assert.deepEqual(pathOf(inTrace('insert datasets')), [
      'insert datasets',
      'transaction',
      'POST /datasets',
    ]);
    assert.deepEqual(pathOf(inTrace('insert jobs')), ['insert jobs', ...attempted.slice(1)]);
    assert.deepEqual(pathOf(inTrace('store put')), ['store put', 'POST /datasets']);
    assert.deepEqual(pathOf(inTrace('wake-up datasets')), ['wake-up datasets', 'POST /datasets']);
  });

  test('goes on after a body of JSON was read', () => {
    const [made] = named('insert categories').filter((span) => pathOf(span).at(-1) === 'POST /categories');
    assert.ok(made, 'the statement is below the request');
  });

  test('goes on in the worker, in the task of its child and in what it stores', () => {
    const attempt = inTrace('attempt process-dataset');
    assert.deepEqual(pathOf(attempt), attempted);
    assert.equal(attempt.kind, consumer);
    assert.equal(attempt.attributes['steppe.ref.id'], datasetId);
    assert.equal(attempt.attributes['steppe.ending'], 'done');
    const [request, worker] = [inTrace('POST /datasets').resource, attempt.resource];
    assert.deepEqual([request['service.name'], worker['service.name']], ['maps', 'maps']);
    assert.deepEqual([request['steppe.role'], worker['steppe.role']], ['serve', 'worker']);
    assert.notEqual(request['process.pid'], worker['process.pid']);

    const errands = collector.spans.filter(
      (span) => span.traceId === traceId && span.name.startsWith('engine '),
    );
    assert.ok(errands.length > 0);
    for (const errand of errands) {
      assert.deepEqual(pathOf(errand), [errand.name, ...attempted]);
      assert.equal(errand.attributes['steppe.engine.ending'], 'answered');
      const steps = Object.keys(errand.attributes).filter((key) => key.endsWith('_seconds'));
      assert.ok(steps.length > 0, 'the child tells its steps');
    }
    const stored = collector.spans.filter(
      (span) => /^store (?:put|adopt)$/.test(span.name) && span.resource['steppe.role'] === 'worker',
    );
    assert.ok(stored.length > 0);
    for (const call of stored) assert.deepEqual(pathOf(call), [call.name, ...attempted]);
  });

  test('lasts from the beginning of a span to the end of those within it', () => {
    for (const name of ['insert datasets', 'insert jobs', 'store put']) {
      const [inner, outer] = [inTrace(name), inTrace('POST /datasets')];
      const slackNs = 5_000_000n; // statements are recorded in milliseconds
      assert.ok(BigInt(inner.startTimeUnixNano) >= BigInt(outer.startTimeUnixNano) - slackNs, name);
      assert.ok(BigInt(inner.endTimeUnixNano) <= BigInt(outer.endTimeUnixNano) + slackNs, name);
    }
  });
});

describe('what is traced', () => {
  test('begins with a request or with an attempt, and nowhere else', () => {
    const known = new Set(collector.spans.map(({ spanId }) => spanId));
    const tops = collector.spans.filter(({ parentSpanId = '' }) => !known.has(parentSpanId));
    assert.ok(tops.length > 3);
    assert.deepEqual(
      tops.filter(({ kind }) => kind !== server).map(({ name }) => name),
      [],
    );
  });

  test('are no probes', () => {
    assert.deepEqual(
      collector.spans.filter(({ name }) => /healthz|readyz/.test(name)),
      [],
    );
  });

  test('a request whose trace is not sampled has no span, and one with an invalid trace begins its own', () => {
    assert.ok(collector.spans.every((span) => span.traceId !== unsampledId));
    assert.equal(named('GET /categories')[0]?.parentSpanId ?? '', '');
  });

  test('the span of an unknown path has neither the name of a route nor a failure', () => {
    const [unknown] = named('GET');
    assert.equal(unknown?.attributes['http.response.status_code'], 404);
    assert.notEqual(unknown?.status.code, failed);
  });

  test('has nothing that a user has written', () => {
    assert.ok(collector.said().includes(datasetId));
    assert.doesNotMatch(collector.said(), new RegExp(`${secret}|token|\\.tif`));
  });

  test('goes to the collector with the headers that the environment names', () => {
    assert.ok(collector.headers.every((each) => each['x-tenant'] === 'maps'));
  });
});

/** Runs a service with a collector that does not work; returns its log. */
async function workWithout(endpoint: string): Promise<string> {
  const other = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  await using _ = other;
  const user = createClient(other.baseUrl);
  const category = await user.createCategory('untraced');
  const id = await user.upload(category, 'raster', new File([floatTiff(64)], 'a.tif'));
  await eventually('ready', async () => (await user.status(id)).status === 'ready');
  await eventually('a warning of both', async () => warnings(other.output()).length === 2, 20);
  // More batches fail, without another log line.
  for (let batch = 0; batch < 8; batch += 1) {
    assert.equal((await user.status(id)).status, 'ready');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  assert.equal(await other.stop(), 0, other.output());
  return other.output();
}

function warnings(output: string): readonly string[] {
  return output.split('\n').filter((line) => line.includes('traces cannot be delivered'));
}

describe('a collector that is away', () => {
  test('costs no request, is told of once by each process, and keeps no process from ending', async () => {
    const hanging = await openHangingCollector();
    try {
      const told = warnings(await workWithout(hanging.endpoint));
      assert.equal(told.length, 2, told.join('\n'));
      assert.ok(hanging.asked() > 2);
    } finally {
      await hanging.close();
    }
  });

  test('is told of with the reason', async () => {
    const { told, close } = await traceTo(`http://127.0.0.1:${await freePort()}`);
    await eventually('a warning', async () => told.length > 0);
    assert.match(told.join(''), /ECONNREFUSED/);
    await close();
    assert.equal(told.length, 1);
  });

  test('keeps no process from ending before it has noticed', async () => {
    const hanging = await openHangingCollector();
    try {
      const { close } = await traceTo(hanging.endpoint);
      const startedAt = performance.now();
      await close();
      assert.ok(performance.now() - startedAt < 4000);
    } finally {
      await hanging.close();
    }
  });

  /** Exports a span from this process to a collector; the exporter reads the environment. */
  async function traceTo(endpoint: string) {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint;
    const told: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void told.push(line) });
    const { close } = await openTracing(readConfig(), 'api', log);
    await inNewTrace({ name: 'asked', kind: 'server', attributes: {} }, undefined, async () => undefined);
    return { told, close };
  }
});

test('the last spans are delivered when the service ends', async () => {
  assert.match(service.output(), /loaded .*sdk-trace/, 'what is loaded is told');
  await client.createCategory('last');
  assert.equal(await service.stop(), 0, service.output());
  assert.equal(named('POST /categories').length, 2);
});
