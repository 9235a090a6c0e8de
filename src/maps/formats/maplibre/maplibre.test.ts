import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { featureFilter, createExpression, validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { classesOf } from '../../../../common/maps/units/choropleth.ts';
import { predicateOf } from '../../../../common/maps/style/filter.ts';
import type { FilterExpression } from '../../../../common/maps/style/filter-expression.ts';
import { mapFilterOf } from './filter.ts';
import { rasterStyle, unitStyle, vectorStyle, type MapLibreStyle, viewOf } from './style.ts';
import { readSld } from '../../../../common/maps/style/sld-read.ts';

const tiles = {
  name: 'Озёра',
  tilesUrl: 'https://steppe.example/datasets/1/tiles/{z}/{x}/{y}.mvt',
  zooms: [0, 14],
  bounds: [46, 40, 88, 56],
  layer: 'lakes',
} as const;

/** Returns the style as clients receive it. */
const sent = (style: MapLibreStyle) => JSON.parse(JSON.stringify(style));
const assertValid = (style: MapLibreStyle) => assert.deepEqual(validateStyleMin(sent(style)), []);

/** Returns true if a MapLibre filter selects a feature at a zoom. */
function takes(
  filter: unknown,
  properties: Readonly<Record<string, unknown>>,
  { zoom = 5, type = 3 } = {},
): boolean {
  const compiled = featureFilter(JSON.parse(JSON.stringify(filter)), 'filter');
  const kinds = { 1: 1, 2: 2, 3: 3 } as const;
  return compiled.filter(
    { zoom },
    { type: kinds[type === 1 ? 1 : type === 2 ? 2 : 3], properties: { ...properties } },
  );
}

describe('A filter in the words of MapLibre takes what the filter itself takes', () => {
  const value = ['get', 'v'] as const;
  const values = [
    undefined,
    null,
    '',
    0,
    1,
    5,
    -2.5,
    1e6,
    true,
    false,
    '0',
    '5',
    '05',
    ' 5 ',
    '5.0',
    'abc',
    'ab',
    'a',
    'ABC',
    'b',
    'я',
    'x abc y',
    '1e3',
    'NaN',
    'ABC',
    'Я',
    '2020-01-31',
    '2020-01-31T00:00:00Z',
    '2020-01-31 00:00:00.000',
    '2020-01-31T12:00:00Z',
    '2020-02-01',
  ];
  const days = ['2020-01-31', '2020-01-31T00:00:00Z'];
  const literals = ['', '5', '0', '-2.5', 'abc', 'b', '1e3', 'x', ...days];
  const filters: FilterExpression[] = [
    ...(['==', '!=', '<', '<=', '>', '>='] as const).flatMap((sign) =>
      literals.flatMap((literal): FilterExpression[] => [
        [sign, value, literal],
        [sign, literal, value],
      ]),
    ),
    ['null', value],
    ['!', ['null', value]],
    ['between', value, '0', '10'],
    ['between', value, 'a', 'b'],
    ['all', []],
    ['any', []],
    [
      'any',
      [
        ['==', value, 'abc'],
        [
          'all',
          [
            ['>', value, '0'],
            ['<', value, '6'],
          ],
        ],
      ],
    ],
    ['==', value, ['get', 'w']],
    ['==', value, value],
    ['between', value, '2020-01-01T00:00:00Z', '2020-01-31'],
    ['==', ['lower', value], 'abc'],
    ['!=', ['upper', value], 'Я'],
    ['<', ['lower', value], '6'],
    ['null', ['upper', value]],
    ['like', ['lower', value], ['a', 0]],
    ['==', ['get', 'gml:v'], '5'],
    ['==', ['get', 'topp:table/v'], 'abc'],
    ['==', ['get', '"v"'], 'abc'],
    ['>', ['get', 'V'], '0'],
    ...(
      [
        ['abc'],
        ['ab', 0],
        [0, 'bc'],
        [0, 'b', 0],
        ['a', 0, 'c'],
        [0],
        ['x', 0, 'a', 0, 'c', 0, 'y'],
        [0, 'a', 0, 'a', 0],
        ['a', 0, 'a'],
      ] as const
    ).map((pattern): FilterExpression => ['like', value, pattern]),
  ];
  const sums: FilterExpression[] = [
    ['>', ['+', ['*', value, '2'], '1'], '10'],
    ['==', ['-', '5', value], '0'],
    ['<', ['/', value, '2'], ['get', 'w']],
  ];
  const numbers = values.filter((each) => each !== null && each !== '' && !Number.isNaN(Number(each)));
  for (const [filter, compared] of [
    ...filters.map((each) => [each, values] as const),
    // Sums with values that are not numbers differ: MapLibre selects nothing.
    ...sums.map((each) => [each, numbers] as const),
  ]) {
    test(JSON.stringify(filter), () => {
      const said = mapFilterOf(filter);
      const own = predicateOf(filter);
      for (const v of compared) {
        const properties = v === undefined ? { w: 5 } : { v, w: 5 };
        assert.equal(takes(said, properties), own(properties), JSON.stringify(properties));
      }
    });
  }

  test('but for patterns with a sign for one character, which it has no words for', () => {
    assert.equal(mapFilterOf(['like', value, ['a', 1]]), undefined);
    assert.equal(mapFilterOf(['!', ['any', [['like', value, [1]]]]]), undefined);
  });
});

describe('The style of', () => {
  test('a raster is its tiles, where pixels stay squares', () => {
    const style = rasterStyle(tiles);
    assertValid(style);
    assert.deepEqual([style.center, style.zoom], [[67, 48.62921], 3]);
    assert.deepEqual(style.sources, {
      data: {
        type: 'raster',
        tileSize: 256,
        tiles: [tiles.tilesUrl],
        minzoom: 0,
        maxzoom: 14,
        bounds: [46, 40, 88, 56],
      },
    });
    assert.deepEqual(
      rasterStyle({ ...tiles, bounds: [170, 40, -170, 56] }).sources['data']?.bounds,
      [-180, 40, 180, 56],
    );
    const nowhere = rasterStyle({ ...tiles, bounds: undefined });
    assert.equal('bounds' in (nowhere.sources['data'] ?? {}), false);
    assert.deepEqual(Object.keys(nowhere), ['version', 'name', 'sources', 'layers']);
  });

  test('a vector without rules is the green of the page', () => {
    const { style, leftOut } = vectorStyle(tiles, []);
    assertValid(style);
    assert.deepEqual(leftOut, []);
    assert.deepEqual(
      style.layers.map(({ id, 'source-layer': layer }) => [id, layer]),
      [
        ['1 fill', 'lakes'],
        ['2 line', 'lakes'],
        ['3 circle', 'lakes'],
      ],
    );
    const [fill] = style.layers;
    assert.deepEqual([takes(fill?.filter, {}), takes(fill?.filter, {}, { type: 2 })], [true, false]);
  });

  test('every SLD that can be read is valid', async () => {
    const folder = new URL('../../../../test/fixtures/sld/', import.meta.url);
    let drawn = 0;
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sld'))) {
      let rules;
      try {
        ({ rules } = readSld(await readFile(new URL(name, folder), 'utf8')));
      } catch {
        continue;
      }
      const { style } = vectorStyle(tiles, rules);
      assertValid(style);
      if (rules.length > 0) drawn += 1;
    }
    assert.ok(drawn >= 5, String(drawn));
  });

  const sld = (...rules: readonly string[]) =>
    readSld(
      `<StyledLayerDescriptor><NamedLayer><UserStyle><FeatureTypeStyle>${rules.map((rule) => `<Rule>${rule}</Rule>`).join('')}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
    ).rules;
  const is = (kind: string) =>
    `<Filter><PropertyIsEqualTo><PropertyName>kind</PropertyName><Literal>${kind}</Literal></PropertyIsEqualTo></Filter>`;
  const fill = (colour: string, more = '') =>
    `<PolygonSymbolizer><Fill><CssParameter name="fill">${colour}</CssParameter>${more}</Fill></PolygonSymbolizer>`;

  test('areas, lines and points has their colours, widths, dashes and sizes', () => {
    const stroke =
      '<Stroke><CssParameter name="stroke">#112233</CssParameter><CssParameter name="stroke-width">2</CssParameter><CssParameter name="stroke-opacity">0.5</CssParameter><CssParameter name="stroke-dasharray">4 2</CssParameter></Stroke>';
    const mark = `<PointSymbolizer><Graphic><Mark><WellKnownName>square</WellKnownName><Fill><CssParameter name="fill">#00ff00</CssParameter></Fill>${stroke}</Mark><Size>12</Size></Graphic></PointSymbolizer>`;
    const area = `<PolygonSymbolizer><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill>${stroke}</PolygonSymbolizer>`;
    const { style, leftOut } = vectorStyle(tiles, sld(area + mark));
    assertValid(style);
    const line = {
      'line-color': '#112233',
      'line-opacity': 0.502,
      'line-width': 2,
      'line-dasharray': [2, 1],
    };
    assert.deepEqual(
      style.layers.map(({ paint }) => paint),
      [
        { 'fill-color': '#ff0000' },
        line,
        {
          'circle-radius': 6,
          'circle-color': '#00ff00',
          'circle-stroke-color': '#112233',
          'circle-stroke-opacity': 0.502,
          'circle-stroke-width': 2,
        },
      ],
    );
    assert.deepEqual(leftOut, ['shapes']);
  });

  test('scales is at the zooms whose pixels have them', () => {
    const scales =
      '<MinScaleDenominator>1000000</MinScaleDenominator><MaxScaleDenominator>10000000</MaxScaleDenominator>';
    const { style } = vectorStyle(tiles, sld(scales + fill('#ff0000')));
    assertValid(style);
    const { minzoom = 0, maxzoom = 0 } = style.layers[0] ?? {};
    // A pixel of 0.28 mm at 1 : 10,000,000 is 2,800 m on the ground, like 1 / 512 of the world at zoom 4.8.
    const metresAt = (zoom: number) => 40_075_016.69 / 512 / 2 ** zoom;
    assert.ok(Math.abs(metresAt(minzoom) - 2800) < 0.01 && Math.abs(metresAt(maxzoom) - 280) < 0.01);
  });

  test('a rule for the rest takes what no other takes at its scale', () => {
    const below = '<MaxScaleDenominator>1000000</MaxScaleDenominator>';
    const { style } = vectorStyle(
      tiles,
      sld(
        below + is('lake') + fill('#0000ff'),
        is('wood') + fill('#00ff00'),
        `<ElseFilter/>${fill('#999999')}`,
      ),
    );
    assertValid(style);
    const shown = (zoom: number, kind: string) =>
      style.layers.flatMap(({ minzoom = 0, maxzoom = 30, filter, paint }) =>
        zoom >= minzoom && zoom < maxzoom && takes(filter, { kind }) ? [paint['fill-color']] : [],
      );
    assert.deepEqual(
      ['lake', 'wood', 'steppe'].map((kind) => shown(10, kind)),
      [['#0000ff'], ['#00ff00'], ['#999999']],
    );
    assert.deepEqual(
      ['lake', 'wood', 'steppe'].map((kind) => shown(3, kind)),
      [['#999999'], ['#00ff00'], ['#999999']],
    );
  });

  test('a filter that cannot be said leaves its rule out, and those for the rest', () => {
    const like =
      '<Filter><PropertyIsLike wildCard="*" singleChar="?"><PropertyName>a</PropertyName><Literal>?b</Literal></PropertyIsLike></Filter>';
    const { style, leftOut } = vectorStyle(
      tiles,
      sld(like + fill('#ff0000'), is('x') + fill('#00ff00'), `<ElseFilter/>${fill('#0000ff')}`),
    );
    assertValid(style);
    assert.deepEqual(
      [leftOut, style.layers.map(({ paint }) => paint['fill-color'])],
      [['filters'], ['#00ff00']],
    );
  });
});

