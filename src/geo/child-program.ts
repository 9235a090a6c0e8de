/** Constants shared by children and their parent, without the schemas of `protocol.ts`, which are slow to load. */

/** File descriptor for the child's answer, preceded by the completed share of its work: lines such as `0.25`. */
export const answerDescriptor = 3;

/** Folder in which Debian's PROJ looks by itself. */
export const systemProjFolder = '/usr/share/proj';

/** Maximum number of values in the bands of a raster: the bounding rectangle of Kazakhstan in 10 m, plus a fifth. */
export const maxRasterValues = 64e9;
/** Number of values that fit into the time of every file. */
export const freeRasterValues = 1e9;

/** GDAL drivers that a child may use, by the kind of its work. */
const allowedDrivers = {
  raster: ['GTiff', 'COG', 'MEM'],
  vector: ['GeoJSON', 'GeoJSONSeq', 'Memory', 'GPKG', 'ESRI Shapefile'],
  // Of the files from which rasters are made, each child reads one format; classic NetCDF and ASCII grids need no driver.
  netcdf: ['GTiff', 'COG', 'MEM'],
  'ascii-grid': ['GTiff', 'COG', 'MEM'],
  hdf5: ['GTiff', 'HDF5', 'HDF5Image'],
  hdf4: ['GTiff', 'HDF4', 'HDF4Image'],
  grib: ['GTiff', 'GRIB'],
  imagine: ['GTiff', 'HFA'],
  // Of the formats of tiles, only these two need a driver.
  zip: ['GTiff', 'HFA'],
} as const;

export type DriverSet = keyof typeof allowedDrivers;

/** Returns the `registered` drivers that `set` does not allow. */
export function foreignDrivers(registered: readonly string[], set: DriverSet): readonly string[] {
  const allowed: readonly string[] = allowedDrivers[set];
  return registered.filter((name) => !allowed.includes(name));
}

/** Returns the `registered` drivers that some set allows. */
export function usedDrivers(registered: readonly string[]): readonly string[] {
  const allowed: readonly string[] = Object.values(allowedDrivers).flat();
  return registered.filter((name) => allowed.includes(name));
}
