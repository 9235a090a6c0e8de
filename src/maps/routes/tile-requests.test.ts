import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { openListener } from '../../database/listener.ts';
import { createApp } from '../../runtime/api/app.ts';
import { createDrawnAnswers } from '../../http/answer/drawn.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Parts } from '../../runtime/api/parts.ts';
import { ClientGone } from '../../http/request/until-gone.ts';
import { createRecentDatasets } from '../../datasets/recent-datasets.ts';
import { readRaster } from '../service/drawn-datasets.ts';
import { createTileBudget } from '../../http/limits/tile-budget.ts';
import { drawingProblems } from '../../messages/drawing/english.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, upload } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';

const testApp = await closeAfterTests(startTestApp());
const { services, databaseTarget } = testApp;
const { db } = services;
const asked = 40;
/** Requests of one thread: four that it works on, and eight in its queue. */
const underWay = 12;

const raster = {
  id: '6d2c4f4e-0000-4000-8000-000000000000',
  name: 'relief',
  unit: null,
  file_type: 'raster',
  status: 'ready',
  filename: 'relief.tif',
  kato_column: null,
  year_columns: null,
  files: [],
  view_state: 'made',
  bbox: null,
  sld_key: null,
  dg_id: null,
  group_code: null,
  style: undefined,
  cogKey: 'cog',
  meshKey: 'mesh',
  version: '1',
} as const;

/** An HTTP edge over the services of this file, some of them replaced; nothing else caches what it has drawn. */
async function openApp(t: TestContext, replaced: Partial<Parts>): Promise<App> {
  const app = await createApp({ ...services, drawnAnswers: createDrawnAnswers(), ...replaced });
  t.after(async () => await app.close());
  return app;
}

