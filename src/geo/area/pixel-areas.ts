import type { Affine, PointTransformation } from '../raster-reader.ts';
import { authalicPlacesOf, quadrilateralArea } from './authalic.ts';

/** The pixels of a raster, and where their corners lie in its CRS. */
export interface PixelGrid {
  readonly width: number;
  readonly height: number;
  readonly affine: Affine;
}

/** The areas of the pixels of a raster on the ellipsoid of WGS 84, in square metres. */
export interface PixelAreas {
  /**
   * Writes the areas of the pixels of a row from `column` on, as many as `target` is long; 0 for a pixel that is not on the earth.
   * Each is a multiple of `quantum`, which does not depend on what is asked for.
   */
  fillRow(row: number, column: number, target: Float64Array): void;
  /** A power of two. Sums of up to `exactPixels` areas are exact in float64, so that their order does not matter. */
  readonly quantum: number;
}

/** A tile of 512 by 512 pixels. */
export const exactPixels = 2 ** 18;
/** An area is less than this many quanta: 2^18 of them have a sum below 2^53. */
const mostQuanta = 2 ** 35;
/** Relative error that interpolation may have; the promise is 1e-6. */
const tolerance = 3e-8;
/** Nodes lie no farther apart than the third of a side; cubic interpolation needs four. */
const leastNodes = 4;
/** Where areas are compared with interpolated ones, along each side. */
const probes = 12;
/** Areas are measured on blocks so wide, because the coordinates of smaller ones have too few digits. */
const blockMetres = 2000;
/** The lattice of a raster that reaches beyond the earth is at least so fine, as long as it has no more nodes than these. */
const stepAtEdge = 16;
const mostNodesForEdge = 2 ** 15;
/** Points that are transformed at once. */
const pointsAtOnce = 8192;

/**
 * Creates the areas of the pixels of a raster. They are measured at nodes of a lattice, on the authalic sphere (decision 41), and
 * interpolated by cubic polynomials along columns and rows; the lattice is as fine as the tolerance needs, down to every pixel. Pixels around
 * a node that is not on the earth are each measured.
 * @param toEarth from coordinates of the CRS to longitude and latitude on WGS 84; NaN, NaN where the CRS does not lie on the earth.
 */
export function createPixelAreas(grid: PixelGrid, toEarth: PointTransformation): PixelAreas {
  const measure = createMeasure(grid, toEarth);
  const lattice = latticeOf(grid, measure);
  const largest = lattice.values.reduce((most, area) => (area > most ? area : most), 0);
  // Between nodes an area may be larger, though never twice as large.
  const quantum = 2 ** Math.ceil(Math.log2(2 * (largest || 1))) / mostQuanta;
  const rounder = 1.5 * 2 ** 52 * quantum;
  let current = -1;
  let row: readonly Piece[] = [];
  return {
    quantum,
    fillRow(index, column, target) {
      if (index !== current) [current, row] = [index, rowOf(lattice, index)];
      const { columns } = lattice;
      for (let i = 0; i < target.length; ) {
        const piece = row[pieceAt(columns, column + i)];
        const end = Math.min(target.length, (piece?.end ?? grid.width) - column);
        if (piece === undefined || piece.kind === 'beside') target.fill(0, i, end);
        else if (piece.kind === 'smooth') {
          const { from, step, c0, c1, c2, c3 } = piece;
          for (let at = i; at < end; at += 1) {
            const t = (column + at - from) / step;
            target[at] = ((c3 * t + c2) * t + c1) * t + c0 + rounder - rounder;
          }
        } else {
          const centres = Array.from({ length: end - i }, (_, at) => [column + i + at + 0.5, index + 0.5] as const);
          for (const [at, area] of measure(centres, { exactly: true }).entries())
            target[i + at] = area + rounder - rounder;
        }
        i = end;
      }
    },
  };
}

type Centre = readonly [column: number, row: number];

/** Returns the areas of pixels around centres, NaN where one is not on the earth; with `exactly`, the part that is. */
type Measure = (centres: readonly Centre[], options?: { readonly exactly: boolean }) => Float64Array;

