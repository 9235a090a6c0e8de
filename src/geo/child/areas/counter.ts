import { type AreaCounts, type TupleArea, maxAreaTuples, maxCountedAreas } from '../../engine.ts';
import { areaProblems } from '../../../messages/areas/english.ts';
import { type Band, type BorderCells, createCellWalker } from './cells.ts';
import type { Outline } from './outline.ts';
import type { UnitPolygon } from './unit-polygons.ts';

export interface RowPixels {
  readonly row: number;
  /** Column of the first pixel. */
  readonly column: number;
  /** Numbers of tuples. */
  readonly codes: Uint16Array;
  /** Square metres, multiples of the quantum. */
  readonly areas: Float64Array;
}

/** Counts areas by unit and tuple, in bands of rows. */
export interface AreaCounter {
  /** The windows of the band follow, row by row. */
  beginBand(band: Band): void;
  addRow(pixels: RowPixels): void;
  /** @param rank position of each tuple by number. @throws {Problem} for a unit that the CRS cannot represent. */
  result(rank: Int32Array): Pick<AreaCounts, 'raster' | 'units' | 'sets'>;
}

export interface CounterOptions {
  readonly units: readonly UnitPolygon[];
  /** In the same order. */
  readonly outlines: readonly Outline[];
  readonly quantum: number;
  readonly width: number;
  /** Called with the pixels of each unit. */
  readonly listener?: PixelListener;
}

/** Further processing of the pixels of a unit. `place` is an index in the arrays of the current row. */
export interface PixelListener {
  /** @param area square metres, a nonzero multiple of the quantum. @param share share of the pixel. */
  addPart(unit: number, place: number, area: number, share: number): void;
  /** Adds all pixels from `from` up to, but excluding, `to`. */
  addRun(unit: number, from: number, to: number, areas: Float64Array): void;
}

/** Sums of this many areas are exact; a run of a row is not longer. */
const longestRun = 2 ** 16;
/** Maximum remainder of a pixel whose parts are rounded to the quantum. */
const roundingQuanta = 16;
/** Maximum remainder of the sums of steps along a row. */
const roundingOfCover = 1e-9;
/** A unit that differs from its ellipsoidal area by more than this share, and by this share of the pixels on its border, is misplaced. */
const mostShare = 1e-3;
const mostOfBorder = 0.1;

/** A unit in the current band. */
interface UnitInBand {
  readonly number: number;
  readonly set: number;
  /** Rows of the band in which the unit lies, the last one excluded; its cells begin with the first. */
  readonly top: number;
  readonly bottom: number;
  readonly cells: BorderCells;
  /** Columns in which the unit has pixels in this band, the last one included. */
  readonly first: number;
  readonly last: number;
}

/** Returns the columns between the first and the last cells; to the right of those that do not close, all columns. */
function columnsOf({ starts, columns, steps }: BorderCells): {
  readonly first: number;
  readonly last: number;
} {
  let [first, last] = [Infinity, -1];
  for (let row = 0; row + 1 < starts.length; row += 1) {
    let covered = 0;
    for (let i = starts[row] ?? 0; i < (starts[row + 1] ?? 0); i += 1) {
      const column = columns[i] ?? 0;
      if (column < first) first = column;
      if (column > last) last = column;
      covered += steps[i] ?? 0;
    }
    if (Math.abs(covered) > roundingOfCover) last = Infinity;
  }
  return { first, last };
}

