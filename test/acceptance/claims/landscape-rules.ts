import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { once } from '../support/datasets.ts';
import { tableLines } from '../support/golden.ts';
import { pinOutputs, type Pins, pinSlots, pixelsOf, plainPins, succeed } from '../support/landscape.ts';
import type { RasterToWrite } from '../support/files.ts';

const width = 9;
const height = 4;
const pixels = Array.from({ length: width * height }, (_, pixel) => pixel);
const ties = await tableLines('ties.csv');
const zones = await tableLines('zones_truth.csv');
/** Suitabilities of the five sectors, one vector for a pixel. */
const vectors = [...new Set(ties.map(([, vector]) => vector ?? ''))].map((vector) =>
  vector.split('-').map(Number),
);

/** Around the central meridian of the zone, which the middle column lies on. */
function onGrid(value: (pixel: number) => number, columns = width): RasterToWrite {
  const row = (at: number) => Array.from({ length: columns }, (_, column) => value(at * width + column));
  return {
    rows: Array.from({ length: height }, (_, at) => row(at)),
    corner: [500_000 - 500 * width, 5_550_000],
  };
}

/** Pixels 0 to 24 are all pairs of E and S; the other outputs have the suitabilities of the ties, 0 where there are none left. */
const rulePins = once(async (client): Promise<Pins> => {
  const sector = (at: number) => onGrid((pixel) => vectors[pixel]?.[at] ?? 0);
  const longitude: RasterToWrite = {
    rows: [
      [650, 750],
      [650, 750],
    ],
    epsg: 4326,
    corner: [60, 60],
    pixelSize: 10,
  };
  const [plain, leaves, outputs] = await Promise.all([
    plainPins(client),
    pinSlots(client, {
      dem: onGrid(() => 300),
      precipitation: longitude,
      'protected-areas': onGrid(() => 2, 4),
    }),
    pinOutputs(client, {
      21: sector(0),
      22: sector(1),
      23: sector(2),
      24: sector(3),
      25: sector(4),
      26: onGrid((pixel) => (pixel < 25 ? (pixel % 5) + 1 : 0)),
      31: onGrid((pixel) => (pixel < 25 ? Math.floor(pixel / 5) + 1 : 0)),
    }),
  ]);
  return { ...plain, ...leaves, ...outputs };
});

const ruleRun = once(async (client) => await succeed(client, { overrides: await rulePins(client) }));

/** Sectors that the table gives for an order of preference. */
function sectorsBy(priority: string): number[] {
  return ties.filter(([order]) => order === priority).map(([, , , sector]) => Number(sector));
}

claim(
  ['L5.1 ties', '2.6 LandscapeParams.tie_priority', 'L3.2 32'],
  'among the sectors of the greatest suitability the first of tie_priority leads, by default irrigation first',
  async (client) => {
    const values = await pixelsOf(client, await ruleRun(client), '32');
    assert.equal(vectors.length, 7);
    assert.deepEqual(values.slice(0, 7), sectorsBy('1-2-3-4-5'));
    assert.deepEqual(new Set(values.slice(7)), new Set([0]));
  },
);

claim(
  [
    'L5.2 zones',
    'L3.2 33',
    ...['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'].map(
      (name) => `2.6 LandscapeParams.${name}`,
    ),
  ],
  'all 25 pairs of sensitivity and suitability lie in their zones',
  async (client) => {
    const values = await pixelsOf(client, await ruleRun(client), '33');
    assert.deepEqual(
      values.slice(0, 25),
      zones.flatMap(([, ...row]) => row.map(Number)),
    );
  },
);

claim(
  ['L5.1 ties', 'L5.2 zones', 'L5.2 order', 'L8.1 thresholds', 'L5.3 codes'],
  'other ties and zones by other thresholds are those of the rules',
  async (client) => {
    await ruleRun(client);
    const [e12, e3, v2e3, v2e4] = [5, 2, 4, 3];
    const params = {
      tie_priority: [3, 1, 4, 2, 5],
      v1_min_s_e12: e12,
      v1_min_s_e3: e3,
      v2_min_s_e3: v2e3,
      v2_min_s_e4: v2e4,
    };
    const run = await succeed(client, { overrides: await rulePins(client), params });
    const read = async (code: string) => await pixelsOf(client, run, code);
    const [sectors = [], found = []] = await Promise.all(['32', '33'].map(read));
    assert.deepEqual(sectors.slice(0, 7), sectorsBy('3-1-4-2-5'));
    const wanted = pixels.slice(0, 25).map((pixel) => {
      const [E, S] = [(pixel % 5) + 1, Math.floor(pixel / 5) + 1];
      if ((E <= 2 && S >= e12) || (E === 3 && S >= e3)) return 1;
      return (E === 3 && S >= v2e3) || (E === 4 && S >= v2e4) ? 2 : 3;
    });
    assert.deepEqual(found.slice(0, 25), wanted);
  },
);

claim(
  ['L8.1 pinned output', 'L8.3 upstream', '4.5 rule 3 overrides'],
  'the node of a pinned output computes its own all the same, which is not read',
  async (client) => {
    const run = await ruleRun(client);
    const values = await pixelsOf(client, run, '31');
    assert.deepEqual(
      values.slice(0, 7),
      vectors.map((vector) => Math.max(...vector)),
    );
    assert.equal(new Set(await pixelsOf(client, run, '21')).size, 1);
  },
);

claim(
  ['L4 outside', 'L2 protected nodata', 'L2 protected-areas'],
  'where no protected areas are known there is no protection; within a strict one sensitivity is 5',
  async (client) => {
    const values = await pixelsOf(client, await ruleRun(client), '26');
    for (const pixel of pixels) {
      const value = values[pixel] ?? 0;
      assert.ok(pixel % width < 4 ? value === 5 : value >= 1 && value <= 3, `pixel ${pixel}: ${value}`);
    }
  },
);

claim(
  ['L4 alignment', 'L4 bilinear'],
  'a raster in degrees is read where the centres of metric pixels lie',
  async (client) => {
    const values = await pixelsOf(client, await ruleRun(client), '03');
    const degreesEast = values.map((index) => (index * 800) / 10);
    for (let row = 0; row < height; row += 1) {
      const longitudes = degreesEast.slice(row * width, (row + 1) * width);
      const [west = 0, middle = 0, east = 0] = [longitudes[0], longitudes[4], longitudes[8]];
      assert.ok(Math.abs(middle - 69) < 1e-4, String(middle));
      assert.ok(Math.abs(west + east - 138) < 1e-4);
      assert.ok(Math.abs(east - middle - 4000 / 71_700) < 1e-3, String(east - middle));
    }
  },
);
