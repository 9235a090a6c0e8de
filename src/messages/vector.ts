import { invalid, sentences } from './define.ts';
import type { Message } from '../lib/message.ts';

/** The part of a file that names its coordinate reference system. */
const crsSources = { member: 'its "crs" member', file: 'its coordinate reference system' };
export type CrsSource = keyof typeof crsSources;

/** Reasons why an uploaded vector file or table is refused. */
export const vectorProblems = sentences('vector', {
  otherFormat: invalid(
    (format: string) => `The file is no ${format}, whatever its name says. Export it again and upload it.`,
  ),
  archiveInArchive: invalid(
    (name: string) => `The file ${name} in the archive is an archive itself. Unpack it and upload it.`,
  ),
  noColumns: invalid(
    () => 'The file has no columns: none of its features has properties, so there is nothing to map.',
  ),
  noTable: invalid(
    () =>
      'The shapefile has no columns, because the archive holds no .dbf file with the name of its .shp file. Add the .dbf file and upload the archive again.',
  ),
  tooManyCells: invalid(
    (columns: number, maxRows: number) =>
      `The table has ${columns} columns and more than ${maxRows} rows, which is too large; remove columns that are not needed.`,
  ),
  needsMemory: invalid(
    (what: 'lines' | 'polygons', maxMiB: number) =>
      `The ${what} of the file take more than the ${maxMiB} MiB for which there is memory. Simplify them, or upload the file in parts.`,
  ),
  noTransformation: invalid(
    () =>
      'The coordinate reference system of the file cannot be transformed to WGS 84; reproject the file to EPSG:4326 and upload it again.',
  ),
  notInCrs: invalid(
    (where: string, source: CrsSource, coordinate?: string) =>
      `${coordinate === undefined ? `The coordinates of ${where} do` : `The coordinate ${coordinate} of ${where} does`} not fit the coordinate reference system that the file names; correct ${crsSources[source]} and upload it again.`,
  ),
  notOnEarth: invalid(
    (coordinate: string, where: string, reason: Message) =>
      `The coordinate ${coordinate} of ${where} is not longitude and latitude: ${reason.english}.`,
  ),
  nothingLeft: invalid(
    (feature: number) =>
      `Nothing of the geometry is left: it has no extent, or less than a centimetre; the first of it is that of feature ${feature}. Correct it and upload the file again.`,
  ),
  notANumber: invalid(
    (where: string) =>
      `The geometry of ${where} has a coordinate that is not a number. Correct it and upload the file again.`,
  ),
});

/** Reasons why coordinates are not longitude and latitude, with what to do. */
export const notOnEarth = sentences('not_on_earth', {
  geoJson: () => 'GeoJSON is in longitude and latitude (WGS 84); reproject it to EPSG:4326',
  ignoredMember: () =>
    'its "crs" member is not one that is understood here; reproject it to WGS 84 (EPSG:4326)',
  wrongCrs: (source: CrsSource) => `${crsSources[source]} does not fit them`,
  swapped: () =>
    'latitude and longitude look swapped, since all up to here would fit the other way round; write the longitude first and upload the file again',
});

export const vectorWarnings = sentences('vector_warning', {
  filesLeftOut: (names: string) => `Files of the archive that were not read: ${names}.`,
  noTable: (name: string) =>
    `The archive holds no file ${name}.dbf beside ${name}.shp, so the features have no properties. If they should have some, add the .dbf file and upload the archive again.`,
  repeated: (name: string, feature: number) =>
    `The property “${name}” comes several times in one feature, for the first time in feature ${feature}. Its last value was taken; give each property a name of its own if the others matter.`,
  empty: () => 'The file has no features.',
  repaired: (polygons: number) =>
    polygons === 1
      ? 'One polygon was not valid (its outline crosses or touches itself) and was repaired.'
      : `${polygons} polygons were not valid (their outlines cross or touch themselves) and were repaired.`,
  lost: (count: number, feature: number) =>
    `${count === 1 ? 'One line or polygon has' : `${count} lines or polygons have`} no extent, or less than a centimetre, and ${count === 1 ? 'was' : 'were'} left out; the first is in feature ${feature}.`,
  flattened: (features: number, first: number) =>
    features === 1
      ? `Feature ${first} is a solid or a surface of triangles; it was read as its footprint, the ground that it covers.`
      : `${features} features are solids or surfaces of triangles; they were read as their footprint, the ground that they cover. The first is feature ${first}.`,
  crsAssumed: () =>
    'The file does not name its coordinate reference system; as all its coordinates fit, they were taken as longitude and latitude (WGS 84).',
  longitudesTurned: (features: number, first: string) =>
    `${features === 1 ? 'One feature has' : `${features} features have`} longitudes beyond 180°, the first of them ${first}; they were brought between -180° and 180°.`,
  axesMaybeSwapped: () =>
    'No coordinate of the file lies in Kazakhstan, but all would with latitude and longitude swapped. Nothing was swapped; if the file is about Kazakhstan, write the longitude first and upload it again.',
  datumUnknown: () =>
    'The coordinate reference system of the file names no datum that is known, so places may be off by up to a few hundred metres. Save the file with the system that its coordinates are in, such as Pulkovo 1942, or in WGS 84, and upload it again.',
  crsMemberIgnored: () =>
    'The "crs" member of the file is not one that is understood here; as all its coordinates fit, they were taken as longitude and latitude (WGS 84).',
});
