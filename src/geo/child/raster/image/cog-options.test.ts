import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mayHoldClasses, planCog, createValueSurvey } from './cog-options.ts';
import type { BandDescription, RasterDescription } from './description.ts';

const band = (dataType: string, more: Partial<BandDescription> = {}): BandDescription => ({
  dataType,
  hasPalette: false,
  colorInterpretation: 'Gray',
  bits: undefined,
  ...more,
});
const raster = (bands: BandDescription[], side = 2000): RasterDescription => ({
  width: side,
  height: 100,
  blockWidth: side,
  blockHeight: 1,
  bands,
  hasMask: false,
});

describe('A COG', () => {
  test('is deflated, tiled 512, and never takes overviews that came with the file', () => {
    const { options } = planCog(raster([band('Float32')]), [false]);
    assert.deepEqual(options, {
      COMPRESS: 'DEFLATE',
      PREDICTOR: 'FLOATING_POINT',
      BLOCKSIZE: '512',
      BIGTIFF: 'IF_SAFER',
      NUM_THREADS: '2',
      OVERVIEWS: 'IGNORE_EXISTING',
      OVERVIEW_RESAMPLING: 'AVERAGE',
    });
  });

  test('has smaller tiles where there are so many bands that a tile would fill the memory', () => {
    const sideOf = (bands: number, dataType: string) =>
      planCog(raster(Array(bands).fill(band(dataType))), Array(bands).fill(false)).options['BLOCKSIZE'];
    assert.equal(sideOf(32, 'Float32'), '512');
    assert.equal(sideOf(33, 'Float32'), '256');
    assert.equal(sideOf(285, 'Float32'), '128');
    assert.equal(sideOf(4096, 'Byte'), '64');
    assert.equal(sideOf(4096, 'CFloat64'), '16');
  });

  test('is drafted plain, but for rasters whose plain overviews would make a file too large', () => {
    const draftOf = (side: number, bands: number) =>
      planCog(raster(Array(bands).fill(band('Float32')), side), Array(bands).fill(false)).draftCompression;
    assert.equal(draftOf(2_684_354, 1), 'NONE');
    assert.equal(draftOf(2_684_355, 1), undefined);
    assert.equal(draftOf(1_342_178, 2), undefined);
  });

  test('has overviews only where a side is over 512', () => {
    assert.equal(planCog(raster([band('Float32')], 512), [false]).options['OVERVIEWS'], 'NONE');
    assert.equal(planCog(raster([band('Float32')], 513), [false]).options['OVERVIEWS'], 'IGNORE_EXISTING');
  });

  test('gets no overview values that no pixel has as soon as one band holds classes', () => {
    const twice = raster([band('Int16'), band('Int16')]);
    assert.equal(planCog(raster([band('Byte', { hasPalette: true })]), [true]).overviewResampling, 'MODE');
    assert.equal(planCog(twice, [false, true]).overviewResampling, 'MODE');
    assert.equal(planCog(twice, [false, false]).overviewResampling, 'AVERAGE');
  });

  test('uses the predictor that its type and its readers know', () => {
    const predictorOf = (one: BandDescription, classLike = false) =>
      planCog(raster([one]), [classLike]).predictor;
    assert.equal(predictorOf(band('Float32')), 'FLOATING_POINT');
    assert.equal(predictorOf(band('Float64')), 'FLOATING_POINT');
    assert.equal(predictorOf(band('Byte')), 'STANDARD');
    assert.equal(predictorOf(band('Byte'), true), 'NO');
    assert.equal(predictorOf(band('Int16'), true), 'STANDARD');
    assert.equal(predictorOf(band('UInt32')), 'STANDARD');
    assert.equal(predictorOf(band('Int64')), 'NO');
    assert.equal(predictorOf(band('CFloat32')), 'NO');
    assert.equal(predictorOf(band('Byte', { bits: 1 })), 'NO');
  });
});

test('only numbers that are no colours may be classes', () => {
  assert.ok(mayHoldClasses(band('Byte')));
  assert.ok(mayHoldClasses(band('Int32', { colorInterpretation: undefined })));
  assert.ok(mayHoldClasses(band('Float32')));
  assert.ok(!mayHoldClasses(band('CInt16')));
  assert.ok(!mayHoldClasses(band('Byte', { colorInterpretation: 'Red' })));
});

const side = 200;
const rolling = (x: number, y: number): number => Math.round(300 + 70 * Math.sin(x / 30) * Math.cos(y / 25));
type Raster = (x: number, y: number) => number;

for (const [name, expected, valueAt, noData] of [
  ['few values are classes, whatever they are', true, (x, y) => (x + y) % 64],
  ['one value is a class', true, () => 0],
  ['patches of many classes', true, (x, y) => Math.floor(x / 16) * 13 + Math.floor(y / 16)],
  ['patches of any numbers', true, (x, y) => ((x >> 2) * 7919 + (y >> 2) * 104_729) % 211],
  ['the heights of a plain are none, though they are few', false, rolling],
  ['nodata is not a value', false, (x, y) => (x % 20 < 5 ? -32_768 : rolling(x, y)), -32_768],
  ['more values than any legend has are none', false, (x, y) => ((x >> 3) * side + (y >> 3)) * 7],
] satisfies readonly (readonly [string, boolean, Raster, number?])[]) {
  test(`classes: ${name}`, () => {
    const survey = createValueSurvey(noData);
    for (let y = 0; y < side; y += 1) survey.look(Int32Array.from({ length: side }, (_, x) => valueAt(x, y)));
    assert.equal(survey.areClasses(), expected);
  });
}

test('floats are classes where they are codes, with gaps as well, and measurements where one has a fraction', () => {
  const areClasses = (values: readonly number[], noData?: number) => {
    const survey = createValueSurvey(noData);
    survey.look(Float32Array.from(values));
    return survey.areClasses();
  };
  assert.ok(areClasses([10, 30, Number.NaN, 10]));
  assert.ok(areClasses([10, 30, -0.5, 10], -0.5));
  assert.ok(!areClasses([10, 30.25, 10]));
});
