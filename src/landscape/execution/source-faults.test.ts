import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gridOf } from '../../../test/support/landscape/graph.ts';
import { bandByKey } from '../graph/graph.ts';
import type { PassSource } from './pass.ts';
import { lowestFault } from '../runs/run-failed.ts';
import { headerFaults, pixelFaults, sumCounts } from './source-faults.ts';

const grid = gridOf({ crs: 'mercator', left: 0, top: 0, res: [1, 1], rows: 5, cols: 4 });

function sourcesOf(
  readers: Readonly<Record<string, string>>,
  isOutput = false,
): ReadonlyMap<string, PassSource> {
  return new Map(
    Object.entries(readers).map(([key, firstReader]) => {
      const band = bandByKey(key);
      assert.ok(band !== undefined);
      return [key, { band, datasetId: `of ${key}`, firstReader, isOutput }];
    }),
  );
}

describe('what headers say against a run', () => {
  const sources = sourcesOf({ dem: '01', precipitation: '03', ndvi: '04' });

  test('nothing when every source can be read and placed', () => {
    assert.deepEqual(headerFaults(sources, { faults: {}, grid }), []);
  });

  test('each fault belongs to the lowest node that reads the source, and the lowest of them counts', () => {
    const faults = headerFaults(sources, { faults: { ndvi: 'unreadable', precipitation: 'no_crs' }, grid });
    assert.deepEqual(
      faults.map(({ nodeCode, error }) => [nodeCode, String(error)]),
      [
        ['03', 'input group landscape-in-precipitation: CRS missing or not supported'],
        ['04', 'input group landscape-in-ndvi: raster cannot be read'],
      ],
    );
    assert.equal(lowestFault(faults.toReversed())?.nodeCode, '03');
  });
});

test('an elevation that is not fit to be the grid is a fault of its own', () => {
  for (const [reference, sentence] of [
    ['not_north_up', 'reference raster: not north-up'],
    ['no_crs', 'reference raster: no CRS'],
  ] as const) {
    const [fault] = headerFaults(sourcesOf({ dem: '01' }), { faults: {}, reference });
    assert.deepEqual([fault?.nodeCode, String(fault?.error)], ['01', sentence]);
  }
});

describe('what pixels say against a run', () => {
  const none = { covered: 0, valid: 0, invalid: 0 };

  test('a source beside the grid, and one without a valid pixel on it, are told apart', () => {
    const counts = new Map([
      ['ndvi', none],
      ['land-cover', { covered: 9, valid: 0, invalid: 9 }],
      ['pet', { covered: 9, valid: 1, invalid: 8 }],
    ]);
    const faults = pixelFaults(sourcesOf({ ndvi: '04', 'land-cover': '05', pet: '03' }), counts);
    assert.deepEqual(
      faults.map(({ nodeCode, error }) => [nodeCode, String(error)]),
      [
        ['04', 'input group landscape-in-ndvi does not overlap the reference grid'],
        [
          '05',
          'input group landscape-in-land-cover has no valid pixel on the reference grid; check unit, scale and nodata',
        ],
      ],
    );
  });

  test('counts of batches add up', () => {
    const sums = sumCounts([
      { pet: { covered: 3, valid: 2, invalid: 1 } },
      { pet: { covered: 4, valid: 0, invalid: 4 }, ndvi: none },
    ]);
    assert.deepEqual(Object.fromEntries(sums), { pet: { covered: 7, valid: 2, invalid: 5 }, ndvi: none });
  });

  test('protected areas may be missing everywhere, and so may what a run has computed', () => {
    const empty = new Map([
      ['protected-areas', none],
      ['13', { ...none, covered: 9 }],
    ]);
    assert.deepEqual(pixelFaults(sourcesOf({ 'protected-areas': '26' }), empty), []);
    assert.deepEqual(pixelFaults(sourcesOf({ '13': '26' }, true), empty), []);
    assert.equal(pixelFaults(sourcesOf({ '13': '26' }), empty).length, 1);
  });
});
