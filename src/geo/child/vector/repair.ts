import gdal from 'gdal-async';
import type { Rings } from '../../formats/features/geometry.ts';
import { decodeParts, encodePolygon } from '../../formats/ogr/wkb.ts';

/** Relative tolerance of equal areas: GEOS adds corners where outlines cross. */
const tolerance = 1e-9;

/** Resolves self-intersections of an outline into valid polygons, as WKB; drops remaining lines. */
export function repaired(rings: Rings, onRepair?: () => void): readonly Buffer[] {
  const wkb = encodePolygon(rings);
  const geometry = gdal.Geometry.fromWKB(wkb);
  if (geometry.isValid()) return [wkb];
  onRepair?.();
  const valid = geometry.makeValid();
  return polygonsOf(withoutHoles(rings, valid) ?? valid);
}

/**
 * Returns the outline without its holes if a hole extends beyond it or two holes overlap: for the whole polygon, GEOS
 * would read land under two rings as a gap, and a hole outside the outline as land. Undefined if GEOS is correct: a
 * ring apart from the outline is another part of the polygon, and one around it is the outline itself.
 */
function withoutHoles([outline = [], ...holes]: Rings, valid: gdal.Geometry): gdal.Geometry | undefined {
  if (holes.length === 0) return undefined;
  const land = joined([outline]);
  const gaps = joined(holes);
  const beyond = polygonsOf(gaps.difference(land)).map((wkb) => gdal.Geometry.fromWKB(wkb));
  const isPart = polygonsOf(gaps).some((wkb) => {
    const gap = gdal.Geometry.fromWKB(wkb);
    return beyond.some((part) => gap.intersects(part)) && !gap.overlaps(land);
  });
  const rest = isPart ? undefined : land.difference(gaps);
  const [area, other] = [areaOf(rest), areaOf(valid)];
  return area === 0 || Math.abs(area - other) <= tolerance * other ? undefined : rest;
}

/** Returns the union of the areas of rings. */
function joined(rings: Rings): gdal.Geometry {
  const all = new gdal.MultiPolygon();
  for (const ring of rings)
    for (const wkb of polygonsOf(gdal.Geometry.fromWKB(encodePolygon([ring])).makeValid()))
      all.children.add(gdal.Geometry.fromWKB(wkb));
  return all.unionCascaded();
}

function polygonsOf(geometry: gdal.Geometry): readonly Buffer[] {
  return decodeParts(geometry.toWKB('LSB')).polygons.map(encodePolygon);
}

function areaOf(geometry: gdal.Geometry | undefined): number {
  const polygons = geometry === undefined ? [] : polygonsOf(geometry);
  return polygons.reduce((sum, wkb) => {
    const polygon = gdal.Geometry.fromWKB(wkb);
    return sum + (polygon instanceof gdal.Polygon ? polygon.getArea() : 0);
  }, 0);
}
