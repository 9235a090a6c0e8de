import GeoJSON from 'ol/format/GeoJSON.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import { Circle, Fill, RegularShape, Stroke, Style } from 'ol/style.js';
import type { ViewCode } from '../../raster/projection.ts';
import { cssOf } from '../../../../common/maps/style/colour-map.ts';
import { type Rule, takenRules } from '../../../../common/maps/style/sld-read.ts';
import { standardPixel } from '../place/scale-length.ts';
import type { Sign } from '../../../../common/maps/style/sld-sign.ts';

const plain = [
  new Style({
    fill: new Fill({ color: 'rgba(31, 106, 82, 0.16)' }),
    stroke: new Stroke({ color: '#1f6a52', width: 1.4 }),
    image: new Circle({
      radius: 4,
      fill: new Fill({ color: '#1f6a52' }),
      stroke: new Stroke({ color: '#fff', width: 1 }),
    }),
  }),
];

/** A layer of the dissolved geometry of a vector, drawn by the rules of its style or in the green of the page. */
export function createVectorLayer(view: ViewCode, geojson: unknown, rules: readonly Rule[]) {
  const features = new GeoJSON({ featureProjection: view }).readFeatures(geojson);
  const styles = new Map(rules.map((rule) => [rule, rule.signs.map(styleOf)]));
  const layer = new VectorLayer({
    source: new VectorSource({ features }),
    className: 'map-data',
    style:
      rules.length === 0
        ? plain
        : (feature, resolution) => {
            const taken = takenRules(rules, feature.getProperties(), resolution / standardPixel);
            return taken.flatMap((rule) => styles.get(rule) ?? []);
          },
  });
  return { layer };
}

function styleOf({ kind, fill, stroke, size, shape }: Sign): Style {
  const line =
    stroke === undefined
      ? {}
      : {
          stroke: new Stroke({
            color: cssOf(stroke.colour),
            width: stroke.width,
            lineDash: [...stroke.dashes],
          }),
        };
  const area = fill === undefined ? {} : { fill: new Fill({ color: cssOf(fill) }) };
  if (kind !== 'point') return new Style({ ...line, ...area });
  const sides: Readonly<Record<string, number>> = { square: 4, triangle: 3, star: 5 };
  const image =
    shape in sides
      ? new RegularShape({
          ...line,
          ...area,
          points: sides[shape] ?? 4,
          radius: size / 2,
          angle: shape === 'square' ? Math.PI / 4 : 0,
        })
      : new Circle({ ...line, ...area, radius: size / 2 });
  return new Style({ image });
}
