import gdal, { type CoordinateTransformation } from 'gdal-async';

export type Crs = { readonly wkt: string } | { readonly epsg: number } | { readonly proj: string };

/**
 * Creates a transformation with easting or longitude first on both sides, whatever axis order a CRS itself prescribes
 * (EPSG:4326 says latitude first). Every transformation is made here.
 * @throws {Error} when PROJ does not know a CRS or no way between them.
 */
export function createTransformation(from: Crs, to: Crs): CoordinateTransformation {
  gdal.config.set('OSR_DEFAULT_AXIS_MAPPING_STRATEGY', 'TRADITIONAL_GIS_ORDER');
  return new gdal.CoordinateTransformation(referenceOf(from), referenceOf(to));
}

/** Creates a transformation to longitude and latitude on WGS 84, in this order. @throws {Error} as `createTransformation` does. */
export function createTransformationToWgs84(source: Crs): CoordinateTransformation {
  return createTransformation(source, { epsg: 4326 });
}

/** Projections reach around the earth at most twice, and false eastings may begin with the number of a zone. */
const farthestMetres = 1e8;
/** Some turns around the earth in any unit of angles. */
const farthestAngle = 1000;

/**
 * Returns how far from the origin of a CRS, in its own unit, a place on the earth can lie. PROJ and GDAL
 * bring some of those beyond back by turns around the earth, one by one, however many.
 */
export function farthestCoordinate(crs: Crs): number {
  const srs = referenceOf(crs);
  return srs.isGeographic() ? farthestAngle : farthestMetres / srs.getLinearUnits().value;
}

/** Returns what one unit of a CRS is: degrees of a geographic one, metres of any other. */
export function unitOf(crs: Crs): { readonly degrees?: number; readonly metres: number } {
  const srs = referenceOf(crs);
  if (!srs.isGeographic()) return { metres: srs.getLinearUnits().value };
  return { degrees: srs.getAngularUnits().value * (180 / Math.PI), metres: Number.NaN };
}

function referenceOf(crs: Crs): gdal.SpatialReference {
  if ('proj' in crs) return gdal.SpatialReference.fromProj4(crs.proj);
  return 'wkt' in crs ? gdal.SpatialReference.fromWKT(crs.wkt) : gdal.SpatialReference.fromEPSG(crs.epsg);
}
