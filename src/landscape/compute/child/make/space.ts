import type { Frame } from '../../../../geo/child/areas/frame.ts';
import { earthOf } from '../../../../geo/child/raster/image/georeference.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';
import type { ReferenceGrid } from '../../../grid/reference-grid.ts';
import type { RecipeOf } from '../../input-work.ts';
import type { Place } from './segments.ts';

/** A space with straight distances in metres: the earth from its centre, or the plane of a grid. */
export interface Space {
  /** Converts longitudes and latitudes to x, y, z; NaN for those without a place. */
  ofEarth(lons: Float64Array, lats: Float64Array): Float64Array;
  /** Converts positions on the grid in columns and rows to x, y, z. */
  ofGrid(columns: Float64Array, rows: Float64Array): Float64Array;
  /** Returns the turns to add to a longitude, in degrees, so that a line that begins there lies on the grid. */
  turnOf(longitude: number): number;
  /** Returns the radius of the surface at a place, by which a straight distance becomes one along it; infinite for a plane. */
  radiusAt(place: Place): number;
}

/** Up to this chord, as a share of the diameter, a series gives the arc to the last digit. */
const mostOfSeries = 0.05;

/** Returns the distance along a sphere for a straight one. */
export function alongSphere(straight: number, radius: number): number {
  const share = straight / (2 * radius);
  if (share > mostOfSeries) return 2 * radius * Math.asin(Math.min(1, share));
  const s = share * share;
  return straight * (1 + s * (1 / 6 + s * (3 / 40 + s * (15 / 336 + (s * 105) / 3456))));
}

/** WGS 84. */
const [equatorialRadius, flattening] = [6378137, 1 / 298.257223563];
const squaredEccentricity = flattening * (2 - flattening);
export const meanRadius = 6371008.8;

/** @throws {Problem} for distances in a grid in degrees */
export function createSpace(
  { measure }: RecipeOf<'distance'>,
  { grid, frame }: { readonly grid: ReferenceGrid; readonly frame: Frame },
): Space {
  return measure === 'geodesic' ? createEarth(grid) : createPlane(grid, frame);
}

function createEarth(grid: ReferenceGrid): Space {
  const toEarth = earthOf(grid.wkt);
  return {
    ofEarth: onEllipsoid,
    ofGrid(columns, rows) {
      const [xs, ys] = [columns.slice(), rows.slice()];
      for (let i = 0; i < xs.length; i += 1) {
        xs[i] = grid.left + (columns[i] ?? NaN) * grid.resX;
        ys[i] = grid.top - (rows[i] ?? NaN) * grid.resY;
      }
      toEarth(xs, ys);
      return onEllipsoid(xs, ys);
    },
    turnOf: () => 0,
    // By the Gaussian radius of curvature: the chord differs by a millionth at 15 km, by a thousandth at 500 km; the arc by some metres at 2,000 km.
    radiusAt({ x, y, z }) {
      const squaredSine = (z * z) / (x * x + y * y + z * z);
      return (
        (equatorialRadius * Math.sqrt(1 - squaredEccentricity)) / (1 - squaredEccentricity * squaredSine)
      );
    },
  };
}

function onEllipsoid(lons: Float64Array, lats: Float64Array): Float64Array {
  const places = new Float64Array(3 * lons.length);
  for (let i = 0; i < lons.length; i += 1) {
    const longitude = ((lons[i] ?? NaN) * Math.PI) / 180;
    const latitude = ((lats[i] ?? NaN) * Math.PI) / 180;
    const sine = Math.sin(latitude);
    const normal = equatorialRadius / Math.sqrt(1 - squaredEccentricity * sine * sine);
    const fromAxis = normal * Math.cos(latitude);
    places[3 * i] = fromAxis * Math.cos(longitude);
    places[3 * i + 1] = fromAxis * Math.sin(longitude);
    places[3 * i + 2] = normal * (1 - squaredEccentricity) * sine;
  }
  return places;
}

function createPlane(grid: ReferenceGrid, frame: Frame): Space {
  if (grid.crs.kind === 'geographic') throw inputProblems.gridInDegrees();
  const metres = grid.crs.kind === 'projected' ? grid.crs.metresPerUnit : 1;
  const [stepX, stepY] = [grid.resX * metres, -grid.resY * metres];
  const middle = (frame.box.west + frame.box.east) / 2;
  const place = (columns: Float64Array, rows: Float64Array) => {
    const places = new Float64Array(3 * columns.length);
    for (let i = 0; i < columns.length; i += 1) {
      const [x, y] = [(columns[i] ?? NaN) * stepX, (rows[i] ?? NaN) * stepY];
      const isPlace = Number.isFinite(x) && Number.isFinite(y);
      places[3 * i] = isPlace ? x : NaN;
      places[3 * i + 1] = isPlace ? y : NaN;
    }
    return places;
  };
  return {
    ofEarth(lons, lats) {
      const [xs, ys] = [lons.slice(), lats.slice()];
      frame.toPixels(xs, ys);
      return place(xs, ys);
    },
    ofGrid: place,
    turnOf: (longitude) => 360 * Math.round((middle - longitude) / 360),
    radiusAt: () => Infinity,
  };
}
