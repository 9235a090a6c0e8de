import type { Message } from '../../lib/message.ts';
import { invalid, problem, sentences } from '../base/define.ts';

/** Reasons to refuse a file from which rasters are to be made, or one of its variables. */
export const sourceProblems = sentences('source', {
  damaged: invalid(() => 'The file is cut short or damaged. Download it again and upload the new file.'),
  unknownFormat: invalid(
    () =>
      'The file is not one of the formats from which rasters are made: NetCDF, GRIB, HDF5, HDF4, Erdas Imagine (.img), ASCII grid (.asc) or a .zip of tiles.',
  ),
  otherFiles: invalid(
    (what: string) =>
      `The file takes values from other files (${what}), which are never opened. Copy the values into one file and upload that.`,
  ),
  noRasters: invalid(() => 'The file has no variable with rows and columns of numbers.'),
  calendar: invalid(
    (name: string) =>
      `The times of the variable are in the calendar “${name}”, which is not understood. Known are standard, proleptic_gregorian, noleap, all_leap, 360_day and julian.`,
  ),
  timeUnits: invalid(
    (units: string) =>
      `The unit of time “${units}” is not understood. Expected are seconds, minutes, hours or days since a date.`,
  ),
  rotatedPole: invalid(
    () =>
      'The grid has a rotated pole: its rows and columns do not follow longitude and latitude. Resample it to longitude and latitude, for example with cdo remapbil, and upload the result.',
  ),
  curvilinear: invalid(
    () =>
      'The grid is curvilinear: each cell has its own longitude and latitude. Resample it to longitude and latitude, for example with cdo remapbil, and upload the result.',
  ),
  uneven: invalid(
    (axis: string) =>
      `The cells are not evenly spaced along “${axis}”, as in a Gaussian grid. Resample the file to even steps of longitude and latitude and upload the result.`,
  ),
  noCoordinates: invalid(
    () => 'Rows and columns of the variable have no coordinates, and its place on the earth is unknown.',
  ),
  projection: invalid(
    (name: string) =>
      `The projection “${name}” of the grid is not understood. Resample it to longitude and latitude.`,
  ),
  reducedGrid: invalid(
    (kind: string) =>
      `The fields are on a grid of the kind “${kind}”, which has no rows and columns of even cells. Resample them to longitude and latitude, for example with cdo remapbil, and upload the result.`,
  ),
  severalGrids: invalid(
    (grids: number) =>
      `The file has fields on ${grids} different grids. Split it, for example with grib_copy, so that each file has one grid.`,
  ),
  tooLarge: invalid((width: number, height: number) => `A grid of ${width} × ${height} cells is too large.`),
  noVariable: invalid((name: string) => `The file has no variable “${name}” of which a raster can be made.`),
  noPosition: invalid((axis: string) => `The axis “${axis}” has no such position.`),
  noTiles: invalid(
    (names: string) =>
      `The archive has no tiles: GeoTIFF (.tif), Erdas Imagine (.img), ASCII grid (.asc) or SRTM heights (.hgt). It contains: ${names}. Pack the tiles of one coverage into one .zip, without archives in it, and upload that.`,
  ),
  tooManyTiles: invalid(
    (tiles: number, most: number) =>
      `The archive has ${tiles} tiles; at most ${most} are put together. Pack fewer, or put the results together afterwards.`,
  ),
  notATile: invalid(
    () =>
      'The content is not a GeoTIFF, Erdas Imagine (.img), ASCII grid (.asc) or SRTM heights (.hgt), whatever its name.',
  ),
  notHeights: invalid(
    () =>
      'SRTM heights need the size of one degree in 1″ or 3″ and a name that tells their place, such as N47E066.hgt.',
  ),
  masked: invalid(
    () =>
      'The image has a mask for pixels without a value. Save it with a nodata value instead, for example with gdal_translate -a_nodata -9999.',
  ),
  notText: invalid(() => 'The grid contains text that is not a number. Check the file and upload it again.'),
});

/** Faults of the part `file` of an upload from which rasters are to be made. */
export const sourceFaults = sentences('source_fault', {
  nameless: 'needs a file name',
  empty: 'is empty',
  unknownFormat:
    'is by its first bytes none of the formats from which rasters are made: NetCDF, GRIB, HDF5, HDF4, Erdas Imagine (.img), ASCII grid (.asc) or a .zip of tiles; upload a GeoTIFF as a raster',
});

/** Errors of requests about files from which rasters are made. */
export const sourceFileProblems = sentences('source_file', {
  notFound: problem('not_found', () => 'no such source file'),
  readFailed: problem('unavailable', () => 'the file could not be read; try again later'),
  tooManyWaiting: problem('too_many', () => 'too many files are being read; try again later'),
});

/** Faults of a request for rasters. */
export const rasterFaults = sentences('raster_fault', {
  tooMany: (most: number) => `makes more than ${most} rasters; choose fewer times`,
  repeated: 'has a position twice',
  noCrs: 'is needed, because the file has no coordinate reference system: for example EPSG:32642',
  onlyTiles: 'is only for a .zip of tiles',
  noTile: (name: string) => `the archive has no tile “${name}”`,
  refusedTile: (name: string, reason: Message) => `“${name}” cannot be used: ${reason.english}`,
  severalGrids: (grids: number, names: string) =>
    `is needed: the tiles are on ${grids} different grids (${names}); name the tile whose grid all others are resampled onto, or choose tiles of one grid`,
  notChosen: (name: string) => `“${name}” is none of the chosen tiles`,
  sameArea: (one: string, other: string) =>
    `“${one}” and “${other}” cover the same area; choose the tiles of one coverage`,
  knownCrs: 'is not needed: the file has a coordinate reference system',
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  raster_fault: rasterFaults,
  source: sourceProblems,
  source_fault: sourceFaults,
  source_file: sourceFileProblems,
};
