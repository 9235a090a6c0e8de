import type { Centre, Measure, PixelGrid } from './measure.ts';

/** Maximum relative error of interpolation; the guarantee is 1e-6. */
const tolerance = 3e-8;
/** Maximum distance of nodes is a third of a side; cubic interpolation requires four. */
const leastNodes = 4;
/** Number of places per side at which interpolated areas are checked. */
const probes = 12;
/** Maximum step of a lattice that extends beyond the earth, up to the following number of nodes. */
const stepAtEdge = 16;
const mostNodesForEdge = 2 ** 14;
/** No lattice has more than four times as many nodes. A projection that ends in a limb, with unbounded pixels, reaches this. */
const mostNodes = 2 ** 15;

/** Equidistant nodes along a side, the first and the last in the middle of the outermost pixels. */
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

/** Measures areas at nodes, and refines the lattice until the areas between can be interpolated. */
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

/** Returns the maximum relative errors halfway between nodes, along rows and along columns. */
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

/** Returns at most `probes` integers below `count`, evenly, including the first and the last. */
function spread(count: number): number[] {
  const few = Math.min(count, probes);
  return Array.from({ length: few }, (_, i) => (few > 1 ? Math.round((i * (count - 1)) / (few - 1)) : 0));
}

/** Returns the first node for the interpolation of a piece between two nodes. */
const firstNode = ({ nodes }: Axis, piece: number) => Math.max(0, Math.min(piece - 1, nodes - leastNodes));

/** Interpolates between node `piece` and the next, by the polynomial through four nodes, or through all if there are fewer. */
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

/** Returns the first of the two nodes around a column or row. */
export function pieceAt({ length, nodes }: Axis, place: number): number {
  return Math.max(0, Math.min(nodes - 2, Math.floor(place / stepOf({ length, nodes }))));
}

/** Returns the nodes for the interpolation of a piece. */
export function neighbours(axis: Axis, piece: number): number[] {
  return Array.from({ length: Math.min(leastNodes, axis.nodes) }, (_, i) => firstNode(axis, piece) + i);
}
