/** The GDAL drivers that a child may use, by the kind of its work: those that this needs and no other. */
export const allowedDrivers = {
  raster: ['GTiff', 'COG', 'MEM'],
  vector: ['GeoJSON', 'GeoJSONSeq', 'Memory', 'GPKG', 'ESRI Shapefile'],
} as const;

export type DriverSet = keyof typeof allowedDrivers;

/** Returns the names of `registered` drivers that `set` does not allow. */
export function foreignDrivers(registered: readonly string[], set: DriverSet): readonly string[] {
  const allowed: readonly string[] = allowedDrivers[set];
  return registered.filter((name) => !allowed.includes(name));
}

/** Returns the names of `registered` drivers that some set allows. */
export function usedDrivers(registered: readonly string[]): readonly string[] {
  const allowed: readonly string[] = Object.values(allowedDrivers).flat();
  return registered.filter((name) => allowed.includes(name));
}
