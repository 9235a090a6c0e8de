import { hexOf, type Rgba } from '../../../common/maps/style/colour-map.ts';
import type { Shape } from '../map/place/boxes.ts';
import { rangeLabel } from '../../../common/maps/legend/range-label.ts';
import type { SingleSymbol } from './choice.ts';
import type { StyleDrawing } from './drawing.ts';
import { xmlText } from '../../../common/xml-text.ts';

/** The subject of a style. */
export type StyleSubject =
  | { readonly kind: 'raster'; readonly title: string; readonly grain: Grain }
  /** Polygons with a property `value`. */
  | { readonly kind: 'units'; readonly title: string };

/** Larger than any value; programs that read SLD have no common notation for infinity. */
const endless = 1e300;

/**
 * Writes SLD 1.0.0 that QGIS, GeoServer and this service draw with the same colours.
 * @param labels labels of single values; without one, the value itself is the label
 */
export function writeSld(
  subject: StyleSubject,
  drawing: StyleDrawing,
  labels: ReadonlyMap<number | string, string> = new Map(),
): string {
  const rules =
    subject.kind === 'raster' ? [rasterRule(subject.grain, drawing, labels)] : unitRules(drawing, labels);
  return documentOf(subject.title, rules);
}

/** Writes SLD 1.0.0 with one symbol for all features of a vector. */
export function writePlainSld(
  title: string,
  shapes: readonly Shape[],
  { fill, line, width }: SingleSymbol,
): string {
  const stroke = strokeOf(line, width);
  const signs = {
    area: `<PolygonSymbolizer>${fillOf(fill)}${stroke}</PolygonSymbolizer>`,
    line: `<LineSymbolizer>${stroke}</LineSymbolizer>`,
    point: `<PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName>${fillOf(fill)}${stroke}</Mark><Size>8</Size></Graphic></PointSymbolizer>`,
  };
  return documentOf(title, [ruleOf(title, '', shapes.map((shape) => signs[shape]).join(''))]);
}

function documentOf(title: string, rules: readonly string[]): string {
  const name = xmlText(title);
  return `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
<NamedLayer><Name>${name}</Name><UserStyle><Title>${name}</Title><FeatureTypeStyle>
${rules.join('\n')}
</FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
`;
}

function rasterRule(
  grain: Grain,
  drawing: StyleDrawing,
  labels: ReadonlyMap<number | string, string>,
): string {
  const type = { classes: 'intervals', ramp: 'ramp', values: 'values' }[drawing.kind];
  const entries = entriesOf(grain, drawing, labels).map(
    ({ colour, quantity, label }) =>
      `<ColorMapEntry color="${hexOf(colour)}" quantity="${quantity}" opacity="1" label="${xmlText(label)}"/>`,
  );
  const channel =
    '<ChannelSelection><GrayChannel><SourceChannelName>1</SourceChannelName></GrayChannel></ChannelSelection>';
  return `<Rule><RasterSymbolizer><Opacity>1</Opacity>${channel}<ColorMap type="${type}" extended="true">
${entries.join('\n')}
</ColorMap></RasterSymbolizer></Rule>`;
}

interface Entry {
  readonly colour: Rgba;
  readonly quantity: number;
  readonly label: string;
}

function entriesOf(
  grain: Grain,
  drawing: StyleDrawing,
  labels: ReadonlyMap<number | string, string>,
): readonly Entry[] {
  switch (drawing.kind) {
    case 'ramp':
      return drawing.stops.map(({ colour, value }) => ({ colour, quantity: value, label: String(value) }));
    case 'values':
      return drawing.entries.flatMap(({ colour, value }) =>
        typeof value === 'number'
          ? [{ colour, quantity: value, label: labels.get(value) ?? String(value) }]
          : [],
      );
    default:
      return rangesOf(drawing).map(({ colour, from, to, label }) => {
        const quantity = to === Infinity ? endless : boundBetweenValues(to, grain);
        return { colour, quantity, label: label ?? rangeLabel({ from, to }) };
      });
  }
}

