import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import gdal from 'gdal-async';
import { ringArea } from '../../area/polygon-area.ts';
import { decodeParts } from '../../formats/ogr/wkb.ts';
import { quietly } from '../../gdal/last-error.ts';
import { areaProblems } from '../../../messages/areas/english.ts';

/** Longitude, latitude of each position, closed; outer rings run counter-clockwise, holes clockwise. */
export type UnitRing = Float64Array;

/** A unit whose rings do not cross. */
export interface UnitPolygon {
  readonly id: string;
  readonly set: string;
  readonly rings: readonly UnitRing[];
  /** Square metres on WGS 84. */
  readonly area: number;
}

/** A line of the file, which the parent writes and is therefore trusted. */
interface Line {
  readonly id: string;
  readonly set: string;
  /** GeoJSON Polygon or MultiPolygon. */
  readonly geometry: object;
}

/** Id and set of the union of all units. */
export const unionName = 'union';

/**
 * Reads a file of units, and repairs polygons whose borders cross. @param withUnion adds the union of all as the last unit.
 * @throws {Problem} for a polygon that cannot be repaired, or has no area.
 */
export async function readUnits(path: string, withUnion: boolean): Promise<readonly UnitPolygon[]> {
  const units: UnitPolygon[] = [];
  const all = new gdal.MultiPolygon();
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (text === '') continue;
    const { id, set, geometry }: Line = JSON.parse(text);
    const valid = quietly(() => validGeometry(gdal.Geometry.fromGeoJson(geometry)));
    const unit = valid && unitOf({ id, set }, valid);
    if (unit === undefined || !(unit.area > 0)) throw areaProblems.brokenPolygon(id);
    units.push(unit);
    if (withUnion) for (const polygon of polygonsOf(valid)) all.children.add(polygon);
  }
  if (withUnion && units.length > 0) {
    const union = quietly(() => all.unionCascaded());
    const unit = union && unitOf({ id: unionName, set: unionName }, union);
    if (unit === undefined) throw areaProblems.brokenPolygon(unionName);
    units.push(unit);
  }
  return units;
}

/**
 * Returns the repaired rings of polygons that cross; none if that is impossible, and undefined for a valid geometry.
 * @param wkb of any type
 */
export function validRings(wkb: Uint8Array): readonly UnitRing[] | undefined {
  const repaired = quietly(() => {
    const read = gdal.Geometry.fromWKB(Buffer.from(wkb));
    return { rings: read.isValid() ? undefined : unitOf({ id: '', set: '' }, mended(read)).rings };
  });
  return repaired === undefined ? [] : repaired.rings;
}

/** Returns the rings of valid polygons: outer rings counter-clockwise, holes clockwise. */
export function turnedRings(polygons: readonly (readonly UnitRing[])[]): readonly UnitRing[] {
  return polygons.flatMap((rings) =>
    rings.map((ring, index) => (turnOf(ring) * (index === 0 ? 1 : -1) < 0 ? reversed(ring) : ring)),
  );
}

/** Returns twice the area of a ring in square degrees, positive for a counter-clockwise one. */
function turnOf(ring: UnitRing): number {
  const [x0, y0] = [ring[0] ?? 0, ring[1] ?? 0];
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2)
    sum +=
      ((ring[i] ?? 0) - x0) * ((ring[i + 3] ?? 0) - y0) -
      ((ring[i + 2] ?? 0) - x0) * ((ring[i + 1] ?? 0) - y0);
  return sum;
}

function validGeometry(read: gdal.Geometry): gdal.Geometry {
  return read.isValid() ? read : mended(read);
}

/**
 * Repairs each ring separately, subtracts the holes of a polygon from its outer ring, and unites the parts. For the whole geometry, GEOS
 * would read land under two overlapping rings as a hole, holes outside the outer ring as land, and ignore a hole that equals it.
 */
function mended(geometry: gdal.Geometry): gdal.Geometry {
  const parts = new gdal.MultiPolygon();
  for (const polygon of polygonsOf(geometry)) {
    const [outer, ...holes] = polygon.rings.map((ring) => {
      const alone = new gdal.Polygon();
      if (ring instanceof gdal.LinearRing) alone.rings.add(ring);
      return alone.makeValid();
    });
    if (outer === undefined) continue;
    const land = holes.reduce((left: gdal.Geometry, hole) => left.difference(hole), outer);
    for (const part of polygonsOf(land)) parts.children.add(part);
  }
  return parts.unionCascaded();
}

function polygonsOf(geometry: gdal.Geometry | undefined): readonly gdal.Polygon[] {
  if (geometry instanceof gdal.Polygon) return [geometry];
  if (!(geometry instanceof gdal.GeometryCollection)) return [];
  return geometry.children.map((child) => polygonsOf(child)).flat();
}

function unitOf(
  { id, set }: { readonly id: string; readonly set: string },
  geometry: gdal.Geometry,
): UnitPolygon {
  const rings: UnitRing[] = [];
  let area = 0;
  for (const polygon of decodeParts(geometry.toWKB()).polygons) {
    for (const [index, positions] of polygon.entries()) {
      const size = ringArea(positions);
      const sign = index === 0 ? 1 : -1;
      const ring = Float64Array.from(positions);
      rings.push(size * sign < 0 ? reversed(ring) : ring);
      area += sign * Math.abs(size);
    }
  }
  return { id, set, rings, area };
}

function reversed(ring: UnitRing): UnitRing {
  const turned = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    turned[i] = ring[ring.length - 2 - i] ?? NaN;
    turned[i + 1] = ring[ring.length - 1 - i] ?? NaN;
  }
  return turned;
}
