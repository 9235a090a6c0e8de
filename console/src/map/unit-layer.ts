import type Feature from 'ol/Feature.js';
import LayerGroup from 'ol/layer/Group.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import { Fill, Stroke, Style } from 'ol/style.js';
import type { ViewCode } from '../raster/projection.ts';
import { cssOf } from '../style/colour-map.ts';
import type { Detail, Districts } from './districts.ts';
import { hatching } from './hatching.ts';
import { keepDrawn } from './keep-drawn.ts';
import type { UnitLayerModel } from './loaded-layer.ts';
import { dateIndex, valuesAt } from './series.ts';

/** Below so many metres of a pixel the rounded borders would show as stairs. */
const fineBelow = 400;
const border = new Style({ stroke: new Stroke({ color: '#ffffff', width: 0.6 }) });

/** A layer of districts coloured by the values of a date. */
export function createUnitLayer(
  view: ViewCode,
  districts: Districts,
  model: UnitLayerModel,
  onFailure: (error: unknown) => void,
) {
  const { series, classes, codes } = model;
  const styles = classes.list.map(({ colour }) => new Style({ fill: new Fill({ color: cssOf(colour) }) }));
  const none = new Style({ fill: new Fill({ color: hatching() }) });
  let values = valuesAt(series, dateIndex(series, undefined));
  let only: number | undefined;
  const source = new VectorSource();
  const styleOf = (feature: Pick<Feature, 'get'>) => {
    const value = values.get(String(feature.get('kato')));
    const index = value === undefined ? undefined : classes.classOf(value);
    if (only !== undefined && index !== only) return undefined;
    return index === undefined ? none : styles[index];
  };
  const moving = { updateWhileAnimating: true, updateWhileInteracting: true };
  const fills = new VectorLayer({ source, className: 'map-data', ...moving, style: styleOf });
  // A line takes longer to draw than an area, and stays where it is from date to date.
  const borders = keepDrawn(
    new VectorLayer({
      source,
      className: 'map-borders',
      ...moving,
      style: (feature) => (only === undefined || styleOf(feature) !== undefined ? border : undefined),
    }),
  );
  const layer = new LayerGroup({ layers: [fills, borders] });
  let shown: Detail | undefined;
  const update = async (resolution: number) => {
    const detail = resolution < fineBelow ? 'fine' : 'coarse';
    if (detail === shown) return;
    shown = detail;
    try {
      // Regions lie below districts, so that a table of both shows both.
      const [regions, units] = await Promise.all([
        districts.features('region', detail, view),
        districts.features('district', detail, view),
      ]);
      const drawn = [...regions, ...units].filter((feature) => codes.has(String(feature.get('kato'))));
      source.clear(true);
      source.addFeatures(drawn);
    } catch (error) {
      shown = undefined;
      onFailure(error);
    }
  };
  return {
    layer,
    update,
    showDate(date: string | undefined) {
      values = valuesAt(series, dateIndex(series, date));
      fills.changed();
      if (only !== undefined) borders.changed();
    },
    showOnly(index: number | undefined) {
      only = index;
      fills.changed();
      borders.changed();
    },
    /** The uppermost unit at a point of the view. */
    unitAt: (point: number[]): Feature | undefined => source.getFeaturesAtCoordinate(point).at(-1),
  };
}
