/** Positions of cells along one dimension. */
export interface RegularAxis {
  /** Centre of the first cell, after `isFlipped`. */
  readonly first: number;
  /** From one centre to the next, positive. */
  readonly step: number;
  readonly size: number;
  /** True if the file has the cells in descending order. */
  readonly isFlipped: boolean;
}

/** Largest deviation from even spacing, in cells. */
const unevenCells = 0.001;
/** Rounding of single precision, which most files have. */
const singlePrecision = 2.4e-7;

/** Returns the axis of evenly spaced centres; undefined for uneven ones, and for a single one without `width`. */
export function regularAxis(centres: ArrayLike<number>, width?: number): RegularAxis | undefined {
  const size = centres.length;
  const [head, tail] = [centres[0] ?? NaN, centres[size - 1] ?? NaN];
  const spacing = size === 1 ? (width ?? NaN) : (tail - head) / (size - 1);
  if (!Number.isFinite(spacing) || spacing === 0) return undefined;
  const allowed =
    Math.abs(spacing) * unevenCells + Math.max(Math.abs(head), Math.abs(tail)) * singlePrecision;
  for (let index = 0; index < size; index += 1)
    if (!(Math.abs((centres[index] ?? NaN) - (head + spacing * index)) <= allowed)) return undefined;
  const isFlipped = spacing < 0;
  return { first: isFlipped ? tail : head, step: Math.abs(spacing), size, isFlipped };
}

/** Order of the columns after longitudes from 0 to 360 are brought to −180 to 180. */
export interface WrappedAxis extends RegularAxis {
  /** Number of the first column, in ascending order, that becomes the first of the raster. */
  readonly startColumn: number;
}

/** Wraps longitudes. A grid that only crosses the 180th meridian stays in one piece, and continues beyond 180. */
export function wrapLongitudes(axis: RegularAxis): WrappedAxis {
  const { first, step } = axis;
  const around = Math.round(360 / step);
  const isWholeTurn = Math.abs(around * step - 360) < step * 0.01;
  // Some files repeat the first meridian at the end.
  const size = isWholeTurn && axis.size === around + 1 ? around : axis.size;
  const isGlobal = isWholeTurn && size === around;
  const turn = 360 * Math.floor((first + 180 + step / 1e6) / 360);
  const own = { ...axis, size, first: first - turn, startColumn: 0 };
  if (!isGlobal || own.first <= -180 + step / 2) return own;
  const startColumn = Math.ceil((180 - own.first) / step - 1e-6);
  return { ...own, first: own.first + startColumn * step - 360, startColumn: startColumn % size };
}
