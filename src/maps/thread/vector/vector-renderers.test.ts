import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unitsAt } from '../../../../console/src/map/units/unit-series.ts';
import { readUnitsLegend } from './brushes.ts';
import {
  type MapLibreStyle,
  unitStyle,
  unitStyleByRules,
  vectorStyle,
} from '../../formats/maplibre/style.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import { compileSld } from '../../../../common/maps/style/sld-compile.ts';
import { readSld } from '../../../../common/maps/style/sld-read.ts';
import {
  areaRules,
  denominatorOfWhole,
  signWithoutValue,
  unitPaintOf,
} from '../../../../common/maps/units/unit-paint.ts';
import { unitColumnsOf } from '../../../../common/maps/units/unit-properties.ts';
import { rendererStyles, propertiesFor } from '../../../../test/support/maps/renderer-styles.ts';
import {
  clear,
  composed,
  type GeometryType,
  mapLibreColours,
  pageColours,
  signColours,
  size,
  thumbnailOf,
  tileProperties,
} from '../../../../test/support/maps/renderers.ts';
import { memoryContext } from '../../../../test/support/maps/vector-tiles.ts';

const styles = await rendererStyles();
const tiles = {
  name: 'x',
  tilesUrl: 'https://steppe.example/{z}/{x}/{y}.mvt',
  zooms: [0, 14],
  bounds: undefined,
  layer: 'layer',
} as const;

/** Allows for one more rounding of stored colours. */
function assertSame(actual: Rgba, expected: Rgba, where: string): void {
  const isSame = actual.every((part, index) => Math.abs(part - (expected[index] ?? 0)) <= 2);
  if (!isSame) assert.deepEqual(actual, expected, where);
}

const square = (west: number, south: number, side: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
});
const geometries: Readonly<Record<GeometryType, object>> = {
  Polygon: square(-10, -10, 20),
  LineString: {
    type: 'LineString',
    coordinates: [
      [-10, 0],
      [10, 0],
    ],
  },
  Point: { type: 'Point', coordinates: [0, 0] },
};
const collection = (features: readonly object[]) => ({ type: 'FeatureCollection', features });

describe('A vector has the same colours in its thumbnail, in tiles with style.json, and on the page, by the style', () => {
  for (const [name, sld] of Object.entries(styles)) {
    const { rules } = readSld(sld);
    if (rules.length === 0) continue;
    test(name, async () => {
      const { style, leftOut } = vectorStyle(tiles, rules);
      for (const geometry of ['Polygon', 'LineString', 'Point'] as const) {
        const all = propertiesFor(sld);
        // Filters treat lines and points like areas.
        for (const properties of geometry === 'Polygon' ? all : all.slice(0, 6)) {
          const geojson = collection([{ type: 'Feature', properties, geometry: geometries[geometry] }]);
          const where = `${geometry} ${JSON.stringify(properties)}`;
          const page = composed(pageColours(geojson, geometry, rules));
          if (!leftOut.includes('filters')) {
            const [inTile = assert.fail('no feature')] = await tileProperties(geojson, { kind: 'vector' });
            assertSame(composed(mapLibreColours(style, geometry, inTile)), page, `style.json: ${where}`);
          }
          if (!isSeen(rules, geometry)) continue;
          const at = await thumbnailOf(geojson, { kind: 'vector' }, sld);
          assertSame(at(size / 2, size / 2), page, `thumbnail: ${where}`);
        }
      }
    });
  }
});

/** Thin lines, dashes and small points do not fill a pixel of a thumbnail. */
function isSeen(
  rules: readonly ReturnType<typeof readSld>['rules'][number][],
  geometry: GeometryType,
): boolean {
  const signs = rules.flatMap(({ signs }) => signs);
  if (geometry === 'Polygon') return true;
  if (geometry === 'Point')
    return signs.every(({ kind, size: diameter }) => kind !== 'point' || diameter >= 5);
  return signs.every(
    ({ stroke }) => stroke === undefined || (stroke.width >= 3 && stroke.dashes.length === 0),
  );
}

