import { getHeapStatistics } from 'node:v8';
import gdal from 'gdal-async';
import { MiB } from '../../../lib/units.ts';
import { vectorProblems } from '../../../messages/vector/english.ts';
import type { Parts, Positions, Rings } from '../../formats/features/geometry.ts';
import {
  firstPosition,
  encodeLine,
  encodeMultiLine,
  encodeMultiPolygon,
  encodePolygon,
  decodeParts,
} from '../../formats/ogr/wkb.ts';
import { dissolveCoverage } from './coverage.ts';
import { isTiny, roundDegrees, roundLine, roundPolygon } from './geometry-text.ts';
import { repaired } from './repair.ts';
import { linesWithinWorld, pointsWithinWorld, polygonsWithinWorld } from './reprojection.ts';

/** Bytes per union; bounds memory, and the time for which the child does not respond. */
const maxBatchBytes = 32 * MiB;
/** Bytes of disjoint lines per call: many calls take time, long ones memory. */
const maxLineBytes = MiB;
const maxRoundings = 5;
/** GEOS is fast enough for fewer polygons. */
const leastForCoverage = 16;
const polygonsPerTile = 1024;
/** United geometry takes up to 12 times its size when it is united again and written at the end. */
const maxKeptBytes = getHeapStatistics().heap_size_limit / 12;

/** Callbacks of a union about its input. */
interface UnionEvents {
  /** A polygon was invalid. */
  readonly repaired?: () => void;
  /** A line or polygon has no extent, or less than coordinates of 7 decimals can represent. */
  readonly lost?: () => void;
}

/** Creates a union of geometry of all dimensions. */
export function createUnion(events: UnionEvents = {}) {
  const [points, lines, areas] = [createPointUnion(), createLineUnion(events), createAreaUnion(events)];
  return {
    /** @throws {Problem} if there is not enough memory. */
    add(parts: Parts): void {
      points.add(parts.points);
      parts.lines.forEach((line) => lines.add(line));
      parts.polygons.forEach((polygon) => areas.add(polygon));
    },
    /** Returns coordinates with at most 7 decimals. */
    finish: (): Parts => ({ points: points.finish(), lines: lines.finish(), polygons: areas.finish() }),
  };
}

/** Creates a union of polygons, each repaired first. Results are valid, counter-clockwise and do not overlap. */
export function createAreaUnion({ repaired: onRepair, lost: onLost }: UnionEvents = {}) {
  const batches = createBatches('polygons', uniteAreas);
  return {
    add(rings: Rings): void {
      const polygons = polygonsWithinWorld(rings, repairOnce(onRepair));
      if (isTiny(rings[0]) && polygons.every(isNothing)) onLost?.();
      for (const polygon of polygons) batches.add(polygon);
    },
    finish(): readonly Rings[] {
      let polygons = batches.finish();
      let rounded: readonly Rings[] = [];
      // Rounding moves corners, so that rings may touch or cross; another union repairs that.
      for (let round = 0; round < maxRoundings; round += 1) {
        rounded = polygons
          .flatMap((wkb) => decodeParts(wkb).polygons.map(roundPolygon))
          .filter((rings) => rings !== undefined);
        const groups = overlappingGroups(rounded.map(encodePolygon));
        if (groups.every((group) => gdal.Geometry.fromWKB(encodeMultiPolygon(group)).isValid()))
          return rounded;
        polygons = uniteAreas(rounded.flatMap((rings) => repaired(rings)));
      }
      return rounded;
    },
  };
}

/** Returns whether rounding removes a polygon, given as WKB. */
function isNothing(wkb: Buffer): boolean {
  return decodeParts(wkb).polygons.every((rings) => roundPolygon(rings) === undefined);
}

/** Repairs the rings of one polygon, separately or together; reports it once. */
function repairOnce(onRepair?: () => void) {
  let told = false;
  return (rings: Rings) =>
    repaired(rings, () => {
      if (!told) onRepair?.();
      told = true;
    });
}

/** Unites valid polygons that may overlap; returns disjoint ones unchanged. */
function uniteAreas(polygons: readonly Buffer[]): readonly Buffer[] {
  return overlappingGroups(polygons).flatMap((group) => (group.length > 1 ? uniteGroup(group) : group));
}

function uniteGroup(polygons: readonly Buffer[]): readonly Buffer[] {
  if (polygons.length < leastForCoverage) return uniteCascaded(polygons);
  const dissolved = dissolveCoverage(polygons);
  if (dissolved !== undefined) return dissolved;
  const tiles = tilesOf(polygons);
  if (tiles.length === 1) return uniteCascaded(polygons);
  // Most of a map may be a coverage even if a few places are not.
  return uniteCascaded(tiles.flatMap((tile) => dissolveCoverage(tile) ?? uniteCascaded(tile)));
}

/** Groups polygons by location, so that each group is united separately. */
function tilesOf(polygons: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const count = Math.ceil(polygons.length / polygonsPerTile);
  const columns = Math.ceil(Math.sqrt(count));
  const placed = polygons
    .map((wkb) => ({ wkb, ...firstPosition(wkb) }))
    .toSorted((one, other) => one.x - other.x);
  return inParts(placed, columns).flatMap((column) =>
    inParts(
      column.toSorted((one, other) => one.y - other.y),
      Math.ceil(count / columns),
    ).map((tile) => tile.map(({ wkb }) => wkb)),
  );
}

function inParts<T>(items: readonly T[], count: number): T[][] {
  const length = Math.ceil(items.length / count);
  return Array.from({ length: Math.ceil(items.length / length) }, (_, part) =>
    items.slice(part * length, (part + 1) * length),
  );
}

