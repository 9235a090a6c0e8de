import { areaOfCurve, type Pole } from '../../area/polygon-area.ts';
import { createPointTransformation, createTransformation, unitOf } from '../../gdal/transformation.ts';
import type { PointTransformation } from '../../raster-reader.ts';
import { placeAt } from '../raster/image/bbox.ts';
import { bboxOf, earthOf, type Georeference, widthOfCylinder } from '../raster/image/georeference.ts';

/** Degrees, unwrapped: east is not less than west, and may exceed 180. */
export interface EarthBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Position of the earth in the pixels of a raster. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Encloses the raster with a margin; everything outside is irrelevant to it. */
  readonly box: EarthBox;
  readonly pole: Pole;
  /** Converts longitudes and latitudes within the box to columns and rows, in place; NaN or infinite for those without a position. */
  readonly toPixels: PointTransformation;
  /**
   * Returns the area to the pole along the border of the raster, from the first corner of a side to a position on it,
   * in square metres; NaN if the border is not on the earth. Sides: left and right by row, upper and lower by column.
   */
  areaAlong(side: Side, place: number): number;
}

export type Side = 'left' | 'right' | 'upper' | 'lower';

/** Margin of the box, as a share of the size of the raster. */
const marginShare = 0.02;
const marginPixels = 2;
/** Margin at the seam of a projection, whose edge belongs to neither side. */
const seamDegrees = 1e-9;
/** Maximum number of nodes per side. */
const mostNodes = 8192;

/** @param georeference of a raster with a transformation to WGS 84. */
export function createFrame(georeference: Georeference & { readonly wkt: string }): Frame {
  const { width, height, wkt } = georeference;
  const toEarth = earthOf(wkt);
  const fromEarth = createPointTransformation(createTransformation({ epsg: 4326 }, { wkt }));
  const [centreX, centreY] = placeAt(georeference, width / 2, height / 2);
  const [lons, lats] = [Float64Array.of(centreX, centreX), Float64Array.of(centreY, centreY)];
  toEarth(lons, lats);
  const [centreLon = 0, centreLat = 0] = [lons[0], lats[0]].map((each = 0) =>
    Number.isFinite(each) ? each : 0,
  );
  const turn = turnOf(wkt, fromEarth);
  const box = earthBox(georeference, { turn, centreX, centreLon });
  const sides = new Map<Side, Border>();
  const pole = centreLat < 0 ? -1 : 1;
  return {
    width,
    height,
    box,
    pole,
    toPixels(xs, ys) {
      const longitudes = turn === undefined ? undefined : xs.slice();
      fromEarth(xs, ys);
      const [x0, a, b, y0, c, d] = georeference.affine;
      const determinant = a * d - b * c;
      for (let i = 0; i < xs.length; i += 1) {
        let x = xs[i] ?? NaN;
        if (turn !== undefined && longitudes !== undefined) {
          // PROJ normalizes longitudes to one turn; here the plane continues.
          const expected = centreX + (((longitudes[i] ?? NaN) - centreLon) / 360) * turn;
          x += turn * Math.round((expected - x) / turn);
        }
        const [dx, dy] = [x - x0, (ys[i] ?? NaN) - y0];
        xs[i] = (d * dx - b * dy) / determinant;
        ys[i] = (a * dy - c * dx) / determinant;
      }
    },
    areaAlong(side, place) {
      let border = sides.get(side);
      if (border === undefined) sides.set(side, (border = borderOf(side, georeference, { toEarth, pole })));
      return areaAt(border, place);
    },
  };
}

/** Returns the circumference of the earth in units of a CRS with equidistant meridians. */
function turnOf(wkt: string, fromEarth: PointTransformation): number | undefined {
  const { degrees, metres } = unitOf({ wkt });
  return degrees === undefined ? widthOfCylinder(fromEarth, 1 / metres) : 360 / degrees;
}

interface Turning {
  readonly turn: number | undefined;
  readonly centreX: number;
  readonly centreLon: number;
}

function earthBox(georeference: Georeference, { turn, centreX, centreLon }: Turning): EarthBox {
  const { width, height } = georeference;
  const [west, south, east, north] = bboxOf(georeference);
  const rise = (north - south) * (marginShare + marginPixels / height);
  const lats = { south: Math.max(-90, south - rise), north: Math.min(90, north + rise) };
  const margin = marginShare + marginPixels / width;
  if (turn !== undefined) {
    const xs = [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ].map(([column = 0, row = 0]) => placeAt(georeference, column, row)[0]);
    const lonOf = (x: number) => centreLon + ((x - centreX) / turn) * 360;
    const [least, most] = [lonOf(Math.min(...xs)), lonOf(Math.max(...xs))];
    const more = (most - least) * margin;
    return { west: least - more, east: most + more, ...lats };
  }
  const span = west <= east ? east - west : east + 360 - west;
  const more = span * margin;
  if (span + 2 * more >= 360)
    return { west: centreLon - 180 + seamDegrees, east: centreLon + 180 - seamDegrees, ...lats };
  return { west: west - more, east: west + span + more, ...lats };
}

/** Areas to the pole from the first corner to equidistant nodes. */
interface Border {
  readonly step: number;
  readonly areas: Float64Array;
}

function borderOf(
  side: Side,
  georeference: Georeference,
  { toEarth, pole }: { readonly toEarth: PointTransformation; readonly pole: Pole },
): Border {
  const { width, height } = georeference;
  const length = side === 'left' || side === 'right' ? height : width;
  const pieces = Math.min(mostNodes, Math.max(8, length));
  const step = length / pieces;
  const [xs, ys] = [new Float64Array(2 * pieces + 1), new Float64Array(2 * pieces + 1)];
  for (let i = 0; i <= 2 * pieces; i += 1) {
    const along = (i * step) / 2;
    const [column = NaN, row = NaN] = {
      left: [0, along],
      right: [width, along],
      upper: [along, 0],
      lower: [along, height],
    }[side];
    [xs[i], ys[i]] = placeAt(georeference, column, row);
  }
  toEarth(xs, ys);
  const areas = new Float64Array(pieces + 1);
  for (let i = 0; i < pieces; i += 1) {
    const [l0 = NaN, l1 = NaN, l2 = NaN] = xs.subarray(2 * i, 2 * i + 3);
    const [b0 = NaN, b1 = NaN, b2 = NaN] = ys.subarray(2 * i, 2 * i + 3);
    const middle = l0 + nearest(l1 - l0);
    const area = areaOfCurve([l0, middle, middle + nearest(l2 - middle)], [b0, b1, b2], pole);
    areas[i + 1] = (areas[i] ?? NaN) + area;
  }
  return { step, areas };
}

/** Interpolates by the polynomial through four nodes. */
function areaAt({ step, areas }: Border, place: number): number {
  const at = place / step;
  const first = Math.max(0, Math.min(areas.length - 4, Math.floor(at) - 1));
  const t = at - first;
  const a = areas[first] ?? NaN;
  const b = areas[first + 1] ?? NaN;
  const c = areas[first + 2] ?? NaN;
  const d = areas[first + 3] ?? NaN;
  return (
    (a * (t - 1) * (t - 2) * (t - 3)) / -6 +
    (b * t * (t - 2) * (t - 3)) / 2 +
    (c * t * (t - 1) * (t - 3)) / -2 +
    (d * t * (t - 1) * (t - 2)) / 6
  );
}

function nearest(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360);
}
