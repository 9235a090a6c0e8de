import type { LandscapeGraph } from '../../../service/types.ts';

/** A slot or a node in the drawing; `key` is the code of a node, or the group of a slot. */
export interface Vertex {
  readonly key: string;
  readonly title: string;
  readonly isSlot: boolean;
  /** 0 for slots; for nodes, one more than the greatest depth of their inputs. */
  readonly depth: number;
  /** Keys of its inputs, in the order of its formula. */
  readonly inputs: readonly string[];
  /** Keys of the nodes that read it. */
  readonly readers: readonly string[];
}

export interface Edge {
  readonly from: string;
  readonly to: string;
}

export interface GraphLayout {
  readonly vertices: ReadonlyMap<string, Vertex>;
  /** Keys by depth, from top to bottom. */
  readonly columns: readonly (readonly string[])[];
  readonly edges: readonly Edge[];
}

/** Finds the columns of the graph by depth, and orders them so that few edges cross. */
export function layOut(graph: LandscapeGraph): GraphLayout {
  const vertices = verticesOf(graph);
  const edges = [...vertices.values()].flatMap(({ key, inputs }) =>
    inputs.map((input) => ({ from: input, to: key })),
  );
  const depths = Math.max(0, ...[...vertices.values()].map(({ depth }) => depth));
  const columns = Array.from({ length: depths + 1 }, (_, depth) =>
    [...vertices.values()].filter((vertex) => vertex.depth === depth).map(({ key }) => key),
  );
  return { vertices, edges, columns: ordered(columns, vertices, edges) };
}

function verticesOf({ slots, nodes }: LandscapeGraph): ReadonlyMap<string, Vertex> {
  const keys = new Map([
    ...slots.map(({ group }) => [group, group] as const),
    ...nodes.map(({ group, code }) => [group, code] as const),
  ]);
  const inputsOf = new Map(
    nodes.map(({ code, inputs }) => [code, inputs.flatMap((group) => keys.get(group) ?? [])]),
  );
  const depths = new Map<string, number>(slots.map(({ group }) => [group, 0]));
  const depthOf = (key: string, path: readonly string[] = []): number => {
    const known = depths.get(key);
    if (known !== undefined || path.includes(key)) return known ?? 0;
    const inputs = inputsOf.get(key) ?? [];
    const depth = 1 + Math.max(0, ...inputs.map((input) => depthOf(input, [...path, key])));
    depths.set(key, depth);
    return depth;
  };
  const readersOf = (key: string): readonly string[] =>
    nodes.flatMap(({ code }) => (inputsOf.get(code)?.includes(key) === true ? [code] : []));
  const vertices: readonly Vertex[] = [
    ...slots.map(({ group: key, title }) => {
      return { key, title, isSlot: true, depth: 0, inputs: [], readers: readersOf(key) };
    }),
    ...nodes.map(({ code: key, title }) => {
      const inputs = inputsOf.get(key) ?? [];
      return { key, title, isSlot: false, depth: depthOf(key), inputs, readers: readersOf(key) };
    }),
  ];
  return new Map(vertices.map((vertex) => [vertex.key, vertex]));
}

type Columns = readonly (readonly string[])[];

/** The position of the centre of a vertex in its column, from 0 to 1. */
export function heightsOf(columns: Columns): ReadonlyMap<string, number> {
  return new Map(
    columns.flatMap((column) => column.map((key, index) => [key, (index + 0.5) / column.length] as const)),
  );
}

const sweeps = 12;

/** Sorts each column by the mean height of its neighbours, forwards and backwards, and keeps the order with the fewest crossings. */
function ordered(start: Columns, vertices: ReadonlyMap<string, Vertex>, edges: readonly Edge[]): Columns {
  let [columns, best] = [start, start];
  let fewest = crossingsOf(start, vertices, edges);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isForth = sweep % 2 === 0;
    const order = columns.map((_, index) => (isForth ? index : columns.length - 1 - index));
    for (const index of order) columns = withColumn(columns, index, vertices, isForth);
    const crossings = crossingsOf(columns, vertices, edges);
    if (crossings < fewest) [best, fewest] = [columns, crossings];
  }
  return best;
}