export function createCounter({ units, outlines, quantum, width, listener }: CounterOptions): AreaCounter {
  const setNames = [...new Set(units.map(({ set }) => set))];
  const setOf = units.map(({ set }) => setNames.indexOf(set));
  const [raster, outside, overlap] = [units.length, units.length + 1, units.length + 1 + setNames.length];
  const sums = createAreaSums(overlap + setNames.length, quantum);
  const walk = createCellWalker();
  const rounder = 1.5 * 2 ** 52 * quantum;
  const borders = new Float64Array(units.length);
  const covers = setNames.map(() => createCover(width));
  let inBand: readonly UnitInBand[] = [];

  function addRun(owner: number, { codes, areas }: RowPixels, from: number, to: number): void {
    for (let i = from; i < to;) {
      const code = codes[i] ?? 0;
      const end = Math.min(to, i + longestRun);
      let sum = 0;
      do {
        sum += areas[i] ?? 0;
        i += 1;
      } while (i < end && codes[i] === code);
      sums.add(owner, code, sum);
    }
  }

  function addUnit({ number, set, top, cells }: UnitInBand, pixels: RowPixels): void {
    const { starts, columns, shares, steps } = cells;
    const { column, codes, areas } = pixels;
    const cover = covers[set];
    const [first, last] = [starts[pixels.row - top] ?? 0, starts[pixels.row - top + 1] ?? 0];
    if (first === last || cover === undefined) return;
    const addPart = (place: number, share: number) => {
      const whole = areas[place] ?? 0;
      const own = Math.max(0, Math.min(1, share));
      const area = whole * own + rounder - rounder;
      if (area === 0) return;
      listener?.addPart(number, place, area, own);
      sums.add(number, codes[place] ?? 0, area);
      cover.addPart(place, area);
      borders[number] = (borders[number] ?? 0) + whole;
    };
    /** Adds pixels without a cell: all are covered alike, partially only along a border that follows the row. */
    const addSpan = (from: number, to: number, covered: number) => {
      const [a, b] = [Math.max(0, from - column), Math.min(codes.length, to - column)];
      const times = Math.round(covered);
      if (Math.abs(covered - times) > roundingOfCover)
        for (let place = a; place < b; place += 1) addPart(place, covered);
      else if (times > 0 && a < b) {
        addRun(number, pixels, a, b);
        listener?.addRun(number, a, b, areas);
        cover.add(a, b);
      }
    };
    let [covered, next] = [0, 0];
    for (let i = first; i < last; i += 1) {
      const at = columns[i] ?? 0;
      if (at > next) addSpan(next, at, covered);
      const place = at - column;
      if (at >= 0 && place >= 0 && place < codes.length) addPart(place, covered + (shares[i] ?? 0));
      covered += steps[i] ?? 0;
      next = at + 1;
    }
    addSpan(next, width, covered);
  }

  /** Adds the pixels that no unit of a set contains, and those in more than one. */
  function addRest(set: number, pixels: RowPixels): void {
    const cover = covers[set];
    if (cover === undefined) return;
    const { codes, areas } = pixels;
    const length = codes.length;
    let times = 0;
    for (let i = 0; i < length;) {
      times += cover.changes[i] ?? 0;
      const part = cover.parts[i] ?? 0;
      if (part === 0 && times === 1) {
        i += 1;
        continue;
      }
      if (part === 0 && times === 0) {
        const from = i;
        do i += 1;
        while (i < length && cover.changes[i] === 0 && cover.parts[i] === 0);
        addRun(outside + set, pixels, from, i);
        continue;
      }
      const rest = (areas[i] ?? 0) * (1 - times) - part;
      if (rest > roundingQuanta * quantum) sums.add(outside + set, codes[i] ?? 0, rest);
      else if (rest < -roundingQuanta * quantum) sums.add(overlap + set, codes[i] ?? 0, -rest);
      i += 1;
    }
    cover.clear(length);
  }

  return {
    beginBand(next) {
      inBand = outlines.flatMap((outline, number) => {
        if (outline.firstRow >= next.bottom || outline.endRow <= next.top) return [];
        const [top, bottom] = [Math.max(next.top, outline.firstRow), Math.min(next.bottom, outline.endRow)];
        const cells = walk(outline, { ...next, top, bottom });
        return [{ number, set: setOf[number] ?? 0, top, bottom, cells, ...columnsOf(cells) }];
      });
    },
    addRow(pixels) {
      addRun(raster, pixels, 0, pixels.codes.length);
      const end = pixels.column + pixels.codes.length;
      for (const unit of inBand) {
        const isInRow = unit.top <= pixels.row && pixels.row < unit.bottom;
        if (isInRow && unit.first < end && unit.last >= pixels.column) addUnit(unit, pixels);
      }
      for (const set of setNames.keys()) addRest(set, pixels);
    },
    result(rank) {
      return {
        raster: sums.list(raster, rank),
        units: units.map(({ id, set, area }, number) => {
          const areas = sums.list(number, rank);
          const inside = sumOf(areas);
          const { within = 0, outside: beyond = area } = outlines[number] ?? {};
          const tolerance = mostShare * area + mostOfBorder * (borders[number] ?? 0);
          if (Math.abs(inside - within) > tolerance) throw areaProblems.beyondProjection(id);
          const outsideArea =
            inside === 0 ? area : Number.isNaN(beyond) ? Math.max(0, area - inside) : beyond;
          return { id, set, area_m2: inside + outsideArea, areas, outside_m2: outsideArea };
        }),
        sets: setNames.map((set, at) => ({
          set,
          outside: sums.list(outside + at, rank),
          overlap: sums.list(overlap + at, rank),
        })),
      };
    },
  };
}

