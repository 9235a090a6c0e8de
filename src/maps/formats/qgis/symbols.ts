import { geometryTypes } from '../../../geo/flatgeobuf/layout.ts';
import { xmlText } from '../../../../common/xml-text.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import type { Sign, StrokeSign } from '../../../../common/maps/style/sld-sign.ts';

/** Kinds of QGIS symbols: a QGIS layer has one kind of geometry. */
export const symbolKinds = ['point', 'line', 'polygon'] as const;
export type SymbolKind = (typeof symbolKinds)[number];

const symbolTypes = { point: 'marker', line: 'line', polygon: 'fill' } as const;
/** Shapes with another name in QGIS than in SLD. */
const shapeNames: Readonly<Record<string, string>> = { x: 'cross2' };
const knownShapes: readonly string[] = ['circle', 'square', 'triangle', 'star', 'cross', 'cross2'];
const pixel = 'Pixel';

type Properties = Readonly<Record<string, string | number>>;
interface SymbolLayer {
  readonly type: 'SimpleFill' | 'SimpleLine' | 'SimpleMarker';
  readonly properties: Properties;
}

/**
 * Combines symbols into one QGIS symbol, the last on top, lengths in pixels. Areas have fill and outline, lines a line,
 * points a shape; parts for other kinds are not drawn, as on the maps of the service.
 * @param pass rendering pass, for symbol levels
 */
export function symbolXml(
  signs: readonly Sign[],
  { kind, name, pass }: { readonly kind: SymbolKind; readonly name: string; readonly pass: number },
): string {
  const layers = signs.flatMap((sign) => layersOf(sign, kind));
  const drawn = layers.length > 0 ? layers : [invisible[kind]];
  const inside = drawn.map(({ type, properties }) => {
    const props = Object.entries(properties).map(
      ([key, value]) => `<prop k="${key}" v="${xmlText(String(value))}"/>`,
    );
    return `<layer class="${type}" enabled="1" locked="0" pass="${pass}">${props.join('')}</layer>`;
  });
  return `<symbol name="${name}" type="${symbolTypes[kind]}" alpha="1" clip_to_extent="1" force_rhr="0">${inside.join('')}</symbol>`;
}

const noFill: Properties = { style: 'no', outline_style: 'no' };
/** QGIS has no symbol without layers, and a rule without a symbol removes nothing from the else rule. */
const invisible: Readonly<Record<SymbolKind, SymbolLayer>> = {
  polygon: { type: 'SimpleFill', properties: noFill },
  line: { type: 'SimpleLine', properties: { line_style: 'no' } },
  point: { type: 'SimpleMarker', properties: { name: 'circle', color: '0,0,0,0', outline_style: 'no' } },
};

function layersOf(sign: Sign, kind: SymbolKind): readonly SymbolLayer[] {
  if ((sign.kind === 'point') !== (kind === 'point')) return [];
  const { fill } = sign;
  const stroke = sign.stroke === undefined || sign.stroke.width === 0 ? undefined : sign.stroke;
  if (kind === 'point') {
    if (fill === undefined && stroke === undefined) return [];
    return [{ type: 'SimpleMarker', properties: markerOf(sign, stroke) }];
  }
  if (kind === 'line') return stroke === undefined ? [] : [lineOf(stroke)];
  const hasDashes = stroke !== undefined && stroke.dashes.length > 0;
  const outline = hasDashes ? undefined : stroke;
  const area: SymbolLayer = {
    type: 'SimpleFill',
    properties: {
      ...(fill === undefined ? { style: 'no' } : { style: 'solid', color: colourOf(fill) }),
      ...outlineOf(outline),
      joinstyle: 'round',
    },
  };
  const isDrawn = fill !== undefined || outline !== undefined;
  return [...(isDrawn ? [area] : []), ...(hasDashes ? [lineOf(stroke)] : [])];
}

function markerOf({ fill, size, shape }: Sign, stroke: StrokeSign | undefined): Properties {
  const name = shapeNames[shape] ?? shape;
  return {
    name: knownShapes.includes(name) ? name : 'circle',
    color: colourOf(fill ?? [0, 0, 0, 0]),
    size,
    size_unit: pixel,
    ...outlineOf(stroke),
  };
}

function outlineOf(stroke: StrokeSign | undefined): Properties {
  if (stroke === undefined) return { outline_style: 'no' };
  return {
    outline_style: 'solid',
    outline_color: colourOf(stroke.colour),
    outline_width: stroke.width,
    outline_width_unit: pixel,
  };
}

function lineOf({ colour, width, dashes }: StrokeSign): SymbolLayer {
  // QGIS pairs lines and gaps; an odd list continues with lines and gaps exchanged.
  const pairs = dashes.length % 2 === 0 ? dashes : [...dashes, ...dashes];
  return {
    type: 'SimpleLine',
    properties: {
      line_color: colourOf(colour),
      line_style: 'solid',
      line_width: width,
      line_width_unit: pixel,
      joinstyle: 'round',
      capstyle: pairs.length === 0 ? 'round' : 'flat',
      ...(pairs.length > 0 && { use_custom_dash: 1, customdash: pairs.join(';'), customdash_unit: pixel }),
    },
  };
}

const colourOf = (colour: Rgba): string => colour.join(',');

const { Point, LineString, Polygon, MultiPoint, MultiLineString, MultiPolygon } = geometryTypes;
const kindsByType = new Map<number, SymbolKind>([
  [Point, 'point'],
  [MultiPoint, 'point'],
  [LineString, 'line'],
  [MultiLineString, 'line'],
  [Polygon, 'polygon'],
  [MultiPolygon, 'polygon'],
]);

/**
 * Returns the kind of symbol for the features of a FlatGeobuf; undefined for features of several kinds.
 * @param file has the FlatGeobuf number of the kind
 */
export function kindOfFeatures({ geometryType }: { readonly geometryType: number }): SymbolKind | undefined {
  return kindsByType.get(geometryType);
}
