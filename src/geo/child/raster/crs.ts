import gdal from 'gdal-async';
import type { RasterCrs } from '../../raster-reader.ts';

/** PROJ's words for EPSG:3857 and all that is the same: 900913, 3785, ESRI's 102100 and 102113. */
const webMercator = /^\+proj=(webmerc|merc \+a=6378137 \+b=6378137) .*\+units=m /;

/** What the coordinates of a CRS measure. Heights of a compound CRS are left out: rasters lie in a plane. */
export function describeCrs(wkt: string): RasterCrs {
  const whole = gdal.SpatialReference.fromWKT(wkt);
  const srs = whole.isCompound() ? gdal.SpatialReference.fromWKT(firstPart(wkt)) : whole;
  const plane = srs.toWKT();
  if (srs.isGeographic()) {
    return { wkt: plane, kind: 'geographic', unit: inDegrees(srs.getAngularUnits().value) };
  }
  const unit = srs.getLinearUnits().value;
  if (!srs.isProjected()) return { wkt: plane, kind: 'other', unit };
  return { wkt: plane, kind: webMercator.test(proj4Of(srs)) ? 'web-mercator' : 'projected', unit };
}

/** One degree is not quite a degree when it is counted in radians. */
function inDegrees(radians: number): number {
  const degrees = radians * (180 / Math.PI);
  return Math.abs(degrees - 1) < 1e-9 ? 1 : degrees;
}

/** Not every CRS can be said in PROJ's words. */
function proj4Of(srs: gdal.SpatialReference): string {
  try {
    return srs.toProj4();
  } catch {
    return '';
  }
}

/** Of `COMPD_CS["name",PROJCS[…],VERT_CS[…]]` the plane one. */
function firstPart(wkt: string): string {
  const start = /^COMPD_CS\["(?:[^"]|"")*",/.exec(wkt)?.[0].length ?? 0;
  let depth = 0;
  for (const { 0: token, index } of wkt.matchAll(/"(?:[^"]|"")*"|[[\]]/g)) {
    if (index < start || token.startsWith('"')) continue;
    depth += token === '[' ? 1 : -1;
    if (depth === 0) return wkt.slice(start, index + 1);
  }
  return wkt;
}
