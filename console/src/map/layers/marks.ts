import type BaseLayer from 'ol/layer/Base.js';
import { fromLonLat } from 'ol/proj.js';
import type { LonLat } from '../place/address.ts';
import type { ViewCode } from '../../raster/projection.ts';
import { createDrawnLayer, createSheet } from '../drawing/canvas-layer.ts';
import type { Districts, Level } from '../units/districts.ts';
import { isInside, type Outline, pathOf } from '../units/outlines.ts';

const ring = 9;
const arm = 16;

/** Draws the place that a person has chosen and the frame of a map on paper, above all data. */
export function createMarks(view: ViewCode) {
  let place: number[] | undefined;
  const sheet = createSheet((context, pixels) => {
    if (place === undefined) return;
    const [x = 0, y = 0] = place;
    const { left, top, metresPerPixel, ratio } = pixels;
    const path = crossAt((x - left) / metresPerPixel, (top - y) / metresPerPixel, ratio);
    strokeWithHalo(context, path, { ratio, width: 2 });
  });
  let frame: readonly number[][] = [];
  const border = createSheet((context, { left, top, metresPerPixel, ratio }) => {
    if (frame.length === 0) return;
    const path = new Path2D();
    for (const [x = 0, y = 0] of frame) path.lineTo((x - left) / metresPerPixel, (top - y) / metresPerPixel);
    path.closePath();
    strokeWithHalo(context, path, { ratio, width: 2 });
  });
  const layer = createDrawnLayer('map-marks', [border, sheet], 950);
  return {
    layer,
    showPlace(at: LonLat | undefined) {
      place = at === undefined ? undefined : fromLonLat([at.lon, at.lat], view);
      sheet.forget();
      layer.changed();
    },
    /** Draws the frame of a map on paper, a ring of longitudes and latitudes, or none. */
    showFrame(ring: readonly (readonly [number, number])[] | undefined) {
      frame = (ring ?? []).map(([lon, lat]) => fromLonLat([lon, lat], view));
      border.forget();
      layer.changed();
    },
  };
}

/** A ring with four arms and an open centre, so that the pixel stays visible. */
function crossAt(x: number, y: number, ratio: number): Path2D {
  const path = new Path2D();
  const [inner, outer] = [ring * ratio, arm * ratio];
  path.arc(x, y, inner, 0, 2 * Math.PI);
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    path.moveTo(x + dx * inner, y + dy * inner);
    path.lineTo(x + dx * outer, y + dy * outer);
  }
  return path;
}

export interface UnitOutline {
  readonly layer: BaseLayer;
  /** Draws the border of a unit, or none. Returns its extent in metres of the view: west, south, east, north. */
  readonly show: (level: Level, kato: string | undefined) => Promise<Outline['extent'] | undefined>;
  /** The unit of a level at a point of the view. */
  readonly codeAt: (level: Level, point: readonly number[]) => Promise<string | undefined>;
}

/** A layer that draws the border of one unit over the data. */
export function createUnitOutline(view: ViewCode, districts: Districts): UnitOutline {
  let shown: readonly Outline[] = [];
  let asked = 0;
  const border = createSheet((context, pixels) => {
    const path = pathOf(shown, pixels);
    context.lineJoin = 'round';
    strokeWithHalo(context, path, { ratio: pixels.ratio, width: 2.5 });
  });
  const layer = createDrawnLayer('map-unit', [border], 950);
  return {
    layer,
    async show(level, kato) {
      asked += 1;
      const own = asked;
      const outlines = kato === undefined ? [] : await districts.outlines(level, 'fine', view);
      if (own !== asked) return undefined;
      shown = outlines.filter((outline) => outline.kato === kato);
      border.forget();
      layer.changed();
      return shown[0]?.extent;
    },
    async codeAt(level, [x = Number.NaN, y = Number.NaN]) {
      const outlines = await districts.outlines(level, 'coarse', view);
      return outlines.findLast((outline) => isInside(outline, x, y))?.kato;
    },
  };
}

/** Draws a dark line with a light halo, which is visible on every colour; `width` in CSS pixels. */
function strokeWithHalo(
  context: CanvasRenderingContext2D,
  path: Path2D,
  { ratio, width }: { readonly ratio: number; readonly width: number },
): void {
  context.strokeStyle = '#ffffff';
  context.lineWidth = 5 * ratio;
  context.stroke(path);
  context.strokeStyle = '#1d2733';
  context.lineWidth = width * ratio;
  context.stroke(path);
}