function createMeasure({ width, height, affine }: PixelGrid, toEarth: PointTransformation): Measure {
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
          const across = column + side * ((at % (parts + 1)) / parts - 0.5);
          const down = row + side * (Math.floor(at / (parts + 1)) / parts - 0.5);
          xs[i * perSquare + at] = x0 + xColumn * across + xRow * down;
          ys[i * perSquare + at] = y0 + yColumn * across + yRow * down;
        }
      toEarth(xs, ys);
      const places = authalicPlacesOf(xs, ys);
      for (const i of some.keys()) areas[start + i] = sum(places, i * perSquare, parts) / side ** 2;
    }
    return areas;
  };
  /** What `replace` returns takes the place of the areas that are NaN. */
  const mend = (centres: readonly Centre[], areas: Float64Array, replace: (centres: readonly Centre[]) => Float64Array) => {
    const missing = [...areas.keys()].filter((i) => Number.isNaN(areas[i]));
    if (missing.length === 0) return areas;
    const found = replace(missing.map((i) => centres[i] ?? [NaN, NaN]));
    for (const [at, i] of missing.entries()) areas[i] = found[at] ?? NaN;
    return areas;
  };
  const pixels = (centres: readonly Centre[]) => areasOf(centres, 1, 2, extrapolated);
  const samples = Array.from({ length: 25 }, (_, i): Centre => [
    0.5 + ((width - 1) * (i % 5)) / 4,
    0.5 + ((height - 1) * Math.floor(i / 5)) / 4,
  ]);
  const largest = pixels(samples).reduce((most, area) => (area > most ? area : most), 0);
  // Odd, so that as many pixels lie before the centre as behind it.
  const side = largest > 0 ? 2 * Math.floor(blockMetres / Math.sqrt(largest) / 2) + 1 : 1;
  return (centres, { exactly } = { exactly: false }) =>
    exactly
      ? mend(centres, pixels(centres), (cut) => areasOf(cut, 1, partsOfCut, onEarth))
      : mend(centres, areasOf(centres, side, 2, extrapolated), pixels);
}

/** A pixel at the edge of the earth is divided into so many parts by as many. */
const partsOfCut = 8;

type SumOf = (places: Float64Array, first: number, parts: number) => number;

/** The area of a square of four parts: what the curves of its sides are off by is a quarter of that of the square as one. */
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

/** Nodes at even distances along a side, the first and the last in the middle of the outermost pixels. */
interface Axis {
  readonly length: number;
  readonly nodes: number;
}

interface Lattice {
  readonly columns: Axis;
  readonly rows: Axis;
  /** Areas row by row. */
  readonly values: Float64Array;
}

const stepOf = ({ length, nodes }: Axis): number => (nodes > 1 ? (length - 1) / (nodes - 1) : 1);
const finer = (axis: Axis): Axis => ({ ...axis, nodes: Math.min(axis.length, 2 * axis.nodes - 1) });

function latticeOf({ width, height }: PixelGrid, measure: Measure): Lattice {
  let columns: Axis = { length: width, nodes: Math.min(width, leastNodes) };
  let rows: Axis = { length: height, nodes: Math.min(height, leastNodes) };
  for (;;) {
    const [x, y] = [stepOf(columns), stepOf(rows)];
    const centres = Array.from({ length: columns.nodes * rows.nodes }, (_, i): Centre => [
      0.5 + (i % columns.nodes) * x,
      0.5 + Math.floor(i / columns.nodes) * y,
    ]);
    const lattice = { columns, rows, values: measure(centres) };
    const worst = errorsOf(lattice, measure);
    const nodes = columns.nodes * rows.nodes;
    const isCut = lattice.values.some(Number.isNaN) && nodes < mostNodesForEdge;
    const isWide = columns.nodes < width && (worst.across > tolerance || (isCut && x > stepAtEdge));
    const isHigh = rows.nodes < height && (worst.down > tolerance || (isCut && y > stepAtEdge));
    if (!isWide && !isHigh) return lattice;
    if (isWide) columns = finer(columns);
    if (isHigh) rows = finer(rows);
  }
}

/** Returns how wrong areas in the middle between nodes are at most, along rows and along columns, as shares. */
function errorsOf({ columns, rows, values }: Lattice, measure: Measure) {
  const valueAt = (column: number, row: number) => values[row * columns.nodes + column] ?? NaN;
  const along = (axis: Axis, other: Axis, at: (node: number, otherNode: number) => number, centre: (place: number, otherPlace: number) => Centre) => {
    const middles = spread(axis.nodes - 1).flatMap((node) => spread(other.nodes).map((across) => ({ node, across })));
    const [step, otherStep] = [stepOf(axis), stepOf(other)];
    const areas = measure(middles.map(({ node, across }) => centre(0.5 + (node + 0.5) * step, 0.5 + across * otherStep)));
    return middles.reduce((worst, { node, across }, i) => {
      const interpolated = interpolate(axis, node, 0.5, (each) => at(each, across));
      const error = Math.abs(interpolated / (areas[i] ?? NaN) - 1);
      return error > worst ? error : worst;
    }, 0);
  };
  return {
    across: along(columns, rows, valueAt, (column, row) => [column, row]),
    down: along(rows, columns, (row, column) => valueAt(column, row), (row, column) => [column, row]),
  };
}