export function uniteCascaded(polygons: readonly Buffer[]): readonly Buffer[] {
  const multi = gdal.Geometry.fromWKB(encodeMultiPolygon(polygons));
  if (!(multi instanceof gdal.MultiPolygon)) throw new Error('GDAL read a MultiPolygon as something else');
  return decodeParts(multi.unionCascaded().toWKB('LSB')).polygons.map(encodePolygon);
}

/** Creates a union of lines: cut at crossings, without duplicates. */
export function createLineUnion({ lost: onLost }: UnionEvents = {}) {
  const batches = createBatches('lines', uniteLines);
  return {
    add(line: Positions): void {
      if (roundLine(line.slice(0, 8)) === undefined && roundLine(line) === undefined) onLost?.();
      for (const each of linesWithinWorld(line)) batches.add(encodeLine(each));
    },
    finish: (): readonly Positions[] =>
      batches
        .finish()
        .flatMap((wkb) => decodeParts(wkb).lines.map(roundLine))
        .filter((line) => line !== undefined),
  };
}

/** Unites lines; disjoint groups are united separately, a few at a time, which bounds the memory. */
function uniteLines(lines: readonly Buffer[]): readonly Buffer[] {
  const calls: (readonly Buffer[])[][] = [];
  let bytes = maxLineBytes;
  for (const group of overlappingGroups(lines, 'line')) {
    if (bytes >= maxLineBytes) {
      calls.push([]);
      bytes = 0;
    }
    calls.at(-1)?.push(group);
    for (const line of group) bytes += line.length;
  }
  return calls.flatMap((groups) => uniteLinesTogether(groups.flat()));
}

/**
 * GEOS cuts and merges lines only where two geometries meet. The second one here is an angle around all lines that
 * touches none of them: one of the lines instead would be cut at each of its corners.
 */
function uniteLinesTogether(lines: readonly Buffer[]): readonly Buffer[] {
  const all = gdal.Geometry.fromWKB(encodeMultiLine(lines));
  const { minX, minY, maxX, maxY } = all.getEnvelope();
  const [west, south, east, north] = [minX - 1, minY - 1, maxX + 1, maxY + 1];
  const angle = encodeLine([west, south, east, south, east, north]);
  const united = all.union(gdal.Geometry.fromWKB(angle)).toWKB('LSB');
  return decodeParts(united)
    .lines.filter(([x, y]) => x !== west || y !== south)
    .map(encodeLine);
}

/** Creates a union of points: each place once, from west to east and south to north. */
export function createPointUnion() {
  const values: number[] = [];
  return {
    add(points: Positions): void {
      for (const value of pointsWithinWorld(points)) values.push(roundDegrees(value));
    },
    finish(): Positions {
      const order = Uint32Array.from({ length: values.length / 2 }, (_, index) => index * 2);
      const x = (at: number) => values[at] ?? 0;
      order.sort((a, b) => x(a) - x(b) || x(a + 1) - x(b + 1));
      const different: number[] = [];
      for (const at of order) {
        if (different.at(-2) !== x(at) || different.at(-1) !== x(at + 1)) different.push(x(at), x(at + 1));
      }
      return different;
    },
  };
}

/** Collects geometries into batches and unites each full one; at the end unites the results. */
function createBatches(what: 'lines' | 'polygons', unite: (wkbs: readonly Buffer[]) => readonly Buffer[]) {
  const done: Buffer[] = [];
  let batch: Buffer[] = [];
  let [batchBytes, doneBytes, batches] = [0, 0, 0];
  const close = () => {
    for (const wkb of unite(batch)) {
      done.push(wkb);
      doneBytes += wkb.length;
    }
    if (doneBytes > maxKeptBytes) throw vectorProblems.needsMemory(what, Math.floor(maxKeptBytes / MiB));
    batch = [];
    batchBytes = 0;
    batches += 1;
  };
  return {
    add(wkb: Buffer): void {
      batch.push(wkb);
      batchBytes += wkb.length;
      if (batchBytes >= maxBatchBytes) close();
    },
    finish(): readonly Buffer[] {
      close();
      return batches > 1 ? unite(done) : done;
    },
  };
}

/** Number of overlapping boxes beyond which searching for groups costs more than it saves. */
const maxOpen = 2000;

/** Offsets of the first position in WKB, after the number of positions; for a polygon, in its outer ring. */
const positionsAt = { line: 9, polygon: 13 } as const;

/** Groups lines or polygons (as WKB) whose boxes overlap, directly or through others of their group. */
export function overlappingGroups(
  geometries: readonly Buffer[],
  kind: keyof typeof positionsAt = 'polygon',
): readonly (readonly Buffer[])[] {
  const parents = geometries.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root] ?? root] ?? root;
      root = parents[root] ?? root;
    }
    return root;
  };
  const boxes = geometries.map((wkb, index) => ({ index, ...wkbBox(wkb, positionsAt[kind]) }));
  let open: typeof boxes = [];
  for (const box of boxes.toSorted((a, b) => a.west - b.west)) {
    open = open.filter(({ east }) => east >= box.west);
    if (open.length > maxOpen) return [geometries];
    for (const other of open) {
      if (other.south <= box.north && other.north >= box.south)
        parents[rootOf(other.index)] = rootOf(box.index);
    }
    open.push(box);
  }
  return [...Map.groupBy(geometries, (_, index) => rootOf(index)).values()];
}

function wkbBox(wkb: Buffer, begin: number) {
  const end = begin + wkb.readUInt32LE(begin - 4) * 16;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = begin; at < end; at += 16) {
    const [x, y] = [wkb.readDoubleLE(at), wkb.readDoubleLE(at + 8)];
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return { west, south, east, north };
}
