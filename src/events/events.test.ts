import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestApp } from '../../test/support/app.ts';
import { insertCategory, insertGroup, send, sendJson, upload } from '../../test/support/datasets.ts';
import { type EventStream, openEvents } from '../../test/support/http/event-stream.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { eventually } from '../../test/support/processes.ts';
import { insertPendingDatasets } from '../../test/support/geo/rasters.ts';
import { openSocket, request } from '../../test/support/http/raw-http.ts';

const app = await closeAfterTests(startTestApp({ maxWaiters: 60 }));
const { pool, db, eventListeners } = app.services;
const categoryId = await insertCategory(db);

const heard = async (stream: EventStream, count: number) =>
  await eventually(`${count} events`, async () => stream.events.length >= count && stream.events);
const setStatus = async (ids: readonly string[], status: string) =>
  await pool.query('update datasets set status = $2 where id = any($1)', [ids, status]);
/** Records this many events, each with this many characters. */
const tell = async (count: number, characters = 1) =>
  await pool.query(
    `insert into event_news (type, dataset_id, data)
     select 'dataset.status', id, jsonb_build_object('dataset_id', id, 'x', repeat('x', $2))
     from (select gen_random_uuid() as id from generate_series(1, $1)) ids`,
    [count, characters],
  );
const gone = async () => await eventually('nobody listens', async () => eventListeners.count() === 0);

