import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parseCompiledStyle } from './compiled-style.ts';
import { maxCompiledBytes } from './fit-style.ts';
import { compileSld } from './sld-compile.ts';
import { layerStyleOf, rasterAt, readSld } from './sld-read.ts';
import { maxElements, readXml } from './xml-tree.ts';

const folder = new URL('../../../test/fixtures/sld/', import.meta.url);
const within = (rules: string) =>
  `<StyledLayerDescriptor><NamedLayer><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
const raster = (inner: string) => within(`<Rule><RasterSymbolizer>${inner}</RasterSymbolizer></Rule>`);
const colourMap = (inner: string, attributes = '') => raster(`<ColorMap ${attributes}>${inner}</ColorMap>`);
const entry = (quantity: string | number, attributes = '') =>
  `<ColorMapEntry color="#102030" quantity="${quantity}" ${attributes}/>`;
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const valuesOf = (xml: string) => readSld(xml).raster?.colours?.stops.map(({ value }) => value);

interface Expectation {
  readonly title: string;
  readonly stops?: number;
  readonly rules?: readonly string[];
  readonly leftOut?: readonly string[];
}
const expected: Readonly<Record<string, Expectation>> = {
  '1.0_raster_complexRaster.sld': { title: 'Complex Raster', stops: 2, leftOut: ['contrast', 'channels'] },
  '1.0_text_pointplacement.sld': { title: 'Simple Text', leftOut: ['labels'] },
  '1.1_polygon_transparentpolygon.sld': { title: 'Transparent Polygon', rules: [''] },
  '1.1_raster_complexRaster.sld': { title: 'Complex Raster', stops: 2, leftOut: ['contrast', 'channels'] },
  'danube.sld': { title: '', rules: [''], leftOut: ['pictures', 'strokes_of_signs'] },
  'geoserver_NamedPlaces.sld': { title: 'Default Styler', rules: ['Ashton', 'Goose Island'] },
  'geoserver_capitals.sld': { title: 'Capital cities', rules: ['Capitals'] },
  'geoserver_dem.sld': { title: 'Simple DEM style', stops: 6 },
  'geoserver_popshade.sld': {
    title: 'Population in the United States',
    rules: ['< 2M', '2M - 4M', '> 4M', 'Boundary'],
    leftOut: ['labels'],
  },
  'geoserver_raster.sld': { title: 'Opaque Raster' },
  'restteststyleV110.sld': { title: 'GEOSYM', rules: ['main'] },
};
const refused = ['html_error_page.sld', 'lol_classic.sld', 'unclosed-element.sld', 'xxe_file.sld'];

for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sld'))) {
  const read = async () => await readFile(new URL(name, folder), 'utf8');
  if (refused.includes(name)) {
    test(`${name} is refused`, async () => {
      const text = await read();
      assert.throws(() => compileSld(text));
    });
    continue;
  }
  test(`${name}: what is drawn, and what is not`, async () => {
    const compiled = compileSld(await read());
    const {
      title,
      stops,
      rules = [],
      leftOut = [],
    } = expected[name] ?? { title: 'nobody expected this file' };
    assert.equal(compiled.title, title);
    assert.equal(compiled.raster?.colours?.stops.length, stops);
    assert.deepEqual(
      compiled.rules.map((rule) => rule.title),
      rules,
    );
    assert.deepEqual(compiled.leftOut, leftOut);
  });
  test(`${name}: what is stored reads the same`, async () => {
    const compiled = compileSld(await read());
    const stored = parseCompiledStyle(JSON.stringify(compiled));
    assert.ok(stored !== undefined);
    assert.deepEqual(stored, compiled);
    const plain = (style: typeof compiled) => JSON.stringify(layerStyleOf(style));
    assert.equal(plain(stored), plain(compiled));
  });
}

test('a style that another version has compiled is not read', () => {
  const compiled = compileSld(within(''));
  assert.equal(parseCompiledStyle(JSON.stringify({ ...compiled, version: 0 })), undefined);
});

test('infinity lives through JSON', () => {
  const stored = parseCompiledStyle(
    JSON.stringify(compileSld(colourMap(entry(1) + entry('inf'), 'type="intervals"'))),
  );
  assert.ok(stored !== undefined);
  const { raster } = layerStyleOf(stored);
  assert.deepEqual(
    raster?.colours?.stops.map(({ value }) => value),
    [1, Infinity],
  );
  assert.deepEqual(raster?.scales, [0, Infinity]);
});

test('quantities: in order, each once, finite, and never -0', () => {
  const quantities = [3, '-0', 'NaN', 'Infinity', '-inf', '', '1e3', 3, '0', ' 2 ', '0,5'];
  const { raster, undrawn } = readSld(colourMap(quantities.map((one) => entry(one)).join('')));
  assert.deepEqual(
    raster?.colours?.stops.map(({ value }) => value),
    [0, 0.5, 2, 3, 1000],
  );
  assert.equal(Object.is(raster?.colours?.stops[0]?.value, 0), true);
  assert.deepEqual(undrawn, ['quantities']);
});

test('of entries of the same quantity the first counts', () => {
  const map = `<ColorMapEntry color="#111111" quantity="5"/><ColorMapEntry color="#222222" quantity="5.0"/>`;
  assert.deepEqual(compileSld(colourMap(map, 'type="values"')).raster?.colours?.stops, [[5, '#111111']]);
});

test('types of a ColorMap: without one, `extended`, and an unknown one', () => {
  assert.equal(readSld(colourMap(entry(1))).raster?.colours?.kind, 'ramp');
  const extended = readSld(colourMap(entry(1), 'type="values" extended="true"'));
  assert.deepEqual([extended.raster?.colours?.kind, extended.undrawn], ['values', []]);
  const unknown = readSld(colourMap(entry(1), 'type="wavy"'));
  assert.deepEqual([unknown.raster?.colours?.kind, unknown.undrawn], ['ramp', ['interpolation']]);
});

test('opacity of an entry; one that is not a number counts as 1', () => {
  const stops = readSld(colourMap(entry(1, 'opacity="0.5"') + entry(2, 'opacity="x"'))).raster?.colours
    ?.stops;
  assert.deepEqual(
    stops?.map(({ colour }) => colour[3]),
    [128, 255],
  );
});

const categorize = (attributes: string) =>
  colourMap(`<Categorize ${attributes}><LookupValue>Rasterdata</LookupValue><Value>#000000</Value>
    <Threshold>10</Threshold><Value><Literal>#ffffff</Literal></Value><Threshold>20</Threshold><Value>#ff0000</Value></Categorize>`);

