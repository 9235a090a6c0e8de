import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legendOf } from '../../../../common/maps/raster/raster-legend.ts';
import { type ColourMap, cssOf, parseColour } from '../../../../common/maps/style/colour-map.ts';
import { paintOfRules } from '../../../../common/maps/units/unit-paint.ts';
import { readSld } from '../../../../common/maps/style/sld-read.ts';
import type { LoadedLayer } from './layer-model.ts';
import { inDistinctColours } from './distinct-colours.ts';

const facts = {
  dataset: Object(undefined),
  box: undefined,
  undrawn: [],
  restyle: async () => await Promise.reject(new Error('not here')),
};

function rasterOf(colours: ColourMap): LoadedLayer {
  const paint = { kind: 'values', band: 1, colours } as const;
  const band = { type: { format: 1, bits: 8 }, scale: 1, offset: 0 };
  const legend = legendOf(paint, { spread: undefined, band, opacity: 1 });
  return {
    ...facts,
    kind: 'raster',
    legend,
    url: '',
    opened: Object(undefined),
    place: Object(undefined),
    paint,
    opacity: 1,
  };
}

const green = parseColour('#00ff00') ?? assert.fail();
const valuesTo = (last: number, kind: ColourMap['kind'] = 'values'): ColourMap => ({
  kind,
  stops: Array.from({ length: last }, (_, index) => ({ value: index, colour: green, label: `c${index}` })),
});

const coloursIn = (layer: LoadedLayer): readonly string[] =>
  layer.legend.kind === 'classes' ? layer.legend.entries.map(({ colour }) => cssOf(colour)) : [];

test('thirteen classes have thirteen colours, of which the last six are hatched, in map and legend alike', () => {
  const layer = rasterOf(valuesTo(13));
  const distinct = inDistinctColours(layer);
  const colours = coloursIn(distinct);
  assert.equal(new Set(colours).size, 13);
  assert.deepEqual([...(distinct.hatched ?? [])], colours.slice(7));
  assert.ok(distinct.kind === 'raster' && distinct.paint.kind === 'values');
  assert.deepEqual(
    distinct.paint.colours.stops.map(({ colour }) => cssOf(colour)),
    colours,
  );
  assert.equal(inDistinctColours(layer), distinct);
});

test('classes with an order get colours with an order, and what is transparent stays so', () => {
  const { stops } = valuesTo(4, 'intervals');
  const clear = stops.map((stop, index) => (index === 1 ? { ...stop, colour: [0, 0, 0, 0] as const } : stop));
  const colours = coloursIn(inDistinctColours(rasterOf({ kind: 'intervals', stops: clear })));
  assert.deepEqual([colours[0], colours[1], colours[3]], ['#00224e', '#00000000', '#fee838']);
  const many = rasterOf(valuesTo(15));
  assert.equal(inDistinctColours(many), many);
});

test('units have the colours of their entries, and their borders stay', () => {
  const rule = (word: string) =>
    `<Rule><Title>${word}</Title><Filter><PropertyIsEqualTo><PropertyName>value</PropertyName><Literal>${word}</Literal></PropertyIsEqualTo></Filter>
<PolygonSymbolizer><Fill><CssParameter name="fill">#00ff00</CssParameter></Fill><Stroke/></PolygonSymbolizer></Rule>`;
  const { rules } = readSld(
    `<StyledLayerDescriptor>${['a', 'b'].map(rule).join('')}</StyledLayerDescriptor>`,
  );
  const paint = paintOfRules(rules) ?? assert.fail();
  const distinct = inDistinctColours({
    ...facts,
    kind: 'units',
    legend: { kind: 'classes', entries: paint.entries },
    series: Object(undefined),
    paint,
    columns: Object(undefined),
    names: new Map(),
    codes: new Set(),
    levels: [],
    rate: undefined,
  });
  assert.ok(distinct.kind === 'units');
  const [sign] = distinct.paint.signsOf({ value: 'b' }, 1e6);
  assert.deepEqual([sign?.fill, sign?.stroke?.width], [parseColour(coloursIn(distinct)[1] ?? ''), 1]);
  assert.deepEqual(distinct.paint.signsOf({ value: 'c' }, 1e6), []);
});
