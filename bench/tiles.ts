import assert from 'node:assert/strict';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { convertIndexedToRgb, decode } from 'fast-png';
import { inLanes } from '../test/support/maps/lanes.ts';
import {
  askPatiently,
  type DrawingService,
  setStyle,
  startDrawing,
  twinOf,
} from '../test/support/maps/tiles.ts';
import type { Row } from './contest.ts';
import type { Peer } from './peer-process.ts';
import { processorSecondsFor } from './processor-time.ts';
import { makeFolder } from './service.ts';
import { drawTileRasters, type TileRaster } from './tile-rasters.ts';
import { drawWithRioTiler, installTilePeers, startTitiler, titilerPath } from './tile-peers/start.ts';
import { apartTiles, panningTrace, type Tile } from './tile-trace.ts';
import { requestsPerSecond } from './wrk.ts';

/** Goals of the service: processor time of a tile as a share of the peer's, and tiles per second and core as a multiple. */
const goals = { cold: 0.5, warm: 0.2, restyled: 0.5, panning: 5, notModified: 3000 } as const;
/** The zoom level at which a tile shows 183 pixels of the rasters, so that tiles at a distance of four share no block. */
const [zoom, apart] = [14, 4] as const;
const traceZooms = [14, 13, 12, 11, 12, 13];
/** The number of requests for cached tiles, because a single one takes less than the resolution of the process clock. */
const warmTimes = 20;
const connections = 8;
const leastAlike = 0.97;

export interface TilesSize {
  /** Side of the square rasters in pixels; the goals apply to 8192. */
  readonly side: number;
  /** Number of tiles of the pan. */
  readonly steps: number;
  readonly rounds: number;
  readonly roundSeconds: number;
}

/** One side of the comparison: processor seconds of a server for tiles of a raster that it has not drawn before. */
interface Contestant {
  /** Makes a copy of a raster that is not in any cache; returns a function from a tile to its address. */
  readonly fresh: () => Promise<(tile: Tile) => string>;
  /** Draws the same tiles in another style; peers always draw them again. */
  readonly restyle?: () => Promise<void>;
  readonly pid: number;
}

interface Figures {
  readonly cold: number;
  readonly warm: number;
  readonly restyled: number;
  readonly panning: number;
}

/**
 * Compares drawing the same tiles of the same COGs with TiTiler and rio-tiler, in turn. Figures are processor time of the whole server,
 * user and system: each block for the first time, the same tiles again, in another style, and a pan over the raster with 8 requests at a
 * time.
 */
export async function* tileRows({ side, steps, rounds, roundSeconds }: TilesSize): AsyncGenerator<Row> {
  installTilePeers();
  await using resources = new AsyncDisposableStack();
  const folder = await makeFolder(resources);
  const rasters = await drawTileRasters(folder, side);
  const drawing = resources.use(await startDrawing());
  const titiler = resources.use(await startTitiler());
  for (const raster of rasters) {
    const own = await openOwn(drawing, raster);
    const peer = openPeer(titiler, raster, folder);
    await assertAlike(await own.fresh(), await peer.fresh(), own.box);
    const tiles = apartTiles(own.box, zoom, apart);
    const trace = panningTrace(own.box, traceZooms, steps);
    const [ours, theirs, rio]: [Figures[], Figures[], Omit<Figures, 'panning'>[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await figuresOf(own, tiles, trace));
      theirs.push(await figuresOf(peer, tiles, trace));
      const [path, other] = [await copyOf(raster, folder), await copyOf(raster, folder)];
      const { cold, warm } = await drawWithRioTiler({ ...raster, path, other, tiles }, folder);
      const drawnAgain = (warm * 1000) / tiles.length;
      rio.push({ cold: (cold * 1000) / tiles.length, warm: drawnAgain, restyled: drawnAgain });
      await Promise.all([rm(path), rm(other)]);
    }
    const facts = { side, tiles: tiles.length };
    for (const state of ['cold', 'warm', 'restyled'] as const) {
      for (const [peer, figures] of [
        ['TiTiler', theirs],
        ['rio-tiler', rio],
      ] as const) {
        yield {
          name: `tile of ${raster.name}, ${state}`,
          peer,
          unit: 'ms of processor',
          goal: { atMost: goals[state] },
          own: ours.map((each) => each[state]),
          others: figures.map((each) => each[state]),
          facts,
        };
      }
    }
    yield {
      name: `panning over ${raster.name}, 8 at a time`,
      peer: 'TiTiler',
      unit: 'tiles/s and core',
      goal: { atLeast: goals.panning },
      own: ours.map(({ panning }) => panning),
      others: theirs.map(({ panning }) => panning),
      facts: { side, tiles: trace.length },
    };
  }
  yield await notModifiedRow(drawing, rasters, { rounds, roundSeconds });
}