test('Categorize: a threshold belongs to the class above, or to the one below', () => {
  assert.deepEqual(valuesOf(categorize('')), [10, 20, Infinity]);
  assert.deepEqual(valuesOf(categorize('thresholdsBelongTo="succeeding"')), [10, 20, Infinity]);
  assert.equal(readSld(categorize('')).raster?.colours?.upTo, undefined);
  const below = readSld(categorize('thresholdsBelongTo="preceding"')).raster?.colours;
  assert.deepEqual([below?.stops.map(({ value }) => value), below?.upTo], [[10, 20, Infinity], true]);
});

test('Interpolate: linear; cubic and cosine are named, and drawn linear', () => {
  const interpolate = (mode: string) =>
    colourMap(`<Interpolate ${mode}><LookupValue>Rasterdata</LookupValue>
      <InterpolationPoint><Data>5</Data><Value>#ff0000</Value></InterpolationPoint>
      <InterpolationPoint><Data>-5</Data><Value>#0000ff</Value></InterpolationPoint></Interpolate>`);
  for (const mode of ['', 'mode="linear"', 'mode="cubic"', 'mode="cosine"']) {
    const { raster, leftOut } = compileSld(interpolate(mode));
    assert.deepEqual(raster?.colours, {
      kind: 'ramp',
      stops: [
        [-5, '#0000ff'],
        [5, '#ff0000'],
      ],
    });
    assert.deepEqual(leftOut, /cubic|cosine/.test(mode) ? ['interpolation'] : []);
  }
});

test('Recode colours single values', () => {
  const item = '<MapItem><Data>3</Data><Value>#ff0000</Value></MapItem>';
  const { raster } = compileSld(colourMap(`<Recode><LookupValue>Rasterdata</LookupValue>${item}</Recode>`));
  assert.deepEqual(raster?.colours, { kind: 'values', stops: [[3, '#ff0000']] });
});

