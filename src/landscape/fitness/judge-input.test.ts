import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Message } from '../../lib/message.ts';
import { translate } from '../../messages/languages/translate.ts';
import { bandByKey } from '../graph/graph.ts';
import {
  type Box,
  coveredShare,
  type Place,
  type JudgedInput,
  judgeInput,
  type RasterFacts,
} from './judge-input.ts';
import type { BandStatistics } from './judge-values.ts';

const file = {
  bands: 1,
  dataType: 'Float32',
  hasReferenceSystem: true,
  isPlaced: true,
  rows: 1000,
  shift: null,
};
const at = (box: Box, plane?: Place['plane']): Place => ({ box, plane });
const steppe = at([68, 50, 70, 51]);

function input(key: string, facts: Partial<RasterFacts> = {}): JudgedInput {
  const band = bandByKey(key);
  assert.ok(band !== undefined);
  return { band, facts: { name: key, file, place: steppe, values: undefined, ...facts } };
}

/** Values that are evenly distributed. */
function evenly(min: number, max: number): BandStatistics {
  const percentiles = Array.from({ length: 101 }, (_, index) => min + ((max - min) * index) / 100);
  return { valid: 10_000, min, max, percentiles, classes: null };
}

/** Numbers of pixels by class. */
function classes(pixels: Readonly<Record<number, number>>): BandStatistics {
  const found = Object.entries(pixels).map(([value, count]) => ({ value: Number(value), pixels: count }));
  const values = found.map(({ value }) => value);
  const valid = found.reduce((sum, { pixels: own }) => sum + own, 0);
  return { valid, min: Math.min(...values), max: Math.max(...values), percentiles: null, classes: found };
}

const told = (own: JudgedInput, others: readonly JudgedInput[] = [own]) =>
  judgeInput(own, others).map(({ severity, code, message }) => [severity, code, message]);
const codes = (own: JudgedInput, others?: readonly JudgedInput[]) =>
  told(own, others).map(([severity, code]) => `${severity} ${code}`);

describe('the file of an input', () => {
  test('stops without a reference system, and without a place', () => {
    const without = { ...file, hasReferenceSystem: false };
    const [first] = told(input('ndvi', { file: without, values: evenly(0, 0.8) }));
    assert.deepEqual(first?.slice(0, 2), ['stops', 'no_reference_system']);
    assert.match(first?.[2] ?? '', /no coordinate reference system/);
    const [nowhere] = told(input('ndvi', { file: { ...file, isPlaced: false } }));
    assert.match(nowhere?.[2] ?? '', /no georeference/);
  });

  test('stops as a picture, whose colours are not judged as well', () => {
    const picture = { ...file, bands: 3, dataType: 'Byte' };
    const facts = { file: picture, values: classes({ 3: 10, 10: 4, 200: 5 }) };
    assert.deepEqual(told(input('land-cover', facts)), [
      [
        'stops',
        'picture',
        'This is a picture: 3 bands of bytes that hold colours. Upload a raster with one band of values.',
      ],
    ]);
  });

  test('is told of when runs read one of its bands alone', () => {
    assert.deepEqual(codes(input('ndvi', { file: { ...file, bands: 12 } })), ['warns several_bands']);
  });

  test('is told of where its datum and that of the elevation meet less accurately than by half a pixel', () => {
    const pulkovo = {
      operation: 'EPSG:5044',
      name: 'Pulkovo 1942 to WGS 84 (20)',
      accuracy_m: 3,
      better: null,
    };
    // One degree of latitude in this many rows: pixels of 5 m, and of 111 m.
    const [fine, coarse] = [22_239, 1000].map((rows) => input('dem', { file: { ...file, rows } }));
    const ndvi = input('ndvi', { file: { ...file, shift: pulkovo } });
    assert.ok(fine !== undefined && coarse !== undefined);
    const [, code, sentence] = told(ndvi, [fine, ndvi])[0] ?? [];
    assert.equal(code, 'coarse_shift');
    assert.match(
      sentence ?? '',
      /\(Pulkovo 1942 to WGS 84 \(20\)\) is accurate to 3 m, .+ of the elevation \(5 m\)\.$/,
    );
    assert.deepEqual(codes(ndvi, [coarse, ndvi]), []);
    // Of one datum, and of a report of an earlier release.
    const same = input('dem', { file: { ...file, rows: 22_239, shift: pulkovo } });
    assert.deepEqual(codes(ndvi, [same, ndvi]), []);
    const unknown = input('dem', { file: { ...file, rows: 22_239, shift: undefined } });
    assert.deepEqual(codes(ndvi, [unknown, ndvi]), []);
    // The elevation may be the one that is shifted.
    assert.deepEqual(codes(input('ndvi'), [same, input('ndvi')]), ['warns coarse_shift']);
  });

  test('that is not known of is not judged', () => {
    assert.deepEqual(told(input('ndvi', { file: undefined, place: undefined })), []);
  });
});