describe('A table by KATO has the same colours in its thumbnail, in tiles with style.json, and on the page, by the style', () => {
  const mapped = [
    { column: '2021', start_date: '2021-01-01' },
    { column: '2022', start_date: '2022-01-01' },
    { column: 'Население', start_date: '2020-01-01' },
  ];
  const columns = unitColumnsOf('код', mapped);
  const dates = ['2020-01-01', '2021-01-01', '2022-01-01'];
  const table = [
    ['110000000', 'Акмолинская', [9, 1, 2]],
    ['150000000', 'Актюбинская', [8, 3, 4]],
    ['190000000', 'Алматинская', [7, null, 5]],
    ['230000000', 'Атырауская', [null, 4, 'н/д']],
    ['270000000', 'Западно-Казахстанская', [9, 5, null]],
    ['310000000', 'Жамбылская', [null, null, null]],
    ['350000000', 'Карагандинская', [1, 2, 4.5]],
    ['390000000', 'Костанайская', ['', 6, 100]],
  ] as const;
  const geojson = collection(
    table.map(([kato, name, values], index) => ({
      type: 'Feature',
      properties: { kato, name, data: Object.fromEntries(dates.map((date, at) => [date, values[at]])) },
      geometry: square(index * 20, 0, 18),
    })),
  );
  const series = {
    dates: dates.map((date) => ({ start_date: date, end_date: null })),
    units: table.map(([code, , values]) => ({ kato_code: code, values })),
    without_district: { codes: 0, rows: 0 },
  };
  const names = new Map(table.map(([kato, name]) => [kato, name]));
  /** Column of the middle of a unit in the thumbnail: all units together are 158° wide, with a margin of 4 %. */
  const columnOf = (index: number) => Math.round(size * 0.04 + ((index * 20 + 9) / 158) * size * 0.92);

  for (const [name, sld] of [['no style', undefined] as const, ...Object.entries(styles)]) {
    test(name, async () => {
      const rules = sld === undefined ? [] : readSld(sld).rules;
      const paint = unitPaintOf(rules, series);
      const onPage = unitsAt({ series, columns, names }, undefined);
      const said = areaRules(rules).length > 0 ? unitStyleByRules(tiles, rules) : undefined;
      const style: MapLibreStyle = said?.style ?? unitStyle(tiles, paint.entries);
      const at = await thumbnailOf(geojson, { kind: 'units', columns }, sld);
      const inTile = await tileProperties(geojson, { kind: 'units', columns });
      for (const [index, [kato]] of table.entries()) {
        const signs = paint.signsOf(onPage.get(kato) ?? {}, denominatorOfWhole);
        const page = composed(signColours(signs.length === 0 ? [signWithoutValue] : signs));
        assertSame(at(columnOf(index), size / 2), page, `thumbnail: ${kato}`);
        const properties = inTile.find((each) => each['kato'] === kato) ?? assert.fail(`no ${kato}`);
        assertSame(composed(mapLibreColours(style, 'Polygon', properties)), page, `style.json: ${kato}`);
      }
      const legend = await readUnitsLegend(
        { seriesKey: 'series', compiled: sld && JSON.stringify(compileSld(sld)) },
        memoryContext({ series: JSON.stringify(series) }),
      );
      assert.deepEqual(legend, { kind: 'classes', entries: paint.entries });
    });
  }

  test('and each of the styles over tables draws what it says', async () => {
    const green: Rgba = [0, 255, 0, 255];
    const grey = signWithoutValue.fill ?? clear;
    const [red, blue]: readonly Rgba[] = [
      [255, 0, 0, 255],
      [0, 0, 255, 255],
    ];
    const expected: Readonly<Record<string, readonly (Rgba | undefined)[]>> = {
      'value, with a rule for the rest': [red, red, blue, blue, blue, blue, red, blue],
      'value, with nothing for the rest': [red, red, grey, grey, grey, grey, red, grey],
      'a column with another alphabet': [green, grey, grey, grey, green, grey, grey, grey],
      'the column of the codes, as a number': [green, grey, grey, grey, grey, grey, grey, grey],
      'a date': [grey, green, grey, green, green, grey, grey, green],
      'names, whatever their case': [green, green, grey, grey, grey, grey, grey, grey],
      'scales: those of towns, and those of countries': Array.from({ length: 8 }, () => green),
      'scales: none for a country': Array.from({ length: 8 }, () => grey),
      'a property that nothing has': Array.from({ length: 8 }, () => grey),
    };
    for (const [name, colours] of Object.entries(expected)) {
      const at = await thumbnailOf(geojson, { kind: 'units', columns }, styles[name]);
      assert.deepEqual(
        table.map((_, index) => at(columnOf(index), size / 2)),
        colours,
        name,
      );
    }
  });
});
