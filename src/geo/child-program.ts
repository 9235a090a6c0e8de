/** What a child and its parent agree on, without the schemas of `protocol.ts`, which a child would take long to load. */

/** The file descriptor to which a child writes its answer, and before it what share of its work is done: lines such as `0.25`. */
export const answerDescriptor = 3;

/** The most values of the bands of a raster: Kazakhstan and all that lies in the rectangle around it in 10 m, and a fifth more. */
export const maxRasterValues = 64e9;
/** The most values that are processed in the time that every file has. */
export const freeRasterValues = 1e9;

/** The GDAL drivers that a child may use, by the kind of its work: those that this needs and no other. */
const allowedDrivers = {
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
