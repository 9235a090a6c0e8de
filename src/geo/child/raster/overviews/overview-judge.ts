import type { RasterWindow } from '../../../raster-reader.ts';

/** An overview, and the size of the raster that it is of; in pixels. */
export interface Level {
  readonly full: { readonly width: number; readonly height: number };
  readonly width: number;
  readonly height: number;
}

/** In pixels of an overview. */
export type LevelWindow = RasterWindow;

interface Seen extends RasterWindow {
  /** Row by row; NaN where there is none. */
  readonly values: Float64Array;
}

/** Pixels of an overview that a class may come from beyond its own place: programs round places differently, level by level. */
const classReach = 1;
/** The same of measurements: what cubic kernels and their repetition reach to. */
const valueReach = 2;
/** How far a kernel may overshoot, as a share of the range of the values around, and of all that were seen: JPEG and LERC add noise. */
const [overshoot, noise] = [0.5, 0.05];
/** More such pixels are not the noise of a few. */
const maxStrayShare = 0.01;
/** Classes that are there, though not around: some overviews are made of a finer raster than the one that is in the file. */
const maxMisplacedShare = 0.002;
/** More different values are not remembered. */
const maxValues = 512;

/** Returns a window of an overview, and the pixels of full resolution that may have made it. */
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

/** Compares pixels of overviews with those of full resolution around them, and says in the end what they may be overviews of. */
export function createOverviewJudge() {
  let [pixels, strays] = [0, 0];
  /** How often values occur where nothing around has them. */
  const foreign = new Map<number, number>();
  const seen = new Set<number>();
  let [least, greatest] = [Infinity, -Infinity];
  /** How far values lie beyond what a kernel can make of those around them. */
  const excesses: number[] = [];

  return {
    /** @param mayBeClasses false once it is known that the values are measurements, of which it does not matter whether they occur */
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
    /** Returns true if each value occurs in the raster, and nearly each among the pixels around it. @param known values of the raster, NaN where it has gaps. */
    fitsClasses(known: ReadonlySet<number>): boolean {
      const misplaced = [...foreign.values()].reduce((sum, count) => sum + count, 0);
      const isOfRaster = (value: number) => seen.has(value) || known.has(value);
      return [...foreign.keys()].every(isOfRaster) && misplaced <= pixels * maxMisplacedShare;
    },
    /** Returns true if nearly each value lies in the range of the pixels around it. */
    fitsMeasurements(): boolean {
      // Floats of 32 bits are rounded.
      const allowed = Math.max(
        noise * (greatest - least),
        1e-6 * Math.max(Math.abs(least), Math.abs(greatest)),
      );
      const beyond = excesses.filter((excess) => excess > allowed).length;
      return strays + beyond <= pixels * maxStrayShare;
    },
  };
}

/** Columns and rows of full resolution, the last ones not included. */
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

/** Looks at the place itself first, where the value mostly is. */
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
 * Returns what gives the range of the pixels around a pixel of an overview, by its index in `shown`. Rows come first and then columns, so that each
 * pixel of full resolution is looked at a few times, not as often as kernels overlap.
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
