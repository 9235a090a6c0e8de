import gdal from 'gdal-async';
import type { Positions, Rings } from '../../formats/features/geometry.ts';
import { encodeMultiPolygon, encodePolygon, decodeParts } from '../../formats/ogr/wkb.ts';

/** Above this, searching the ring around each hole takes longer than another method of union. */
const maxHoleChecks = 5e7;

/**
 * Dissolves valid polygons (as WKB) that cover an area without overlaps and share the vertices of their borders, like
 * districts: removes shared edges, and the remaining ones are the outline. Undefined if they do not.
 *
 * Correctness: the outlines, each with its inside to the left, sum to the remaining edges, so that the number of
 * polygons at a place is the winding number of the result. If the result is a valid multipolygon, that is one inside
 * and zero outside: nothing overlaps, and it is the union.
 */
export function dissolveCoverage(polygons: readonly Buffer[]): readonly Buffer[] | undefined {
  const rings = polygons.flatMap((wkb) => decodeParts(wkb).polygons.flatMap(withInsideToTheLeft));
  const vertices = numberVertices(rings);
  const edges = edgesLeft(vertices.numbers, vertices.count);
  const outlines = edges && traceRings(edges, vertices);
  const dissolved = outlines && assemblePolygons(outlines)?.map(encodePolygon);
  if (dissolved === undefined) return undefined;
  return gdal.Geometry.fromWKB(encodeMultiPolygon(dissolved)).isValid() ? dissolved : undefined;
}

function withInsideToTheLeft(rings: Rings): readonly Positions[] {
  return rings.map((ring, index) => (areaOf(ring) > 0 === (index === 0) ? ring : reversed(ring)));
}

function reversed(ring: Positions): Positions {
  const positions: number[] = [];
  for (let at = ring.length - 2; at >= 0; at -= 2) positions.push(ring[at] ?? 0, ring[at + 1] ?? 0);
  return positions;
}

/** Returns twice the area of a ring in square degrees; positive for counter-clockwise. */
function areaOf(ring: Positions): number {
  const [x0 = 0, y0 = 0] = ring;
  let area = 0;
  for (let at = 2; at + 3 < ring.length; at += 2) {
    const [ax, ay] = [(ring[at] ?? 0) - x0, (ring[at + 1] ?? 0) - y0];
    const [bx, by] = [(ring[at + 2] ?? 0) - x0, (ring[at + 3] ?? 0) - y0];
    area += ax * by - bx * ay;
  }
  return area;
}

/** A hash table of numbers with this capacity; -1 for an empty slot. */
function createTable(entries: number) {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, entries * 2)));
  return { slots: new Int32Array(size).fill(-1), mask: size - 1 };
}

interface Vertices {
  readonly count: number;
  /** Longitude and latitude of each vertex. */
  readonly positions: Float64Array;
  /** Vertices of each ring, the first one repeated at the end. */
  readonly numbers: readonly Int32Array[];
}

/** Assigns the same number to equal positions. */
function numberVertices(rings: readonly Positions[]): Vertices {
  const total = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  const { slots, mask } = createTable(total);
  const positions = new Float64Array(total * 2);
  const words = new Uint32Array(positions.buffer);
  let count = 0;

  function numberOf(x: number, y: number): number {
    positions[2 * count] = x + 0; // no negative zero, whose bits differ
    positions[2 * count + 1] = y + 0;
    const at = 4 * count;
    let slot = Math.imul((words[at] ?? 0) ^ Math.imul(words[at + 1] ?? 0, 0x9e3779b1), 0x85ebca6b);
    slot = Math.imul(slot ^ (slot >>> 15) ^ (words[at + 2] ?? 0), 0xc2b2ae35);
    slot = Math.imul(slot ^ (slot >>> 13) ^ (words[at + 3] ?? 0), 0x27d4eb2f);
    for (slot = (slot ^ (slot >>> 16)) & mask; ; slot = (slot + 1) & mask) {
      const known = slots[slot] ?? -1;
      if (known === -1) {
        slots[slot] = count;
        count += 1;
        return count - 1;
      }
      if (positions[2 * known] === x && positions[2 * known + 1] === y) return known;
    }
  }

  const numbers = rings.map((ring) => {
    const numbered = new Int32Array(ring.length / 2);
    for (let at = 0; at < numbered.length; at += 1) {
      numbered[at] = numberOf(ring[2 * at] ?? 0, ring[2 * at + 1] ?? 0);
    }
    return numbered;
  });
  return { count, positions, numbers };
}

