import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../support/client.ts';
import { type HeardEvent, openEvents } from '../support/http/event-stream.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { openHookServer, verifyAll } from '../support/http/hook-server.ts';
import { freePort } from '../support/ports.ts';
import { descendantsOf, eventually } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import { isTimeUp, repetitions } from '../support/tier.ts';

const kills = repetitions('KILLS', 4, 20);
const collection =
  '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[70,50]}}]}';

test(`over ${kills} kills of api and worker no listener and no webhook misses an event, and doubles have the same id`, async (t) => {
  const hooks = await closeAfterTests(openHookServer());
  const dataDir = await temporaryFolder();
  const env = {
    HTTP_PORT: String(await freePort()),
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
  };
  const start = async () => await startService({ dataDir, env });
  let service = await start();
  const over = new AbortController();
  t.after(async () => {
    over.abort();
    await service[Symbol.asyncDispose]();
  });
  const { baseUrl } = service;
  const client = createClient(baseUrl);
  const category = await client.createCategory('events');
  const made = await client.json<{ secret: string }>('/webhooks', {
    method: 'POST',
    body: JSON.stringify({ url: hooks.url }),
  });
  assert.equal(made.status, 201);
  const first = await openEvents(baseUrl, '?wait=0');
  await first.ended;
  const begin = first.place();

  const heard: HeardEvent[] = [];
  /** A listener that reconnects with its last place, like EventSource. */
  async function listen(): Promise<void> {
    let place = begin;
    while (!over.signal.aborted) {
      const stream = await openEvents(baseUrl, '', { 'last-event-id': place }).catch(() => undefined);
      if (stream?.status === 200) {
        const watch = setInterval(() => over.signal.aborted && stream.leave(), 50);
        await stream.ended;
        clearInterval(watch);
        heard.push(...stream.events);
        place = stream.place() === '' ? place : stream.place();
      }
      await sleep(100);
    }
  }

  const uploaded: string[] = [];
  async function upload(): Promise<void> {
    while (!over.signal.aborted) {
      const file = new File([collection], 'point.geojson');
      const id = await client.upload(category, 'vector', file).catch(() => undefined);
      if (id !== undefined) uploaded.push(id);
      await sleep(150);
    }
  }

  const listening = Promise.all([listen(), listen()]);
  const uploading = upload();
  let kill = 0;
  for (; kill < kills && (kill === 0 || !isTimeUp()); kill += 1) {
    await sleep(1000 + Math.random() * 1500);
    if (kill % 2 === 0) process.kill(await service.workerPid(), 'SIGKILL');
    else {
      const all = [service.pid, ...(await descendantsOf(service.pid)).map(({ pid }) => pid)];
      for (const pid of all) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {} // it ended with its parent
      }
      await service.exited();
      service = await start();
    }
  }
  await sleep(1000);
  const ids = [...uploaded];
  await eventually(
    'all are ready',
    async () => {
      for (const id of ids) if ((await client.status(id)).status !== 'ready') return false;
      return true;
    },
    120,
  );
  over.abort();
  await uploading;
  await listening;
  await sleep(500);

  const whole = await openEvents(baseUrl, `?wait=0&after=${begin}`);
  await whole.ended;
  const events = whole.events.filter(({ type }) => type !== 'reset');
  assert.ok(ids.length > kill, `${ids.length} uploads`);
  assert.equal(events.length, whole.events.length);
  for (const id of ids) {
    const types = events.filter(({ data }) => data['dataset_id'] === id).map(({ type }) => type);
    assert.equal(types[0], 'dataset.created', id);
    assert.ok(types.includes('dataset.ready'), `${id}: ${types.join()}`);
  }
  // The listeners ended shortly before the last events.
  const heardIds = new Set(heard.map(({ id }) => id));
  const lastHeard = events.findLastIndex(({ id }) => heardIds.has(id));
  assert.deepEqual(
    events.slice(0, lastHeard + 1).filter(({ id }) => !heardIds.has(id)),
    [],
  );
  assert.ok(!heard.some(({ type }) => type === 'reset'));

  const messages = await eventually(
    'all messages',
    async () => {
      const got = new Set(hooks.received.map(({ id }) => id));
      return events.every(({ id }) => got.has(`evt_${id}`)) && hooks.received;
    },
    120,
  );
  verifyAll(made.body.secret, messages);
  const bodies = new Map<string, string>();
  let doubles = 0;
  for (const { id, text } of messages) {
    if (bodies.has(id)) doubles += 1;
    assert.equal(bodies.get(id) ?? text, text, `another body under ${id}`);
    bodies.set(id, text);
  }
  console.log(`${events.length} events, ${messages.length} messages, ${doubles} of them doubles`);
});