describe('the values of numbers', () => {
  const ndvi = (values: RasterFacts['values']) => input('ndvi', { values });

  test('within the range are as they should be, both ends included, as floats of 32 bits', () => {
    assert.deepEqual(told(ndvi(evenly(-1, 1 + 1e-12))), []);
    assert.deepEqual(told(input('01', { values: evenly(0, 1e6) })), []);
    const [below] = told(input('01', { values: evenly(-5, -1) }));
    assert.deepEqual(below, ['warns', 'out_of_range', 'All values are below 0: the raster has −5 to −1.']);
  });

  test('times 10,000 are known by their range, with the factor that NDVI usually has', () => {
    const [outside, factor] = told(ndvi(evenly(-3000, 9000)));
    assert.deepEqual(outside, [
      'warns',
      'out_of_range',
      '99 % of the values are outside −1 to 1 and count as no value: the raster has −3,000 to 9,000.',
    ]);
    assert.deepEqual(factor?.slice(0, 2), ['warns', 'likely_factor']);
    assert.match(
      factor?.[2] ?? '',
      /^Divide by 10,000\? The values would then be −0\.3 to 0\.9\. .*-a_scale 0\.0001/,
    );
    // The vegetation of a desert would also fit the range with a smaller factor.
    assert.match(told(ndvi(evenly(100, 900)))[1]?.[2] ?? '', /^Divide by 10,000\?/);
  });

  test('none of which is in the range stop', () => {
    assert.deepEqual(codes(ndvi(evenly(100, 8000))), ['stops out_of_range', 'warns likely_factor']);
    assert.deepEqual(codes(input('precipitation', { values: evenly(-9, -1) })), ['stops out_of_range']);
  });

  test('with a scale in the file are judged as they are applied', () => {
    assert.deepEqual(told(ndvi(evenly(-0.3, 0.9))), []);
  });

  test('have the least other factor that fits', () => {
    const [, soil] = told(input('soil-salinity', { values: evenly(0, 900) }));
    assert.match(soil?.[2] ?? '', /^Divide by 10\?/);
    const [, height] = told(input('dem', { values: evenly(1000, 800_000) }));
    assert.match(height?.[2] ?? '', /^Divide by 100\?/);
    assert.deepEqual(codes(ndvi(evenly(-1e8, 1e8))), ['warns out_of_range'], 'none fits');
  });

  test('that stand for none are no matter of a factor', () => {
    const values = Array.from({ length: 101 }, (_, index) => (index < 30 ? -9999 : index / 200));
    const holes = { valid: 1000, min: -9999, max: 0.5, percentiles: values, classes: null };
    assert.deepEqual(told(ndvi(holes)), [
      [
        'warns',
        'out_of_range',
        '30 % of the values are outside −1 to 1 and count as no value: the raster has −9,999 to 0.5.',
      ],
    ]);
    const one = {
      ...holes,
      percentiles: values.map((value, index) => (index === 0 ? -9999 : Math.max(0, value))),
    };
    assert.match(told(ndvi(one))[0]?.[2] ?? '', /^Less than 1 % of the values are outside/);
  });

  test('of before percentiles were counted are some', () => {
    const values = { ...evenly(-3000, 9000), percentiles: undefined };
    assert.match(told(ndvi(values))[0]?.[2] ?? '', /^Some of the values are outside/);
  });

  test('that there are none of stop, and are judged once they are counted', () => {
    const none = { valid: 0, min: null, max: null, percentiles: null, classes: null };
    assert.deepEqual(codes(ndvi(none)), ['stops no_value']);
    assert.deepEqual(codes(ndvi('being counted')), ['waits not_judged']);
    assert.deepEqual(codes(ndvi('not countable')), ['warns not_judged']);
  });
});

