import { createExpression, featureFilter } from '@maplibre/maplibre-gl-style-spec';
import { VectorTile } from '@mapbox/vector-tile';
import { asArray } from 'ol/color.js';
import { PbfReader } from 'pbf';
import RegularShape from 'ol/style/RegularShape.js';
import type { Style } from 'ol/style.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import { standardPixel } from '../../../console/src/map/place/scale-length.ts';
import { createVectorLayer } from '../../../console/src/map/layers/vector-layer.ts';
import type { VectorSource } from '../../../src/maps/thread/vector/read-source.ts';
import { vectorThumbnail } from '../../../src/maps/thread/vector/thumbnail.ts';
import { createVectorTileHandler } from '../../../src/maps/thread/vector/vector-tile.ts';
import type { MapLibreStyle } from '../../../src/maps/formats/maplibre/style.ts';
import type { Rgba } from '../../../common/maps/style/colour-map.ts';
import { compileSld } from '../../../common/maps/style/sld-compile.ts';
import type { Rule } from '../../../common/maps/style/sld-read.ts';
import type { Sign } from '../../../common/maps/style/sld-sign.ts';
import { denominatorOfWhole } from '../../../common/maps/units/unit-paint.ts';
import { memoryContext } from './vector-tiles.ts';

export type GeometryType = 'Polygon' | 'LineString' | 'Point';
export type Kind = Pick<VectorSource, 'kind' | 'columns'>;

const key = 'key';
export const size = 128;
/** The zoom of MapLibre at which the world has the scale of a thumbnail. */
const zoomOfWhole = Math.log2(559_082_264.0287178 / 2 / denominatorOfWhole);
export const clear: Rgba = [0, 0, 0, 0];

/** Blends colours that lie over each other, the last one on top. */
export function composed(colours: readonly Rgba[]): Rgba {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (const [r, g, b, a] of colours) {
    const over = a / 255;
    const below = alpha * (1 - over);
    const sum = over + below;
    const mixed = (own: number, under: number) => (sum === 0 ? 0 : (own * over + under * below) / sum);
    [red, green, blue, alpha] = [mixed(r, red), mixed(g, green), mixed(b, blue), sum];
  }
  return [Math.round(red), Math.round(green), Math.round(blue), Math.round(alpha * 255)];
}

/** Draws the thumbnail of a GeoJSON; returns a function that reads the colour of a pixel. */
export async function thumbnailOf(geojson: object, { kind, columns }: Kind, sld: string | undefined) {
  const style = sld === undefined ? undefined : { key: 'style', compiled: JSON.stringify(compileSld(sld)) };
  const { pixels } = await vectorThumbnail(
    { source: { key, kind, columns }, style, size },
    memoryContext({ [key]: JSON.stringify(geojson) }),
  );
  return (x: number, y: number): Rgba => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray((y * size + x) * 4);
    return [red, green, blue, alpha];
  };
}

/** Properties of the features in the tile of the whole world. */
export async function tileProperties(geojson: object, { kind, columns }: Kind) {
  const { bytes } = await createVectorTileHandler()(
    { layers: [{ name: 'layer', key, kind, columns }], tile: { z: 0, x: 0, y: 0 }, datetime: undefined },
    memoryContext({ [key]: JSON.stringify(geojson) }),
  );
  const { layer } = new VectorTile(new PbfReader(bytes)).layers;
  return Array.from({ length: layer?.length ?? 0 }, (_, index) => ({ ...layer?.feature(index).properties }));
}

/** Colours that MapLibre paints on a feature of a tile, in order; for areas, the colours of the interior. */
export function mapLibreColours(
  { layers }: MapLibreStyle,
  geometry: GeometryType,
  properties: Readonly<Record<string, unknown>>,
): readonly Rgba[] {
  const type = ({ Point: 1, LineString: 2, Polygon: 3 } as const)[geometry];
  const place = { zoom: zoomOfWhole };
  const feature = { type, properties: { ...properties } };
  return layers.flatMap((layer): Rgba[] => {
    const { type: painted, filter, paint, minzoom = 0, maxzoom = Infinity } = layer;
    const isIn = zoomOfWhole >= minzoom && zoomOfWhole < maxzoom;
    const own = ({ fill: 'Polygon', line: 'LineString', circle: 'Point', raster: undefined } as const)[
      painted
    ];
    if (!isIn || own !== geometry) return [];
    if (filter !== undefined && !featureFilter(plain(filter), 'filter').filter(place, feature)) return [];
    const evaluate = (name: string, otherwise: unknown): unknown => {
      const value: unknown = paint[name];
      if (!Array.isArray(value)) return value ?? otherwise;
      const expression = createExpression(plain(value), name);
      return expression.result === 'success' ? String(expression.value.evaluate(place, feature)) : otherwise;
    };
    const [red = 0, green = 0, blue = 0, alpha = 1] = asArray(String(evaluate(`${painted}-color`, '#000')));
    const opacity = Number(evaluate(`${painted}-opacity`, 1));
    return [[red, green, blue, Math.round(alpha * opacity * 255)]];
  });
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

/** Colours that the page paints on the feature of a vector. */
export function pageColours(
  geojson: object,
  geometry: GeometryType,
  rules: readonly Rule[],
): readonly Rgba[] {
  const { layer } = createVectorLayer('EPSG:3857', geojson, rules);
  const [feature] = new GeoJSON().readFeatures(geojson);
  const drawn = layer.getStyleFunction()?.(feature ?? fail(), denominatorOfWhole * standardPixel) ?? [];
  return [drawn].flat().flatMap((style) => {
    const colour = colourOf(style, geometry);
    return colour === undefined ? [] : [colour];
  });
}

function colourOf(style: Style, geometry: GeometryType): Rgba | undefined {
  const image = style.getImage();
  const shape = image instanceof RegularShape ? image : undefined;
  const painted =
    geometry === 'Point'
      ? shape?.getFill()?.getColor()
      : geometry === 'Polygon'
        ? style.getFill()?.getColor()
        : style.getStroke()?.getColor();
  if (typeof painted !== 'string') return undefined;
  const [red = 0, green = 0, blue = 0, alpha = 1] = asArray(painted);
  return [red, green, blue, Math.round(alpha * 255)];
}

/** Colours of the interior of an area with these signs. */
export const signColours = (signs: readonly Sign[]) => signs.flatMap(({ fill }) => (fill ? [fill] : []));

const fail = (): never => {
  throw new Error('there is no feature');
};
