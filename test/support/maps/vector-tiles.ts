import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { ThreadContext } from '../../../src/maps/thread/objects/context.ts';

export type Properties = Readonly<Record<string, unknown>>;
type Position = readonly number[];
export interface Feature {
  readonly id?: number;
  readonly properties: Properties;
  readonly geometry: Geometry | null;
}
export interface Geometry {
  readonly type: string;
  readonly coordinates?: never;
  readonly geometries?: readonly Geometry[];
}
type Place = readonly [x: number, y: number];

/** Measures of a feature: area and length in (squared) widths of the world, and the number of its points. */
export interface Measure {
  area: number;
  length: number;
  points: number;
}

/** A feature of a layer in one tile. */
export interface TileFeature extends Measure {
  readonly layer: string;
  readonly id: number | undefined;
  readonly properties: Properties;
}

/** The objects that a handler reads, by key. */
export function memoryContext(objects: Readonly<Record<string, string>>): ThreadContext {
  const bytesOf = (key: string) => new TextEncoder().encode(objects[key]);
  return {
    size: async (key) => (key in objects ? bytesOf(key).length : undefined),
    read: async (key, start, length) => bytesOf(key).slice(start, start + length),
  };
}

/** All tiles of a zoom that intersect a box of longitudes and latitudes. */
export function tilesOf(
  [west, south, east, north]: readonly number[],
  z: number,
): readonly (readonly [number, number, number])[] {
  const side = 2 ** z;
  const index = (place: number) => Math.min(side - 1, Math.max(0, Math.floor(place * side)));
  const [left, top] = placeOf([west ?? 0, north ?? 0]).map(index);
  const [right, bottom] = placeOf([east ?? 0, south ?? 0]).map(index);
  const range = (from = 0, to = 0) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return range(left, right).flatMap((x) => range(top, bottom).map((y) => [z, x, y] as const));
}

/** Decodes a tile with Mapbox's reader; geometry in the buffer belongs to the neighbours. */
export function decodeTile(bytes: Uint8Array, z: number): readonly TileFeature[] {
  const { layers } = new VectorTile(new PbfReader(bytes));
  return Object.entries(layers).flatMap(([layer, decoded]) =>
    Array.from({ length: decoded.length }, (_, index) => {
      const { id, properties, type, ...feature } = read(decoded.feature(index));
      const unit = 1 / (decoded.extent * 2 ** z);
      const paths = feature.paths.map((path) => path.map(({ x, y }): Place => [x, y]));
      return { layer, id, properties, ...measure(type, paths, decoded.extent, unit) };
    }),
  );
}

function read(feature: ReturnType<VectorTile['layers'][string]['feature']>) {
  const { id, properties, type } = feature;
  return { id, properties, type, paths: feature.loadGeometry() };
}

function measure(type: number, paths: readonly (readonly Place[])[], extent: number, unit: number): Measure {
  const isInside = ([x, y]: Place) => x >= 0 && x < extent && y >= 0 && y < extent;
  return {
    points: type === 1 ? paths.flat().filter(isInside).length : 0,
    length: type === 2 ? sum(paths.map((path) => lengthInside(path, extent))) * unit : 0,
    area: type === 3 ? sum(paths.map((path) => areaOf(clip(path, extent)))) * unit * unit : 0,
  };
}

/** Measures of a feature of the source in Web Mercator, where the world is 1 wide. */
export function measureSource(geometry: Geometry | null): Measure {
  if (geometry === null) return { area: 0, length: 0, points: 0 };
  const { type, coordinates = [], geometries = [] } = geometry;
  const rings = (polygon: readonly (readonly Position[])[]) =>
    sum(polygon.map((ring, index) => Math.abs(areaOf(ring.map(placeOf))) * (index === 0 ? 1 : -1)));
  const length = (line: readonly Position[]) => lengthInside(line.map(placeOf), Infinity);
  switch (type) {
    case 'Point':
      return { area: 0, length: 0, points: 1 };
    case 'MultiPoint':
      return { area: 0, length: 0, points: [...coordinates].length };
    case 'LineString':
      return { area: 0, length: length(coordinates), points: 0 };
    case 'MultiLineString':
      return { area: 0, length: sum([...coordinates].map(length)), points: 0 };
    case 'Polygon':
      return { area: rings(coordinates), length: 0, points: 0 };
    case 'MultiPolygon':
      return { area: sum([...coordinates].map(rings)), length: 0, points: 0 };
    default:
      return geometries.map(measureSource).reduce(added, { area: 0, length: 0, points: 0 });
  }
}

export function added(one: Measure, other: Measure): Measure {
  const { area, length, points } = other;
  return { area: one.area + area, length: one.length + length, points: one.points + points };
}

function placeOf([longitude = 0, latitude = 0]: Position): Place {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [longitude / 360 + 0.5, Math.min(1, Math.max(0, y))];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Signed area, positive if the ring is clockwise on the screen. */
function areaOf(ring: readonly Place[]): number {
  return (
    sum(
      ring.map(([x, y], index) => {
        const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
        return x * nextY - nextX * y;
      }),
    ) / 2
  );
}

/** Clips a ring to a tile, side by side (Sutherland-Hodgman). */
function clip(ring: readonly Place[], extent: number): readonly Place[] {
  const sides: readonly ((place: Place) => number)[] = [
    ([x]) => x,
    ([x]) => extent - x,
    ([, y]) => y,
    ([, y]) => extent - y,
  ];
  return sides.reduce((left, inside) => {
    return left.flatMap((from, index) => {
      const to = left[(index + 1) % left.length] ?? from;
      const [a, b] = [inside(from), inside(to)];
      const share = a / (a - b);
      const crossing: Place = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
      return [...(a >= 0 ? [from] : []), ...(a >= 0 === b >= 0 ? [] : [crossing])];
    });
  }, ring);
}

/** Length of a line within a tile. */
function lengthInside(line: readonly Place[], extent: number): number {
  return sum(
    line.slice(1).map((to, index) => {
      const from = line[index] ?? to;
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      let [start, end] = [0, 1];
      for (const [at, step] of [
        [from[0], dx],
        [from[1], dy],
      ] as const) {
        if (extent === Infinity) continue;
        if (step === 0) {
          if (at < 0 || at > extent) end = start;
          continue;
        }
        const [one, other] = [-at / step, (extent - at) / step];
        start = Math.max(start, Math.min(one, other));
        end = Math.min(end, Math.max(one, other));
      }
      return Math.max(0, end - start) * Math.hypot(dx, dy);
    }),
  );
}
