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
/** Metres along the axes of the earth. */
type Shift = readonly [x: number, y: number, z: number];

const nowhere: Position = [Number.NaN, Number.NaN];
/** Matches the parameters of PROJ that say where a datum lies: numbers, grids, or a name that every program knows. */
const shiftWords = /\+(?:towgs84|nadgrids|datum)=/;
/** One in so many points of an outline is looked at. */
const sampleEvery = 16;
/** Less is not a datum shift. */
const leastShiftMetres = 0.1;
/** More is another place: the words are not those of the CRS. */
const mostShiftMetres = 5000;
const metresPerDegree = 111_195;
/** Each makes the shift about a hundred times as exact. */
const fitRounds = 2;
/** Keeps a small raster, which says nothing of heights, from getting a long shift along the vertical. */
const damping = 1e-6;

/**
 * Returns the CRS of a raster as a PROJ string. Where PROJ has no words for the shift of its datum, the shift between GDAL's own
 * positions and those without one is fitted where the raster lies: to decimetres, in a raster as large as a country to a few
 * metres. Null when the raster does not lie on the earth, or PROJ has no words for the CRS.
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

/** Adds the shift that takes positions by `words` to those of the CRS itself, if any; null when they are too far apart for that. */
export function addFittedShift(georeference: Georeference, crs: Crs, words: string): string | null {
  const samples = samplesOf(georeference, crs);
  const [byCrs, byWords] = [positionsOf(samples, crs), positionsOf(samples, { proj: words })];
  // Beyond the area of a datum GDAL knows of no shift.
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

/** Returns places of a raster, in its own coordinates, that can lie on the earth. */
function samplesOf(georeference: Georeference, crs: Crs): Position[] {
  const { width, height } = georeference;
  const farthest = farthestCoordinate(crs);
  const outline = outlineOf(georeference).filter((_, index) => index % sampleEvery === 0);
  return [...outline, placeAt(georeference, width / 2, height / 2)].filter(
    ([x, y]) => Math.abs(x) <= farthest && Math.abs(y) <= farthest,
  );
}

/** Not a number where a place has no image. */
function positionsOf(places: readonly Position[], crs: Crs): Position[] {
  const transformation = createTransformationToWgs84(crs);
  return places.map(([x, y]) => transformPoint(transformation, x, y));
}

/** How far one position is to the east and to the north of another, in metres; not a number where either is none. */
function offset(to: Position, from: Position): { readonly east: number; readonly north: number } {
  const turns = Math.round((to[0] - from[0]) / 360);
  const east = (to[0] - from[0] - 360 * turns) * Math.cos((to[1] * Math.PI) / 180) * metresPerDegree;
  return { east, north: (to[1] - from[1]) * metresPerDegree };
}

function distance(to: Position, from: Position): number {
  const { east, north } = offset(to, from);
  return Math.hypot(east, north);
}

/** Adds to a shift what brings the found positions nearest to the wanted ones, by least squares. */
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

/** Solves three equations by Cramer's rule; the matrix is by rows. */
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
