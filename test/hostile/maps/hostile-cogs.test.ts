import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MiB } from '../../../src/lib/units.ts';
import { squaresCog } from '../../support/maps/drawn-cogs.ts';
import { closeAfterTests } from '../../support/for-tests.ts';
import { inLanes } from '../../support/maps/lanes.ts';
import { eventually, memoryOf } from '../../support/processes.ts';
import { repetitions, sampleOf } from '../../support/tier.ts';
import {
  ask,
  askPatiently,
  startDrawing,
  type TileAnswer,
  tileAt,
  tilesOver,
  twinOf,
} from '../../support/maps/tiles.ts';
import { damages } from './damages.ts';

/** Tiles requested of each damaged raster. */
const tilesAsked = repetitions('TILES_ASKED', 4, 20);
const sample = sampleOf(Object.entries(damages), 8);
/** Limit for the api, which is one process with threads. */
const mostMemory = 600 * MiB;
/** Statuses that a tile of a damaged raster may have; 503 only while something is being made. */
const allowed: readonly number[] = [200, 204, 404, 409, 422, 503];
const settleSeconds = 120;

const cog = await squaresCog({ side: 1200 });
const drawing = await closeAfterTests(startDrawing());
const { baseUrl } = drawing;
const soundId = await drawing.upload(cog, 'sound.tif');
await drawing.makeReady(soundId);
const tileJson = await drawing.tileJson(soundId);
const soundPath = tileOfMiddle(tileJson.maxzoom);
const soundTile = await askPatiently(`${baseUrl}/datasets/${soundId}/tiles/${soundPath}.png`);
/** Rasters with a damaged COG by name of the damage; no upload could store them. */
const planted = new Map<string, string>();
for (const [name, damage] of sample) planted.set(name, await twinOf(drawing, soundId, damage(cog)));

function tileOfMiddle(zoom: number): string {
  const [west, south, east, north] = tileJson.bounds;
  return tileAt((west + east) / 2, (south + north) / 2, zoom).join('/');
}

/** Paths of tiles over the raster, from its own resolution to the coarsest. */
function pathsOf(id: string): readonly string[] {
  const zooms = Array.from({ length: tileJson.maxzoom + 1 }, (_, index) => tileJson.maxzoom - index);
  const tiles = zooms.flatMap((zoom) => tilesOver(tileJson, zoom, 6)).slice(0, tilesAsked);
  return tiles.map((tile) => `/datasets/${id}/tiles/${tile.join('/')}.png`);
}

/** Asserts that a failure is only a sentence, without internals of the service. */
function assertDecent(name: string, { status, headers, bytes }: TileAnswer): void {
  assert.ok(allowed.includes(status), `${name}: ${status} ${bytes.toString('latin1', 0, 300)}`);
  if (status < 400) return;
  const body: { error?: string } = JSON.parse(bytes.toString());
  assert.deepEqual(Object.keys(body), ['error'], name);
  assert.match(body.error ?? '', /^[^\n]{3,300}$/, name);
  assert.doesNotMatch(body.error ?? '', /RangeError|TypeError|node:|\.ts\b|\/datasets?\//, name);
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, name);
}

/** Requests tiles of a raster, four at a time. */
async function answersOf(id: string): Promise<readonly TileAnswer[]> {
  const answers: TileAnswer[] = [];
  await inLanes(pathsOf(id), 4, async (path) => answers.push(await ask(baseUrl + path)));
  return answers;
}

async function assertUnharmed(): Promise<void> {
  assert.equal((await fetch(`${baseUrl}/healthz`)).status, 200);
  const tile = await askPatiently(`${baseUrl}/datasets/${soundId}/tiles/${soundPath}.png`);
  assert.equal(tile.status, 200, tile.bytes.toString('latin1', 0, 300));
  assert.deepEqual(tile.bytes, soundTile.bytes);
}

describe('a COG that lies', () => {
  test('is compared with a valid one, which is drawn', () => {
    assert.equal(soundTile.status, 200);
    assert.equal(soundTile.headers.get('content-type'), 'image/png');
  });

  test('takes the place of a valid copy, which is drawn like its original', async () => {
    const twin = await twinOf(drawing, soundId, cog);
    const tile = await askPatiently(`${baseUrl}/datasets/${twin}/tiles/${soundPath}.png`);
    assert.equal(tile.status, 200, tile.bytes.toString('latin1', 0, 300));
    assert.deepEqual(tile.bytes, soundTile.bytes);
  });

  for (const [name, id] of planted) {
    test(`${name}: no tile of it harms the api`, async () => {
      for (const answer of await answersOf(id)) assertDecent(name, answer);
      for (const path of ['tilejson.json', 'legend.json', 'legend.png', 'thumbnail.png']) {
        assertDecent(`${name}, ${path}`, await ask(`${baseUrl}/datasets/${id}/${path}`));
      }
      await assertUnharmed();
    });
  }

  test('is not said to be nearly drawn for ever', async () => {
    for (const [name, id] of planted) {
      const path = pathsOf(id)[0] ?? '';
      await eventually(
        `${name} has an end`,
        async () => (await ask(baseUrl + path)).status !== 503,
        settleSeconds,
      );
    }
  });

  test('has its failure told to the log once, not for every tile', async () => {
    const id = await twinOf(drawing, soundId, damages['tiles of noise']?.(cog));
    const told = () =>
      drawing.service
        .output()
        .split('\n')
        .filter((line) => line.includes('"the raster is damaged'));
    const before = told().length;
    const first = await answersOf(id);
    assert.ok(
      first.some(({ status }) => status === 422),
      'the precondition: it is damaged',
    );
    await answersOf(id);
    await eventually('it is told', async () => told().length > before);
    const lines = told().slice(before);
    assert.equal(lines.length, 1);
    assert.ok(lines[0]?.includes(id), 'it says which dataset is damaged');
  });

  test('is treated alike when it comes by an upload', async () => {
    let ready = 0;
    await inLanes(sampleOf(sample, 2), 4, async ([name, damage]) => {
      const bytes = Buffer.from(damage(cog));
      const { status, id = '' } = await drawing.send(bytes, 'damaged.tif');
      assert.ok(status === 201 || status === 422, `${name}: ${status}`);
      if (status === 422 || (await drawing.endOf(id)) !== 'ready') return;
      ready += 1;
      for (const answer of await answersOf(id)) assertDecent(`${name}, uploaded`, answer);
    });
    assert.ok(ready > 0, 'some damages are none to the engine');
    await assertUnharmed();
  });

  test('does not fill the memory of the api', async () => {
    const { peak } = await memoryOf(drawing.service.pid);
    assert.ok(peak > 0 && peak < mostMemory, `${Math.round(peak / MiB)} MiB`);
  });
});
