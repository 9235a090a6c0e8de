import type { Bbox } from '../../engine.ts';
import { nearest } from './longitudes.ts';
import type { ViewSource } from './view-source.ts';

/** Half the way around the earth in Web Mercator, in metres. */
export const halfWorld = 20_037_508.342789244;
const world = 2 * halfWorld;
const radius = halfWorld / Math.PI;
/** Where the square of Web Mercator ends. */
const highestLatitude = 85.0511287798066;
/** Share of its sides by which a box is larger than the raster: less than half a cell of the finest mesh. */
const padding = 1 / 2048;

/** A rectangle of Web Mercator in metres; across 180° it goes on to the east. */
export interface ViewBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** True when it is as wide as the world. */
  readonly isWholeTurn: boolean;
  /** Longitude that is the middle of the raster, of the box's turn. */
  readonly middle: number;
}

export const longitudeOf = (x: number) => (x / halfWorld) * 180;
export const latitudeOf = (y: number) => (Math.atan(Math.sinh(y / radius)) * 180) / Math.PI;
const xOf = (longitude: number) => (longitude / 180) * halfWorld;
const yOf = (latitude: number) => radius * Math.asinh(Math.tan((latitude * Math.PI) / 180));

/**
 * Returns the box around a raster, a little larger. Undefined when nothing of it lies where Web Mercator does.
 * @param bbox the box of the raster on the earth; west may be greater than east.
 */
export function viewBoxOf([west, south, east, north]: Bbox, source: ViewSource): ViewBox | undefined {
  const low = yOf(Math.max(-highestLatitude, south));
  const high = yOf(Math.min(highestLatitude, north));
  const [left, right] = [xOf(west), xOf(east < west ? east + 360 : east)];
  const [padX, padY] = [(right - left) * padding, (high - low) * padding];
  const vertical = { top: Math.min(halfWorld, high + padY), bottom: Math.max(-halfWorld, low - padY) };
  if (!(vertical.top > vertical.bottom)) return undefined;
  if (right - left + 2 * padX >= world) {
    const begin = beginOfTurn(source, latitudeOf((high + low) / 2));
    const middle = begin + 180;
    return { ...vertical, left: xOf(begin), right: xOf(begin) + world, isWholeTurn: true, middle };
  }
  if (!(right > left)) return undefined;
  const middle = longitudeOf((left + right) / 2);
  return { ...vertical, left: left - padX, right: right + padX, isWholeTurn: false, middle };
}

/** So many longitudes are looked at for a leap, which is then closed in upon. */
const longitudes = 72;
/** To half a millimetre: still closer to it, PROJ cannot tell the two edges apart. */
const bisections = 30;

/**
 * Returns where a box of a whole turn begins: opposite to the middle of a raster in degrees or on a cylinder, where a
 * projection leaps from one edge of its plane to the other, and else at 180°.
 */
function beginOfTurn(source: ViewSource, latitude: number): number {
  const { middleLongitude } = source;
  if (source.isUnrolled) return Number.isFinite(middleLongitude) ? middleLongitude - 180 : -180;
  const at = (lons: readonly number[]) => {
    const [columns, rows] = [Float64Array.from(lons), new Float64Array(lons.length).fill(latitude)];
    source.toPixels(columns, rows, 0);
    return { columns, rows };
  };
  const around = Array.from({ length: longitudes + 1 }, (_, i) => -180 + 1e-9 + (360 * i) / longitudes);
  const found = leapsOf(at(around));
  const widest = found.reduce((best, leap, i) => (leap > (found[best] || -1) ? i : best), 0);
  const [first] = leapsOf(at([around[widest] ?? 0, around[widest + 1] ?? 0]));
  let [from, to, leap] = [around[widest] ?? 0, around[widest + 1] ?? 0, first ?? NaN];
  const whole = leap;
  for (let step = 0; step < bisections; step += 1) {
    const middle = (from + to) / 2;
    const [before = NaN, after = NaN] = leapsOf(at([from, middle, to]));
    if (before > after) [to, leap] = [middle, before];
    else [from, leap] = [middle, after];
  }
  // Where the plane is continuous, the two ends meet.
  return leap > whole / 2 ? nearest((from + to) / 2) : -180;
}

/** Distances from one place to the next, in pixels. */
function leapsOf({
  columns,
  rows,
}: {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}): number[] {
  return Array.from(columns.subarray(1), (column, i) =>
    Math.hypot(column - (columns[i] ?? NaN), (rows[i + 1] ?? NaN) - (rows[i] ?? NaN)),
  );
}
