import { z } from 'zod';
import type { LegendEntry } from '../../../../common/maps/legend/model.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import { wholeBounds } from '../tile-json.ts';
import type { MapExpression } from './filter.ts';
import { colourPaint, type DrawnRule, type LayerBody, layersOfRules, type MapLayer } from './layers.ts';
import {
  areaRules,
  signWithoutValue,
  unitBorder,
  plainSigns,
} from '../../../../common/maps/units/unit-paint.ts';
import type { Undrawn } from '../../../../common/maps/style/undrawn.ts';
import { worldY } from '../../../../common/maps/raster/web-mercator.ts';

/** A style of MapLibre, version 8, as JSON. */
export interface MapLibreStyle extends Partial<MapView> {
  readonly version: 8;
  readonly name: string;
  readonly sources: Readonly<Record<string, MapSource>>;
  readonly layers: readonly MapLayer[];
}

interface MapSource {
  readonly type: 'raster' | 'vector';
  readonly tiles: readonly string[];
  readonly tileSize?: number;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds?: readonly [number, number, number, number];
}

/** Address and extent of the tiles of a map. */
export interface StyledTiles {
  readonly name: string;
  /** With `{z}`, `{x}` and `{y}`. */
  readonly tilesUrl: string;
  readonly zooms: readonly [min: number, max: number];
  /** West, south, east, north in degrees; west > east across 180°. Undefined if unknown. */
  readonly bounds: readonly [number, number, number, number] | undefined;
}

/** Vector tiles and the name of their layer. */
export interface StyledVectorTiles extends StyledTiles {
  readonly layer: string;
}

/** A style, and the parts of the SLD that MapLibre cannot express. */
export interface SaidStyle {
  readonly style: MapLibreStyle;
  readonly leftOut: readonly Undrawn[];
}

const source = 'data';
const clear: Rgba = [0, 0, 0, 0];

/** Creates the style of raster tiles, whose pixels already have their colours. */
export function rasterStyle(tiles: StyledTiles): MapLibreStyle {
  const layer = { id: 'raster', type: 'raster', source, paint: { 'raster-resampling': 'nearest' } } as const;
  return styleOf(tiles, { ...sourceOf(tiles, 'raster'), tileSize: 256 }, [layer]);
}

/** Translates the rules of a vector to layers; without rules everything is drawn in the green of the page. */
export function vectorStyle(tiles: StyledVectorTiles, rules: readonly DrawnRule[]): SaidStyle {
  const { layers, leftOut } = layersOfRules(rules.length === 0 ? plainRules : rules);
  return { style: vectorLayers(tiles, layers), leftOut };
}

/** Creates the style of units coloured by classes of their value; those without one are grey. */
export function unitStyle(tiles: StyledVectorTiles, entries: readonly LegendEntry[]): MapLibreStyle {
  const value: MapExpression = ['get', 'value'];
  const numbers = entries.flatMap(({ label, colour }) => (label.kind === 'range' ? [{ label, colour }] : []));
  const fill = numbers.length > 0 ? steps(value, numbers) : words(value, entries);
  return vectorLayers(tiles, [
    { type: 'fill', paint: { 'fill-color': fill } },
    { type: 'line', paint: { ...colourPaint('line', unitBorder.colour), 'line-width': unitBorder.width } },
  ]);
}

/** Translates the rules of a style for units; units that no rule selects are grey. */
export function unitStyleByRules(tiles: StyledVectorTiles, rules: readonly DrawnRule[]): SaidStyle {
  const { layers, leftOut } = layersOfRules(areaRules(rules), [signWithoutValue]);
  return { style: vectorLayers(tiles, layers), leftOut };
}

const plainRules: readonly DrawnRule[] = plainSigns.map((sign) => ({
  expression: undefined,
  scales: [0, Infinity],
  layer: 0,
  signs: [sign],
}));

function steps(
  value: MapExpression,
  classes: readonly { readonly colour: Rgba; readonly label: { readonly from: number } }[],
): MapExpression {
  const [first, ...others] = classes.map(({ colour, label }) => [label.from, hexOf(colour)] as const);
  const stepped: MapExpression =
    others.length === 0
      ? (first?.[1] ?? greyOfUnits)
      : ['step', ['to-number', value, 0], first?.[1] ?? '', ...others.flat()];
  return ['case', ['==', ['typeof', value], 'number'], stepped, greyOfUnits];
}

