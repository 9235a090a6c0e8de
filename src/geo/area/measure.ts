import type { Affine, PointTransformation } from '../raster-reader.ts';
import { authalicPlacesOf, quadrilateralArea } from './authalic.ts';

/** The pixels of a raster, and the positions of their corners in its CRS. */
export interface PixelGrid {
  readonly width: number;
  readonly height: number;
  readonly affine: Affine;
}

/** Areas are measured on blocks of this width, because the coordinates of smaller ones have too few digits. */
const blockMetres = 2000;
/** Number of points per transformation. */
const pointsAtOnce = 8192;

/** A position in pixels from the outer corner of the first pixel. */
export type Centre = readonly [column: number, row: number];

/**
 * Returns the areas of pixels around centres in square metres: NaN if the centre, or much around it, is not on the
 * earth; with `exactly`, the area of the part on the earth.
 */
export type Measure = (centres: readonly Centre[], options?: { readonly exactly: boolean }) => Float64Array;

const nowhere: Centre = [NaN, NaN];

/** @param toEarth as in `createPixelAreas`. */
export function createMeasure({ width, height, affine }: PixelGrid, toEarth: PointTransformation): Measure {
  /** Measures squares of pixels, each divided into parts by parts. */
  const areasOf = (centres: readonly Centre[], side: number, parts: number, sum: SumOf): Float64Array => {
    const areas = new Float64Array(centres.length);
    const perSquare = (parts + 1) ** 2;
    const atOnce = Math.max(1, Math.floor(pointsAtOnce / perSquare));
    const [x0, xColumn, xRow, y0, yColumn, yRow] = affine;
    for (let start = 0; start < centres.length; start += atOnce) {
      const some = centres.slice(start, start + atOnce);
      const [xs, ys] = [new Float64Array(some.length * perSquare), new Float64Array(some.length * perSquare)];
      for (const [i, [column, row]] of some.entries())
        for (let at = 0; at < perSquare; at += 1) {
          const across = parts === 0 ? column : column + side * ((at % (parts + 1)) / parts - 0.5);
          const down = parts === 0 ? row : row + side * (Math.floor(at / (parts + 1)) / parts - 0.5);
          xs[i * perSquare + at] = x0 + xColumn * across + xRow * down;
          ys[i * perSquare + at] = y0 + yColumn * across + yRow * down;
        }
      toEarth(xs, ys);
      const places = authalicPlacesOf(xs, ys);
      for (const i of some.keys()) areas[start + i] = sum(places, i * perSquare, parts) / side ** 2;
    }
    return areas;
  };
  /** Replaces the areas that are NaN by the results of `replace`. */
  const mend = (
    centres: readonly Centre[],
    areas: Float64Array,
    replace: (centres: readonly Centre[]) => Float64Array,
  ) => {
    const missing = [...areas.keys()].filter((i) => Number.isNaN(areas[i]));
    if (missing.length === 0) return areas;
    const found = replace(missing.map((i): Centre => centres[i] ?? nowhere));
    for (const [at, i] of missing.entries()) areas[i] = found[at] ?? NaN;
    return areas;
  };
  const pixels = (centres: readonly Centre[]) => areasOf(centres, 1, 2, extrapolated);
  const samples = Array.from({ length: 25 }, (_, i): Centre => [
    0.5 + ((width - 1) * (i % 5)) / 4,
    0.5 + ((height - 1) * Math.floor(i / 5)) / 4,
  ]);
  const largest = pixels(samples).reduce((most, area) => (area > most ? area : most), 0);
  // Odd, so that the centre is in the middle.
  const side = largest > 0 ? 2 * Math.floor(blockMetres / Math.sqrt(largest) / 2) + 1 : 1;
  const isOnEarth = (centres: readonly Centre[]) =>
    areasOf(centres, 1, 0, (places, first) => places[3 * first] ?? NaN);
  return (centres, { exactly } = { exactly: false }) => {
    if (exactly) return mend(centres, pixels(centres), (cut) => areasOf(cut, 1, partsOfCut, onEarth));
    // GDAL takes a hundred times as long for a place that is not on the earth.
    const found = isOnEarth(centres);
    const known = [...found.keys()].filter((i) => !Number.isNaN(found[i]));
    const there = known.map((i): Centre => centres[i] ?? nowhere);
    const areas = mend(there, areasOf(there, side, 2, extrapolated), pixels);
    found.fill(NaN);
    for (const [at, i] of known.entries()) found[i] = areas[at] ?? NaN;
    return found;
  };
}

/** Divisions per side of a pixel at the edge of the earth. */
const partsOfCut = 8;

type SumOf = (places: Float64Array, first: number, parts: number) => number;

/** Extrapolates from four parts: the error from the curvature of the sides is a quarter of that of the whole square. */
function extrapolated(places: Float64Array, first: number, parts: number): number {
  const corner = parts * (parts + 1);
  const whole = quadrilateralArea(places, [first, first + parts, first + corner + parts, first + corner]);
  return (4 * partsOf(places, first, parts).reduce((sum, area) => sum + area, 0) - whole) / 3;
}

function onEarth(places: Float64Array, first: number, parts: number): number {
  return partsOf(places, first, parts).reduce((sum, area) => (Number.isNaN(area) ? sum : sum + area), 0);
}

function partsOf(places: Float64Array, first: number, parts: number): number[] {
  const side = parts + 1;
  return Array.from({ length: parts ** 2 }, (_, i) => {
    const corner = first + Math.floor(i / parts) * side + (i % parts);
    return quadrilateralArea(places, [corner, corner + 1, corner + side + 1, corner + side]);
  });
}