/** Opens the service; a copy is a dataset with its own objects. */
async function openOwn(drawing: DrawingService, { path, sld }: TileRaster) {
  const { baseUrl, client } = drawing;
  let styled = 0;
  const code = `bench-${process.hrtime.bigint()}`;
  const { body } = await client.json<{ id: string }>('/dataset-groups', {
    method: 'POST',
    body: JSON.stringify({ code, name: code }),
  });
  assert.equal(await setStyle(baseUrl, `/dataset-groups/${body.id}`, sld), 200);
  const id = await drawing.upload(await readFile(path), 'raster.tif', { dg_id: body.id });
  await drawing.makeReady(id);
  await drawing.awaitView(id);
  return {
    box: await drawing.tileJson(id),
    pid: drawing.service.pid,
    restyle: async () => {
      styled += 1;
      const other = sld.replaceAll('<Name>bench</Name>', `<Name>bench ${styled}</Name>`);
      assert.equal(await setStyle(baseUrl, `/dataset-groups/${body.id}`, other), 200);
    },
    fresh: async () => {
      const twin = await twinOf(drawing, id);
      return ([z, x, y]: Tile) => `${baseUrl}/datasets/${twin}/tiles/${z}/${x}/${y}.png`;
    },
  };
}

/** Opens TiTiler; a copy is another file. */
function openPeer({ baseUrl, pid }: Peer, raster: TileRaster, folder: string): Contestant {
  return {
    pid,
    fresh: async () => {
      const path = await copyOf(raster, folder);
      return (tile) => baseUrl + titilerPath(path, raster, tile);
    },
  };
}

let copies = 0;
async function copyOf({ path }: TileRaster, folder: string): Promise<string> {
  copies += 1;
  const copy = join(folder, `copy-${copies}.tif`);
  await copyFile(path, copy);
  return copy;
}

async function figuresOf(
  { fresh, restyle, pid }: Contestant,
  tiles: readonly Tile[],
  trace: readonly Tile[],
): Promise<Figures> {
  const draw = async (asked: readonly Tile[], urlOf: (tile: Tile) => string) =>
    await processorSecondsFor(pid, async () => await inLanes(asked, connections, askFor(urlOf)));
  // Code is compiled with tiles of another copy.
  await draw(tiles.slice(0, 40), await fresh());
  const urlOf = await fresh();
  const cold = await draw(tiles, urlOf);
  const again = Array.from({ length: warmTimes }, () => tiles).flat();
  const warm = (await draw(again, urlOf)) / warmTimes;
  await restyle?.();
  const restyled = restyle === undefined ? warm : await draw(tiles, urlOf);
  const panning = trace.length / (await draw(trace, await fresh()));
  const perTile = (seconds: number) => (seconds * 1000) / tiles.length;
  return { cold: perTile(cold), warm: perTile(warm), restyled: perTile(restyled), panning };
}

const askFor = (urlOf: (tile: Tile) => string) => async (tile: Tile) => {
  const { status, bytes } = await askPatiently(urlOf(tile));
  assert.equal(status, 200, bytes.toString('latin1', 0, 300));
};

/** Asserts that both draw the same tiles; otherwise their times are not comparable. */
async function assertAlike(
  own: (tile: Tile) => string,
  peer: (tile: Tile) => string,
  box: Awaited<ReturnType<typeof openOwn>>['box'],
): Promise<void> {
  const [tile = [0, 0, 0]] = apartTiles(box, zoom, apart).slice(1);
  const [ours, theirs] = [await pixelsOf(own(tile)), await pixelsOf(peer(tile))];
  let alike = 0;
  for (let at = 0; at < ours.length; at += 4) {
    const differences = [0, 1, 2, 3].map((part) =>
      Math.abs((ours[at + part] ?? 0) - (theirs[at + part] ?? 0)),
    );
    if (Math.max(...differences) <= 12) alike += 1;
  }
  const share = (alike * 4) / ours.length;
  assert.ok(share >= leastAlike, `only ${share} of the pixels of ${tile.join('/')} are alike`);
}

/** Returns the pixels as red, green, blue and alpha. */
async function pixelsOf(url: string): Promise<Uint8Array> {
  const { bytes } = await askPatiently(url);
  const png = decode(bytes);
  const data = png.palette === undefined ? Uint8Array.from(png.data) : convertIndexedToRgb(png);
  const channels = data.length / png.width / png.height;
  if (channels === 4) return data;
  return Uint8Array.from({ length: png.width * png.height * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : (data[Math.floor(at / 4) * channels + (at % 4)] ?? 0),
  );
}

/** Measures answers 304 of the service per second of processor time. */
async function notModifiedRow(
  drawing: DrawingService,
  [raster]: readonly TileRaster[],
  { rounds, roundSeconds }: Pick<TilesSize, 'rounds' | 'roundSeconds'>,
): Promise<Row> {
  assert.ok(raster !== undefined);
  const own = await openOwn(drawing, raster);
  const [tile = [0, 0, 0]] = apartTiles(own.box, zoom, apart);
  const url = (await own.fresh())(tile);
  const etag = (await askPatiently(url)).headers.get('etag') ?? '';
  assert.equal((await askPatiently(url, { 'if-none-match': etag })).status, 304);
  const perSecond: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    let asked = 0;
    const seconds = await processorSecondsFor(own.pid, async () => {
      const load = { connections, seconds: roundSeconds, headers: { 'If-None-Match': etag } };
      asked = (await requestsPerSecond(url, load)) * roundSeconds;
    });
    // The first round only compiles code.
    if (round >= 0) perSecond.push(asked / seconds);
  }
  return {
    name: 'tile that has not changed (304)',
    peer: `a goal of ${goals.notModified}`,
    unit: 'requests/s and core',
    goal: { atLeast: 1 },
    own: perSecond,
    others: perSecond.map(() => goals.notModified),
  };
}
