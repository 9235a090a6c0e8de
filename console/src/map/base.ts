import type { ViewCode } from '../raster/projection.ts';
import type { Detail, Districts } from './units/districts.ts';
import { createDrawnLayer, createSheet } from './drawing/canvas-layer.ts';
import { drawDegrees, drawGraticule } from './drawing/graticule.ts';
import { type Outline, pathOf } from './units/outlines.ts';
import TileLayer from 'ol/layer/Tile.js';
import XYZ from 'ol/source/XYZ.js';

/** Metres per pixel below which the rounded borders would look jagged. */
const fineBelow = 400;
/** Metres per pixel below which there is room for the borders of districts. */
const districtsBelow = 1_500;

/** The levels whose borders are drawn below every layer. */
type BaseLevel = 'region' | 'district';

const landColour = '#fbfaf6';
const lines = {
  region: { colour: 'rgba(62, 72, 80, 0.75)', width: 1.1 },
  district: { colour: 'rgba(62, 72, 80, 0.32)', width: 0.7 },
} as const satisfies Record<BaseLevel, unknown>;

/** The map below and above the data: land, borders, and lines of longitude and latitude. */
export function createBase(view: ViewCode, districts: Districts, onState: (isFailed: boolean) => void) {
  let outlines: Readonly<Record<BaseLevel, readonly Outline[]>> = { region: [], district: [] };
  const ground = createSheet((context, pixels) => {
    context.fillStyle = landColour;
    context.fill(pathOf(outlines.region, pixels), 'evenodd');
    drawGraticule(context, view, pixels);
  });
  const borders = createSheet((context, pixels) => {
    context.lineJoin = 'round';
    // The borders of regions lie above those of districts.
    for (const level of ['district', 'region'] as const) {
      context.strokeStyle = lines[level].colour;
      context.lineWidth = lines[level].width * pixels.ratio;
      context.stroke(pathOf(outlines[level], pixels));
    }
  });
  // The labels are drawn above the data, which would cover them.
  const degrees = createSheet((context, pixels) => drawDegrees(context, view, pixels));
  const below = createDrawnLayer('map-ground', [ground]);
  const above = createDrawnLayer('map-lines', [borders], 900);
  const named = createDrawnLayer('map-degrees', [degrees], 901);
  let shown = '';
  /** Loads what this resolution, in metres per pixel, needs. */
  const update = async (resolution: number) => {
    const detail: Detail = resolution < fineBelow ? 'fine' : 'coarse';
    const hasDistricts = resolution < districtsBelow;
    const wanted = `${detail} ${hasDistricts}`;
    if (wanted === shown) return;
    shown = wanted;
    try {
      const [region, district] = await Promise.all([
        districts.outlines('region', detail, view),
        hasDistricts ? districts.outlines('district', detail, view) : [],
      ]);
      if (wanted !== shown) return;
      outlines = { region, district };
      for (const sheet of [ground, borders]) sheet.forget();
      below.changed();
      above.changed();
      onState(false);
    } catch {
      shown = '';
      onState(true);
    }
  };
  return { layers: [below, above, named], update };
}

/** A third-party map below the data and above the land: square tiles in Web Mercator, reprojected for other views. */
export function createBackground(url: string, onFailure: () => void): TileLayer {
  const source = new XYZ({ url, transition: 0 });
  source.on('tileloaderror', onFailure);
  return new TileLayer({ source, className: 'map-background', zIndex: 1 });
}
