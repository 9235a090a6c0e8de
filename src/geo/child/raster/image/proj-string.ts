import gdal from 'gdal-async';
import {
  describeCrs,
  transformPoint,
  createTransformationToWgs84,
  type Crs,
  farthestCoordinate,
} from '../../../gdal/transformation.ts';
import { quietly } from '../../../gdal/last-error.ts';
import { outlineOf, placeAt } from './bbox.ts';
import type { Georeference } from './georeference.ts';

type Position = readonly [longitude: number, latitude: number];
/** Metres along the geocentric axes. */
type Shift = readonly [x: number, y: number, z: number];

const nowhere: Position = [Number.NaN, Number.NaN];
/** PROJ parameters that define a datum: numbers, grids, or a well-known name. */
const shiftWords = /\+(?:towgs84|nadgrids|datum)=/;
/** Stride of the sampled points of an outline. */
const sampleEvery = 16;
/** A smaller shift is not a datum shift. */
const leastShiftMetres = 0.1;
/** A greater shift is another place: the PROJ string does not describe the CRS. */
const mostShiftMetres = 5000;
const metresPerDegree = 111_195;
/** Each round makes the shift about a hundred times as exact. */
const fitRounds = 2;
/** Prevents a large vertical shift for a small raster, which contains no information about heights. */
const damping = 1e-6;

/**
 * Returns the CRS of a raster as a PROJ string. If PROJ cannot express the datum shift, a shift is fitted to GDAL's own positions at the
 * raster: accurate to decimetres, to a few metres for a country. Null if the raster is not on the earth, or PROJ cannot express the CRS.
 */
export function projStringOf(georeference: Georeference): string | null {
  if (georeference.wkt === undefined) return null;
  const { wkt } = describeCrs(georeference.wkt);
  const words = quietly(() => gdal.SpatialReference.fromWKT(wkt).toProj4())?.trim() ?? '';
  if (words === '') return null;
  if (shiftWords.test(words)) return words;
  return quietly(() => addFittedShift(georeference, { wkt }, words)) ?? null;
}

function withShift(words: string, shift: Shift): string {
  const parameter = `+towgs84=${shift.map((metres) => Number(metres.toFixed(3))).join(',')}`;
  return words.includes(' +no_defs')
    ? words.replace(' +no_defs', ` ${parameter} +no_defs`)
    : `${words} ${parameter}`;
}

/** Adds the shift between positions by `words` and those of the CRS, if any; null if they are too far apart. */
export function addFittedShift(georeference: Georeference, crs: Crs, words: string): string | null {
  const samples = samplesOf(georeference, crs);
  const [byCrs, byWords] = [positionsOf(samples, crs), positionsOf(samples, { proj: words })];
  // Outside the area of a datum, GDAL has no shift.
  const shifted = samples.flatMap((place, index) => {
    const [wanted, unshifted] = [byCrs[index] ?? nowhere, byWords[index] ?? nowhere];
    const metres = distance(wanted, unshifted);
    return metres > leastShiftMetres ? [{ place, wanted, metres }] : [];
  });
  if (shifted.length === 0) return words;
  if (shifted.some(({ metres }) => metres > mostShiftMetres)) return null;
  const places = shifted.map(({ place }) => place);
  const wanted = shifted.map((each) => each.wanted);
  let shift: Shift = [0, 0, 0];
  for (let round = 0; round < fitRounds; round += 1) {
    shift = improve(shift, wanted, positionsOf(places, { proj: withShift(words, shift) }));
  }
  return withShift(words, shift);
}

/** Returns places of a raster, in its own coordinates, that may be on the earth. */
function samplesOf(georeference: Georeference, crs: Crs): Position[] {
  const { width, height } = georeference;
  const farthest = farthestCoordinate(crs);
  const outline = outlineOf(georeference).filter((_, index) => index % sampleEvery === 0);
  return [...outline, placeAt(georeference, width / 2, height / 2)].filter(
    ([x, y]) => Math.abs(x) <= farthest && Math.abs(y) <= farthest,
  );
}

/** NaN for a place without an image. */
function positionsOf(places: readonly Position[], crs: Crs): Position[] {
  const transformation = createTransformationToWgs84(crs);
  return places.map(([x, y]) => transformPoint(transformation, x, y));
}

/** Returns the offset of a position to the east and north of another in metres; NaN if either is missing. */
function offset(to: Position, from: Position): { readonly east: number; readonly north: number } {
  const turns = Math.round((to[0] - from[0]) / 360);
  const east = (to[0] - from[0] - 360 * turns) * Math.cos((to[1] * Math.PI) / 180) * metresPerDegree;
  return { east, north: (to[1] - from[1]) * metresPerDegree };
}

function distance(to: Position, from: Position): number {
  const { east, north } = offset(to, from);
  return Math.hypot(east, north);
}

/** Improves a shift by least squares, so that the found positions approach the wanted ones. */
function improve(shift: Shift, wanted: readonly Position[], found: readonly Position[]): Shift {
  const matrix = [damping, 0, 0, 0, damping, 0, 0, 0, damping];
  const sums = [0, 0, 0];
  const add = (direction: Shift, metres: number): void => {
    for (const [row, one] of direction.entries()) {
      sums[row] = (sums[row] ?? 0) + one * metres;
      for (const [column, other] of direction.entries()) {
        const at = row * 3 + column;
        matrix[at] = (matrix[at] ?? 0) + one * other;
      }
    }
  };
  for (const [index, position] of wanted.entries()) {
    const metres = offset(position, found[index] ?? nowhere);
    if (!Number.isFinite(metres.east + metres.north)) continue;
    const [longitude, latitude] = [(position[0] * Math.PI) / 180, (position[1] * Math.PI) / 180];
    const [sin, cos] = [Math.sin(longitude), Math.cos(longitude)];
    add([-sin, cos, 0], metres.east);
    add([-Math.sin(latitude) * cos, -Math.sin(latitude) * sin, Math.cos(latitude)], metres.north);
  }
  const [x, y, z] = solve(matrix, sums);
  return [shift[0] + x, shift[1] + y, shift[2] + z];
}

/** Solves three equations by Cramer's rule; the matrix is row-major. */
function solve(matrix: readonly number[], sums: readonly number[]): Shift {
  const whole = determinant(matrix);
  const of = (column: number): number =>
    determinant(
      matrix.map((value, index) => (index % 3 === column ? (sums[Math.floor(index / 3)] ?? 0) : value)),
    ) / whole;
  return [of(0), of(1), of(2)];
}

function determinant([
  a = 0,
  b = 0,
  c = 0,
  d = 0,
  e = 0,
  f = 0,
  g = 0,
  h = 0,
  i = 0,
]: readonly number[]): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}
