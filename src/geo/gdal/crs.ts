import gdal from 'gdal-async';
import type { RasterCrs } from '../raster-reader.ts';
import { quietly } from './last-error.ts';

/** Returns `EPSG:n` for a CRS that names its number or equals one of the EPSG's list, else its WKT. */
export function nameOfCrs(wkt: string): string {
  const srs = gdal.SpatialReference.fromWKT(wkt);
  // It throws when GDAL finds no number.
  quietly(() => srs.autoIdentifyEPSG());
  const root = srs.isProjected() ? 'PROJCS' : 'GEOGCS';
  // The binding's types promise text, it says null.
  const code: unknown = srs.getAuthorityCode(root);
  return srs.getAuthorityName(root) === 'EPSG' && typeof code === 'string' ? `EPSG:${code}` : wkt;
}

/** PROJ's words for EPSG:3857 and all that is the same: 900913, 3785, ESRI's 102100 and 102113. */
const webMercator = /^\+proj=(webmerc|merc \+a=6378137 \+b=6378137) .*\+units=m /;

/** Describes what the coordinates of a CRS measure. Heights of a compound CRS are left out: rasters lie in a plane. */
export function describeCrs(wkt: string): RasterCrs {
  const whole = gdal.SpatialReference.fromWKT(wkt);
  const srs = whole.isCompound() ? gdal.SpatialReference.fromWKT(horizontalPart(wkt)) : whole;
  const plane = srs.toWKT();
  if (srs.isGeographic()) {
    const degrees = srs.getAngularUnits().value * (180 / Math.PI);
    // A degree that is given in radians is only nearly one.
    return { wkt: plane, kind: 'geographic', unit: Math.abs(degrees - 1) < 1e-9 ? 1 : degrees };
  }
  const unit = srs.getLinearUnits().value;
  if (!srs.isProjected()) return { wkt: plane, kind: 'other', unit };
  // PROJ has no words for some systems.
  const words = quietly(() => srs.toProj4()) ?? '';
  return { wkt: plane, kind: webMercator.test(words) ? 'web-mercator' : 'projected', unit };
}

/** Returns `PROJCS[…]` of `COMPD_CS["name",PROJCS[…],VERT_CS[…]]`. */
function horizontalPart(wkt: string): string {
  const start = /^COMPD_CS\["(?:[^"]|"")*",/.exec(wkt)?.[0].length ?? 0;
  let depth = 0;
  for (const { 0: token, index } of wkt.matchAll(/"(?:[^"]|"")*"|[[\]]/g)) {
    if (index < start || token.startsWith('"')) continue;
    depth += token === '[' ? 1 : -1;
    if (depth === 0) return wkt.slice(start, index + 1);
  }
  return wkt;
}
