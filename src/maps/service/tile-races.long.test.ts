import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { squaresCog, squaresStyle } from '../../../test/support/maps/drawn-cogs.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';
import { look, runMaps, type Seen, startSecondApi } from '../../../test/support/maps/running-map.ts';
import { repetitions } from '../../../test/support/tier.ts';
import { setStyle, startDrawing, tilesOver, twinOf } from '../../../test/support/maps/tiles.ts';

/** Time after an answer of one api in which another api may still draw the earlier state. */
const otherApiMs = 1000;
const changes = repetitions('TILE_CHANGES', 2, 60);

const drawing = await closeAfterTests(startDrawing());
const second = await closeAfterTests(startSecondApi(drawing.service, { TILE_RATE: '1000000' }));
const apis = [drawing.baseUrl, second.baseUrl] as const;
const [own] = apis;
/** A raster, and one that differs from it in every pixel; the others are copies. */
const [first, shifted] = [await readyRaster(0), await readyRaster(5)];
const places = await drawing
  .tileJson(first)
  .then((tileJson) => tilesOver(tileJson, tileJson.maxzoom - 1, 3))
  .then((tiles) => tiles.map((tile) => `tiles/${tile.join('/')}.png`));
const [place = ''] = places;

type Fields = Readonly<Record<string, string>>;

async function readyRaster(shift: number, fields: Fields = {}): Promise<string> {
  const id = await drawing.upload(await squaresCog({ side: 600, shift }), 'squares.tif', fields);
  await drawing.makeReady(id);
  await drawing.awaitView(id);
  return id;
}

async function copyOf(raster: string, fields: Fields): Promise<string> {
  const id = await twinOf(drawing, raster);
  assert.equal(await change('PATCH', `/datasets/${id}`, fields), 200);
  return id;
}

/** Period of a year. */
const yearOf = (year: number): Fields => ({ start_date: `${year}-01-01`, end_date: `${year}-12-31` });

/** A different style for each number. */
const styleOf = (number: number) =>
  squaresStyle((value) => `#${(0x10_00_00 + number * 0x101 * 37 + value * 11).toString(16)}`);

