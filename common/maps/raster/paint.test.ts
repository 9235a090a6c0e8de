import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ColourMap, type Rgba, stretchedRamp } from '../style/colour-map.ts';
import { missingBands, paintOf, type RasterFacts, surveyedBands } from './paint.ts';
import { legendOf } from './raster-legend.ts';
import { spreadOf } from './stretch.ts';

const red: Rgba = [255, 0, 0, 255];
const none: Rgba = [0, 0, 0, 0];
const plainScale = { scale: 1, offset: 0 };
const values: RasterFacts = {
  bands: 1,
  type: { format: 1, bits: 8 },
  scales: [plainScale],
  colourBands: undefined,
  palette: undefined,
};
const photo: RasterFacts = { ...values, bands: 4, colourBands: [1, 2, 3] };
const wide: RasterFacts = { ...photo, type: { format: 1, bits: 16 } };
const colours: ColourMap = { kind: 'values', stops: [{ value: 1, colour: red, label: 'one' }] };
const plain = { colours: undefined, channels: undefined, band: 1 } as const;

const spreadFrom = (from: number, to: number) => {
  const spread = spreadOf(
    Float64Array.from({ length: 101 }, (_, index) => from + ((to - from) * index) / 100),
    plainScale,
  );
  assert.ok(spread);
  return spread;
};
const spreads = new Map([1, 2, 3, 4].map((band) => [band, spreadFrom(0, 100 * band)]));

test('colours of the style come first, and bands that are not there are named', () => {
  assert.deepEqual(paintOf(photo, { ...plain, colours, band: 3 }, spreads), {
    kind: 'values',
    band: 3,
    colours,
  });
  assert.deepEqual(missingBands(values, { ...plain, colours, band: 3 }), [3]);
  assert.deepEqual(missingBands(values, { ...plain, channels: [1, 2, 0] }), [2]);
  assert.deepEqual(missingBands(values, { ...plain, colours, channels: [1, 2, 3] }), []);
  assert.deepEqual(missingBands(values, undefined), []);
});

test('channels of the style are drawn of any raster, bytes as they are, others from the 2nd to the 98th percentile', () => {
  const style = { ...plain, channels: [4, 0, 2] } as const;
  const asTheyAre = { kind: 'bands', bands: [4, 0, 2], curves: [undefined, undefined, undefined] };
  assert.deepEqual(paintOf({ ...values, bands: 4 }, style, spreads), asTheyAre);
  assert.deepEqual(surveyedBands({ ...values, bands: 4 }, style), []);
  const floats: RasterFacts = { ...values, bands: 4, type: { format: 3, bits: 32 } };
  assert.deepEqual(surveyedBands(floats, style), [4, 2]);
  const paint = paintOf(floats, style, spreads);
  assert.deepEqual(paint.kind === 'bands' && [paint.curves[0], paint.curves[2]], [
    [
      [8, 0],
      [392, 255],
    ],
    [
      [4, 0],
      [196, 255],
    ],
  ]);
});

test('a grey band without colours is spread over all greys, and stretched as its contrast says', () => {
  const grey = { ...plain, band: 2, grey: true } as const;
  const ends = (
    style: typeof grey & { contrasts?: readonly [{ method: 'stretch'; range: [number, number] }] },
  ) => {
    const paint = paintOf(photo, style, spreads);
    assert.ok(paint.kind === 'values' && paint.band === 2 && paint.colours.kind === 'ramp');
    return paint.colours.stops.map(({ value, colour }) => [value, ...colour]);
  };
  assert.deepEqual(ends(grey), [
    [4, 0, 0, 0, 255],
    [196, 255, 255, 255, 255],
  ]);
  assert.deepEqual(ends({ ...grey, contrasts: [{ method: 'stretch', range: [10, 20] }] }), [
    [10, 0, 0, 0, 255],
    [20, 255, 255, 255, 255],
  ]);
});

test('without a style: a picture as it is or stretched, the palette of the file, else a ramp', () => {
  const asItIs = { kind: 'bands', bands: [1, 2, 3], curves: [undefined, undefined, undefined] };
  assert.deepEqual(paintOf(photo, undefined, spreads), asItIs);
  assert.deepEqual(surveyedBands(wide, undefined), [1, 2, 3]);
  const paint = paintOf(wide, undefined, spreads);
  assert.deepEqual(paint.kind === 'bands' && paint.curves[1], [
    [4, 0],
    [196, 255],
  ]);
  assert.deepEqual(paintOf({ ...values, palette: [none, red] }, undefined, spreads), {
    kind: 'values',
    band: 1,
    isOfSamples: true,
    colours: {
      kind: 'values',
      stops: [
        { value: 0, colour: none, label: '' },
        { value: 1, colour: red, label: '' },
      ],
    },
  });
  const ramp = { kind: 'values', band: 1, colours: stretchedRamp('cividis', 2, 98) };
  assert.deepEqual(paintOf(values, plain, spreads), ramp);
});

test('a raster without any value has no colours, and a legend of none', () => {
  const nothing = { kind: 'values', band: 1, colours: { kind: 'values', stops: [] } } as const;
  for (const style of [undefined, { ...plain, grey: true } as const]) {
    const paint = paintOf(values, style, new Map());
    assert.deepEqual(paint, nothing);
    const band = { type: values.type, ...plainScale };
    assert.deepEqual(legendOf(paint, { spread: undefined, band, opacity: 1 }), {
      kind: 'classes',
      entries: [],
    });
  }
});