test('channels: three, a grey one, and those that are not found', () => {
  const channel = (name: string, band: string) =>
    `<${name}Channel><SourceChannelName>${band}</SourceChannelName></${name}Channel>`;
  const select = (inner: string) => compileSld(raster(`<ChannelSelection>${inner}</ChannelSelection>`));
  const three = select(channel('Red', '4') + channel('Green', '3') + channel('Blue', '2'));
  assert.deepEqual([three.raster?.channels, three.leftOut], [[4, 3, 2], []]);
  const grey = select(channel('Gray', '3'));
  assert.deepEqual([grey.raster?.band, grey.leftOut], [3, []]);
  const two = select(channel('Red', '4') + channel('Green', 'nir'));
  assert.deepEqual([two.raster?.channels, two.raster?.band, two.leftOut], [undefined, 1, ['channels']]);
});

test('rasters at scales of their own; of those that meet the first is drawn', () => {
  const at = (scales: string, opacity: number) =>
    `<Rule>${scales}<RasterSymbolizer><Opacity>${opacity}</Opacity></RasterSymbolizer></Rule>`;
  const near = '<MaxScaleDenominator>1e6</MaxScaleDenominator>';
  const far = '<MinScaleDenominator>1e6</MinScaleDenominator><MaxScaleDenominator>1e7</MaxScaleDenominator>';
  const style = readSld(within(at(near, 0.1) + at(far, 0.2)));
  assert.deepEqual(
    [999_999, 1e6, 1e7].map((scale) => rasterAt(style, scale)?.opacity),
    [0.1, 0.2, undefined],
  );
  assert.deepEqual([style.raster?.opacity, style.undrawn], [0.1, []]);
  assert.deepEqual(readSld(within(at(near, 0.1) + at('', 0.2))).undrawn, ['other_rasters']);
});

test('of several styles the default one is read, else the first', () => {
  const style = (title: string, inner = '') => `<UserStyle><Title>${title}</Title>${inner}</UserStyle>`;
  const root = (inner: string) =>
    compileSld(`<StyledLayerDescriptor><NamedLayer>${inner}</NamedLayer></StyledLayerDescriptor>`);
  assert.equal(root(style('a') + style('b')).title, 'a');
  const { title, leftOut } = root(style('a') + style('b', '<IsDefault>1</IsDefault>'));
  assert.deepEqual([title, leftOut], ['b', ['other_styles']]);
});

test('filters are kept as data', () => {
  const like = `<Rule><Filter><And><PropertyIsLike wildCard="%" singleChar="_" escape="\\"><PropertyName>n</PropertyName>
    <Literal>a%\\%_z</Literal></PropertyIsLike><PropertyIsGreaterThan><PropertyName>v</PropertyName><Mul><Literal>2</Literal>
    <Literal>3</Literal></Mul></PropertyIsGreaterThan></And></Filter><LineSymbolizer><Stroke/></LineSymbolizer></Rule>`;
  const { rules } = readSld(within(like));
  assert.deepEqual(rules[0]?.expression, [
    'all',
    [
      ['like', ['get', 'n'], ['a', 0, '%', 1, 'z']],
      ['>', ['get', 'v'], '6'],
    ],
  ]);
  const filter = rules[0]?.filter;
  assert.ok(filter !== undefined && filter !== 'else');
  assert.deepEqual(
    [
      { n: 'abc%dz', v: 7 },
      { n: 'abcdz', v: 7 },
      { n: 'a%dz', v: 6 },
    ].map((properties) => filter(properties)),
    [true, false, false],
  );
});

test('where a rule is left out, so are the rules for the rest', () => {
  const sign = '<LineSymbolizer><Stroke/></LineSymbolizer>';
  const rules = `<Rule><Filter><BBOX/></Filter>${sign}</Rule><Rule><ElseFilter/>${sign}</Rule><Rule>${sign}</Rule>`;
  const { rules: compiled, leftOut } = compileSld(within(rules));
  assert.deepEqual([compiled.length, compiled[0]?.filter, leftOut], [1, undefined, ['filters']]);
});

