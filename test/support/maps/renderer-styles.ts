import { readdir, readFile } from 'node:fs/promises';
import { compileSld } from '../../../common/maps/style/sld-compile.ts';
import {
  type FilterExpression,
  type ValueExpression,
  propertiesOf,
} from '../../../common/maps/style/filter-expression.ts';
import { readSld } from '../../../common/maps/style/sld-read.ts';

const fixtures = new URL('../../fixtures/', import.meta.url);

const sldOf = (...layers: readonly string[]) =>
  `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>n</Name><UserStyle>${layers
    .map((rules) => `<FeatureTypeStyle>${rules}</FeatureTypeStyle>`)
    .join('')}</UserStyle></NamedLayer></StyledLayerDescriptor>`;
const area = (fill: string, opacity = '1') =>
  `<PolygonSymbolizer><Fill><CssParameter name="fill">${fill}</CssParameter><CssParameter name="fill-opacity">${opacity}</CssParameter></Fill></PolygonSymbolizer>`;
const outline =
  '<PolygonSymbolizer><Stroke><CssParameter name="stroke">#112233</CssParameter></Stroke></PolygonSymbolizer>';
const rule = (condition: string, ...signs: readonly string[]) =>
  `<Rule><Title>t</Title>${condition}${signs.join('')}</Rule>`;
const where = (condition: string) => `<ogc:Filter>${condition}</ogc:Filter>`;
const compare = (name: string, property: string, literal: string, attributes = '') =>
  `<ogc:PropertyIs${name} ${attributes}><ogc:PropertyName>${property}</ogc:PropertyName><ogc:Literal>${literal}</ogc:Literal></ogc:PropertyIs${name}>`;
const between = (property: string, low: string, high: string) =>
  `<ogc:PropertyIsBetween><ogc:PropertyName>${property}</ogc:PropertyName><ogc:LowerBoundary><ogc:Literal>${low}</ogc:Literal></ogc:LowerBoundary><ogc:UpperBoundary><ogc:Literal>${high}</ogc:Literal></ogc:UpperBoundary></ogc:PropertyIsBetween>`;
const env = (name: string, otherwise: string) =>
  `<ogc:Function name="env"><ogc:Literal>${name}</ogc:Literal><ogc:Literal>${otherwise}</ogc:Literal></ogc:Function>`;
const rest = '<ElseFilter/>';
const upTo = (denominator: string) => `<MaxScaleDenominator>${denominator}</MaxScaleDenominator>`;
const from = (denominator: string) => `<MinScaleDenominator>${denominator}</MinScaleDenominator>`;

