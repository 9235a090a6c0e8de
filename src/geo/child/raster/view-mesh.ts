import { quietly } from '../../gdal/last-error.ts';
import type { Bbox } from '../../engine.ts';
import type { Georeference } from './georeference.ts';
import {
  viewBoxOf,
  type ViewBox,
  finerGrid,
  firstGrid,
  movePlaces,
  type ViewGrid,
  type ViewSource,
  createViewSource,
} from './view-grid.ts';
import { errorsOf, finishGrid, type GridErrors, shortLeaps, tolerancePixels } from './view-leaps.ts';

/** Points along a side, of the first grid and of the finest. */
const leastPoints = 17;
const mostPoints = 1025;
/** From here on the image may end within the box: it is continued by a cell, which should be small. */
const leastPointsWithEnds = 129;
/** Larger grids are cut into 4 by 4 parts. */
const mostPointsOfPart = 257;
const partsOfLarge = 4;
/** Half the step makes a quarter of the error where an image is smooth; a third is on the safe side. */
const smooth = 3;

/**
 * Computes the view mesh of a raster: the source pixel of each point of a grid in Web Mercator, twice as fine until the middles
 * between its points are right to a quarter of a pixel. What reads it, and its bytes, are in `maps/raster/mesh.ts`.
 * @param bbox the box of the raster on the earth, in degrees.
 * @returns undefined for a raster that does not lie on the earth, or not where Web Mercator does.
 */
export function viewMeshOf(georeference: Georeference, bbox: Bbox): Buffer | undefined {
  const { wkt } = georeference;
  if (wkt === undefined) return undefined;
  const source = quietly(() => createViewSource(georeference, wkt));
  const box = source && viewBoxOf(bbox, source);
  if (source === undefined || box === undefined) return undefined;
  const grid = fineEnough(box, source, georeference);
  return grid.columns.every(Number.isNaN) ? undefined : encode(grid, box, georeference);
}

function fineEnough(box: ViewBox, source: ViewSource, raster: Georeference): ViewGrid {
  let coarse = firstGrid(box, source, leastPoints);
  let worstBefore = 0;
  for (;;) {
    const fine = finerGrid(coarse, box, source);
    const errors = errorsOf(fine, raster);
    const hasEnds = errors.hasGaps || errors.atEdge.size > 0;
    const isCalm = errors.leaps.size === 0 && (!hasEnds || coarse.side >= leastPointsWithEnds);
    if (isCalm && errors.worst < tolerancePixels) return finishGrid(coarse, coarserErrors(errors, fine));
    const isNext = worstBefore / errors.worst >= smooth && errors.worst / smooth < tolerancePixels;
    if (isCalm && isNext) return finishGrid(fine, errors);
    if (fine.side >= mostPoints) {
      const move = (across: Float64Array, down: Float64Array) => movePlaces(across, down, box, source);
      const leaps = new Set([...errors.leaps, ...shortLeaps(fine, errors.bent, move)]);
      return finishGrid(fine, { ...errors, leaps });
    }
    worstBefore = errors.worst;
    coarse = fine;
  }
}

/** The points of a grid that the one of twice its step has as well. */
function coarserErrors(errors: GridErrors, { side }: ViewGrid): GridErrors {
  const half = (side - 1) / 2 + 1;
  const atEdge = [...errors.atEdge].flatMap((at) => {
    const [i, j] = [at % side, Math.floor(at / side)];
    return i % 2 === 0 && j % 2 === 0 ? [(j / 2) * half + i / 2] : [];
  });
  return { ...errors, leaps: new Set(), atEdge: new Set(atEdge) };
}

function encode(grid: ViewGrid, box: ViewBox, { width, height }: Georeference): Buffer {
  const parts = grid.side <= mostPointsOfPart ? 1 : partsOfLarge;
  const side = (grid.side - 1) / parts + 1;
  const bytes = Buffer.alloc(60 + parts * parts * side * side * 8);
  bytes.write('STPMESH1', 'latin1');
  for (const [i, edge] of [box.left, box.top, box.right, box.bottom].entries())
    bytes.writeDoubleLE(edge, 8 + 8 * i);
  for (const [i, number] of [parts, parts, side, width, height].entries())
    bytes.writeUInt32LE(number, 40 + 4 * i);
  let at = 60;
  for (let part = 0; part < parts * parts; part += 1) {
    const first = (Math.floor(part / parts) * grid.side + (part % parts)) * (side - 1);
    for (const numbers of [grid.columns, grid.rows])
      for (let j = 0; j < side; j += 1)
        for (let i = 0; i < side; i += 1) {
          bytes.writeFloatLE(numbers[first + j * grid.side + i] ?? NaN, at);
          at += 4;
        }
  }
  return bytes;
}
