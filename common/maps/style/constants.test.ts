import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { constantOf, constantText } from './constants.ts';
import { readSld } from './sld-read.ts';
import { readXml } from './xml-tree.ts';

describe('A text with expressions', () => {
  for (const [text, expected] of [
    ['#00ff00', '#00ff00'],
    ["${env('low','#00FF00')}", '#00FF00'],
    ["${env('low',  0)}", '0'],
    ["${ENV('low', -2.5)}", '-2.5'],
    ["#${env('red', 'ff')}00${env('blue', '80')}", '#ff0080'],
    ["${env('a', env('b', '#123456'))}", '#123456'],
    ['${2 + 3 * (4 - 1)}', '11'],
    ["${strConcat('#', '123456')}", '#123456'],
    ["${Concatenate('#', 'abc', 'def')}", '#abcdef'],
    ["${'it''s } one'}", "it's } one"],
    ['${min(3, max(1, 2))}', '2'],
    ['\\${x}', '${x}'],
    ["${env('low')}", undefined],
    ["${env('wms_scale_denominator', 1000)}", undefined],
    ['${population}', undefined],
    ['${population * 2}', undefined],
    ["${unknown('a')}", undefined],
    ["${constructor('a')}", undefined],
    ['${1 / 0}', undefined],
    ['${1 2}', undefined],
    ['${', undefined],
    ['${}', undefined],
    [`\${${'('.repeat(60)}1${')'.repeat(60)}}`, undefined],
  ] as const) {
    test(`${text.slice(0, 60)} is ${expected}`, () => assert.equal(constantText(text), expected));
  }
});

describe('An element', () => {
  for (const [xml, expected] of [
    ['<Literal>5</Literal>', '5'],
    ['<Literal><Literal>5</Literal></Literal>', '5'],
    [
      '<ogc:Function name="env"><ogc:Literal>low</ogc:Literal><ogc:Literal>#123456</ogc:Literal></ogc:Function>',
      '#123456',
    ],
    ['<Function name="env"><Literal>low</Literal></Function>', undefined],
    ['<Function name="env"><Literal>low</Literal><PropertyName>a</PropertyName></Function>', undefined],
    ['<Add><Literal>1</Literal><Mul><Literal>2</Literal><Literal>3</Literal></Mul></Add>', '7'],
    ['<Div><Literal>1</Literal><Literal>0</Literal></Div>', undefined],
    ['<Concatenate><StringValue>#12</StringValue><StringValue>3456</StringValue></Concatenate>', '#123456'],
    ['<PropertyName>a</PropertyName>', undefined],
  ] as const) {
    test(`${xml} is ${expected}`, () => assert.equal(constantOf(readXml(xml)), expected));
  }
});

const rasterOf = (colourMap: string) =>
  readSld(
    `<StyledLayerDescriptor><NamedLayer><UserStyle><FeatureTypeStyle><Rule><Name>r</Name><RasterSymbolizer>${colourMap}</RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
  );

test('a colour map has the defaults of its environment, in every attribute', () => {
  const { raster, undrawn } = rasterOf(
    `<ColorMap type="\${env('mode','intervals')}"><ColorMapEntry color="\${env('low','#00FF00')}" quantity="\${env('lowq',0)}" label="low"/><ColorMapEntry color="\${env('high','#FF0000')}" quantity="\${env('highq',200)}" opacity="\${env('o', 0.5)}"/></ColorMap>`,
  );
  assert.deepEqual(raster?.colours, {
    kind: 'intervals',
    stops: [
      { value: 0, colour: [0, 255, 0, 255], label: 'low' },
      { value: 200, colour: [255, 0, 0, 128], label: '' },
    ],
  });
  assert.deepEqual(undrawn, []);
});

test('an entry that has to be computed is left out, and told as an expression of its rule', () => {
  const entries =
    '<ColorMapEntry color="${colour}" quantity="1"/><ColorMapEntry color="#ff0000" quantity="${env(\'q\')}"/>';
  for (const [inner, stops] of [
    [entries, undefined],
    [`${entries}<ColorMapEntry color="#0000ff" quantity="7"/>`, 1],
  ] as const) {
    const { raster, undrawn, undrawnRules } = rasterOf(`<ColorMap>${inner}</ColorMap>`);
    assert.deepEqual(
      [raster?.colours?.stops.length, undrawn, undrawnRules],
      [stops, ['expressions'], { expressions: [{ number: 1, name: 'r', entries: ['1', "${env('q')}"] }] }],
    );
  }
});
