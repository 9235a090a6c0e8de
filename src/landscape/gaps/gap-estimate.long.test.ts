import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaves } from '../model/leaves.ts';
import { estimateGaps } from './gap-estimate.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { drawnLeaves, openGapLandscape } from '../../../test/support/landscape/gap-landscape.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';

const runs = await closeAfterTests(startRuns());
const landscape = await closeAfterTests(openGapLandscape(runs));
/** More than 16 blocks, so that cells are read from an overview. */
const side = 3000;
const step = 0.0005;
const large = {
  width: side,
  height: side,
  affine: [70, step, 0, 50, 0, -step],
  epsg: 4326,
  noData: -9999,
} as const;
const wide = drawnLeaves['pet'] ?? assert.fail();
const values: Readonly<Record<string, number>> = {
  'land-cover': 30,
  precipitation: 360,
  pet: 820,
  'temperature-sum': 2250,
  'snow-depth': 26,
  'soil-texture': 4,
  'soil-organic-carbon': 30,
  'soil-salinity': 0.5,
  'distance-water': 4000,
  'distance-road': 900,
};

/** A number from 0 to 1, reproducible for each pixel. */
function noise(x: number, y: number): number {
  const mixed = Math.imul(Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663), 2_654_435_761);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

test('the estimate sees holes of single pixels, which overviews hide', async () => {
  for (const { key, group } of leaves) {
    const value = values[key] ?? 0;
    if (key === 'dem') await landscape.add({ ...large, value: () => 180 }, group);
    else if (key === 'ndvi')
      await landscape.add({ ...large, value: (x, y) => (noise(x, y) < 0.04 ? -9999 : 0.4) }, group);
    else await landscape.add({ ...wide, value: () => value }, group);
  }
  const spend = async <T>(work: () => Promise<T>) => await work();
  const { signal } = new AbortController();
  const { db } = runs;
  const gaps = await estimateGaps({ db, rasterPoints: landscape.rasterPoints, spend }, {}, signal);
  const share = gaps.without_zone_ha / gaps.grid_ha;
  // Four standard errors of the share among the places that are read at full resolution.
  assert.ok(Math.abs(share - 0.04) < 4 * Math.sqrt((0.04 * 0.96) / 48 ** 2), `${share}`);
  const ndvi = gaps.inputs.find(({ group }) => group === 'landscape-in-ndvi');
  assert.equal(ndvi?.alone_ha, gaps.without_zone_ha);
});
