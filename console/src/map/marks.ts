import { fromLonLat } from 'ol/proj.js';
import type { LonLat } from './address.ts';
import type { ViewCode } from '../raster/projection.ts';
import { createDrawnLayer, createSheet } from './drawn-layer.ts';
import { type Outline, pathOf } from './outlines.ts';

const ink = '#1d2733';
const casing = '#ffffff';
const ring = 9;
const arm = 16;

/** What a person has chosen on a map, above all data: a place, and the borders of a unit. */
export function createMarks(view: ViewCode) {
  let place: number[] | undefined;
  let unit: Outline | undefined;
  const sheet = createSheet((context, pixels) => {
    const strokes = [
      { colour: casing, width: 5 },
      { colour: ink, width: 2 },
    ];
    const stroke = (path: Path2D): void => {
      for (const { colour, width } of strokes) {
        context.strokeStyle = colour;
        context.lineWidth = width * pixels.ratio;
        context.stroke(path);
      }
    };
    context.lineJoin = 'round';
    if (unit !== undefined) stroke(pathOf([unit], pixels));
    if (place === undefined) return;
    const [x = 0, y = 0] = place;
    stroke(
      crossAt(
        (x - pixels.left) / pixels.metresPerPixel,
        (pixels.top - y) / pixels.metresPerPixel,
        pixels.ratio,
      ),
    );
  });
  const layer = createDrawnLayer('map-marks', [sheet], 950);
  const draw = (): void => {
    sheet.forget();
    layer.changed();
  };
  return {
    layer,
    showPlace(at: LonLat | undefined) {
      place = at === undefined ? undefined : fromLonLat([at.lon, at.lat], view);
      draw();
    },
    showUnit(outline: Outline | undefined) {
      unit = outline;
      draw();
    },
  };
}

/** A ring with four arms, whose middle stays free: the pixel is seen. */
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
