import assert from 'node:assert/strict';
import { test } from 'node:test';
import { affineOf, pixelOf } from '../../../common/maps/raster/lattice.ts';
import { bandColouringOf, opaqueSample } from '../../../common/maps/raster/band-colour.ts';
import { colouringOf } from '../../../common/maps/raster/colouring.ts';
import { onlyClass } from '../../../common/maps/raster/raw-colours.ts';
import { crsOf, fromView } from './projection.ts';
import { samplesOf } from '../../../common/maps/raster/samples.ts';
import { spreadOf } from '../../../common/maps/raster/stretch.ts';

test('a place by points is half a pixel from one by areas', () => {
  const tags = { pixelScale: [2, 2, 0], tiepoint: [0, 0, 0, 10, 20, 0], transformation: undefined };
  const area = affineOf({ ...tags, isPoint: false });
  const point = affineOf({ ...tags, isPoint: true });
  assert.ok(area && point);
  assert.deepEqual(pixelOf(area, 12, 14), [1, 3]);
  assert.deepEqual(pixelOf(point, 12, 14), [1.5, 3.5]);
});

test('colours: values alone, intervals below their bound, ramps between stops', () => {
  const black = [0, 0, 0, 255] as const;
  const white = [255, 255, 255, 255] as const;
  const stops = [
    { value: 1, colour: black, label: '' },
    { value: 3, colour: white, label: '' },
  ];
  const drawn = (kind: 'values' | 'intervals' | 'ramp', values: number[]) => {
    const pixels = new Uint32Array(values.length);
    colouringOf({ kind, stops })(Float64Array.from(values), pixels);
    return [...pixels].map((pixel) => pixel.toString(16));
  };
  const [none, low, high] = ['0', 'ff000000', 'ffffffff'];
  assert.deepEqual(drawn('values', [1, 2, 3, 1.5, -40_000, Number.NaN]), [low, none, high, none, none, none]);
  assert.deepEqual(drawn('intervals', [0, 1, 2.9, 3, Number.NaN]), [low, high, high, none, none]);
  assert.deepEqual(drawn('ramp', [-5, 1, 2, 3, 9, Number.NaN]), [low, low, 'ff808080', high, high, none]);
});

test('a class on its own leaves the others transparent', () => {
  const stops = [1, 2].map((value) => ({ value, colour: [9, 9, 9, 255] as const, label: '' }));
  const pixels = new Uint32Array(2);
  colouringOf(onlyClass({ kind: 'values', stops }, 1))(Float64Array.of(1, 2), pixels);
  assert.deepEqual([...pixels], [0, 0xff090909]);
});

test('three bands: 16 bits are scaled, YCbCr is converted, a pixel without opacity is left out', () => {
  const pixels = new Uint32Array(1);
  const of = (...numbers: number[]) => numbers.map((number) => Float64Array.of(number));
  const curve = [
    [0, 0],
    [65_535, 255],
  ] as const;
  const wide = bandColouringOf({ meaning: 'rgb', curves: [curve, curve, curve], opaque: 65_535 });
  const draw = (meaning: 'rgb' | 'ycbcr') => bandColouringOf({ meaning, curves: [], opaque: 255 });
  wide(of(65_535, 0, 32_768), undefined, pixels);
  assert.equal(pixels[0]?.toString(16), 'ff8000ff');
  draw('ycbcr')(of(76, 85, 255), undefined, pixels);
  assert.equal(pixels[0]?.toString(16), 'ff0000fe', 'red');
  draw('rgb')(of(1, 2, 3), Float64Array.of(0), pixels);
  assert.equal(pixels[0], 0);
  assert.deepEqual(
    [
      { format: 1, bits: 16 },
      { format: 2, bits: 16 },
    ].map(opaqueSample),
    [65_535, 32_767],
  );
});

test('complex numbers are refused', () => {
  assert.throws(() => samplesOf(new Uint8Array(8), { format: 6, bits: 64 }), RangeError);
});

test('spread: no data does not count, few whole numbers are classes', () => {
  const numbers = Float64Array.from({ length: 101 }, (_, index) => index);
  const band = { scale: 1, offset: 0 };
  const { quantiles = [], ...spread } = spreadOf(Float64Array.of(...numbers, Number.NaN), band) ?? {};
  assert.deepEqual(spread, { least: 0, greatest: 100, p2: 2, p98: 98, classes: undefined });
  assert.deepEqual([quantiles[0], quantiles[32], quantiles[64]], [0, 50, 100]);
  assert.deepEqual(spreadOf(Float64Array.of(3, 1, 3), band)?.classes, [1, 3]);
  assert.equal(spreadOf(Float64Array.of(0.5), band)?.classes, undefined);
  assert.equal(spreadOf(Float64Array.of(Number.NaN), band), undefined);
});

test('spread is in units: percentiles of a band whose values fall as its samples rise', () => {
  const samples = Float64Array.from({ length: 101 }, (_, index) => index);
  const spread = spreadOf(samples, { scale: -2, offset: 1 });
  const ends = [spread?.least, spread?.greatest, spread?.p2, spread?.p98].map((value) => value?.toFixed(9));
  assert.deepEqual(
    ends,
    [-199, 1, -195, -3].map((value) => value.toFixed(9)),
  );
});

test('the words of the service come before the code of the file', () => {
  assert.equal(crsOf('+proj=utm +zone=42', 4326), '+proj=utm +zone=42');
  assert.equal(crsOf(undefined, 4326), 'EPSG:4326');
  assert.equal(crsOf(undefined, 28412), undefined);
});

test('the middle of the view of Kazakhstan is 67° E, 48° N', () => {
  const [east, north] = fromView('KZ:AEA', 'EPSG:4326')(0, 0);
  assert.ok(Math.abs(east - 67) < 1e-9 && Math.abs(north - 48) < 1e-9);
});
