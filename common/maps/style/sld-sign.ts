import { parseColour, type Rgba } from './colour-map.ts';
import { literalOf, numberOf } from './sld-literal.ts';
import type { Note } from './undrawn.ts';
import { childOf, type Element } from './xml-tree.ts';

export interface StrokeSign {
  readonly colour: Rgba;
  /** In pixels, at most `maxPixels`. */
  readonly width: number;
  /** In pixels. */
  readonly dashes: readonly number[];
}

export interface Sign {
  readonly kind: 'polygon' | 'line' | 'point';
  readonly fill: Rgba | undefined;
  readonly stroke: StrokeSign | undefined;
  /** Diameter of a point in pixels, at most `maxPixels`. */
  readonly size: number;
  /** Well-known name of a point symbol; the renderer draws a circle for an unknown one. */
  readonly shape: string;
}

const maxPixels = 200;
const maxDashes = 16;
const shapes: readonly string[] = ['circle', 'square', 'triangle', 'star'];
const maxShapeCharacters = 40;
const share = { otherwise: 1, least: 0, greatest: 1 };

/** Parses a symbolizer of a polygon, line or point; undefined for others, and for a line without a stroke. */
export function readSign(symbolizer: Element, note: Note): Sign | undefined {
  const sign = signOf(symbolizer, note);
  const { uom = 'pixel' } = symbolizer.attributes;
  if (sign !== undefined && !uom.endsWith('pixel')) note('units_of_measure');
  return sign;
}

function signOf(symbolizer: Element, note: Note): Sign | undefined {
  switch (symbolizer.name) {
    case 'PolygonSymbolizer': {
      const fill = readFill(childOf(symbolizer, 'Fill'), 1, note);
      const stroke = readStroke(childOf(symbolizer, 'Stroke'), 1, note);
      return { kind: 'polygon', fill, stroke, size: 0, shape: '' };
    }
    case 'LineSymbolizer': {
      const stroke = readStroke(childOf(symbolizer, 'Stroke'), 1, note);
      return stroke === undefined ? undefined : { kind: 'line', fill: undefined, stroke, size: 0, shape: '' };
    }
    case 'PointSymbolizer':
      return readPoint(childOf(symbolizer, 'Graphic'), note);
    default:
      return undefined;
  }
}

function readPoint(graphic: Element | undefined, note: Note): Sign {
  const mark = childOf(graphic, 'Mark');
  const opacity = numberOf(literalOf(childOf(graphic, 'Opacity'), note), share, note);
  const limits = { otherwise: 6, least: 0, greatest: maxPixels };
  const size = numberOf(literalOf(childOf(graphic, 'Size'), note), limits, note);
  const shape = literalOf(childOf(mark, 'WellKnownName'), note) ?? 'square';
  if (!shapes.includes(shape)) note('shapes');
  const fill =
    mark === undefined ? parseColour('#808080', opacity) : readFill(childOf(mark, 'Fill'), opacity, note);
  const stroke = readStroke(childOf(mark, 'Stroke'), opacity, note);
  return { kind: 'point', fill, stroke, size, shape: shape.slice(0, maxShapeCharacters) };
}

function parameter(element: Element, name: string, note: Note): string | undefined {
  const found = element.children.find(
    (child) =>
      (child.name === 'CssParameter' || child.name === 'SvgParameter') && child.attributes['name'] === name,
  );
  return literalOf(found, note);
}

function readFill(fill: Element | undefined, opacity: number, note: Note): Rgba | undefined {
  if (fill === undefined) return undefined;
  const own = numberOf(parameter(fill, 'fill-opacity', note), share, note);
  return colourOf(parameter(fill, 'fill', note) ?? '#808080', own * opacity, note);
}

function readStroke(stroke: Element | undefined, opacity: number, note: Note): StrokeSign | undefined {
  // A row of symbols along a line is not a line.
  if (stroke === undefined || childOf(stroke, 'GraphicStroke') !== undefined) return undefined;
  const own = numberOf(parameter(stroke, 'stroke-opacity', note), share, note);
  const colour = colourOf(parameter(stroke, 'stroke', note) ?? '#000000', own * opacity, note);
  const limits = { otherwise: 1, least: 0, greatest: maxPixels };
  const width = numberOf(parameter(stroke, 'stroke-width', note), limits, note);
  if (colour === undefined) return undefined;
  return { colour, width, dashes: dashesOf(parameter(stroke, 'stroke-dasharray', note) ?? '', note) };
}

function colourOf(text: string, opacity: number, note: Note): Rgba | undefined {
  const colour = parseColour(text, opacity);
  if (colour === undefined) note('colours');
  return colour;
}

/** Alternating lengths of dashes and gaps; empty if one is not a length, or all are zero. */
function dashesOf(text: string, note: Note): readonly number[] {
  const dashes = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  if (dashes.length === 0) return [];
  const isUsable =
    dashes.length <= maxDashes &&
    dashes.every((dash) => dash >= 0 && dash <= maxPixels) &&
    dashes.some((dash) => dash > 0);
  if (!isUsable) note('sizes');
  return isUsable ? dashes : [];
}
