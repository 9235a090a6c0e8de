import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { breaksOf } from './breaks.ts';
import { classOf, cssOf, parseColour, rampColours, stretchedRamp } from './colour-map.ts';
import { readSld } from './sld-read.ts';

const fixture = async (name: string) =>
  await readFile(new URL(`../../../test/fixtures/sld/${name}`, import.meta.url), 'utf8');
const within = (symbolizer: string) =>
  `<StyledLayerDescriptor><NamedLayer><UserStyle><FeatureTypeStyle><Rule>${symbolizer}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

test('colours are read and written', () => {
  assert.deepEqual(parseColour('#FFcc00'), [255, 204, 0, 255]);
  assert.deepEqual(parseColour('#fc0', 0.5), [255, 204, 0, 128]);
  assert.equal(parseColour('url(javascript:1)'), undefined);
  assert.equal(cssOf([255, 204, 0, 255]), '#ffcc00');
  assert.equal(cssOf([255, 204, 0, 128]), '#ffcc0080');
});

test('a bound belongs to the class above', () => {
  assert.deepEqual(
    [0, 1, 1.5, 2, 3].map((value) => classOf(value, [1, 2])),
    [0, 1, 1, 2, 2],
  );
});

test('rules of a vector: filters on properties, between inclusive, and their signs', async () => {
  const { rules, undrawn } = readSld(await fixture('geoserver_popshade.sld'));
  const taken = (persons: unknown) =>
    rules.filter(({ filter }) => filter !== 'else' && filter({ PERSONS: persons })).map(({ title }) => title);
  assert.deepEqual(taken(1), ['< 2M', 'Boundary']);
  assert.deepEqual(taken(2_000_000), ['2M - 4M', 'Boundary']);
  assert.deepEqual(taken('5000000'), ['> 4M', 'Boundary']);
  assert.deepEqual(taken(null), ['Boundary']);
  assert.deepEqual(rules[0]?.signs[0]?.fill, [77, 255, 77, 179]);
  assert.deepEqual(undrawn, ['labels']);
});

test('an entry without a number is left out, one without a colour is not drawn; "inf" of QGIS is the open end', () => {
  const map = `<RasterSymbolizer><ColorMap type="intervals"><ColorMapEntry color="#111111" quantity="inf"/>
    <ColorMapEntry color="#222222" quantity="5"/><ColorMapEntry color="red" quantity="6"/><ColorMapEntry color="#333333" quantity=""/>
    </ColorMap></RasterSymbolizer>`;
  assert.deepEqual(
    readSld(within(map)).raster?.colours?.stops.map(({ value, colour }) => [value, colour[3]]),
    [
      [5, 255],
      [6, 0],
      [Infinity, 255],
    ],
  );
});

test('LIKE takes no longer than length times length', () => {
  const like = `<Filter><PropertyIsLike wildCard="*" singleChar="?"><PropertyName>value</PropertyName>
    <Literal>${'a*'.repeat(50)}b</Literal></PropertyIsLike></Filter><LineSymbolizer><Stroke/></LineSymbolizer>`;
  const filter = readSld(within(like)).rules[0]?.filter;
  assert.ok(filter !== undefined && filter !== 'else');
  assert.equal(filter({ value: 'a'.repeat(5000) }), false);
  assert.equal(filter({ value: `${'a'.repeat(60)}b` }), true);
});

test('bounds have no digits that computing has made, so that a value on one belongs to the class above', () => {
  const values = [40, 41.21, 42.42, 43.63, 44.84];
  assert.deepEqual(breaksOf('quantiles', values, 8), [40.605, 41.21, 41.815, 42.42, 43.025, 43.63, 44.235]);
  assert.deepEqual(breaksOf('equal', [0, 0.3], 3), [0.1, 0.2]);
});

test('breaks: equal, quantiles, natural; never more than values allow', () => {
  const values = [0, 1, 2, 3, 4, 100, 101, 102];
  assert.deepEqual(breaksOf('equal', values, 3), [34, 68]);
  assert.deepEqual(breaksOf('quantiles', [1, 2, 3, 4], 2), [2.5]);
  assert.deepEqual(breaksOf('natural', values, 2), [100]);
  assert.deepEqual(breaksOf('quantiles', [0, 0, 0, 0, 0, 5], 5), [5]);
  assert.deepEqual(breaksOf('natural', [7, 7], 5), []);
  assert.deepEqual(breaksOf('equal', [], 5), []);
});

test('ramps run from low to high and are as long as asked', () => {
  assert.deepEqual(rampColours('ylgn', 2).map(cssOf), ['#f7fcb9', '#004529']);
  assert.equal(rampColours('cividis', 7).length, 7);
  const { stops } = stretchedRamp('cividis', 10, 20);
  assert.deepEqual([stops[0]?.value, stops.at(-1)?.value], [10, 20]);
});
