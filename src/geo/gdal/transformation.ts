import gdal, { type CoordinateTransformation } from 'gdal-async';

/**
 * THE way to make a transformation to WGS 84: longitude and latitude, in this order, from `source`'s coordinates with
 * their easting or longitude first, whatever axis order the CRS itself prescribes (EPSG:4326 says latitude first).
 * @throws {Error} when PROJ does not know the CRS or no way to WGS 84.
 */
export function createTransformationToWgs84(
  source: { wkt: string } | { epsg: number },
): CoordinateTransformation {
  gdal.config.set('OSR_DEFAULT_AXIS_MAPPING_STRATEGY', 'TRADITIONAL_GIS_ORDER');
  const from =
    'wkt' in source ? gdal.SpatialReference.fromWKT(source.wkt) : gdal.SpatialReference.fromEPSG(source.epsg);
  return new gdal.CoordinateTransformation(from, gdal.SpatialReference.fromEPSG(4326));
}