async function createGroup(): Promise<string> {
  const code = `g${process.hrtime.bigint()}`;
  const { status, body } = await drawing.client.json<{ id: string }>('/dataset-groups', {
    method: 'POST',
    body: JSON.stringify({ code, name: code }),
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

async function change(method: string, path: string, body?: unknown): Promise<number> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(own + path, { method, ...(body === undefined ? {} : { headers }), ...sent });
  await response.arrayBuffer();
  return response.status;
}

/** Asserts that each strong ETag has one sequence of bytes, whichever process drew it and how often. */
function assertOneBodyForEachTag(seen: readonly Seen[]): void {
  const bodies = new Map<string, string>();
  for (const { status, etag, digest, url } of seen) {
    if (status !== 200) continue;
    assert.match(etag, /^"[^"]+"$/, url);
    assert.equal(bodies.get(etag) ?? digest, digest, `two bodies under ${etag}, ${url}`);
    bodies.set(etag, digest);
  }
  assert.ok(bodies.size > 0);
}

function assertStatuses(seen: readonly Seen[], ...statuses: readonly number[]): void {
  const others = seen.filter(({ status }) => !statuses.includes(status));
  assert.deepEqual(
    others.map(({ status, url }) => `${status} ${url}`),
    [],
  );
}

/** Outcome of a change for the first path: the time of its acknowledgement, and the ETags of the tile from then on. */
interface Acknowledged {
  readonly atMs: number;
  readonly tags: ReadonlyMap<string, string>;
}

const withoutHost = (url: string) => new URL(url).pathname;

/** Makes changes while maps are read, and asserts that no map shows a state that an earlier change has ended. */
async function changeUnder(
  paths: readonly string[],
  times: number,
  make: (turn: number) => Promise<unknown>,
): Promise<readonly Seen[]> {
  const maps = runMaps(apis, paths);
  const acknowledged: Acknowledged[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    await make(turn);
    const atMs = performance.now();
    const tags = new Map<string, string>();
    for (const path of paths) tags.set(path, (await look(own + path, 0)).etag);
    acknowledged.push({ atMs, tags });
    // Some changes follow each other at once, others after every api must know of the previous one.
    await sleep(turn % 2 === 0 ? 30 : otherApiMs * 1.2);
  }
  const ofOther = () => maps.seen().filter(({ api }) => api === 1);
  await eventually('the other api was asked as well', async () => ofOther().length > times);
  const seen = await maps.stop();
  const orders = new Map<string, Map<string, number>>();
  for (const [turn, { tags }] of acknowledged.entries()) {
    for (const [path, etag] of tags) {
      const order = orders.get(path) ?? new Map<string, number>();
      assert.equal(order.get(etag), undefined, `change ${turn} of ${path} has an ETag that was there before`);
      orders.set(path, order.set(etag, turn));
    }
  }
  for (const { url, api, sentMs, status, etag } of seen) {
    if (status !== 200 && status !== 304) continue;
    const known = sentMs - (api === 0 ? 0 : otherApiMs);
    const least = acknowledged.findLastIndex(({ atMs }) => atMs <= known);
    const drawn = orders.get(withoutHost(url))?.get(etag) ?? -1;
    assert.ok(drawn >= least, `api ${api} answered ${status} with change ${drawn} after change ${least}`);
  }
  assertOneBodyForEachTag(seen);
  return seen;
}

describe('a running map', () => {
  for (const owner of ['datasets', 'dataset-groups'] as const) {
    test(`whose style in ${owner} is replaced shows no older one than was acknowledged`, async () => {
      const group = await createGroup();
      const id = await copyOf(first, { dg_id: group });
      const styled = owner === 'datasets' ? `/datasets/${id}` : `/dataset-groups/${group}`;
      const paths = places.flatMap((place) => [
        `/datasets/${id}/${place}`,
        `/dataset-groups/${group}/${place}`,
      ]);
      const seen = await changeUnder(paths, changes, async (turn) => {
        assert.equal(await setStyle(own, styled, styleOf(turn)), 200);
      });
      assertStatuses(seen, 200, 304);
    });
  }

  test('of a group follows its latest dataset, and says which that is', async () => {
    const group = await createGroup();
    const older = await copyOf(first, { dg_id: group, ...yearOf(2020) });
    const other = await copyOf(shifted, { dg_id: group, ...yearOf(2019) });
    const paths = places.map((place) => `/dataset-groups/${group}/${place}`);
    const maps = runMaps(apis, paths);
    const turns: { readonly atMs: number; readonly latest: string }[] = [];
    for (let turn = 0; turn < changes; turn += 1) {
      const isNewer = turn % 2 === 0;
      assert.equal(await change('PATCH', `/datasets/${other}`, yearOf(isNewer ? 2021 : 2019)), 200);
      turns.push({ atMs: performance.now(), latest: isNewer ? other : older });
      await sleep(otherApiMs * 1.3);
    }
    const seen = await maps.stop();
    for (const { api, sentMs, contentLocation, status } of seen) {
      const known = sentMs - (api === 0 ? 0 : otherApiMs);
      const at = turns.findLastIndex(({ atMs }) => atMs <= known);
      if (status !== 200 || at === -1) continue;
      // A change during the request may already be shown.
      const possible = turns.slice(at).map(({ latest }) => latest);
      const shown = /\/datasets\/([\w-]+)\/tiles\//.exec(contentLocation ?? '')?.[1] ?? '';
      assert.ok(possible.includes(shown), `api ${api} shows ${shown} after change ${at}`);
    }
    assertOneBodyForEachTag(seen);
    assertStatuses(seen, 200, 304);
    assert.ok(new Set(seen.map(({ digest }) => digest)).size > places.length, 'both were drawn');
    const { headers } = await fetch(`${own}/dataset-groups/${group}/${place}?v=1`);
    assert.equal(headers.get('cache-control'), 'no-cache', 'a tile of a group is not kept');
  });

  test('of a group shows a dataset that has become ready, and none that is deleted', async () => {
    const group = await createGroup();
    const older = await copyOf(first, { dg_id: group, ...yearOf(2020) });
    const path = `/dataset-groups/${group}/${place}`;
    const maps = runMaps(apis, [path]);
    const newer = await readyRaster(5, { dg_id: group, ...yearOf(2022) });
    for (const [api, baseUrl] of apis.entries()) {
      const shown = async () => (await look(baseUrl + path, api)).contentLocation?.includes(newer);
      await eventually(`api ${api} shows the newer one`, shown, 10);
    }
    assert.equal(await change('DELETE', `/datasets/${newer}`), 204);
    const deletedMs = performance.now();
    await sleep(otherApiMs * 1.5);
    const seen = await maps.stop();
    const late = seen.filter(({ api, sentMs }) => sentMs > deletedMs + (api === 0 ? 0 : otherApiMs));
    assert.ok(late.length > 0);
    for (const { contentLocation, status, api } of late) {
      if (status === 200) assert.ok(contentLocation?.includes(older), `api ${api}: ${contentLocation}`);
    }
    assertOneBodyForEachTag(seen);
    assertStatuses(seen, 200, 304);
  });

  test('of a dataset that is deleted ends with 404, and with nothing worse', async () => {
    for (let round = 0; round < Math.ceil(changes / 4); round += 1) {
      const id = await twinOf(drawing, first);
      const paths = places.map((place) => `/datasets/${id}/${place}`);
      const maps = runMaps(apis, paths);
      await eventually('they run', async () => maps.seen().length > 30);
      assert.equal(await change('DELETE', `/datasets/${id}`), 204);
      const deletedMs = performance.now();
      await sleep(otherApiMs * 1.3);
      const seen = await maps.stop();
      assertStatuses(seen, 200, 304, 404);
      for (const { api, sentMs, status } of seen) {
        const isLate = sentMs > deletedMs + (api === 0 ? 0 : otherApiMs);
        if (isLate) assert.equal(status, 404, `api ${api}, ${Math.round(sentMs - deletedMs)} ms later`);
      }
      assertOneBodyForEachTag(seen);
    }
  });

  test('is described under another ETag when its unit has changed', async () => {
    const describe = async () => {
      const response = await fetch(`${own}/datasets/${shifted}/wmts`);
      return { etag: response.headers.get('etag'), text: await response.text() };
    };
    const before = await describe();
    assert.equal(await change('PATCH', `/datasets/${shifted}`, { unit: 'tonnes' }), 200);
    await eventually('the unit is there', async () =>
      (await describe()).text.includes('<ows:Abstract>tonnes</ows:Abstract>'),
    );
    assert.notEqual((await describe()).etag, before.etag);
  });
});