describe('the values of classes', () => {
  const cover = (values: BandStatistics) => input('land-cover', { values });

  test('are named with their share where they are unknown; 0 has no value', () => {
    assert.deepEqual(told(cover(classes({ 0: 50, 10: 30, 30: 20 }))), []);
    assert.deepEqual(told(cover(classes({ 10: 70, 11: 20, 12: 10 }))), [
      [
        'warns',
        'unknown_classes',
        '30 % of the values are of unknown classes and count as no value: 11, 12.',
      ],
    ]);
  });

  test('none of which is known stop', () => {
    assert.deepEqual(told(cover(classes({ 1: 5, 2: 5 }))), [
      [
        'stops',
        'unknown_classes',
        'No class of the raster is known: it has 1, 2; the slot takes 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100.',
      ],
    ]);
    assert.deepEqual(codes(cover(evenly(1000, 9000))), ['stops unknown_classes']);
  });

  test('that are no whole numbers are told of', () => {
    assert.deepEqual(codes(cover(evenly(10.5, 99.5))), ['warns unknown_classes']);
  });

  test('never stop where no value is a class', () => {
    const areas = (values: BandStatistics) => input('protected-areas', { values });
    assert.match(told(areas(classes({ 1: 5, 7: 5 })))[0]?.[2] ?? '', /^50 % .* count as class 0: 7\.$/);
    assert.deepEqual(codes(areas(classes({ 7: 5 }))), ['warns unknown_classes']);
  });
});

describe('the place of an input', () => {
  const dem = input('dem');
  const elsewhere = at([10, 45, 12, 46]);

  test('beside the elevation stops, and names both', () => {
    const ndvi = input('ndvi', { place: elsewhere, name: 'ndvi 2021' });
    assert.deepEqual(told(ndvi, [dem, ndvi]), [
      [
        'stops',
        'no_overlap',
        'The raster does not overlap "dem" (Elevation), whose grid is that of the run. This one lies at longitude 10 to 12, latitude 45 to 46, the other at longitude 68 to 70, latitude 50 to 51.',
      ],
    ]);
    assert.deepEqual(told(dem, [dem, ndvi]), [], 'the elevation is where the run is');
  });

  test('beside another input is told of once, at the later one', () => {
    const [west, east] = [
      input('pet', { place: at([68, 50, 68.9, 51]) }),
      input('ndvi', { place: at([69.1, 50, 70, 51]) }),
    ];
    assert.deepEqual(codes(west, [dem, west, east]), ['warns little_overlap']);
    const [apart] = told(east, [dem, west, east]);
    assert.deepEqual(apart?.slice(0, 2), ['warns', 'no_overlap']);
    assert.match(apart?.[2] ?? '', /"pet" \(Annual reference evapotranspiration\)/);
  });

  test('with a small part of the elevation is told of, but of protected areas', () => {
    const corner = { place: at([69.5, 50, 71, 51]) };
    assert.match(
      told(input('ndvi', corner), [dem, input('ndvi', corner)])[0]?.[2] ?? '',
      /: 25 % of its area\./,
    );
    assert.deepEqual(told(input('protected-areas', corner), [dem]), []);
    assert.deepEqual(codes(input('protected-areas', { place: elsewhere }), [dem]), ['warns no_overlap']);
  });

  test('is compared across the antimeridian, and not at all where it is not known', () => {
    const share = (one: Box, other: Box) => Math.round(1000 * coveredShare(at(one), at(other))) / 1000;
    assert.equal(share([170, 50, -170, 60], [-175, 40, -160, 70]), 0.25);
    assert.equal(share([-180, 50, -170, 60], [170, 50, -170, 60]), 1);
    assert.ok(coveredShare(steppe, at([70.001, 50, 71, 51])) > 0, 'outlines are not that exact');
    assert.equal(coveredShare(steppe, at([70.1, 50, 71, 51])), 0);
    assert.deepEqual(told(input('ndvi', { place: undefined }), [dem]), []);
  });

  test('is compared in the reference system that two share, where an edge in common is nothing', () => {
    const utm = (left: number): Place =>
      at([68, 50, 70, 51], { crs: 'EPSG:32642', box: [left, 0, left + 10, 10] });
    assert.equal(coveredShare(utm(0), utm(5)), 0.5);
    assert.equal(coveredShare(utm(0), utm(10)), 0);
    assert.equal(coveredShare(utm(0), at([68, 50, 70, 51], { crs: 'EPSG:4326', box: [10, 0, 20, 10] })), 1);
  });
});

test('a finding is told in three languages, with its numbers', () => {
  const [finding] = judgeInput(input('ndvi', { values: evenly(-3000, 9000) }), []).slice(1);
  const message = new Message(finding?.message ?? '', finding?.sentence);
  assert.match(translate(message, 'ru'), /^Разделить на 10\s000\? .* от −0,3 до 0,9\./);
  assert.match(translate(message, 'kk'), /^Бөлгіш 10\s000 .* −0,3 … 0,9 /);
});