/** Directed edges by number: start and end vertex. */
interface Edges {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Sums all edges, where opposite ones cancel; undefined if an edge occurs twice. */
function edgesLeft(rings: readonly Int32Array[], vertexCount: number): Edges | undefined {
  const total = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  const { slots, mask } = createTable(total);
  const low = new Int32Array(total);
  const high = new Int32Array(total);
  /** 1 from the low to the high vertex, -1 back, 0 for both. */
  const sums = new Int8Array(total);
  let count = 0;

  /** Counts an edge; returns whether its sum is possible for a valid coverage. */
  function add(from: number, to: number): boolean {
    const [a, b, way] = from < to ? [from, to, 1] : [to, from, -1];
    let slot = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
    for (slot = (slot ^ (slot >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const known = slots[slot] ?? -1;
      if (known === -1) {
        slots[slot] = count;
        [low[count], high[count], sums[count]] = [a, b, way];
        count += 1;
        return true;
      }
      if (low[known] === a && high[known] === b) {
        sums[known] = (sums[known] ?? 0) + way;
        return Math.abs(sums[known]) <= 1;
      }
    }
  }

  for (const ring of rings) {
    for (let at = 1; at < ring.length; at += 1) {
      const [from = 0, to = 0] = [ring[at - 1], ring[at]];
      if (from !== to && !add(from, to)) return undefined;
    }
  }
  return sortedByStart(count, vertexCount, (edge) => {
    const sum = sums[edge] ?? 0;
    if (sum === 0) return undefined;
    return sum > 0 ? [low[edge] ?? 0, high[edge] ?? 0] : [high[edge] ?? 0, low[edge] ?? 0];
  });
}

function sortedByStart(
  count: number,
  vertexCount: number,
  edgeAt: (edge: number) => readonly [from: number, to: number] | undefined,
): Edges {
  const places = new Int32Array(vertexCount + 1);
  for (let edge = 0; edge < count; edge += 1) {
    const found = edgeAt(edge);
    if (found !== undefined) places[found[0] + 1] = (places[found[0] + 1] ?? 0) + 1;
  }
  for (let vertex = 0; vertex < vertexCount; vertex += 1) {
    places[vertex + 1] = (places[vertex + 1] ?? 0) + (places[vertex] ?? 0);
  }
  const left = places[vertexCount] ?? 0;
  const [from, to] = [new Int32Array(left), new Int32Array(left)];
  for (let edge = 0; edge < count; edge += 1) {
    const found = edgeAt(edge);
    if (found === undefined) continue;
    const at = places[found[0]] ?? 0;
    places[found[0]] = at + 1;
    [from[at], to[at]] = found;
  }
  return { from, to };
}

/** Traces edges to rings that visit no vertex twice; undefined if an edge leads nowhere. */
function traceRings({ from, to }: Edges, { count, positions }: Vertices): Positions[] | undefined {
  const isUsed = new Uint8Array(from.length);
  const firstOf = new Int32Array(count).fill(-1);
  for (let edge = from.length - 1; edge >= 0; edge -= 1) firstOf[from[edge] ?? 0] = edge;
  /** Index in the path of a visited vertex. */
  const placeOf = new Int32Array(count).fill(-1);
  const rings: Positions[] = [];

  function angle(start: number, end: number): number {
    const [x, y] = [positions[2 * start] ?? 0, positions[2 * start + 1] ?? 0];
    return Math.atan2((positions[2 * end + 1] ?? 0) - y, (positions[2 * end] ?? 0) - x);
  }

  /** Returns the first unused edge clockwise from the incoming one. */
  function nextEdge(vertex: number, cameFrom: number | undefined): number | undefined {
    let next: number | undefined;
    let least = Infinity;
    for (let edge = firstOf[vertex] ?? -1; edge >= 0 && from[edge] === vertex; edge += 1) {
      if (isUsed[edge] === 1) continue;
      if (next === undefined && (from[edge + 1] !== vertex || cameFrom === undefined)) return edge;
      const turn = cameFrom === undefined ? 0 : angle(vertex, cameFrom) - angle(vertex, to[edge] ?? 0);
      const clockwise = turn > 0 ? turn : turn + 2 * Math.PI;
      if (clockwise < least) [next, least] = [edge, clockwise];
    }
    return next;
  }

  /** Removes the ring that the path has closed. */
  function cutRing(path: number[], start: number): void {
    const ring: number[] = [];
    for (const vertex of path.splice(start + 1)) {
      ring.push(positions[2 * vertex] ?? 0, positions[2 * vertex + 1] ?? 0);
      placeOf[vertex] = -1;
    }
    const last = path[start] ?? 0;
    placeOf[last] = start;
    const [x, y] = [positions[2 * last] ?? 0, positions[2 * last + 1] ?? 0];
    rings.push([x, y, ...ring, x, y]);
  }

  for (let begin = 0; begin < from.length; begin += 1) {
    if (isUsed[begin] === 1) continue;
    const path = [from[begin] ?? 0];
    placeOf[path[0] ?? 0] = 0;
    while (path.length > 0) {
      const vertex = path.at(-1) ?? 0;
      const edge = nextEdge(vertex, path.at(-2));
      if (edge === undefined) {
        if (path.length > 1) return undefined;
        placeOf[vertex] = -1;
        break;
      }
      isUsed[edge] = 1;
      const end = to[edge] ?? 0;
      const been = placeOf[end] ?? -1;
      if (been >= 0) cutRing(path, been);
      else {
        placeOf[end] = path.length;
        path.push(end);
      }
    }
  }
  return rings;
}

/** Assigns holes, which are clockwise, to the smallest ring around them; undefined for a hole without one. */
function assemblePolygons(rings: readonly Positions[]): Rings[] | undefined {
  const measured = rings.map((ring) => ({ ring, area: areaOf(ring), holes: new Array<Positions>() }));
  const shells = measured.filter(({ area }) => area > 0).toSorted((one, other) => one.area - other.area);
  const holes = measured.filter(({ area }) => area <= 0);
  const positions = shells.reduce((sum, { ring }) => sum + ring.length / 2, 0);
  if (positions * holes.length > maxHoleChecks) return undefined;
  for (const { ring } of holes) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = ring;
    const around = shells.find((shell) => isWithin((ax + bx) / 2, (ay + by) / 2, shell.ring));
    if (around === undefined) return undefined;
    around.holes.push(ring);
  }
  return shells.map(({ ring, holes: inside }) => [ring, ...inside]);
}

function isWithin(x: number, y: number, ring: Positions): boolean {
  let within = false;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = [ring[at], ring[at + 1], ring[at + 2], ring[at + 3]];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) within = !within;
  }
  return within;
}