function withColumn(
  columns: Columns,
  at: number,
  vertices: ReadonlyMap<string, Vertex>,
  isForth: boolean,
): Columns {
  const heights = heightsOf(columns);
  const meanOf = (key: string): number => {
    const vertex = vertices.get(key);
    const near = (isForth ? vertex?.inputs : vertex?.readers) ?? [];
    if (near.length === 0) return heights.get(key) ?? 0;
    return near.reduce((sum, each) => sum + (heights.get(each) ?? 0), 0) / near.length;
  };
  return columns.map((column, index) =>
    index === at ? column.toSorted((one, other) => meanOf(one) - meanOf(other)) : column,
  );
}

/** Counts the crossings of edges, taken as straight lines. */
export function crossingsOf(
  columns: Columns,
  vertices: ReadonlyMap<string, Vertex>,
  edges: readonly Edge[],
): number {
  const heights = heightsOf(columns);
  const lines = edges.map(({ from, to }) => ({
    x: [vertices.get(from)?.depth ?? 0, vertices.get(to)?.depth ?? 0] as const,
    y: [heights.get(from) ?? 0, heights.get(to) ?? 0] as const,
  }));
  const heightAt = ({ x, y }: (typeof lines)[number], at: number): number =>
    y[0] + ((y[1] - y[0]) * (at - x[0])) / (x[1] - x[0]);
  let count = 0;
  for (const [index, one] of lines.entries())
    for (const other of lines.slice(index + 1)) {
      const [left, right] = [Math.max(one.x[0], other.x[0]), Math.min(one.x[1], other.x[1])];
      if (left >= right) continue;
      const before = heightAt(one, left) - heightAt(other, left);
      const after = heightAt(one, right) - heightAt(other, right);
      if (before * after < 0) count += 1;
    }
  return count;
}

/** The relation of a vertex to the one in focus: itself, a neighbour, upstream, or unrelated. */
export type Nearness = 'self' | 'near' | 'ancestor' | 'apart';

/** Finds the relations of all vertices to the one in focus; empty without a focus. */
export function nearnessTo(
  key: string | undefined,
  { vertices }: GraphLayout,
): ReadonlyMap<string, Nearness> | undefined {
  const focused = key === undefined ? undefined : vertices.get(key);
  if (focused === undefined) return undefined;
  const ancestors = new Set<string>();
  const climb = (from: Vertex): void => {
    for (const input of from.inputs) {
      const vertex = vertices.get(input);
      if (vertex === undefined || ancestors.has(input)) continue;
      ancestors.add(input);
      climb(vertex);
    }
  };
  climb(focused);
  const near = new Set([...focused.inputs, ...focused.readers]);
  const nearnessOf = (each: string): Nearness => {
    if (each === focused.key) return 'self';
    if (near.has(each)) return 'near';
    return ancestors.has(each) ? 'ancestor' : 'apart';
  };
  return new Map([...vertices.keys()].map((each) => [each, nearnessOf(each)]));
}

/** The vertex to which an arrow key leads: along an edge to the one at the nearest height, or within the column. */
export function neighbourOf(key: string, arrow: string, layout: GraphLayout): string | undefined {
  const vertex = layout.vertices.get(key);
  const column = vertex && layout.columns[vertex.depth];
  if (vertex === undefined || column === undefined) return undefined;
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown')
    return column[column.indexOf(key) + (arrow === 'ArrowUp' ? -1 : 1)];
  if (arrow === 'Home' || arrow === 'End') return column.at(arrow === 'Home' ? 0 : -1);
  if (arrow !== 'ArrowLeft' && arrow !== 'ArrowRight') return undefined;
  const heights = heightsOf(layout.columns);
  const distanceTo = (other: string): number => {
    const columnsBetween = Math.abs((layout.vertices.get(other)?.depth ?? 0) - vertex.depth);
    return columnsBetween + Math.abs((heights.get(other) ?? 0) - (heights.get(key) ?? 0));
  };
  const candidates = arrow === 'ArrowLeft' ? vertex.inputs : vertex.readers;
  return candidates.toSorted((one, other) => distanceTo(one) - distanceTo(other))[0];
}
