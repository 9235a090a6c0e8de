import { parseColour, type Rgba } from './colour-map.ts';
import { type Filter, readFilter } from './filter.ts';
import type { Undrawn } from './undrawn.ts';
import { childOf, type Element } from './xml-tree.ts';

export interface StrokeSign {
  readonly colour: Rgba;
  /** In pixels. */
  readonly width: number;
  readonly dashes: readonly number[];
}

export interface Sign {
  readonly kind: 'polygon' | 'line' | 'point';
  readonly fill: Rgba | undefined;
  readonly stroke: StrokeSign | undefined;
  /** Diameter of a point in pixels. */
  readonly size: number;
  readonly shape: string;
}

export interface Rule {
  readonly title: string;
  /** True when the rule is for something with these properties; an ElseFilter is for what no other rule took. */
  readonly filter: Filter | 'else';
  /** Denominators of scale, from inclusive, to exclusive. */
  readonly scales: readonly [number, number];
  readonly signs: readonly Sign[];
}

/** Reads a rule; a filter that cannot be judged leaves the rule out, so that nothing is drawn that should not be. */
export function readRule(rule: Element): { rule: Rule | undefined; undrawn: readonly Undrawn[] } {
  const signs = rule.children.flatMap((child) => readSign(child) ?? []);
  const filterElement = childOf(rule, 'Filter');
  const isElse = childOf(rule, 'ElseFilter') !== undefined;
  const filter = filterElement === undefined ? () => true : readFilter(filterElement);
  if (filter === undefined) return { rule: undefined, undrawn: ['filters'] };
  if (signs.length === 0) return { rule: undefined, undrawn: [] };
  const title = childOf(rule, 'Title') ?? childOf(childOf(rule, 'Description'), 'Title');
  const scale = (name: string, otherwise: number) => Number(childOf(rule, name)?.text || otherwise);
  const scales = [scale('MinScaleDenominator', 0), scale('MaxScaleDenominator', Infinity)];
  const [from = 0, to = Infinity] = scales;
  const named = title?.text ?? childOf(rule, 'Name')?.text ?? '';
  return { rule: { title: named, filter: isElse ? 'else' : filter, scales: [from, to], signs }, undrawn: [] };
}

function readSign(symbolizer: Element): Sign | undefined {
  switch (symbolizer.name) {
    case 'PolygonSymbolizer': {
      const fill = readFill(childOf(symbolizer, 'Fill'));
      return { kind: 'polygon', fill, stroke: readStroke(childOf(symbolizer, 'Stroke')), size: 0, shape: '' };
    }
    case 'LineSymbolizer': {
      const stroke = readStroke(childOf(symbolizer, 'Stroke'));
      return stroke === undefined ? undefined : { kind: 'line', fill: undefined, stroke, size: 0, shape: '' };
    }
    case 'PointSymbolizer': {
      const graphic = childOf(symbolizer, 'Graphic');
      const mark = childOf(graphic, 'Mark');
      const size = Number(childOf(graphic, 'Size')?.text || '6');
      const shape = childOf(mark, 'WellKnownName')?.text ?? 'square';
      const fill = mark === undefined ? parseColour('#808080') : readFill(childOf(mark, 'Fill'));
      const stroke = readStroke(childOf(mark, 'Stroke'));
      return { kind: 'point', fill, stroke, size: Number.isFinite(size) ? size : 6, shape };
    }
    default:
      return undefined;
  }
}

function parameter(element: Element, name: string): string | undefined {
  return element.children.find(
    (child) =>
      (child.name === 'CssParameter' || child.name === 'SvgParameter') && child.attributes['name'] === name,
  )?.text;
}

function readFill(fill: Element | undefined): Rgba | undefined {
  if (fill === undefined) return undefined;
  return parseColour(parameter(fill, 'fill') ?? '#808080', Number(parameter(fill, 'fill-opacity') ?? 1));
}

function readStroke(stroke: Element | undefined): StrokeSign | undefined {
  // A row of signs along a line is not a line.
  if (stroke === undefined || childOf(stroke, 'GraphicStroke') !== undefined) return undefined;
  const opacity = Number(parameter(stroke, 'stroke-opacity') ?? 1);
  const colour = parseColour(parameter(stroke, 'stroke') ?? '#000000', opacity);
  const width = Number(parameter(stroke, 'stroke-width') ?? 1);
  if (colour === undefined || !Number.isFinite(width)) return undefined;
  const dashes = (parameter(stroke, 'stroke-dasharray') ?? '').split(/[ ,]/).filter(Boolean).map(Number);
  return { colour, width, dashes: dashes.every((dash) => dash >= 0) ? dashes : [] };
}
