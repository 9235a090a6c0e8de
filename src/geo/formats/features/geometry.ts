import { getHeapStatistics } from 'node:v8';
import { MiB } from '../../../lib/units.ts';
import { membersOf } from '../../../json/verbatim-json.ts';
import { geometryProblems } from '../../../messages/vector/english.ts';
import type { VectorSource } from '../../findings.ts';
import type { Message } from '../../../lib/message.ts';
import { createHeightNotes, type HeightNotes, type Heights } from './heights.ts';

/** Longitude, latitude (or x, y) of each position, without heights. */
export type Positions = readonly number[];

/** Outer ring first, then holes; every ring is closed. */
export type Rings = readonly Positions[];

/** A geometry split by dimension. */
export interface Parts {
  readonly points: Positions;
  readonly lines: readonly Positions[];
  readonly polygons: readonly Rings[];
}

/** Returns the positions of every point, line and ring. */
export function positionsOf({ points, lines, polygons }: Parts): readonly Positions[] {
  return [points, ...lines, ...polygons.flat()];
}

/** Returns whether no part has a position. */
export function isEmpty(parts: Parts): boolean {
  return positionsOf(parts).every(({ length }) => length === 0);
}

export interface SourceGeometry {
  /** For example `MultiPolygon`. */
  readonly type: string;
  readonly parts: Parts;
  /** Number of omitted lines and polygons without extent. */
  readonly leftOut: number;
  /** True if solids or triangles were flattened to their footprint. */
  readonly isFlattened: boolean;
  /** Heights of the positions of `parts`; undefined if there are none, or they cannot be assigned to positions. */
  readonly heights: Heights | undefined;
  /** True if a position has a height other than 0. */
  readonly isHigh: boolean;
}

interface MutableParts {
  leftOut: number;
  readonly heights: HeightNotes;
  readonly points: number[];
  readonly lines: number[][];
  readonly polygons: number[][][];
}

/** Maximum bytes of memory per byte of coordinates as text. */
const growthInMemory = 24;
const maxGeometryBytes = getHeapStatistics().heap_size_limit / growthInMemory;

/**
 * Parses one GeoJSON geometry and splits it by dimension. Closes open rings, and omits lines and rings without extent.
 * @throws {Problem} if the text is not a GeoJSON geometry; `where` names its feature.
 */
export function readGeometry(text: Buffer, where: string): SourceGeometry {
  if (text.length > maxGeometryBytes)
    throw geometryProblems.tooLarge(where, Math.floor(maxGeometryBytes / MiB));
  const collected: MutableParts = {
    leftOut: 0,
    heights: createHeightNotes(),
    points: [],
    lines: [],
    polygons: [],
  };
  const type = collect(JSON.parse(text.toString()), collected, where);
  const { leftOut, heights, ...parts } = collected;
  return {
    type,
    parts,
    leftOut,
    isFlattened: false,
    heights: heights.finish(positionsOf(parts)),
    isHigh: heights.isHigh(),
  };
}

function collect(value: unknown, parts: MutableParts, where: string): string {
  const { type, coordinates, geometries } = membersOf(value);
  if (typeof type !== 'string') throw geometryProblems.noGeometry(where);
  const list = (of: unknown): readonly unknown[] => {
    if (!Array.isArray(of)) throw geometryProblems.wrongNesting(where, type);
    return of;
  };
  const leave = () => {
    parts.leftOut += 1;
  };
  const add = (positions: number[], of: unknown): void => {
    const [x, y, height] = toPosition(of, where);
    positions.push(x, y);
    parts.heights.add(positions, height);
  };
  const positionsIn = (of: unknown): number[] => {
    const positions: number[] = [];
    for (const one of list(of)) add(positions, one);
    return positions;
  };
  const line = (of: unknown) => withExtent(positionsIn(of), leave);
  const polygon = (of: unknown) => withCorners(list(of).map(positionsIn), leave);
  switch (type) {
    case 'Point':
      if (list(coordinates).length > 0) add(parts.points, coordinates);
      return type;
    case 'MultiPoint':
      for (const of of list(coordinates)) add(parts.points, of);
      return type;
    case 'LineString':
      append(parts.lines, line(coordinates));
      return type;
    case 'MultiLineString':
      for (const of of list(coordinates)) append(parts.lines, line(of));
      return type;
    case 'Polygon':
      append(parts.polygons, polygon(coordinates));
      return type;
    case 'MultiPolygon':
      for (const of of list(coordinates)) append(parts.polygons, polygon(of));
      return type;
    case 'GeometryCollection':
      for (const of of list(geometries)) collect(of, parts, where);
      return type;
    default:
      throw geometryProblems.unknownType(where, type);
  }
}