/** Styles of tables by KATO, which use everything that a style of a table can use. */
const overTables: Readonly<Record<string, string>> = {
  'value, with a rule for the rest': sldOf(
    rule(where(compare('LessThan', 'value', '5')), area('#ff0000')) + rule(rest, area('#0000ff')),
  ),
  'value, with nothing for the rest': sldOf(rule(where(compare('LessThan', 'value', '5')), area('#ff0000'))),
  'a column of the table': sldOf(
    rule(where(between('2022', '2', '6')), area('#00ff00')) + rule(rest, area('#777777')),
  ),
  'a column with another alphabet': sldOf(rule(where(compare('EqualTo', 'Население', '9')), area('#00ff00'))),
  'the column of the codes, as a number': sldOf(
    rule(where(compare('EqualTo', 'код', '110000000')), area('#00ff00')),
  ),
  'a date': sldOf(rule(where(compare('GreaterThanOrEqualTo', '2021-01-01', '3')), area('#00ff00'))),
  'names, whatever their case': sldOf(
    rule(
      where(compare('Like', 'name', 'АК%', 'wildCard="%" singleChar="_" escape="\\" matchCase="false"')),
      area('#00ff00'),
    ),
  ),
  'codes that begin alike': sldOf(
    rule(where(compare('Like', 'kato', '11*', 'wildCard="*" singleChar="?" escape="\\"')), area('#abcdef')),
  ),
  'a value that is missing': sldOf(
    rule(
      where('<ogc:PropertyIsNull><ogc:PropertyName>value</ogc:PropertyName></ogc:PropertyIsNull>'),
      area('#123456'),
    ) + rule(rest, area('#654321')),
  ),
  'half-opaque rules, one above the other': sldOf(
    rule('', area('#ff0000', '0.5')) +
      rule(where(compare('GreaterThan', 'value', '4')), area('#0000ff', '0.5')),
  ),
  'two layers, each with its rest': sldOf(
    rule(where(compare('LessThan', 'value', '5')), area('#ff0000')) + rule(rest, area('#00ff00')),
    rule(where(compare('EqualTo', 'value', 'н/д')), area('#0000ff', '0.5')) +
      rule(rest, area('#ffff00', '0.25')),
  ),
  'scales: those of towns, and those of countries': sldOf(
    rule(upTo('100000'), area('#ff0000')) + rule(from('100000'), area('#00ff00')),
  ),
  'scales: none for a country': sldOf(rule(upTo('100000'), area('#ff0000'))),
  'outlines alone': sldOf(rule(where(compare('LessThan', 'value', '5')), outline)),
  'an outline on one, an area on another': sldOf(
    rule(where(compare('LessThan', 'value', '5')), outline) + rule(rest, area('#00ff00')),
  ),
  'points, which units have not': sldOf(
    rule(
      '',
      '<PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName></Mark></Graphic></PointSymbolizer>',
    ),
  ),
  'defaults of an environment': sldOf(
    rule(
      where(
        `<ogc:PropertyIsLessThan><ogc:PropertyName>value</ogc:PropertyName>${env('limit', '5')}</ogc:PropertyIsLessThan>`,
      ),
      area(env('low', '#123456'), env('opacity', '0.5')),
    ) + rule(rest, area("${env('high','#654321')}")),
  ),
  'a property that nothing has': sldOf(rule(where(compare('EqualTo', 'Name', 'x')), area('#00ff00'))),
};

/** Styles of the attributes of vectors, in the forms that QGIS and GeoServer write. */
const overVectors: Readonly<Record<string, string>> = {
  'SE 1.1 of QGIS, with quotes and a language of its own': sldOf(
    `<se:Rule><se:Name>q</se:Name><ogc:Filter xmlns:ogc="http://www.opengis.net/ogc"><ogc:And>${compare('GreaterThanOrEqualTo', '"depth"', '5')}${compare('LessThan', '"depth"', '1,5')}</ogc:And></ogc:Filter><se:PolygonSymbolizer><se:Fill><se:SvgParameter name="fill">#a1b2c3</se:SvgParameter></se:Fill></se:PolygonSymbolizer></se:Rule>`,
  ),
  'nested conditions': sldOf(
    rule(
      where(
        `<ogc:Not><ogc:Or>${compare('EqualTo', 'kind', 'water')}<ogc:And>${compare('NotEqualTo', 'kind', 'wood')}${compare('GreaterThan', 'depth', '3')}</ogc:And></ogc:Or></ogc:Not>`,
      ),
      area('#00ff00'),
    ) + rule(rest, area('#ff00ff')),
  ),
  'a prefix, and a path': sldOf(
    rule(where(compare('EqualTo', 'topp:kind', 'water')), area('#0000ff')) +
      rule(where(compare('EqualTo', 'topp:lakes/kind', 'wood')), area('#00aa00')),
  ),
  'a column with a colon': sldOf(rule(where(compare('EqualTo', 'addr:street', 'Абая')), area('#0000ff'))),
  'days as days and as midnight': sldOf(
    rule(where(between('day', '2020-01-01T00:00:00Z', '2020-01-31T00:00:00Z')), area('#0000ff')) +
      rule(where(compare('EqualTo', 'day', '2020-02-01')), area('#00ff00')),
  ),
  'a function that names a set': sldOf(
    rule(
      where(
        '<ogc:PropertyIsEqualTo><ogc:Function name="in2"><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>water</ogc:Literal><ogc:Literal>ice</ogc:Literal></ogc:Function><ogc:Literal>true</ogc:Literal></ogc:PropertyIsEqualTo>',
      ),
      area('#0000ff'),
    ),
  ),
  'small letters': sldOf(
    rule(
      where(
        '<ogc:PropertyIsEqualTo><ogc:Function name="strToLowerCase"><ogc:PropertyName>kind</ogc:PropertyName></ogc:Function><ogc:Literal>water</ogc:Literal></ogc:PropertyIsEqualTo>',
      ),
      area('#0000ff'),
    ),
  ),
  'an order of rules with the rest first': sldOf(
    rule(rest, area('#888888')) + rule(where(compare('EqualTo', 'kind', 'water')), area('#0000ff')),
  ),
  'points of every kind': sldOf(
    ['#ff0000', '']
      .map((fill) =>
        rule(
          '',
          `<PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName>${fill && `<Fill><CssParameter name="fill">${fill}</CssParameter></Fill>`}<Stroke><CssParameter name="stroke">#00ff00</CssParameter></Stroke></Mark><Size>20</Size></Graphic></PointSymbolizer>`,
        ),
      )
      .join(''),
  ),
  'a hollow point': sldOf(
    rule(
      '',
      '<PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Stroke><CssParameter name="stroke">#00ff00</CssParameter></Stroke></Mark><Size>20</Size></Graphic></PointSymbolizer>',
    ),
  ),
  'a wide line with another on it': sldOf(
    rule(
      '',
      ['#000000', '#ff8800']
        .map(
          (colour, index) =>
            `<LineSymbolizer><Stroke><CssParameter name="stroke">${colour}</CssParameter><CssParameter name="stroke-width">${8 - 4 * index}</CssParameter><CssParameter name="stroke-opacity">0.75</CssParameter></Stroke></LineSymbolizer>`,
        )
        .join(''),
    ),
  ),
};

