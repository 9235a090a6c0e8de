import type { RasterWindow } from '../../../raster-reader.ts';

/** An overview and the size of its raster, in pixels. */
export interface Level {
  readonly full: { readonly width: number; readonly height: number };
  readonly width: number;
  readonly height: number;
}

/** In pixels of an overview. */
export type LevelWindow = RasterWindow;

interface Seen extends RasterWindow {
  /** Row by row; NaN for gaps. */
  readonly values: Float64Array;
}

/** Distance in overview pixels from which a class may come: programs round positions differently per level. */
const classReach = 1;
/** The same for measurements: the reach of repeated cubic kernels. */
const valueReach = 2;
/** Maximum overshoot of a kernel, relative to the range of the surrounding values and of all values: JPEG and LERC add noise. */
const [overshoot, noise] = [0.5, 0.05];
/** More such pixels are not noise. */
const maxStrayShare = 0.01;
/** Maximum share of classes that occur elsewhere only: some overviews were made of a finer raster than the one in the file. */
const maxMisplacedShare = 0.002;
/** Maximum number of remembered distinct values. */
const maxValues = 512;

/** Returns a window of an overview, and the full-resolution pixels that may contribute to it. */
export function windowAround(level: Level, shown: LevelWindow) {
  const { full } = level;
  const span = (from: number, length: number, coarse: number, fine: number) => {
    const scale = fine / coarse;
    const first = Math.max(0, Math.floor((from - valueReach) * scale));
    return [first, Math.min(fine, Math.ceil((from + length + valueReach) * scale)) - first] as const;
  };
  const [x, width] = span(shown.x, shown.width, level.width, full.width);
  const [y, height] = span(shown.y, shown.height, level.height, full.height);
  return { shown, around: { x, y, width, height } };
}

/** Compares overview pixels with the full-resolution pixels around them, and decides what they can be overviews of. */
export function createOverviewJudge() {
  let [pixels, strays] = [0, 0];
  /** Counts of values that do not occur around their place. */
  const foreign = new Map<number, number>();
  const seen = new Set<number>();
  let [least, greatest] = [Infinity, -Infinity];
  /** Distances of values beyond the range of a kernel around them. */
  const excesses: number[] = [];

  return {
    /** @param mayBeClasses false if the values are known measurements, which need not occur in the raster */
    compare(
      level: Level,
      { shown, around }: { readonly shown: Seen; readonly around: Seen },
      mayBeClasses: boolean,
    ): void {
      let last: number | undefined;
      for (const value of around.values) {
        if (value < least) least = value;
        if (value > greatest) greatest = value;
        if (value !== last && seen.size < maxValues) seen.add(value);
        last = value;
      }
      pixels += shown.values.length;
      const rangeAt = rangesAround(level, shown, around);
      for (let at = 0; at < shown.values.length; at += 1) {
        const value = shown.values[at] ?? Number.NaN;
        const place = [shown.x + (at % shown.width), shown.y + Math.floor(at / shown.width)] as const;
        if (mayBeClasses) {
          if (occursIn(value, around, footprint(level, place, classReach))) continue;
          if (foreign.has(value) || foreign.size < maxValues)
            foreign.set(value, (foreign.get(value) ?? 0) + 1);
        }
        const range = rangeAt(at);
        if (Number.isNaN(value) ? !range.hasGap : range.least > range.greatest) strays += 1;
        else if (!Number.isNaN(value)) {
          const margin = overshoot * (range.greatest - range.least);
          const excess = Math.max(range.least - margin - value, value - range.greatest - margin);
          if (excess > 0) excesses.push(excess);
        }
      }
    },
    /**
     * Returns true if each value occurs in the raster, and nearly each in the pixels around it. @param known values of
     * the raster, NaN for gaps.
     */
    fitsClasses(known: ReadonlySet<number>): boolean {
      const misplaced = [...foreign.values()].reduce((sum, count) => sum + count, 0);
      const isOfRaster = (value: number) => seen.has(value) || known.has(value);
      return [...foreign.keys()].every(isOfRaster) && misplaced <= pixels * maxMisplacedShare;
    },
    /** Returns true if nearly each value lies in the range of the pixels around it. */
    fitsMeasurements(): boolean {
      // 32-bit floats are rounded.
      const allowed = Math.max(
        noise * (greatest - least),
        1e-6 * Math.max(Math.abs(least), Math.abs(greatest)),
      );
      const beyond = excesses.filter((excess) => excess > allowed).length;
      return strays + beyond <= pixels * maxStrayShare;
    },
  };
}

/** Columns and rows of full resolution, ends excluded. */
type Footprint = readonly [left: number, top: number, right: number, bottom: number];

function footprint(
  { full, width, height }: Level,
  [x, y]: readonly [number, number],
  reach: number,
): Footprint {
  const [scaleX, scaleY] = [full.width / width, full.height / height];
  return [
    Math.max(0, Math.floor((x - reach) * scaleX)),
    Math.max(0, Math.floor((y - reach) * scaleY)),
    Math.min(full.width, Math.ceil((x + 1 + reach) * scaleX)),
    Math.min(full.height, Math.ceil((y + 1 + reach) * scaleY)),
  ];
}

/** Checks the place itself first, which mostly has the value. */
function occursIn(value: number, around: Seen, [left, top, right, bottom]: Footprint): boolean {
  const isGap = Number.isNaN(value);
  const [middleX, middleY] = [(left + right) >> 1, (top + bottom) >> 1];
  const matches = (x: number, y: number) => {
    const found = around.values[(y - around.y) * around.width + x - around.x] ?? Number.NaN;
    return isGap ? Number.isNaN(found) : found === value;
  };
  if (matches(middleX, middleY)) return true;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) if (matches(x, y)) return true;
  }
  return false;
}

/**
 * Returns a function with the range of the pixels around an overview pixel, by its index in `shown`. Filters rows and
 * then columns, so that each full-resolution pixel is read a few times only.
 */
function rangesAround(level: Level, shown: LevelWindow, around: Seen) {
  const spans = Array.from({ length: shown.width }, (_, column) =>
    footprint(level, [shown.x + column, shown.y], valueReach),
  );
  const cells = around.height * shown.width;
  const [least, greatest] = [new Float64Array(cells).fill(Infinity), new Float64Array(cells).fill(-Infinity)];
  const gaps = new Uint8Array(cells);
  for (let row = 0, cell = 0; row < around.height; row += 1) {
    const start = row * around.width - around.x;
    for (const [left, , right] of spans) {
      for (let x = left; x < right; x += 1) {
        const value = around.values[start + x] ?? Number.NaN;
        if (Number.isNaN(value)) gaps[cell] = 1;
        else {
          if (value < (least[cell] ?? 0)) least[cell] = value;
          if (value > (greatest[cell] ?? 0)) greatest[cell] = value;
        }
      }
      cell += 1;
    }
  }
  return (index: number) => {
    const column = index % shown.width;
    const place = [shown.x + column, shown.y + Math.floor(index / shown.width)] as const;
    const [, top, , bottom] = footprint(level, place, valueReach);
    const range = { least: Infinity, greatest: -Infinity, hasGap: false };
    for (let y = top; y < bottom; y += 1) {
      const cell = (y - around.y) * shown.width + column;
      range.least = Math.min(range.least, least[cell] ?? Infinity);
      range.greatest = Math.max(range.greatest, greatest[cell] ?? -Infinity);
      range.hasGap ||= gaps[cell] === 1;
    }
    return range;
  };
}