/** A missing or non-numeric height is NaN. */
function toPosition(value: unknown, where: string): readonly [x: number, y: number, height: number] {
  if (!Array.isArray(value) || value.length < 2) throw geometryProblems.shortPosition(where);
  const [x, y, height]: unknown[] = value;
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y))
    throw geometryProblems.noNumber(where);
  return [x, y, typeof height === 'number' ? height : Number.NaN];
}

/** Drops a line that is empty, or only a point; reports the latter to `leaveOut`. */
export function withExtent(line: number[], leaveOut?: () => void): number[][] {
  if (line.length >= 4) return [line];
  if (line.length > 0) leaveOut?.();
  return [];
}

/**
 * Closes the rings of a polygon and drops those without area; drops the polygon if its outer ring is empty or, reported
 * to `leaveOut`, has no area.
 */
export function withCorners(rings: readonly number[][], leaveOut?: () => void): number[][][] {
  const closedRings = rings.map(closed);
  const outerLength = closedRings[0]?.length ?? 0;
  // Three distinct corners, with the first one repeated.
  if (outerLength >= 8) return [closedRings.filter((ring) => ring.length >= 8)];
  if (outerLength > 0) leaveOut?.();
  return [];
}

function closed(ring: number[]): number[] {
  const [x, y] = ring;
  if (x === undefined || y === undefined) return ring;
  if (ring.at(-2) !== x || ring.at(-1) !== y) ring.push(x, y);
  return ring;
}

/** Unlike `push(...)`, it has no limit on the number of positions. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

/** Twice the area of a piece relative to the square of its size, below which it counts as vertical. */
const uprightShare = 1e-9;

/** Returns the pieces of a solid that have an area when seen from above; calls `leaveOut` if there are pieces but none has. */
export function footprintOf(
  pieces: readonly (readonly number[][])[],
  leaveOut: (() => void) | undefined,
): readonly Rings[] {
  const flat = pieces.flatMap((piece) => withCorners(piece)).filter(([outer = []]) => !isUpright(outer));
  if (flat.length === 0 && pieces.some(([outer = []]) => outer.length > 0)) leaveOut?.();
  return flat;
}

/** Returns whether a closed ring has no area in the plane. */
function isUpright(ring: Positions): boolean {
  const [originX = 0, originY = 0] = ring;
  let [twiceArea, size] = [0, 0];
  for (let i = 2; i + 3 < ring.length; i += 2) {
    const [x, y] = [(ring[i] ?? 0) - originX, (ring[i + 1] ?? 0) - originY];
    const [nextX, nextY] = [(ring[i + 2] ?? 0) - originX, (ring[i + 3] ?? 0) - originY];
    twiceArea += x * nextY - nextX * y;
    size = Math.max(size, x * x + y * y);
  }
  return Math.abs(twiceArea) <= uprightShare * size;
}

/** Coordinate reference system of a file, as far as stated. */
export type SourceCrs =
  /** Longitude and latitude on WGS 84, stated by the file or implied by its format. */
  | { readonly kind: 'wgs84'; readonly isNamed: boolean }
  /** An EPSG code from a `crs` member. */
  | { readonly kind: 'epsg'; readonly code: number }
  /** A code of Esri's own from a `crs` member. */
  | { readonly kind: 'esri'; readonly code: number }
  /** A `crs` member that is not supported. */
  | { readonly kind: 'unknown-member' }
  | { readonly kind: 'wkt'; readonly wkt: string }
  /** The file states none, or an unsupported one; `remedy` is advice for its owner. */
  | { readonly kind: 'none'; readonly remedy: Message; readonly isStated: boolean };

/** One feature in the coordinates of its file. */
export interface SourceFeature {
  /** JSON text of an object in UTF-8; absent if missing or null. */
  readonly properties: Buffer | undefined;
  readonly geometry: SourceGeometry | undefined;
}

/** The one layer of a file of any format, ready for reading. */
export interface VectorFile {
  /** Facts known before the features are read. */
  readonly source: Omit<VectorSource, 'crs' | 'extent'>;
  readonly crs: SourceCrs;
  /** Names of the properties in file order; for GeoJSON they are collected on request only. */
  readonly columns: readonly string[];
  /** Yields all features in file order. Without `geometry`, their geometry is ignored. */
  features(options: { readonly geometry: boolean }): Generator<SourceFeature, void, void>;
}