test('what is computed is not, and sizes have limits', () => {
  const stroke = (width: string, dashes: string) =>
    within(`<Rule><LineSymbolizer uom="http://www.opengeospatial.org/se/units/metre"><Stroke>
      <SvgParameter name="stroke"><PropertyName>colour</PropertyName></SvgParameter><SvgParameter name="stroke-width">${width}</SvgParameter>
      <SvgParameter name="stroke-dasharray">${dashes}</SvgParameter></Stroke></LineSymbolizer></Rule>`);
  const wide = compileSld(stroke('1e9', '4 2'));
  assert.deepEqual(wide.rules[0]?.signs, [
    { kind: 'line', stroke: { colour: '#000000', width: 200, dashes: [4, 2] } },
  ]);
  assert.deepEqual(wide.leftOut, ['sizes', 'units_of_measure', 'expressions']);
  const none = compileSld(stroke('NaN', '0 0'));
  assert.deepEqual(none.rules[0]?.signs, [{ kind: 'line', stroke: { colour: '#000000', width: 1 } }]);
  assert.deepEqual(none.leftOut, ['sizes', 'units_of_measure', 'expressions', 'quantities']);
});

test('too many stops: a ramp is thinned out and ends where it did, others lose the last', () => {
  const entries = Array.from({ length: 20_000 }, (_, index) => entry(index)).join('');
  const ramp = compileSld(colourMap(entries));
  const stops = ramp.raster?.colours?.stops ?? [];
  assert.ok(stops.length > 2_000 && stops.length <= 4_096, String(stops.length));
  assert.deepEqual([stops[0]?.[0], stops.at(-1)?.[0]], [0, 19_999]);
  assert.deepEqual(ramp.leftOut, ['stops_beyond_limit']);
  assert.ok(bytesOf(ramp) <= maxCompiledBytes);
  const values = compileSld(colourMap(entries, 'type="values"')).raster?.colours?.stops ?? [];
  assert.deepEqual([values[0]?.[0], values.at(-1)?.[0]], [0, values.length - 1]);
});

test('long labels are cut, and give way to colours', () => {
  const long = compileSld(colourMap(entry(1, `label="${'ж'.repeat(1_000_000)}"`)));
  assert.equal(long.raster?.colours?.stops[0]?.[2], `${'ж'.repeat(199)}…`);
  assert.deepEqual(long.leftOut, ['long_texts']);
  const label = `label="${'ж'.repeat(100)}"`;
  const many = Array.from({ length: 1_000 }, (_, index) => entry(index, label)).join('');
  const { raster, leftOut } = compileSld(colourMap(many, 'type="values"'));
  assert.deepEqual([raster?.colours?.stops.length, leftOut], [1_000, ['long_texts']]);
  assert.equal(raster?.colours?.stops[999]?.[2], `${'ж'.repeat(15)}…`);
});

test('rules beyond the limit are cut from the last, with those for the rest', () => {
  const rule = (title: string, filter: string) =>
    `<Rule><Title>${title}</Title>${filter}<LineSymbolizer><Stroke/></LineSymbolizer></Rule>`;
  const many = Array.from({ length: 5_000 }, (_, index) => rule(`rule ${index}`, '')).join('');
  const style = compileSld(within(rule('rest', '<ElseFilter/>') + many));
  assert.ok(bytesOf(style) <= maxCompiledBytes);
  assert.deepEqual([style.rules[0]?.title, style.leftOut], ['rule 0', ['rules_beyond_limit']]);
});

test('the tree has at most so many elements, whatever the file has', () => {
  const count = (xml: string) => {
    let elements = 0;
    const visit = ({ children }: ReturnType<typeof readXml>) => {
      elements += children.length;
      for (const child of children) visit(child);
    };
    visit(readXml(xml));
    return elements + 1;
  };
  assert.equal(count(`<a>${'<b/>'.repeat(1_000)}</a>`), 1_001);
  assert.equal(count(`<a>${'<b/>'.repeat(150_000)}</a>`), maxElements);
});

test('too many nested rules: bounded, and a rule that is cut is not drawn', () => {
  const nested = `${'<Rule>'.repeat(200)}<LineSymbolizer><Stroke/></LineSymbolizer>${'</Rule>'.repeat(200)}`;
  const style = compileSld(within(nested.repeat(600)));
  assert.ok(bytesOf(style) <= maxCompiledBytes);
  assert.deepEqual(style.leftOut, ['elements_beyond_limit']);
  const filterComes = `<Rule><LineSymbolizer><Stroke/></LineSymbolizer>${'<b/>'.repeat(maxElements)}<Filter><BBOX/></Filter></Rule>`;
  assert.deepEqual(compileSld(within(filterComes)).rules, []);
});