function sumOf(areas: readonly TupleArea[]): number {
  return areas.reduce((sum, [, area]) => sum + area, 0);
}

/** Creates the coverage of a row: the number of covering units, as changes from pixel to pixel, and the areas of parts. */
function createCover(width: number) {
  const changes = new Int32Array(width + 1);
  const parts = new Float64Array(width);
  return {
    changes,
    parts,
    add(from: number, to: number): void {
      changes[from] = (changes[from] ?? 0) + 1;
      changes[to] = (changes[to] ?? 0) - 1;
    },
    addPart(at: number, area: number): void {
      parts[at] = (parts[at] ?? 0) + area;
    },
    clear(length: number): void {
      changes.fill(0, 0, length + 1);
      parts.fill(0, 0, length);
    },
  };
}

/** Areas by owner and tuple: exact sums of multiples of a quantum, independent of order. */
interface AreaSums {
  /** @param area a multiple of the quantum, less than 2^52 of them. @throws {Problem} if there are too many sums. */
  add(owner: number, tuple: number, area: number): void;
  /** Returns the nonzero sums in square metres by tuple, in the order of `rank`. */
  list(owner: number, rank: Int32Array): readonly TupleArea[];
}

/** Sums below this many quanta stay exact when one more area is added. */
const carryQuanta = 2 ** 52;

/** @param quantum a power of two. */
function createAreaSums(owners: number, quantum: number): AreaSums {
  /** Number of a sum plus 1, by owner and tuple; 0 for none. */
  const places = new Int32Array(owners * maxAreaTuples);
  let low = new Float64Array(1024);
  let high = new Float64Array(1024);
  let count = 0;
  const limit = carryQuanta * quantum;
  const place = (key: number): number => {
    if (count === maxCountedAreas) throw areaProblems.tooManyFigures(maxCountedAreas);
    if (count === low.length) {
      low = Float64Array.from({ length: 2 * count }, (_, i) => low[i] ?? 0);
      high = Float64Array.from({ length: 2 * count }, (_, i) => high[i] ?? 0);
    }
    count += 1;
    places[key] = count;
    return count;
  };
  const totalOf = (at: number): number => {
    const units = BigInt(high[at] ?? 0) * BigInt(carryQuanta) + BigInt((low[at] ?? 0) / quantum);
    return Number(units) * quantum;
  };
  return {
    add(owner, tuple, area) {
      const key = owner * maxAreaTuples + tuple;
      const at = (places[key] || place(key)) - 1;
      const sum = (low[at] ?? 0) + area;
      if (sum < limit) low[at] = sum;
      else {
        low[at] = sum - limit;
        high[at] = (high[at] ?? 0) + 1;
      }
    },
    list(owner, rank) {
      const found: [tuple: number, area: number][] = [];
      for (let tuple = 0; tuple < rank.length; tuple += 1) {
        const at = places[owner * maxAreaTuples + tuple] ?? 0;
        const area = at === 0 ? 0 : totalOf(at - 1);
        if (area > 0) found.push([rank[tuple] ?? 0, area]);
      }
      return found.toSorted(([one], [other]) => one - other);
    },
  };
}