/** At most `probes` whole numbers below `count`, the first and the last among them. */
function spread(count: number): number[] {
  const few = Math.min(count, probes);
  return Array.from({ length: few }, (_, i) => (few > 1 ? Math.round((i * (count - 1)) / (few - 1)) : 0));
}

/** The first of the nodes that a piece between two nodes is interpolated from. */
const firstNode = ({ nodes }: Axis, piece: number) => Math.max(0, Math.min(piece - 1, nodes - leastNodes));

/** Interpolates between node `piece` and the next, by the polynomial through four nodes, or through all where there are fewer. */
function interpolate(axis: Axis, piece: number, share: number, at: (node: number) => number): number {
  if (share === 0 || axis.nodes === 1) return at(piece);
  const first = firstNode(axis, piece);
  const count = Math.min(leastNodes, axis.nodes);
  const place = piece + share - first;
  let sum = 0;
  for (let i = 0; i < count; i += 1) {
    let weight = 1;
    for (let j = 0; j < count; j += 1) if (j !== i) weight *= (place - j) / (i - j);
    sum += weight * at(first + i);
  }
  return sum;
}

/** The pixels between two nodes of a row: on the earth, all beside it, or to be looked at one by one. */
interface Piece {
  readonly kind: 'smooth' | 'beside' | 'torn';
  /** The column behind the last. */
  readonly end: number;
  /** Of a polynomial in shares of the step from the first node. */
  readonly from: number;
  readonly step: number;
  readonly c0: number;
  readonly c1: number;
  readonly c2: number;
  readonly c3: number;
}

function pieceAt({ length, nodes }: Axis, place: number): number {
  return Math.max(0, Math.min(nodes - 2, Math.floor(place / stepOf({ length, nodes }))));
}

function rowOf({ columns, rows, values }: Lattice, row: number): readonly Piece[] {
  const piece = pieceAt(rows, row);
  const share = rows.nodes > 1 ? row / stepOf(rows) - piece : 0;
  const valueAt = (column: number, node: number) => values[node * columns.nodes + column] ?? NaN;
  const nodes = Array.from({ length: columns.nodes }, (_, column) =>
    interpolate(rows, piece, share, (node) => valueAt(column, node)),
  );
  const isBeside = Array.from({ length: columns.nodes }, (_, column) =>
    neighbours(rows, piece).every((node) => Number.isNaN(valueAt(column, node))),
  );
  const step = stepOf(columns);
  return Array.from({ length: Math.max(1, columns.nodes - 1) }, (_, index) => {
    const at = (part: number) => interpolate(columns, index, part, (node) => nodes[node] ?? NaN);
    const [p0, p1, p2, p3] = [at(0), at(1 / 3), at(2 / 3), columns.nodes > 1 ? at(1) : at(0)];
    let end = columns.length;
    if (index < columns.nodes - 2) {
      end = Math.floor((index + 1) * step);
      // As rounding decides in which piece a column lies, the same column is always in the same.
      while (pieceAt(columns, end) <= index) end += 1;
    }
    const isOff = neighbours(columns, index).every((node) => isBeside[node] === true);
    return {
      kind: isOff ? 'beside' : Number.isNaN(p0 + p1 + p2 + p3) ? 'torn' : 'smooth',
      end,
      from: index * step,
      step,
      c0: p0,
      c1: (-11 * p0 + 18 * p1 - 9 * p2 + 2 * p3) / 2,
      c2: 4.5 * (2 * p0 - 5 * p1 + 4 * p2 - p3),
      c3: 4.5 * (-p0 + 3 * p1 - 3 * p2 + p3),
    };
  });
}

/** The nodes that a piece is interpolated from. */
function neighbours(axis: Axis, piece: number): number[] {
  return Array.from({ length: Math.min(leastNodes, axis.nodes) }, (_, i) => firstNode(axis, piece) + i);
}