describe('GET /events', () => {
  test('tells those who listen what happens, each thing once and in one order', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, async () => await openEvents(app.baseUrl)));
    const [first] = streams;
    assert.equal(first?.headers.get('content-type'), 'text/event-stream');
    assert.equal(first.headers.get('x-accel-buffering'), 'no');
    const { id } = await upload(app, { category_id: categoryId });
    await sendJson(app, 'PATCH', `/datasets/${id}`, { name: 'Another' });
    await send(app, `/datasets/${id}`, { method: 'DELETE' });
    for (const stream of streams) await heard(stream, 3);
    assert.deepEqual(
      first.events.map(({ type, data }) => [type, data['dataset_id']]),
      ['created', 'changed', 'deleted'].map((what) => [`dataset.${what}`, id]),
    );
    for (const stream of streams) {
      assert.deepEqual(stream.events, first.events);
      stream.leave();
    }
    await gone();
  });

  test('goes on behind the last event that a client has, wherever that is kept', async () => {
    const stream = await openEvents(app.baseUrl);
    await tell(2200); // more than an api keeps in memory
    await heard(stream, 2200);
    stream.leave();
    await gone();
    const all = stream.events;
    const places = [all[0], all[700], all[2190], all[2199]].map((event) => event?.id ?? '');
    for (const [place, left] of [
      [places[0], 2199],
      [places[1], 1499],
      [places[2], 9],
      [places[3], 0],
    ] as const) {
      const again = await openEvents(app.baseUrl, '?wait=0', { 'last-event-id': place ?? '' });
      await again.ended;
      assert.deepEqual(again.events, all.slice(2200 - left));
    }
    const byQuery = await openEvents(app.baseUrl, `?wait=0&after=${places[1]}`);
    await byQuery.ended;
    assert.deepEqual(byQuery.events, all.slice(701));
    const wanted = String(all[3]?.data['dataset_id']);
    const one = await openEvents(app.baseUrl, `?wait=0&after=${places[0]}&dataset_id=${wanted}`);
    await one.ended;
    assert.deepEqual(one.events, [all[3]]);
  });

  test('sends only the requested events, and the places of the others', async () => {
    const group = await insertGroup(db);
    const [inGroup = '', other = ''] = await insertPendingDatasets(pool, 2);
    await pool.query('update datasets set dg_id = $2 where id = $1', [inGroup, group]);
    const ofTypes = await openEvents(app.baseUrl, '?types=dataset.ready,dataset.failed');
    const ofDataset = await openEvents(app.baseUrl, `?dataset_id=${other}`);
    const ofGroup = await openEvents(app.baseUrl, `?group_id=${group}&types=dataset.ready`);
    await setStatus([inGroup, other], 'processing');
    await setStatus([inGroup], 'ready');
    await setStatus([other], 'failed');
    const seen = async (stream: EventStream, count: number) =>
      (await heard(stream, count)).map(
        ({ type, data }) => `${type} ${data['dataset_id'] === other ? 'other' : 'in group'}`,
      );
    assert.deepEqual(await seen(ofTypes, 2), ['dataset.ready in group', 'dataset.failed other']);
    assert.deepEqual(await seen(ofDataset, 2), ['dataset.status other', 'dataset.failed other']);
    assert.deepEqual(await seen(ofGroup, 1), ['dataset.ready in group']);
    await setStatus([other], 'pending');
    await delay(50);
    for (const stream of [ofTypes, ofDataset, ofGroup]) stream.leave();
    assert.equal(ofGroup.events.length, 1);
    await gone();
  });

  test('reports missing events to a client whose place is older than the stored ones, or from another database', async () => {
    const ended = await openEvents(app.baseUrl, '?wait=0');
    await ended.ended;
    const [epoch = '', position = ''] = ended.place().split('-');
    for (const place of ['00000000-1', `${epoch}-${Number(position) + 1}`]) {
      const lost = await openEvents(app.baseUrl, `?wait=0&after=${place}`);
      await lost.ended;
      assert.deepEqual(
        lost.events.map(({ type, id }) => [type, id]),
        [['reset', ended.place()]],
      );
    }
    await pool.query("update events set made_at = now() - interval '8 days' where position <= 5");
    await pool.query('select forget_events(7, 1000000)');
    const forgotten = await openEvents(app.baseUrl, `?wait=0&after=${epoch}-4`);
    await forgotten.ended;
    assert.deepEqual(
      forgotten.events.map(({ type }) => type),
      ['reset'],
    );
    const kept = await openEvents(app.baseUrl, '?wait=0&after=0');
    await kept.ended;
    assert.deepEqual(
      [kept.events[0]?.id, kept.events.at(-1)?.id, kept.events.some(({ type }) => type === 'reset')],
      [`${epoch}-6`, ended.place(), false],
    );
  });

  test('refuses what it cannot read, and more clients than it may have', async () => {
    for (const query of ['?after=1', '?types=dataset.gone', '?types=', '?wait=901', '?dataset_id=x'])
      assert.equal((await send(app, `/events${query}`)).status, 400, query);
    assert.equal((await send(app, '/events?wait=0', { headers: { 'last-event-id': 'x' } })).status, 400);
    assert.equal((await fetch(`${app.baseUrl}/events`, { method: 'HEAD' })).status, 200);
    const streams = await Promise.all(Array.from({ length: 60 }, async () => await openEvents(app.baseUrl)));
    assert.equal((await send(app, '/events')).status, 503);
    for (const stream of streams) stream.leave();
    await gone();
  });

  test('buffers only a part for a client that does not read, which misses nothing when it reads again', async () => {
    const socket = await openSocket(app.port);
    socket.write(request('GET', '/events', { accept: 'text/event-stream' }));
    await once(socket, 'readable');
    socket.pause();
    const [epoch] = (await openAndEnd()).split('-');
    await tell(2500, 2500); // more than the buffers of a connection hold
    const end = await openAndEnd();
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.resume();
    await eventually('the last event', async () => text.includes(`id: ${end}\n`));
    const positions = Array.from(text.matchAll(/^id: (\S+)\nevent/gm), ([, id = '']) =>
      Number(id.split('-')[1]),
    );
    assert.equal(positions.length, 2500);
    assert.equal(positions.at(-1), Number(end.split('-')[1]));
    assert.ok(
      positions.every((position, index) => index === 0 || position === (positions[index - 1] ?? 0) + 1),
      epoch,
    );
    socket.destroy();
    await gone();
  });

  test('finds events whose notification was lost', async () => {
    const stream = await openEvents(app.baseUrl);
    await pool.query("insert into event_news (type, data) values ('dataset.status', '{}')");
    await heard(stream, 1);
    stream.leave();
    await gone();
  });

  test('ends when the service shuts down, with the time after which to reconnect', async () => {
    await using draining = await startTestApp();
    const streams = await Promise.all(
      Array.from({ length: 5 }, async () => await openEvents(draining.baseUrl)),
    );
    draining.drain();
    const times = new Set<string>();
    for (const stream of streams) {
      await stream.ended;
      times.add(/retry: (\d{4})\n\n$/.exec(stream.text())?.[1] ?? assert.fail(stream.text()));
    }
    assert.ok(times.size > 1);
    assert.equal((await send(draining, '/events')).status, 503);
  });
});

async function openAndEnd(): Promise<string> {
  const stream = await openEvents(app.baseUrl, '?wait=0');
  await stream.ended;
  return stream.place();
}
