import { denominatorOf } from '../../../../common/maps/raster/web-mercator.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import type { FilterExpression } from '../../../../common/maps/style/filter-expression.ts';
import { everything, mapFilterOf, type MapExpression } from './filter.ts';
import type { Scales } from '../../../../common/maps/style/sld-rule.ts';
import type { Sign, StrokeSign } from '../../../../common/maps/style/sld-sign.ts';
import type { Undrawn } from '../../../../common/maps/style/undrawn.ts';

/** A layer of a MapLibre style, as JSON. */
export interface MapLayer {
  readonly id: string;
  readonly type: 'fill' | 'line' | 'circle' | 'raster';
  readonly source: string;
  readonly 'source-layer'?: string;
  readonly filter?: MapExpression;
  readonly minzoom?: number;
  readonly maxzoom?: number;
  readonly layout?: Readonly<Record<string, MapExpression>>;
  readonly paint: Readonly<Record<string, MapExpression>>;
}

/** The parts of a rule that become layers. */
export interface DrawnRule {
  readonly expression: FilterExpression | 'else' | undefined;
  readonly scales: Scales;
  readonly signs: readonly Sign[];
  readonly layer: number;
}

/** A layer without its name and its source. */
export type LayerBody = Omit<MapLayer, 'id' | 'source' | 'source-layer'>;

/** Scale denominator at MapLibre's zoom 0, where the world is 512 pixels wide. */
const denominatorOfWorld = denominatorOf(1);
const lastZoom = 24;

/** A rule with its translated filter; null for an else rule. */
type SaidRule = DrawnRule & { readonly filter: MapExpression | null };

/**
 * Translates rules for vectors to layers, in drawing order. An else rule applies to features that no other rule of its layer at the same
 * scale selects. Rules with filters that MapLibre cannot express are omitted, and so are their else rules.
 * @param untaken style of features that no rule selects.
 */
export function layersOfRules(
  rules: readonly DrawnRule[],
  untaken: readonly Sign[] = [],
): {
  readonly layers: readonly LayerBody[];
  readonly leftOut: readonly Undrawn[];
} {
  const leftOut = new Set<Undrawn>();
  const said = rules.flatMap((rule): readonly SaidRule[] => {
    const { expression } = rule;
    if (expression === 'else') return [{ ...rule, filter: null }];
    const filter = expression === undefined ? everything : mapFilterOf(expression);
    if (filter !== undefined) return [{ ...rule, filter }];
    leftOut.add('filters');
    return [];
  });
  const isWhole = !leftOut.has('filters');
  const layers = said.flatMap((rule) => {
    const { filter, scales, signs, layer } = rule;
    if (filter !== null) return signs.flatMap((sign) => layersOfSign(sign, filter, scales));
    const own = said.filter((other) => other.layer === layer);
    return isWhole ? layersOfRest(signs, scales, own) : [];
  });
  const hasRest = (part: Scales) =>
    said.some(({ filter, scales }) => filter === null && isWithin(part, scales));
  const ground =
    isWhole && untaken.length > 0
      ? partsOf([0, Infinity], said)
          .filter((part) => !hasRest(part))
          .flatMap((part) => layersOfRest(untaken, part, said))
      : [];
  if (rules.some(({ signs }) => signs.some(({ kind, shape }) => kind === 'point' && shape !== 'circle'))) {
    leftOut.add('shapes');
  }
  return { layers: [...ground, ...layers], leftOut: [...leftOut] };
}

/** Returns the layers of features that none of the rules selects. */
function layersOfRest(
  signs: readonly Sign[],
  scales: Scales,
  rules: readonly SaidRule[],
): readonly LayerBody[] {
  return partsOf(scales, rules).flatMap((part) => {
    const others = rules.flatMap((rule) =>
      rule.filter !== null && isWithin(part, rule.scales) ? [rule.filter] : [],
    );
    return signs.flatMap((sign) => layersOfSign(sign, ['!', ['any', ...others]], part));
  });
}

/** Splits a range of scales at the bounds of all rules, so that each part has a constant set of rules. */
function partsOf([from, to]: Scales, rules: readonly DrawnRule[]): readonly Scales[] {
  const inside = rules.flatMap(({ scales }) => scales).filter((bound) => bound > from && bound < to);
  const bounds = [from, ...new Set(inside), to].toSorted((a, b) => a - b);
  return bounds.slice(1).map((bound, index): Scales => [bounds[index] ?? from, bound]);
}

const isWithin = ([from, to]: Scales, [first, end]: Scales) => from >= first && to <= end;

/** Returns the layers of a symbol: areas have a separate outline, which can be wider than a pixel. */
function layersOfSign(sign: Sign, filter: MapExpression, scales: Scales): readonly LayerBody[] {
  const zooms = zoomsOf(scales);
  if (zooms === undefined) return [];
  const of = (...types: readonly string[]): MapExpression => [
    'all',
    ['in', ['geometry-type'], ['literal', types.flatMap((type) => [type, `Multi${type}`])]],
    filter,
  ];
  const { kind, fill, stroke, size } = sign;
  if (kind === 'point') {
    const paint = { 'circle-radius': size / 2, ...circlePaint(fill, stroke) };
    return [{ type: 'circle', filter: of('Point'), ...zooms, paint }];
  }
  return [
    ...(fill === undefined
      ? []
      : [{ type: 'fill' as const, filter: of('Polygon'), ...zooms, paint: colourPaint('fill', fill) }]),
    ...(stroke === undefined ? [] : [outlineOf(stroke, of('LineString', 'Polygon'), zooms)]),
  ];
}

type Zooms = { readonly minzoom?: number; readonly maxzoom?: number };

function outlineOf(stroke: StrokeSign, filter: MapExpression, zooms: Zooms): LayerBody {
  const { colour, width, dashes } = stroke;
  const hasDashes = dashes.length > 0 && width > 0;
  return {
    type: 'line',
    filter,
    ...zooms,
    layout: { 'line-join': 'round' },
    paint: {
      ...colourPaint('line', colour),
      'line-width': width,
      // MapLibre measures dashes in line widths, SLD in pixels.
      ...(hasDashes && { 'line-dasharray': dashes.map((dash) => dash / width) }),
    },
  };
}

function circlePaint(fill: Rgba | undefined, stroke: StrokeSign | undefined) {
  return {
    ...colourPaint('circle', fill ?? [0, 0, 0, 0]),
    ...(stroke !== undefined && {
      ...colourPaint('circle-stroke', stroke.colour),
      'circle-stroke-width': stroke.width,
    }),
  };
}

/** Returns a colour and its opacity as separate properties. */
export function colourPaint(
  name: string,
  [red, green, blue, alpha]: Rgba,
): Readonly<Record<string, MapExpression>> {
  const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('');
  const opacity = Math.round((alpha / 255) * 1000) / 1000;
  return { [`${name}-color`]: `#${hex}`, ...(opacity < 1 && { [`${name}-opacity`]: opacity }) };
}

/** Returns the zooms for a range of scales; undefined if it contains none. */
function zoomsOf([from, to]: Scales): Zooms | undefined {
  const zoom = (denominator: number) => Math.log2(denominatorOfWorld / denominator);
  const [least, most] = [to === Infinity ? 0 : Math.max(0, zoom(to)), from === 0 ? Infinity : zoom(from)];
  if (least >= most || least > lastZoom || most <= 0) return undefined;
  return { ...(least > 0 && { minzoom: least }), ...(most <= lastZoom && { maxzoom: most }) };
}
