import type { Centre, Measure, PixelGrid } from './measure.ts';

/** Relative error that interpolation may have; the promise is 1e-6. */
const tolerance = 3e-8;
/** Nodes lie no farther apart than the third of a side; cubic interpolation needs four. */
const leastNodes = 4;
/** Where areas are compared with interpolated ones, along each side. */
const probes = 12;
/** The lattice of a raster that reaches beyond the earth is at least so fine, as long as it has no more nodes than these. */
const stepAtEdge = 16;
const mostNodesForEdge = 2 ** 14;
/** No lattice has more than four times as many nodes. It is reached where a projection ends in a limb, with pixels without end. */
const mostNodes = 2 ** 15;

/** Nodes at even distances along a side, the first and the last in the middle of the outermost pixels. */
export interface Axis {
  readonly length: number;
  readonly nodes: number;
}

export interface Lattice {
  readonly columns: Axis;
  readonly rows: Axis;
  /** Areas row by row. */
  readonly values: Float64Array;
}

export const stepOf = ({ length, nodes }: Axis): number => (nodes > 1 ? (length - 1) / (nodes - 1) : 1);
const finer = (axis: Axis): Axis => ({ ...axis, nodes: Math.min(axis.length, 2 * axis.nodes - 1) });

/** Measures areas at nodes, more and more of them until those between can be interpolated. */
export function latticeOf({ width, height }: PixelGrid, measure: Measure): Lattice {
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
    if ((!isWide && !isHigh) || nodes > mostNodes) return lattice;
    if (isWide) columns = finer(columns);
    if (isHigh) rows = finer(rows);
  }
}

/** Returns how wrong areas in the middle between nodes are at most, along rows and along columns, as shares. */
function errorsOf({ columns, rows, values }: Lattice, measure: Measure) {
  const valueAt = (column: number, row: number) => values[row * columns.nodes + column] ?? NaN;
  const along = (
    axis: Axis,
    other: Axis,
    at: (node: number, otherNode: number) => number,
    centre: (place: number, otherPlace: number) => Centre,
  ) => {
    const middles = spread(axis.nodes - 1).flatMap((node) =>
      spread(other.nodes).map((across) => ({ node, across })),
    );
    const [step, otherStep] = [stepOf(axis), stepOf(other)];
    const areas = measure(
      middles.map(({ node, across }) => centre(0.5 + (node + 0.5) * step, 0.5 + across * otherStep)),
    );
    return middles.reduce((worst, { node, across }, i) => {
      const interpolated = interpolate(axis, node, 0.5, (each) => at(each, across));
      const error = Math.abs(interpolated / (areas[i] ?? NaN) - 1);
      return error > worst ? error : worst;
    }, 0);
  };
  return {
    across: along(columns, rows, valueAt, (column, row) => [column, row]),
    down: along(
      rows,
      columns,
      (row, column) => valueAt(column, row),
      (row, column) => [column, row],
    ),
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
export function interpolate(axis: Axis, piece: number, share: number, at: (node: number) => number): number {
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

/** Returns between which two nodes a column or row lies: the number of the first. */
export function pieceAt({ length, nodes }: Axis, place: number): number {
  return Math.max(0, Math.min(nodes - 2, Math.floor(place / stepOf({ length, nodes }))));
}

/** The nodes that a piece is interpolated from. */
export function neighbours(axis: Axis, piece: number): number[] {
  return Array.from({ length: Math.min(leastNodes, axis.nodes) }, (_, i) => firstNode(axis, piece) + i);
}
