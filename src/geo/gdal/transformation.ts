import gdal, { type CoordinateTransformation } from 'gdal-async';

type Crs = { readonly wkt: string } | { readonly epsg: number };

/**
 * THE way to make a transformation: easting or longitude first on both sides, whatever axis order a CRS itself
 * prescribes (EPSG:4326 says latitude first).
 * @throws {Error} when PROJ does not know a CRS or no way between them.
 */
export function createTransformation(from: Crs, to: Crs): CoordinateTransformation {
  gdal.config.set('OSR_DEFAULT_AXIS_MAPPING_STRATEGY', 'TRADITIONAL_GIS_ORDER');
  return new gdal.CoordinateTransformation(referenceOf(from), referenceOf(to));
}

/** To longitude and latitude on WGS 84, in this order. @throws {Error} as `createTransformation` does. */
export function createTransformationToWgs84(source: Crs): CoordinateTransformation {
  return createTransformation(source, { epsg: 4326 });
}

function referenceOf(crs: Crs): gdal.SpatialReference {
  return 'wkt' in crs ? gdal.SpatialReference.fromWKT(crs.wkt) : gdal.SpatialReference.fromEPSG(crs.epsg);
}
