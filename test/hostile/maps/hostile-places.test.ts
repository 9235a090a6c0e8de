import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { describe, test } from 'node:test';
import { squaresCog } from '../../support/maps/drawn-cogs.ts';
import { closeAfterTests } from '../../support/for-tests.ts';
import { inLanes } from '../../support/maps/lanes.ts';
import { fetchRaw } from '../../support/http/raw-http.ts';
import { repetitions } from '../../support/tier.ts';
import { askPatiently, startDrawing, tilesOver } from '../../support/maps/tiles.ts';

/** Number of different tiles that one client requests. */
const flood = repetitions('TILE_FLOOD', 400, 100_000);
/** More requests than one thread and its queue take, although each client has only a few. */
const [peers, ofEachPeer] = [10, 12];

/** Tiles per second for each client, which may accumulate two seconds of them. */
const tileRate = 50;
const savedSeconds = 2;
const drawing = await closeAfterTests(startDrawing({ TILE_RATE: String(tileRate), TILE_THREADS: '1' }));
const id = await drawing.upload(await squaresCog({ side: 2900 }), 'squares.tif');
await drawing.makeReady(id);
const tileJson = await drawing.tileJson(id);
const native = tilesOver(tileJson, tileJson.maxzoom, peers * ofEachPeer);
await drawing.awaitView(id);

const pathOf = (place: string) => `/datasets/${id}/tiles/${place}`;

/** Status of a literal path. */
async function statusOf(path: string): Promise<number> {
  const { status, bytes } = await fetchRaw(drawing.baseUrl + path);
  if (status >= 400) assert.match(bytes.toString(), /^\{"errors?":/, path);
  return status;
}

describe('the place of a tile', () => {
  const wrong = [
    ['25/0/0.png', '99/0/0.png', '24.5/0/0.png', '4294967297/0/0.png'],
    ['-1/0/0.png', '3/-1/0.png', '3/0/-1.png', '3/-0/0.png', '3/%2D1/0.png'],
    ['1e1/0/0.png', '3/1e0/0.png', '3/0/1e0.png', '0x3/0/0.png', '3/0x1/0.png'],
    ['01/0/0.png', '3/01/0.png', '3/0/00.png', '3/000/0.png'],
    ['%33/0/0.png', '3/%31/0.png', '3/0/%31.png', '3/%00/0.png'],
    ['+3/0/0.png', '3/+1/0.png', '3/%201/0.png', '3/1%20/0.png', '3/1.0/0.png', '3/1./0.png'],
    ['3/١/0.png', '3/%D9%A1/0.png', '3/１/0.png', '3/%EF%BC%91/0.png'],
    ['NaN/0/0.png', 'Infinity/0/0.png', '3/null/0.png', '{z}/{x}/{y}.png', '3/x/y.png'],
    [`3/${'9'.repeat(30)}/0.png`, `3/0/${'9'.repeat(400)}.png`, `${'1'.repeat(400)}/0/0.png`],
    ['3/0/0@3x.png', '3/0/0@2.png', '3/0/0@2x@2x.png', '3/0/@2x.png'],
  ].flat();
  for (const place of wrong) {
    test(`${place.slice(0, 40)} is 400`, async () => {
      // Characters that are invalid in an address are encoded as a browser does.
      assert.equal(await statusOf(encodeURI(pathOf(place)).replaceAll('%25', '%')), 400);
    });
  }

  for (const place of ['0/1/0.png', '0/0/1.png', '3/8/0.png', '3/0/8.png', '24/16777216/0.png']) {
    test(`${place} is outside of the map: 404`, async () => {
      assert.equal(await statusOf(pathOf(place)), 404);
    });
  }

  test('may be anywhere on the map at zoom 24', async () => {
    const most = 2 ** 24 - 1;
    for (const [x, y] of [
      [0, 0],
      [most, 0],
      [0, most],
      [most, most],
      [most >> 1, most >> 1],
    ] as const) {
      const status = await statusOf(pathOf(`24/${x}/${y}.png`));
      assert.ok(status === 200 || status === 404, `${x} ${y}: ${status}`);
    }
  });

  for (const place of [
    '3/0/0.jpg',
    '3/0/0',
    '3/0/0.png/',
    '3/0.png',
    '3/0/0.png.png',
    '../tiles/3/0/0.gif',
  ]) {
    test(`${place} is not a tile`, async () => {
      const status = await statusOf(pathOf(place));
      assert.ok(status === 404 || status === 400, String(status));
    });
  }

  test('of an unknown dataset is 404, and of a malformed id 400', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    assert.equal(await statusOf(`/datasets/${none}/tiles/3/0/0.png`), 404);
    const wrongId = await statusOf('/datasets/x/tiles/3/0/0.png');
    assert.ok(wrongId === 400 || wrongId === 404, String(wrongId));
  });
});

