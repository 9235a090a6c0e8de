import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSld } from './sld-read.ts';

const sld = (inner: string) =>
  `<StyledLayerDescriptor><NamedLayer><UserStyle><FeatureTypeStyle><Rule><RasterSymbolizer>${inner}</RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
const read = (inner: string) => {
  const { raster, undrawn } = readSld(sld(inner));
  assert.ok(raster !== undefined);
  return { ...raster, undrawn };
};
const normalize = (algorithm: string, ...range: readonly (string | number)[]) => {
  const option = (name: string, value: string | number | undefined) =>
    value === undefined ? '' : `<sld:VendorOption name="${name}">${value}</sld:VendorOption>`;
  return `<Normalize>${option('algorithm', algorithm)}${option('minValue', range[0])}${option('maxValue', range[1])}</Normalize>`;
};
const enhanced = (inner: string) => `<ContrastEnhancement>${inner}</ContrastEnhancement>`;
const channel = (name: string, band: string, inner = '') =>
  `<${name}Channel><SourceChannelName>${band}</SourceChannelName>${inner}</${name}Channel>`;
const selection = (...channels: readonly string[]) =>
  `<ChannelSelection>${channels.join('')}</ChannelSelection>`;
const entry = (quantity: string | number, label = '', color = '#102030') =>
  `<ColorMapEntry color="${color}" quantity="${quantity}" label="${label}"/>`;

test('the contrast of each channel', () => {
  const three = read(
    selection(
      channel('Red', '4', enhanced(normalize('StretchToMinimumMaximum', 33, '227.5'))),
      channel('Green', '3', enhanced('<Histogram/><GammaValue>0.5</GammaValue>')),
      channel('Blue', '2'),
    ) + enhanced('<Normalize/>'),
  );
  assert.deepEqual(three.channels, [4, 3, 2]);
  assert.deepEqual(three.contrasts, [
    { method: 'stretch', range: [33, 227.5] },
    { method: 'histogram', gamma: 0.5 },
    undefined,
  ]);
  assert.deepEqual([three.contrast, three.undrawn], [{ method: 'normalize' }, []]);
});

test('a channel that is not chosen is dark', () => {
  const { channels, undrawn } = read(selection(channel('Green', '2')));
  assert.deepEqual([channels, undrawn], [[0, 2, 0], []]);
});

const contrasts: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['', undefined, []],
  ['<GammaValue>1.0</GammaValue>', undefined, []],
  ['<GammaValue>2</GammaValue>', { method: 'plain', gamma: 2 }, []],
  ['<GammaValue>-2</GammaValue>', undefined, ['contrast']],
  [normalize('ClipToMinimumMaximum', 0, 100), { method: 'clip', range: [0, 100] }, []],
  [normalize('ClipToZero', 0, 100), { method: 'clip_to_zero', range: [0, 100] }, []],
  [normalize('StretchToMinimumMaximum', 0), undefined, ['contrast']],
  [normalize('ClipToZero', 100, 0), undefined, ['contrast']],
  [normalize('StretchToHeaven', 0, 1), undefined, ['contrast']],
  ['<Logarithmic/>', undefined, ['contrast']],
];
for (const [inner, contrast, leftOut] of contrasts) {
  test(`contrast of a grey channel: ${inner.replaceAll('sld:VendorOption', 'option') || 'none'}`, () => {
    const grey = read(selection(channel('Gray', '2', enhanced(inner))));
    assert.deepEqual([grey.band, grey.grey, grey.contrasts?.[0], grey.undrawn], [2, true, contrast, leftOut]);
  });
}

test('below a colour map a stretch stays, clipping changes nothing, and what is done to its colours is named', () => {
  const withColours = (contrast: string, above = '') =>
    read(`${selection(channel('Gray', '1', enhanced(contrast)))}<ColorMap>${entry(0)}</ColorMap>${above}`);
  const stretched = withColours(normalize('StretchToMinimumMaximum', 1, 9));
  assert.deepEqual([stretched.contrasts, stretched.undrawn], [[{ method: 'stretch', range: [1, 9] }], []]);
  const clipped = withColours(normalize('ClipToMinimumMaximum', 1, 9));
  assert.deepEqual([clipped.contrasts, clipped.undrawn], [undefined, []]);
  assert.deepEqual(withColours('<GammaValue>2</GammaValue>').undrawn, ['contrast']);
  const above = withColours('', enhanced('<Histogram/>'));
  assert.deepEqual([above.contrast, above.undrawn], [undefined, ['contrast']]);
});

test('an empty colour map, as QGIS writes it beside greys without contrast, is none', () => {
  const { colours, grey, undrawn } = read(`${selection(channel('Gray', '1'))}<ColorMap/>`);
  assert.deepEqual([colours, grey, undrawn], [undefined, true, []]);
});

const intervals = (...entries: readonly string[]) =>
  `<ColorMap type="intervals">${entries.join('')}</ColorMap>`;

test('bounds of intervals: labels say it, else the program', () => {
  const upTo = (xml: string) => read(xml).colours?.upTo === true;
  assert.equal(upTo(intervals(entry(50), entry(100))), false);
  assert.equal(upTo(intervals(entry(50, '&lt;= 50'), entry(100))), true);
  assert.equal(upTo(intervals(entry(50, '≤ 50'), entry(100))), true);
  assert.equal(upTo(intervals(entry(50, '&lt; 50'), entry('inf'))), false);
  assert.equal(upTo(intervals(entry(50, '&lt;= 49'), entry(100))), false);
  assert.equal(upTo(intervals(entry(50), entry('inf'))), true);
  assert.equal(upTo(intervals(entry(50), entry('Infinity'))), false);
  const layer = (style: string) =>
    `<StyledLayerDescriptor><UserLayer><LayerFeatureConstraints><FeatureTypeConstraint/></LayerFeatureConstraints><UserStyle>
      <FeatureTypeStyle>${style}<Rule><RasterSymbolizer>${intervals(entry(50), entry(100))}</RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></UserLayer></StyledLayerDescriptor>`;
  const ofLayer = (style: string) => readSld(layer(style)).raster?.colours?.upTo;
  assert.deepEqual([ofLayer(''), ofLayer('<Name>name</Name>')], [true, undefined]);
});

test('steps of a ramp: two colours of one value stay, a third does not', () => {
  const [black, white, grey] = ['#000000', '#ffffff', '#808080'];
  const { colours, undrawn } = read(
    `<ColorMap>${entry(5, '', black)}${entry(5, '', grey)}${entry(5, '', white)}${entry(9, '', grey)}</ColorMap>`,
  );
  assert.deepEqual(
    colours?.stops.map(({ value, colour }) => [value, colour[0]]),
    [
      [5, 0],
      [5, 255],
      [9, 128],
    ],
  );
  assert.deepEqual(undrawn, ['quantities']);
});

test('commas: those that begin a fraction are read, others only where one of them shows that they do', () => {
  const values = (...quantities: readonly string[]) => {
    const { colours, undrawn } = read(
      `<ColorMap>${quantities.map((quantity) => entry(quantity)).join('')}</ColorMap>`,
    );
    return [colours?.stops.map(({ value }) => value), undrawn];
  };
  assert.deepEqual(values('0,0', '100,5', '1,234'), [[0, 1.234, 100.5], []]);
  assert.deepEqual(values('1,234', '2,000'), [undefined, ['decimal_commas']]);
  assert.deepEqual(values('500', '1,000'), [[500], ['decimal_commas']]);
  assert.deepEqual(values('0,125', '1,000,000'), [[0.125], ['quantities']]);
  assert.equal(read(`<Opacity>0,5</Opacity>`).opacity, 0.5);
});

test('entries that are left out are named by their labels, else by their quantities', () => {
  const { undrawnRules } = readSld(
    sld(
      `<ColorMap type="values">${entry(1, 'Пашня', 'red')}${entry(2, '', '#11223344')}${entry('much', 'Лес')}${entry(4, 'x'.repeat(99), 'rgb(1,2,3)')}${entry(5, 'вода')}${entry(5, 'вода ещё')}</ColorMap>`,
    ),
  );
  assert.deepEqual(undrawnRules, {
    colours: [{ number: 1, name: '', entries: ['Пашня', '2', 'x'.repeat(60)] }],
    quantities: [{ number: 1, name: '', entries: ['Лес', 'вода ещё'] }],
  });
});
