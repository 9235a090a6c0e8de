import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionalZoning, soilQuality, useZone } from '../graph/nodes.ts';
import { LandscapeParams } from '../model/params.ts';
import type { RasterGrid } from '../../maps/service/raster-pairs.ts';
import { inputsThatDiffer, paramsThatDiffer } from './differences.ts';
import { gridDifferences } from './compared-runs.ts';

const run = (
  params: Partial<LandscapeParams>,
  refs: Readonly<Record<string, string>> = {},
  overrides: Readonly<Record<string, string>> = {},
) => ({
  params: LandscapeParams.parse(params),
  overrides: { ...overrides },
  nodes: [
    {
      id: 'n',
      run_id: 'r',
      node_code: '01',
      stage: 0,
      status: 'succeeded' as const,
      fingerprint: '',
      inputs: Object.entries(refs).map(([group, dataset_id]) => ({ group, dataset_id })),
      outputs: null,
      error: null,
      started_at: null,
      finished_at: null,
    },
  ],
});

test('parameters that differ are listed, and those that a node does not depend on are marked', () => {
  const a = run({});
  const b = run({ v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5], window_size: 512 });
  assert.deepEqual(
    paramsThatDiffer(functionalZoning, a, b).map(({ name, matters }) => [name, matters]),
    [
      ['window_size', false],
      ['tie_priority', true],
      ['v1_min_s_e3', true],
    ],
  );
  // Zones of permitted use do not depend on the leading sector.
  assert.deepEqual(
    paramsThatDiffer(useZone, a, b)
      .filter(({ matters }) => matters)
      .map(({ name, a: one, b: two }) => [name, one, two]),
    [['v1_min_s_e3', 4, 5]],
  );
  assert.deepEqual(paramsThatDiffer(functionalZoning, a, a), []);
});

test('inputs that differ are slots and pins, and what lies behind a pin does not matter', () => {
  const refs = {
    'landscape-in-ndvi': '1',
    'landscape-in-soil-texture': '2',
    'landscape-11-soil-quality': '3',
  };
  const other = { ...refs, 'landscape-in-ndvi': '9', 'landscape-in-soil-texture': '8' };
  const a = run({}, refs);
  assert.deepEqual(
    inputsThatDiffer(functionalZoning, a, run({}, other)).map(({ group, a: one, b: two }) => [
      group,
      one,
      two,
    ]),
    [
      ['landscape-in-soil-texture', '2', '8'],
      ['landscape-in-ndvi', '1', '9'],
    ],
  );
  // An output that the run made is not an input, a pinned one is.
  const pinned = run({}, other, { 'landscape-11-soil-quality': '3' });
  const pins = inputsThatDiffer(functionalZoning, a, pinned);
  assert.deepEqual(pins.at(-1), {
    group: 'landscape-11-soil-quality',
    key: '11',
    a: null,
    b: '3',
    matters: true,
  });
  const ofSoil = inputsThatDiffer(soilQuality, a, run({}, other));
  assert.deepEqual(
    ofSoil.map(({ group, matters }) => [group, matters]),
    [
      ['landscape-in-soil-texture', true],
      ['landscape-in-ndvi', false],
    ],
  );
});

test('grids differ in CRS, origin, size of a pixel and size; two spellings of one grid are one', () => {
  const grid: RasterGrid = {
    crsName: 'EPSG:32642',
    crs: 'EPSG:32642',
    left: 455_000,
    top: 5_300_000,
    resX: 30,
    resY: 30,
    width: 4000,
    height: 3000,
  };
  assert.deepEqual(gridDifferences(grid, { ...grid, left: 455_000.000_1, resX: 30.000_000_001 }), []);
  const other = {
    ...grid,
    crsName: 'EPSG:32643',
    crs: 'EPSG:32643',
    left: 455_030,
    resY: 60,
    height: 1500,
  };
  assert.deepEqual(gridDifferences(grid, other), [
    { of: 'crs', a: 'EPSG:32642', b: 'EPSG:32643' },
    { of: 'origin', a: [455_000, 5_300_000], b: [455_030, 5_300_000] },
    { of: 'pixel_size', a: [30, 30], b: [30, 60] },
    { of: 'size', a: [4000, 3000], b: [4000, 1500] },
  ]);
  // Over 4,000 columns, this adds up to half a pixel.
  assert.deepEqual(
    gridDifferences(grid, { ...grid, resX: 30.003_75 }).map(({ of }) => of),
    ['pixel_size'],
  );
});