test('nothing is drawn for clients that have gone while their tile was looked up, or waited for its turn', async (t) => {
  const found = Promise.withResolvers<void>();
  const lookUps = { begun: 0 };
  /** Signals of the tiles that are drawn, by their column. */
  const drawn = new Map<number, AbortSignal>();
  const app = await openApp(t, {
    tileBudget: createTileBudget({ tilesPerSecond: 200, calls: 4 }),
    maps: {
      ...services.maps,
      async raster() {
        lookUps.begun += 1;
        await found.promise;
        return raster;
      },
      async tile(_raster, { tile }, signal) {
        drawn.set(tile.x, signal);
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener('abort', () => reject(signal.reason));
        return await promise;
      },
    },
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  let ended = 0;
  app.server.on('connection', (socket) => socket.once('close', () => (ended += 1)));
  const ask = (index: number) => {
    const path = `/datasets/${raster.id}/tiles/10/${index}/0.png`;
    const asking = request({ host: '127.0.0.1', port, path, agent: false });
    asking.on('error', () => undefined);
    asking.end();
    return asking;
  };
  const early = Array.from({ length: asked }, (_, index) => ask(index));
  await eventually('all are looked up', async () => lookUps.begun === asked, 10);
  for (const one of early) one.destroy();
  await eventually('all have gone', async () => ended === asked, 10);
  found.resolve();
  await nextTurn();
  const late = Array.from({ length: asked }, (_, index) => ask(index + asked));
  await eventually('some are drawn', async () => drawn.size >= underWay, 10);
  await eventually('all are looked up', async () => lookUps.begun === 2 * asked, 10);
  // Waiting requests leave first: the service cannot detect that a client has gone before its connection has
  // ended.
  const waiting = late.filter((_, index) => !drawn.has(index + asked));
  for (const one of waiting) one.destroy();
  await eventually('those that wait have gone', async () => ended === asked + waiting.length, 10);
  for (const one of late) one.destroy();
  await eventually('all have gone', async () => ended === 2 * asked, 10);
  await eventually(
    'what is drawn is given up',
    async () => [...drawn.values()].every(({ aborted }) => aborted),
    10,
  );
  assert.equal(drawn.size, underWay);
});

test('the wait for a view counts for the client, and ends when the client leaves', async () => {
  const { id } = await upload(testApp, { category_id: await insertCategory(db) });
  const ready = { status: 'ready', view_state: 'pending' } as const;
  await db.updateTable('datasets').set(ready).where('id', '=', id).execute();
  const listener = await openListener(databaseTarget, { onError: () => undefined });
  const datasets = createRecentDatasets({ db, listener });
  const leaving = new AbortController();
  let waits = 0;
  const begin = () => {
    waits += 1;
    leaving.abort(new ClientGone('gone'));
  };
  await assert.rejects(readRaster(datasets, id, { signal: leaving.signal, begin }), ClientGone);
  assert.equal(waits, 1);
  await datasets.close();
  await listener.close();
});

test('a trusted proxy says who asks for tiles, and nothing about the address of the service', async (t) => {
  const statusesBehind = async (trustedProxies: readonly string[]) => {
    const app = await openApp(t, {
      access: { ...services.access, trustedProxies },
      tileBudget: createTileBudget({ tilesPerSecond: 1, calls: 4, now: () => 0 }),
      maps: {
        ...services.maps,
        dataset: async () => raster,
        raster: async () => raster,
        zoomsOf: async () => [0, 10],
        tile: async () => undefined,
      },
    });
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
    const ask = async (path: string, client: string) => {
      const claims = { 'x-forwarded-for': client, 'x-forwarded-host': 'evil.example' };
      return await fetch(`${baseUrl}/datasets/${raster.id}${path}`, { headers: claims });
    };
    const { tiles } = z
      .object({ tiles: z.array(z.string()) })
      .parse(await (await ask('/tilejson.json', '')).json());
    assert.ok(tiles[0]?.startsWith(`${baseUrl}/datasets/`), tiles[0]);
    const clients = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '198.51.100.9, 192.0.2.1'];
    const statuses: number[] = [];
    for (const [x, client] of clients.entries())
      statuses.push((await ask(`/tiles/10/${x}/0.png`, client)).status);
    return statuses;
  };
  assert.deepEqual(await statusesBehind(['127.0.0.0/8']), [200, 200, 200, 429]);
  assert.deepEqual(await statusesBehind([]), [200, 200, 429, 429]);
});

test('a tile of the version that its address names may be kept: by shared caches only where it needs no token', async (t) => {
  const maps = { ...services.maps, raster: async () => raster, tile: async () => undefined };
  const authenticator = {
    authenticate: async () => ({
      subject: 'token:1',
      name: 'tiles',
      scopes: new Set(['data:read' as const]),
    }),
  };
  const { access } = services;
  const closed = { ...access, authentication: { mode: 'token', authenticator } as const };
  const keptBy = async (app: App, query: string) => {
    const { port } = Object(app.server.address());
    const url = `http://127.0.0.1:${port}/datasets/${raster.id}/tiles/10/0/0.png${query}`;
    const answer = await fetch(url, { headers: { authorization: 'Bearer one' } });
    assert.equal(answer.status, 200, await answer.text());
    return answer.headers.get('cache-control');
  };
  for (const [app, kept] of [
    [await openApp(t, { maps, access }), 'public, max-age=31536000, immutable'],
    [await openApp(t, { maps, access: closed }), 'private, max-age=31536000, immutable'],
  ] as const) {
    await app.listen({ host: '127.0.0.1', port: 0 });
    assert.equal(await keptBy(app, '?v=1'), kept);
    assert.equal(await keptBy(app, '?v=0'), 'no-cache');
    assert.equal(await keptBy(app, ''), 'no-cache');
  }
});

test('cached facts of maps are dropped when something has changed, and not when a change is refused', async (t) => {
  let forgotten = 0;
  const app = await openApp(t, {
    maps: {
      ...services.maps,
      forgetAll() {
        forgotten += 1;
      },
    },
  });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { 'content-type': 'application/json' };
  const post = async (body: unknown) =>
    (await fetch(`${baseUrl}/categories`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  assert.deepEqual([await post({}), await post([]), forgotten], [422, 400, 0]);
  assert.equal((await fetch(`${baseUrl}/nowhere`, { method: 'DELETE' })).status, 404);
  assert.equal(forgotten, 0);
  assert.deepEqual([await post({ code: 'forgotten', name: 'Forgotten' }), forgotten], [201, 1]);
});

test('a raster that turns out to be damaged is 422 with a sentence', async (t) => {
  const app = await openApp(t, {
    maps: {
      ...services.maps,
      raster: async () => raster,
      async tile() {
        throw drawingProblems.brokenRaster();
      },
    },
  });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  const answer = await fetch(`${baseUrl}/datasets/${raster.id}/tiles/10/0/0.png`);
  const error = 'the raster is damaged and cannot be drawn here';
  assert.deepEqual([answer.status, await answer.json()], [422, { error }]);
});