describe('Units', () => {
  /** Returns the colour that MapLibre gives a feature. */
  function colourOf(style: MapLibreStyle, value: unknown): string {
    assertValid(style);
    const expression = createExpression(sent(style).layers[0].paint['fill-color'], 'fill-color');
    if (expression.result === 'error') return assert.fail(JSON.stringify(expression.value));
    const properties = value === undefined ? {} : { value };
    return String(expression.value.evaluate({ zoom: 5 }, { type: 3, properties }));
  }

  for (const values of [
    [1, 2, 3, 4, 50, 60, 70, 80, 'н/д', null],
    [7, 7],
    ['a', 'b', 'a', ''],
    Array.from({ length: 30 }, (_, index) => `word ${index % 15}`),
    [],
  ] as const) {
    test(`have the colours of the page: ${JSON.stringify(values).slice(0, 40)}`, () => {
      const classes = classesOf({ units: [{ values }] }, 'quantiles', 4);
      const entries = classes.list.map((each) => ({ ...each, sign: 'area' as const, isHidden: false }));
      const style = unitStyle(tiles, entries);
      for (const value of [...values, 0, 1000, 'other']) {
        const index = value === null || value === '' ? undefined : classes.classOf(value);
        const colour = index === undefined ? undefined : classes.list[index]?.colour;
        const hex = `#${(colour ?? [226, 226, 222])
          .slice(0, 3)
          .map((part) => part.toString(16).padStart(2, '0'))
          .join('')}`;
        assert.equal(colourOf(style, value === null ? undefined : value), hex, String(value));
      }
    });
  }
});

test('a map begins with the whole of its bounds in 512 pixels', () => {
  assert.deepEqual(viewOf([-180, -85.051_128, 180, 85.051_128]), { center: [0, 0], zoom: 0 });
  assert.deepEqual(viewOf([0, 0, 90, 10]), { center: [45, 5.01915], zoom: 2 });
  // Higher than wide: the range up to 66.51326° is a quarter of the world above the equator.
  assert.deepEqual(viewOf([60, 0, 61, 66.513_26]), { center: [60.5, 40.9799], zoom: 2 });
  assert.deepEqual(viewOf([67, 51, 70, 53]), { center: [68.5, 52.01117], zoom: 6 });
});

test('across 180°, at the poles, and at a single place', () => {
  assert.deepEqual(viewOf([170, 0, -170, 1]).center, [180, 0.50002]);
  assert.deepEqual(viewOf([170, 0, -150, 1]).center, [-170, 0.50002]);
  assert.deepEqual(viewOf([-180, -90, 180, 90]), { center: [0, 0], zoom: 0 });
  assert.deepEqual(viewOf([76.9, 43.25, 76.9, 43.25]), { center: [76.9, 43.25], zoom: 14 });
});
