import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MiB } from '../../lib/units.ts';
import { createRandom } from '../../../test/hostile/mutate/random.ts';
import { squaresCog } from '../../../test/support/maps/drawn-cogs.ts';
import { inLanes } from '../../../test/support/maps/lanes.ts';
import { memoryOf } from '../../../test/support/processes.ts';
import { repetitions } from '../../../test/support/tier.ts';
import { askPatiently, startDrawing, tilesOver, twinOf } from '../../../test/support/maps/tiles.ts';

const rasters = repetitions('DRAWN_RASTERS', 1000, 1000);
const clients = 8;
const tilesOfEach = repetitions('TILES_OF_EACH', 300, 350);
const mostResident = 600 * MiB;

/** Blocks of 1, 2 and 4 MiB when decoded. */
const kinds = [
  { type: 'Float32', bands: 1, predictor: 'FLOATING_POINT' },
  { type: 'UInt16', bands: 4, predictor: 'STANDARD' },
  { type: 'Float32', bands: 4, predictor: 'NO' },
] as const;

test('the api holds less than 600 MiB while eight maps show a thousand rasters', async () => {
  await using drawing = await startDrawing();
  const ids: string[] = [];
  for (const { type, bands, predictor } of kinds) {
    const cog = await squaresCog({ side: 1500, type, bands, creation: { PREDICTOR: predictor } });
    const id = await drawing.upload(cog, 'squares.tif');
    await drawing.makeReady(id);
    await drawing.awaitView(id);
    ids.push(id);
  }
  const tileJson = await drawing.tileJson(ids[0] ?? '');
  const sources = [...ids];
  while (ids.length < rasters) ids.push(await twinOf(drawing, sources[ids.length % sources.length] ?? ''));
  const tiles = [0, 1, 2].flatMap((below) => tilesOver(tileJson, tileJson.maxzoom - below, 200));

  const counts = new Map<number, number>();
  await inLanes(
    Array.from({ length: clients }, (_, client) => client),
    clients,
    async (client) => {
      const random = createRandom(4711, client);
      for (let asked = 0; asked < tilesOfEach; asked += 1) {
        const path = `/datasets/${random.pick(ids)}/tiles/${random.pick(tiles).join('/')}`;
        const scale = random.chance(0.2) ? '@2x' : '';
        const { status } = await askPatiently(`${drawing.baseUrl}${path}${scale}.png`);
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    },
  );
  assert.deepEqual([...counts], [[200, clients * tilesOfEach]]);
  const { resident, peak } = await memoryOf(drawing.service.pid);
  const inMiB = (bytes: number) => `${Math.round(bytes / MiB)} MiB`;
  console.log(`resident ${inMiB(resident)}, at most ${inMiB(peak)}`);
  assert.ok(peak < mostResident, `${inMiB(peak)} at most`);
});