interface Asked {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly bytes: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

/** Sends a request from another address of this machine. */
async function askFrom(peer: number, path: string): Promise<Asked> {
  const { promise, resolve, reject } = Promise.withResolvers<Asked>();
  const localAddress = `127.0.0.${peer}`;
  request(drawing.baseUrl + path, { agent, localAddress }, (answer) => {
    let bytes = 0;
    answer.on('data', (part: Buffer) => (bytes += part.length));
    answer.on('error', reject);
    answer.on('end', () =>
      resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], bytes }),
    );
  })
    .on('error', reject)
    .end();
  return await promise;
}

function assertHonest({ status, retryAfter }: Asked): void {
  assert.ok([200, 429, 503].includes(status), String(status));
  if (status !== 200) assert.match(retryAfter ?? '', /^[1-9]\d*$/);
}

/** Yields different tiles over the raster and beside it, at all zooms. */
function* differentTiles(count: number): Generator<string> {
  for (let made = 0, zoom = 24; made < count; made += 1) {
    const side = 2 ** zoom;
    yield `${zoom}/${(made * 7919) % side}/${(made * 104_729) % side}.png`;
    zoom = zoom === 8 ? 24 : zoom - 1;
  }
}

describe('more peers than there are threads', () => {
  test('are told to wait when the queue is full, and all of them end', async () => {
    // A different tile each time, because equal ones would be drawn once.
    assert.equal(native.length, peers * ofEachPeer);
    const statuses: number[] = [];
    const asked = native.map(async (tile, index) => {
      const answer = await askFrom(10 + (index % peers), pathOf(`${tile.join('/')}@2x.png`));
      assertHonest(answer);
      statuses.push(answer.status);
    });
    await Promise.all(asked);
    assert.equal(statuses.length, native.length);
    assert.ok(statuses.includes(503), 'the queue was full');
    assert.ok(statuses.includes(200), 'some were drawn');
    const { status } = await askFrom(99, pathOf(`${native[0]?.join('/')}.png`));
    assert.equal(status, 200, 'afterwards all is well');
  });
});

describe('a peer that asks for more than its share', () => {
  test('is told to wait, while others are answered', async () => {
    const counts = new Map<number, number>();
    let isOver = false;
    const startedAt = performance.now();
    const flooding = inLanes(differentTiles(flood), 64, async (place) => {
      const answer = await askFrom(1, pathOf(place));
      assertHonest(answer);
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    }).finally(() => (isOver = true));
    let polite = 0;
    for (const [index, tile] of native.entries()) {
      if (isOver && index > 0) break;
      const answer = await askFrom(2, pathOf(`${tile.join('/')}.png`));
      assert.equal(answer.status, 200, `the other peer, tile ${index}`);
      polite += 1;
    }
    await flooding;
    const seconds = (performance.now() - startedAt) / 1000;
    assert.ok(polite > 0);
    const refused = (counts.get(429) ?? 0) + (counts.get(503) ?? 0);
    // On such a slow machine, the rate allows half of the tiles; the others may need no drawing.
    const slowSeconds = flood / 2 / tileRate - savedSeconds;
    assert.ok(refused > 0 || seconds > slowSeconds, JSON.stringify([seconds, ...counts]));
    assert.equal((await fetch(`${drawing.baseUrl}/healthz`)).status, 200);
  });

  test('is answered again when it has waited', async () => {
    const answer = await askPatiently(drawing.baseUrl + pathOf(`${native[0]?.join('/')}.png`));
    assert.equal(answer.status, 200);
  });
});
