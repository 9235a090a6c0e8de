import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { getDataset, once } from '../support/datasets.ts';
import { assertClose, degreesRun, readCases } from '../support/golden.ts';
import { outputOf, pixelsOf, pinSlots, plainPins, succeed } from '../support/landscape.ts';
import { readCog } from '../support/rasters.ts';

interface Cases {
  readonly resample: {
    readonly continuous_in: readonly (readonly number[])[];
    readonly continuous_out: readonly (readonly number[])[];
    readonly categorical_in: readonly (readonly number[])[];
    readonly categorical_out: readonly (readonly number[])[];
  };
}

const cases = await readCases<Cases>();
const flat = Array.from({ length: 4 }, () => [300, 300, 300, 300]);
/** Classes of land cover, each with another kind of allocable land, for those of the case. */
const cover: Readonly<Record<number, readonly [cover: number, land: number]>> = {
  10: [80, 2],
  20: [50, 3],
  30: [70, 4],
  40: [40, 1],
};

/** Rasters of twice the pixel size, one of half the width and with two bands, and one that lies elsewhere. */
const coarseRun = once(async (client) => {
  const pixelSize = 2000;
  const ones = cases.resample.continuous_in.map((row) => row.map(() => 1));
  const pins = await pinSlots(client, {
    dem: { rows: flat },
    precipitation: { rows: cases.resample.continuous_in, pixelSize, noData: -9999 },
    pet: { rows: ones, pixelSize },
    'land-cover': {
      rows: cases.resample.categorical_in.map((row) => row.map((value) => cover[value]?.[0] ?? 0)),
      pixelSize,
    },
    ndvi: { rows: flat.map(() => [0.52, 0.04]), secondBand: 0.3 },
    'protected-areas': { rows: flat.map((row) => row.map(() => 2)), corner: [600_000, 5_550_000] },
  });
  return await succeed(client, { overrides: { ...(await plainPins(client)), ...pins } });
});

claim(
  ['L4 bilinear', 'L2 precipitation', 'L3.2 03'],
  'a coarser raster of numbers is interpolated, around what it has no value for',
  async (client) => {
    const values = await pixelsOf(client, await coarseRun(client), '03');
    assertClose(values, cases.resample.continuous_out.flat(), 'precipitation');
  },
);

claim(
  ['L4 nearest', 'L2 land-cover', 'L3.2 05'],
  'a coarser raster of classes is taken by its nearest pixel',
  async (client) => {
    const values = await pixelsOf(client, await coarseRun(client), '05');
    assert.deepEqual(
      values,
      cases.resample.categorical_out.flat().map((value) => cover[value]?.[1]),
    );
  },
);

claim(
  ['L4 outside', 'L3.2 04', 'L2 scale'],
  'the first band is read, and outside of a raster there is no value',
  async (client) => {
    const values = await pixelsOf(client, await coarseRun(client), '04');
    assertClose(
      values,
      flat.flatMap(() => [100, 0, -9999, -9999]),
      'vegetation cover',
    );
  },
);

claim(
  ['L4 outside', 'L8.4 overlap', 'L2 protected-areas'],
  'protected areas may lie elsewhere altogether',
  async (client) => {
    const run = await coarseRun(client);
    const { meta } = await getDataset(client, outputOf(run, '26'));
    assert.equal(run.status, 'succeeded');
    assert.equal(Object(meta?.['invalid_pixels'])['landscape-in-protected-areas'], 0);
  },
);

claim(
  ['L3.3 ground', 'L4 grid', 'L3.2 01', 'L3.2 02'],
  'on a grid of degrees slope and ruggedness are over the ground',
  async (client) => {
    const { run, grid, slope, tri } = await degreesRun(client);
    const raster = await readCog(client, outputOf(run, '01'));
    assertClose(raster.values, slope.flat(), 'slope');
    assert.deepEqual([raster.epsg, raster.origin], [4326, [grid.left, grid.top, 0]]);
    assertClose(await pixelsOf(client, run, '02'), tri.flat(), 'ruggedness');
  },
);

claim(
  ['L3.2 window_size', '2.6 LandscapeParams.window_size', '8 window_size'],
  'the smallest windows give the same pixels as one that holds everything',
  async (client) => {
    const [width, rowCount] = [300, 8];
    const height = (x: number, y: number) =>
      Math.fround(500 + 200 * Math.sin(x / 17) * Math.cos(y / 23) + ((x * 7 + y * 13) % 29));
    const rows = Array.from({ length: rowCount }, (_, y) =>
      Array.from({ length: width }, (_each, x) => height(x, y)),
    );
    const dem = { rows, pixelSize: 100 };
    const overrides = { ...(await plainPins(client)), ...(await pinSlots(client, { dem })) };
    const pixelsBy = async (window_size: number) => {
      const run = await succeed(client, { overrides, from_stage: 0, params: { window_size } });
      return await Promise.all(
        ['01', '02', '25', '34'].map(async (code) => await pixelsOf(client, run, code)),
      );
    };
    const small = await pixelsBy(256);
    assert.deepEqual(
      small.map(({ length }) => length),
      Array.from(small, () => width * rowCount),
    );
    assert.ok(new Set(small[1]).size > 1000);
    assert.deepEqual(small, await pixelsBy(512));
  },
);
