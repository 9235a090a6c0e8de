import gdal from 'gdal-async';
import type { Rings } from '../../formats/features/geometry.ts';
import { decodeParts, encodePolygon } from '../../formats/ogr/wkb.ts';

/** Areas that differ by less of themselves are the same: GEOS puts corners where outlines cross. */
const tolerance = 1e-9;

/** Resolves the crossings of an outline into valid polygons, as WKB; lines that remain of it are dropped. */
export function repaired(rings: Rings, onRepair?: () => void): readonly Buffer[] {
  const wkb = encodePolygon(rings);
  const geometry = gdal.Geometry.fromWKB(wkb);
  if (geometry.isValid()) return [wkb];
  onRepair?.();
  const valid = geometry.makeValid();
  return polygonsOf(withoutHoles(rings, valid) ?? valid);
}

/**
 * The outline without its holes, where a hole goes beyond it or two holes overlap: GEOS, asked for the whole, takes all that two rings
 * cover for no land, and what one hole covers beyond the outline for land. Undefined where GEOS is right: a ring that lies apart from
 * the outline is another part of the polygon, and one around it is the outline itself.
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

/** The area that rings cover, each of them by itself. */
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