/** The classes with their bounds; a single class is labelled with its value. */
function rangesOf({ bounds, colours, only }: StyleDrawing & { readonly kind: 'classes' }) {
  return colours.map((colour, index) => ({
    colour,
    from: bounds[index - 1] ?? -Infinity,
    to: bounds[index] ?? Infinity,
    label: only === undefined ? undefined : String(only),
  }));
}

function unitRules(drawing: StyleDrawing, labels: ReadonlyMap<number | string, string>): readonly string[] {
  const sign = (colour: Rgba) =>
    `<PolygonSymbolizer>${fillOf(hexOf(colour))}${strokeOf('#ffffff', 0.75)}</PolygonSymbolizer>`;
  const is = (comparison: string, value: number | string) =>
    `<ogc:PropertyIs${comparison}><ogc:PropertyName>value</ogc:PropertyName><ogc:Literal>${xmlText(String(value))}</ogc:Literal></ogc:PropertyIs${comparison}>`;
  if (drawing.kind === 'values')
    return drawing.entries.map(({ colour, value }) =>
      ruleOf(labels.get(value) ?? String(value), is('EqualTo', value), sign(colour)),
    );
  if (drawing.kind === 'ramp') throw new RangeError('areas have no continuous colours');
  return rangesOf(drawing).map(({ colour, from, to, label }) => {
    const conditions = [
      ...(from === -Infinity ? [] : [is('GreaterThanOrEqualTo', from)]),
      ...(to === Infinity ? [] : [is('LessThan', to)]),
    ];
    const [
      only = '<ogc:Not><ogc:PropertyIsNull><ogc:PropertyName>value</ogc:PropertyName></ogc:PropertyIsNull></ogc:Not>',
    ] = conditions;
    const filter = conditions.length === 2 ? `<ogc:And>${conditions.join('')}</ogc:And>` : only;
    return ruleOf(label ?? rangeLabel({ from, to }), filter, sign(colour));
  });
}

const ruleOf = (title: string, filter: string, signs: string): string =>
  `<Rule><Title>${xmlText(title)}</Title>${filter === '' ? '' : `<ogc:Filter>${filter}</ogc:Filter>`}${signs}</Rule>`;

const fillOf = (colour: string) => `<Fill><CssParameter name="fill">${xmlText(colour)}</CssParameter></Fill>`;

const strokeOf = (colour: string, width: number) =>
  `<Stroke><CssParameter name="stroke">${xmlText(colour)}</CssParameter><CssParameter name="stroke-width">${width}</CssParameter></Stroke>`;

/** The format of the samples of a raster, and their scale. */
export interface Grain {
  /** The sample format of TIFF: 3 is floating point, others are whole numbers. */
  readonly format: number;
  readonly bits: number;
  readonly scale: number;
  readonly offset: number;
}

/** Relative offset in double precision at which computed values hardly occur. */
const closeness = 1.3e-13;

/**
 * Returns a number just below the bound of a class that no pixel has. QGIS assigns a value on a bound to the class
 * below, GeoServer and this service to the one above; if no value is on the bound, all agree.
 */
export function boundBetweenValues(bound: number, { format, bits, scale, offset }: Grain): number {
  const step = Math.abs(scale);
  if (format !== 3 && step > 0) {
    const first = Math.ceil(Number(((bound - offset) / step).toPrecision(12)));
    return Number(((first - 0.5) * step + offset).toPrecision(15));
  }
  if (format === 3 && bits <= 32 && scale === 1 && offset === 0) {
    const [below, above] = floatsAround(bound);
    // Closer to the upper float, so that it rounds to it.
    return below + (above - below) * 0.75;
  }
  return bound - Math.max(Math.abs(bound), Number.MIN_VALUE) * closeness;
}

/** The largest 32-bit float below a number, and the next float. */
function floatsAround(number: number): readonly [number, number] {
  const nearest = Math.fround(number);
  return nearest < number ? [nearest, nextFloat(nearest, 1)] : [nextFloat(nearest, -1), nearest];
}

const smallestFloat = 2 ** -149;

function nextFloat(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * smallestFloat;
  const float = Float32Array.of(value);
  const bitsOf = new Int32Array(float.buffer);
  bitsOf[0] = (bitsOf[0] ?? 0) + (value > 0 ? direction : -direction);
  return float[0] ?? value;
}
