import gdal from 'gdal-async';

/** `EPSG:n` for a CRS that says so itself or is the same as one in the EPSG's list, else its WKT. */
export function nameOfCrs(wkt: string): string {
  const srs = gdal.SpatialReference.fromWKT(wkt);
  const code = epsgCodeOf(srs);
  return code === undefined ? wkt : `EPSG:${code}`;
}

function epsgCodeOf(srs: gdal.SpatialReference): string | undefined {
  try {
    srs.autoIdentifyEPSG();
  } catch {
    // GDAL's way of saying that it found no number.
  }
  const root = srs.isProjected() ? 'PROJCS' : 'GEOGCS';
  // The binding's types promise text, it says null.
  const authority: unknown = srs.getAuthorityName(root);
  const code: unknown = srs.getAuthorityCode(root);
  return authority === 'EPSG' && typeof code === 'string' ? code : undefined;
}
