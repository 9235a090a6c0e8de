import gdal from 'gdal-async';
import type { Rings } from '../../formats/features/geometry.ts';
import { decodeParts, encodeMultiPolygon, encodePolygon } from '../../formats/ogr/wkb.ts';
import { repaired } from './repair.ts';
import { overlappingGroups, uniteCascaded } from './unions.ts';

/** A smaller share of an area is rounding. */
const leastOverlap = 1e-9;

/** Returns whether any parts of a polygon overlap in area, rather than only touch. */
export function partsOverlap(parts: readonly Rings[]): boolean {
  if (parts.length < 2) return false;
  return overlappingGroups(parts.map(encodePolygon)).some((group) => {
    if (group.length === 1 || gdal.Geometry.fromWKB(encodeMultiPolygon(group)).isValid()) return false;
    const valid = group.flatMap((wkb) => decodeParts(wkb).polygons.flatMap((rings) => repaired(rings)));
    return areaOf(uniteCascaded(valid)) < areaOf(valid) * (1 - leastOverlap);
  });
}

function areaOf(polygons: readonly Buffer[]): number {
  return polygons.reduce((sum, wkb) => {
    const polygon = gdal.Geometry.fromWKB(wkb);
    return sum + (polygon instanceof gdal.Polygon ? polygon.getArea() : 0);
  }, 0);
}