/** All valid styles: those of the fixtures and those above. */
export async function rendererStyles(): Promise<Readonly<Record<string, string>>> {
  const styles: Record<string, string> = { ...overTables, ...overVectors };
  for (const folder of ['sld', 'field-cases']) {
    for (const name of await readdir(new URL(folder, fixtures), { recursive: true })) {
      if (!name.endsWith('.sld')) continue;
      const text = await readFile(new URL(`${folder}/${name}`, fixtures), 'utf8');
      try {
        compileSld(text);
        styles[name] = text;
      } catch {
        // the fixture is an invalid style
      }
    }
  }
  return styles;
}

const always: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { kind: 'water', depth: 4, day: '2020-01-31' },
  { kind: 'WATER', depth: '12,5', day: '2020-02-01T00:00:00Z', 'addr:street': 'Абая' },
  { kind: 'ice', depth: 0, day: '2020-01-01', street: 'Абая' },
  { kind: 'wood', depth: 1.25, day: null },
  { kind: ['water'], depth: true },
];

/** Properties on either side of each comparison in a style. */
export function propertiesFor(sld: string): readonly Readonly<Record<string, unknown>>[] {
  const filters = readSld(sld).rules.flatMap(({ expression }) =>
    expression === undefined || expression === 'else' ? [] : [expression],
  );
  const names = [...new Set(filters.flatMap(propertiesOf))].slice(0, 4);
  const literals = [...new Set(filters.flatMap(literalsOf))].slice(0, 8);
  const values = literals.flatMap((text) => {
    const number = Number(text);
    return Number.isNaN(number) ? [text, `${text}x`] : [text, number, number - 0.5, number + 0.5];
  });
  return [...always, ...values.map((value) => Object.fromEntries(names.map((name) => [name, value])))];
}

function literalsOf(filter: FilterExpression): readonly string[] {
  const inValue = (value: ValueExpression): readonly string[] =>
    typeof value === 'string' ? [value] : value[0] === 'get' ? [] : value.slice(1).flatMap(inValue);
  switch (filter[0]) {
    case 'all':
    case 'any':
      return filter[1].flatMap(literalsOf);
    case '!':
      return literalsOf(filter[1]);
    case 'null':
      return [];
    case 'like':
      return [filter[2].map((part) => (typeof part === 'string' ? part : 'y')).join('')];
    default:
      return filter.slice(1).flatMap(inValue);
  }
}
