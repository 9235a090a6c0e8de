import type { Polygons } from '../../../../common/maps/paper/albers.ts';
import { albers, openPlane } from '../../../../common/maps/paper/planes.ts';
import { fill, openCanvas, type Pen, putPixels, takePicture, encodeLetters } from '../canvas/canvas.ts';
import type { PlaneFrame } from '../raster/plane-square.ts';
import type { PaperRaster, StyledRasters } from '../raster/styled-rasters.ts';
import { bordersOf, fillOutside, strokeBorders } from './borders.ts';

export interface PaperPictureRequest extends PaperRaster {
  /** In the Albers plane. */
  readonly frame: PlaneFrame;
  /** Its surroundings are pale; without a unit, the whole picture is shown. */
  readonly unit: Polygons | undefined;
  /** Other units with borders. */
  readonly others: readonly Polygons[];
}

export const pale = 'rgba(255, 255, 255, 0.8)';
export const unitLine = '#1d2b25';
export const otherLine = 'rgba(60, 72, 66, 0.6)';

/**
 * Draws a part of a raster in Albers as PNG on white, by nearest neighbour.
 * @throws {Problem} if it cannot be drawn.
 */
export async function drawPicture(
  rasters: StyledRasters,
  { frame, unit, others, ...raster }: PaperPictureRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, left, top, metresPerPixel } = frame;
  const pen = openCanvas({ width, height });
  const room = { x: 0, y: 0, width, height };
  fill(pen, room, [255, 255, 255, 255]);
  const plane = openPlane(albers);
  await rasters.planeStrips([raster], { plane, ...frame }, (strip) =>
    putPixels(pen, strip, { x: 0, y: strip.firstRow }),
  );
  const project = (polygons: Polygons) =>
    bordersOf(polygons, {
      plane,
      toPicture: ([x, y]) => [(x - left) / metresPerPixel, (top - y) / metresPerPixel],
      step: 0.5,
      bounds: undefined,
    });
  pen.lineJoin = 'round';
  stroke(pen, otherLine, 1, others.map(project));
  if (unit !== undefined) {
    const borders = project(unit);
    pen.fillStyle = pale;
    fillOutside(pen, room, borders);
    stroke(pen, unitLine, 2, [borders]);
  }
  return encodeLetters(takePicture(pen));
}

function stroke(
  pen: Pen,
  colour: string,
  width: number,
  borders: readonly ReturnType<typeof bordersOf>[],
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  for (const each of borders) strokeBorders(pen, each);
}
