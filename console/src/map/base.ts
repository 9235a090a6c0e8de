import Graticule from 'ol/layer/Graticule.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import { Fill, Stroke, Style, Text } from 'ol/style.js';
import type { ViewCode } from '../raster/projection.ts';
import type { Detail, Districts, Level } from './districts.ts';
import { keepDrawn } from './keep-drawn.ts';

/** Below so many metres of a pixel the rounded borders would show as stairs. */
const fineBelow = 400;
/** Below so many metres of a pixel the borders of districts have room. */
const districtsBelow = 1_500;

const land = new Style({ fill: new Fill({ color: '#fbfaf6' }) });
const regionLine = new Style({ stroke: new Stroke({ color: 'rgba(62, 72, 80, 0.75)', width: 1.1 }) });
const districtLine = new Style({ stroke: new Stroke({ color: 'rgba(62, 72, 80, 0.32)', width: 0.7 }) });

/** The map below and above the data: land, borders, and lines of longitude and latitude. */
export function createBase(view: ViewCode, districts: Districts, onFailure: (error: unknown) => void) {
  const layer = (className: string, style: Style, zIndex: number) =>
    keepDrawn(
      new VectorLayer({
        source: new VectorSource({ overlaps: false }),
        className,
        style,
        zIndex,
        updateWhileAnimating: true,
        updateWhileInteracting: true,
      }),
    );
  const ground = layer('map-land', land, 0);
  const regions = layer('map-regions', regionLine, 901);
  const units = layer('map-districts', districtLine, 900);
  const labels = new Text({
    font: '11px "Golos Text Variable", "Golos Text", sans-serif',
    fill: new Fill({ color: '#56616b' }),
    stroke: new Stroke({ color: 'rgba(247, 246, 242, 0.9)', width: 3 }),
  });
  const [lonLabelStyle, latLabelStyle] = [labels.clone(), labels.clone()];
  lonLabelStyle.setTextBaseline('top');
  lonLabelStyle.setOffsetY(4);
  latLabelStyle.setTextAlign('start');
  latLabelStyle.setOffsetX(4);
  const lines = new Graticule({
    className: 'map-graticule',
    strokeStyle: new Stroke({ color: 'rgba(86, 97, 107, 0.22)', width: 0.7 }),
    showLabels: true,
    wrapX: false,
    zIndex: 1,
    targetSize: 140,
    lonLabelPosition: 1,
    latLabelPosition: 0,
    lonLabelStyle,
    latLabelStyle,
    lonLabelFormatter: (degrees) => `${round(degrees)}°`,
    latLabelFormatter: (degrees) => `${round(degrees)}°`,
  });
  let shown = '';

  const fill = async (target: VectorLayer, level: Level, detail: Detail) => {
    const features = await districts.features(level, detail, view);
    const source = target.getSource();
    source?.clear(true);
    source?.addFeatures([...features]);
  };
  /** Loads what this resolution needs, in metres of a pixel. */
  const update = async (resolution: number) => {
    const detail = resolution < fineBelow ? 'fine' : 'coarse';
    const hasUnits = resolution < districtsBelow;
    units.setVisible(hasUnits);
    const wanted = `${detail} ${hasUnits}`;
    if (wanted === shown) return;
    shown = wanted;
    try {
      await Promise.all([
        fill(regions, 'region', detail),
        fill(ground, 'region', detail),
        hasUnits && fill(units, 'district', detail),
      ]);
    } catch (error) {
      shown = '';
      onFailure(error);
    }
  };
  return { layers: [ground, keepDrawn(lines), units, regions], update };
}

const round = (degrees: number) => String(Number(degrees.toFixed(2)));