function words(value: MapExpression, classes: readonly LegendEntry[]): MapExpression {
  const named = classes.flatMap(({ label, colour }) =>
    label.kind === 'text' ? [label.text, hexOf(colour)] : [],
  );
  const others = classes.find(({ label }) => label.kind === 'others')?.colour ?? signWithoutValue.fill;
  if (named.length === 0) return greyOfUnits;
  const text: MapExpression = ['to-string', value];
  return ['case', ['==', text, ''], greyOfUnits, ['match', text, ...named, hexOf(others)]];
}

/** Classes of units are opaque. */
const hexOf = (colour: Rgba = clear) => colourPaint('fill', colour)['fill-color'] ?? '';
const greyOfUnits = hexOf(signWithoutValue.fill);

function vectorLayers(tiles: StyledVectorTiles, bodies: readonly LayerBody[]): MapLibreStyle {
  const layers = bodies.map((body, index) => ({
    id: `${index + 1} ${body.type}`,
    source,
    'source-layer': tiles.layer,
    ...body,
  }));
  return styleOf(tiles, sourceOf(tiles, 'vector'), layers);
}

function sourceOf(
  { tilesUrl, zooms: [minzoom, maxzoom], bounds }: StyledTiles,
  type: MapSource['type'],
): MapSource {
  return { type, tiles: [tilesUrl], minzoom, maxzoom, ...(bounds && { bounds: wholeBounds(bounds) }) };
}

function styleOf(
  { name, bounds }: StyledTiles,
  described: MapSource,
  layers: readonly MapLayer[],
): MapLibreStyle {
  const view = bounds === undefined ? {} : viewOf(bounds);
  return { version: 8, name, ...view, sources: { [source]: described }, layers };
}

/** Initial view of a map. */
export interface MapView {
  readonly center: readonly [lon: number, lat: number];
  /** In MapLibre's convention: the world has 512 pixels at zoom 0. */
  readonly zoom: number;
}

/** Tolerance for bounds that fill the window, whose logarithm is close to an integer. */
const rounding = 1e-6;
/** A single place is shown with its surroundings. */
const maxZoom = 14;

/**
 * Returns the view in which a window of 512 × 512 pixels shows the bounds completely, at an integer zoom: at others MapLibre mixes the
 * colours of the pixels that it shrinks. A style cannot define its initial bounds otherwise, and would begin with the whole earth.
 * @param bounds West, south, east, north in degrees; west > east across 180°.
 */
export function viewOf([west, south, east, north]: readonly [number, number, number, number]): MapView {
  const degrees = west > east ? east + 360 - west : east - west;
  const middle = west + degrees / 2;
  const [top, bottom] = [worldY(north), worldY(south)];
  const zoom = Math.min(maxZoom, -Math.log2(Math.max(degrees / 360, bottom - top)));
  return {
    center: [rounded(middle > 180 ? middle - 360 : middle), rounded(latOf((top + bottom) / 2))],
    zoom: Math.max(0, Math.floor(zoom + rounding)),
  };
}

function latOf(row: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * row))) * 180) / Math.PI;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

export const MapLibreStyleJson = z
  .looseObject({
    version: z.literal(8).describe('Version of the specification'),
    name: z.string().describe('Name of the map'),
    sources: z.record(z.string(), z.unknown()).describe('Sources with the address of the tiles'),
    layers: z.array(z.unknown()).describe('Layers from bottom to top'),
  })
  .meta({
    id: 'MapLibreStyle',
    description: 'A style of MapLibre (maplibre.org/maplibre-style-spec)',
    examples: [
      {
        version: 8,
        name: 'Functional zoning',
        sources: { data: { type: 'raster', tileSize: 256, minzoom: 4, maxzoom: 13 } },
        layers: [{ id: 'raster', type: 'raster', source: 'data', paint: { 'raster-resampling': 'nearest' } }],
      },
    ],
  });
