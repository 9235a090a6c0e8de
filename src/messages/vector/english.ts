import type { Message } from '../../lib/message.ts';
import { listed, quoted } from '../../lib/readable.ts';
import { invalid, sentences } from '../base/define.ts';

/** The part of a file that names its coordinate reference system. */
const crsSources = { member: 'its "crs" member', file: 'its coordinate reference system' };
export type CrsSource = keyof typeof crsSources;

/** Reasons to refuse an uploaded vector file or table. */
export const vectorProblems = sentences('vector', {
  otherFormat: invalid(
    (format: string) => `Despite its name, the file is not a ${format}. Export it again and upload it.`,
  ),
  archiveInArchive: invalid(
    (name: string) => `The file ${name} in the archive is an archive itself. Unpack it and upload it.`,
  ),
  noColumns: invalid(
    () => 'The file has no columns: none of its features has properties, so there is nothing to map.',
  ),
  noTable: invalid(
    () =>
      'The shapefile has no columns, because the archive contains no .dbf file with the name of its .shp file. Add the .dbf file and upload the archive again.',
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

/** Reasons why coordinates are not longitude and latitude, with remedies. */
export const notOnEarth = sentences('not_on_earth', {
  geoJson: () => 'GeoJSON is in longitude and latitude (WGS 84); reproject it to EPSG:4326',
  ignoredMember: () => 'its "crs" member is not supported here; reproject it to WGS 84 (EPSG:4326)',
  wrongCrs: (source: CrsSource) => `${crsSources[source]} does not fit them`,
  swapped: () =>
    'latitude and longitude look swapped, because all coordinates so far would fit in reverse order; write the longitude first and upload the file again',
});

export const vectorWarnings = sentences('vector_warning', {
  filesLeftOut: (names: string) => `Files of the archive that were not read: ${names}.`,
  noTable: (name: string) =>
    `The archive contains no file ${name}.dbf beside ${name}.shp, so the features have no properties. If they should have some, add the .dbf file and upload the archive again.`,
  repeated: (name: string, feature: number) =>
    `The property “${name}” occurs several times in one feature, first in feature ${feature}. Its last value was taken; if the others matter, give each property a name of its own.`,
  lastKept: (name: string, feature: number) =>
    `The property “${name}” occurs several times in one feature, first in feature ${feature}. The GeoJSON keeps all its values; FlatGeobuf, GeoPackage, GeoParquet and single features have the last one.`,
  empty: () => 'The file has no features.',
  repaired: (polygons: number) =>
    polygons === 1
      ? 'One polygon was not valid (its outline crosses or touches itself) and was repaired.'
      : `${polygons} polygons were not valid (their outlines cross or touch themselves) and were repaired.`,
  partsOverlap: (features: number, first: number) =>
    `Parts of the polygon of ${features === 1 ? `feature ${first} overlap` : `${features} features overlap, first in feature ${first}`}: the GeoJSON covers their land once, while FlatGeobuf, GeoPackage and single features keep the parts and count it twice. If a part is meant as a hole, reverse its outline (RFC 7946), or write it as an inner ring, and upload the file again.`,
  lost: (count: number, feature: number) =>
    `${count === 1 ? 'One line or polygon has' : `${count} lines or polygons have`} no extent, or less than a centimetre, and ${count === 1 ? 'was' : 'were'} left out; the first is in feature ${feature}.`,
  flattened: (features: number, first: number) =>
    features === 1
      ? `Feature ${first} is a solid or a surface of triangles; it was read as its footprint, the ground that it covers.`
      : `${features} features are solids or surfaces of triangles; they were read as their footprint, the ground that they cover. The first is feature ${first}.`,
  heightsLeftOut: (features: number, first: number) =>
    features === 1
      ? `The heights (Z) of feature ${first} were left out, because it has arcs, was cut at 180°, or bends on the way to longitude and latitude. The original keeps them.`
      : `The heights (Z) of ${features} features were left out, because they have arcs, were cut at 180°, or bend on the way to longitude and latitude. The original keeps them. The first is feature ${first}.`,
  heightsFilled: (features: number, first: number) =>
    features === 1
      ? `Feature ${first} lacks heights (Z) that others have. Its height is 0 in FlatGeobuf, GeoPackage, GeoParquet and single features.`
      : `${features} features lack heights (Z) that others have. Their height is 0 in FlatGeobuf, GeoPackage, GeoParquet and single features. The first is feature ${first}.`,
  valuesAsJson: (columns: number, first: string) =>
    columns === 1
      ? `The values of the column ${quoted(first)} are of different types. The FlatGeobuf keeps each as JSON text.`
      : `The values of ${columns} columns, such as ${quoted(first)}, are of different types. The FlatGeobuf keeps each as JSON text.`,
  featuresLeftOut: (most: number) =>
    `The dataset has no FlatGeobuf, because the file has more than ${most.toLocaleString('en')} features or 65,535 columns. Upload it in parts to get one.`,
  crsAssumed: () =>
    'The file does not name its coordinate reference system; because all its coordinates fit, they were taken as longitude and latitude (WGS 84).',
  prjNotUnderstood: () =>
    'The .prj file names no known coordinate reference system; because all coordinates fit, they were taken as longitude and latitude (WGS 84). If they are in another system, such as Pulkovo 1942, put its .prj into the archive and upload it again.',
  longitudesTurned: (features: number, first: string) =>
    `${features === 1 ? 'One feature has' : `${features} features have`} longitudes beyond 180°, the first of them ${first}; they were brought between -180° and 180°.`,
  axesMaybeSwapped: () =>
    'No coordinate of the file lies in Kazakhstan, but all would with latitude and longitude swapped. Nothing was swapped; if the file is about Kazakhstan, write the longitude first and upload it again.',
  datumUnknown: () =>
    'The coordinate reference system of the file names no known datum, so positions may be off by up to a few hundred metres. Save the file with the system that its coordinates are in, such as Pulkovo 1942, or in WGS 84, and upload it again.',
  crsMemberIgnored: () =>
    'The "crs" member of the file is not supported here; because all its coordinates fit, they were taken as longitude and latitude (WGS 84).',
});

const notGeoJson = (why: string) => `The file is not GeoJSON: ${why}. Export it again as GeoJSON (RFC 7946).`;
const exportAgain = 'Export it again from its source and upload it again.';

/** Faults of a JSON file. */
export const geojsonProblems = sentences('geojson', {
  empty: invalid(() => notGeoJson('it is empty')),
  noObject: invalid(() => notGeoJson('it does not begin with an object')),
  noFeatures: invalid(() => notGeoJson('its "features" are missing or not a list')),
  twoLists: invalid(() => notGeoJson('it has two lists of "features"')),
  noType: invalid(() => notGeoJson('it has no "type"')),
  unknownType: invalid((type: string) => notGeoJson(`its "type" is ${quoted(type)}`)),
  /** `feature` is the number of the feature; undefined if the file is a single one. */
  wrongFeature: invalid((fault: Message, feature: number | undefined) =>
    notGeoJson(
      feature === undefined ? `its feature ${fault.english}` : `feature ${feature} ${fault.english}`,
    ),
  ),
  tooManyColumns: invalid(
    (most: number) =>
      `The features have more than ${most.toLocaleString('en')} different properties; remove some and upload again.`,
  ),
  longColumnName: invalid(
    (most: number) =>
      `The features have a property whose name is longer than ${most} letters; give it a shorter one and upload again.`,
  ),
});

export const geojsonWarnings = sentences('geojson_warning', {
  idsLeftOut: (features: number) =>
    `${features === 1 ? 'One feature has an "id"' : `${features} features have an "id"`} beside the properties, but a property is called "id" too; ${features === 1 ? 'it was' : 'they were'} left out. Give the property "id" another name to get them as a column.`,
  wrongIds: (features: number) =>
    `${features === 1 ? 'One feature has an "id"' : `${features} features have an "id"`} that is neither a text nor a number; ${features === 1 ? 'it was' : 'they were'} left out.`,
});

/** Faults of a feature; each continues a sentence that begins with it. */
export const featureFaults = sentences('feature_fault', {
  noObject: 'is not an object',
  wrongType: 'has no "type": "Feature"',
  wrongMember: (key: string) => `has "${key}" that is neither an object nor null`,
});

/** Faults of the text of a JSON file. `fault` is one of `jsonFaults`. */
export const jsonFileProblems = sentences('json_file', {
  limit: invalid(
    (fault: Message, line: number, column: number) =>
      `The file is too large to be read: at line ${line}, column ${column} ${fault.english}. Simplify it and upload it again.`,
  ),
  invalid: invalid(
    (fault: Message, line: number, column: number) =>
      `The file is not valid JSON: at line ${line}, column ${column} ${fault.english}. Correct it, or export it again as GeoJSON.`,
  ),
});

/** Faults of one feature of a layer. */
export const featureProblems = sentences('feature', {
  notUtf8: invalid(
    (feature: number) =>
      `Feature ${feature} has text, or a column with a name, that is not in UTF-8. Export the layer again with UTF-8 as its encoding and upload it again.`,
  ),
  limit: invalid(
    (feature: number, fault: Message) =>
      `Feature ${feature} is too large to be read: ${fault.english}. Simplify it and upload the file again.`,
  ),
  unreadable: invalid(
    (feature: number) => `The file is damaged: feature ${feature} cannot be read. ${exportAgain}`,
  ),
});

const wrongGeometry = (where: string, what: string) =>
  `The geometry of ${where} ${what}. Correct it and upload the file again.`;

/** Faults of a GeoJSON geometry. `where` names its feature. */
export const geometryProblems = sentences('geometry', {
  tooLarge: invalid(
    (where: string, mostMiB: number) =>
      `The geometry of ${where} is longer than the ${mostMiB} MiB for which there is memory. Split or simplify it and upload the file again.`,
  ),
  noGeometry: invalid((where: string) => wrongGeometry(where, 'is not a geometry with a "type"')),
  wrongNesting: invalid((where: string, type: string) =>
    wrongGeometry(where, `is a ${type} whose coordinates are not nested as they must be`),
  ),
  unknownType: invalid((where: string, type: string) =>
    wrongGeometry(where, `has the type ${quoted(type)}, which GeoJSON does not have`),
  ),
  shortPosition: invalid((where: string) =>
    wrongGeometry(where, 'has a position that is not at least two numbers'),
  ),
  noNumber: invalid((where: string) => wrongGeometry(where, 'has a coordinate that is not a number')),
});

/** Tokens that a JSON parser expects. */
export const expectedInJson = sentences('json_expected', {
  value: 'a value',
  object: 'an object',
  objectEnd: 'a comma or a closing brace',
  array: 'an array',
  arrayEnd: 'a comma or a closing bracket',
  name: 'a name in quotes',
  colon: 'a colon',
  stringEnd: 'the rest of a text in quotes',
  hexDigits: 'four hexadecimal digits',
  escape: 'a known letter after the backslash',
  digit: 'a digit',
  word: 'true, false or null',
  end: 'the end of the file',
});

/** Faults of a JSON text; each continues a sentence that names the place. */
export const jsonFaults = sentences('json', {
  notUtf8: 'the text is not UTF-8',
  notFinite: 'NaN or Infinity occurs, which JSON does not have (write null instead)',
  tooLarge: (mostMiB: number) => `one value is larger than ${mostMiB} MiB`,
  tooDeep: (levels: number) => `values are nested deeper than ${levels}`,
  cutShort: (expected: Message) => `the file ends where ${expected.english} is expected`,
  unexpected: (found: string | Message, expected: Message) =>
    `${String(found)} stands where ${expected.english} is expected`,
});

export const characters = sentences('character', {
  unprintable: (code: string) => `the character U+${code}`,
});

/** Names the first character of some bytes. */
export function firstCharacter(bytes: Buffer): string | Message {
  const byte = bytes[0] ?? 0;
  const [found = ''] = bytes.toString();
  const isPrintable = byte > 0x20 && found !== '"' && byte !== 0x7f;
  return isPrintable ? `"${found}"` : characters.unprintable(byte.toString(16).padStart(4, '0'));
}

const damaged = (why: string) =>
  `The shapefile in the archive is damaged: ${why}. Export it again from its source and upload it again.`;

/** Source of the stated encoding of a shapefile's texts. */
type StatedBy = 'cpg' | 'cst' | 'dbf';

const stated: Readonly<Record<StatedBy, string>> = {
  cpg: 'The .cpg file',
  cst: 'The .cst file',
  dbf: 'The language byte of the .dbf file',
};

export const shapefileProblems = sentences('shapefile', {
  brokenShapes: invalid(() => damaged('its .shp file cannot be read')),
  brokenTable: invalid(() => damaged('its .dbf file cannot be read')),
  tableOfDBase7: invalid(
    () =>
      'The .dbf file of the shapefile is in the format of dBase 7, which is not read here. Save the table as dBase IV or dBase III and upload it again.',
  ),
  differentCounts: invalid((rows: number, shapes: number) =>
    damaged(`its .dbf file has ${rows} rows, its .shp file ${shapes} shapes`),
  ),
});

export const shapefileRemedies = sentences('shapefile_remedy', {
  wrongPrj: 'its .prj file names no known coordinate reference system; put the right one into the archive',
  noPrj: 'the archive has no .prj file with their coordinate reference system; add it',
});

export const shapefileWarnings = sentences('shapefile_warning', {
  encodingGuessed: (charset: string) =>
    `The encoding of the texts is not stated; by their letters they were read as ${charset}. Add a .cpg file to the archive to be sure.`,
  encodingUnknown: (from: StatedBy, charset: string) =>
    `${stated[from]} names no known encoding; by their letters the texts were read as ${charset}. Correct it to be sure.`,
  encodingOverruled: (from: StatedBy, said: string, charset: string) =>
    `${stated[from]} names the encoding ${said}, but the bytes of the texts do not fit it; they were read as ${charset}. Correct it if the letters are right.`,
  columnsLeftOut: (names: readonly string[]) =>
    `These columns of the .dbf file were left out, because their cells are not stored as text, numbers or dates: ${listed(names)}. Copy them to columns of text to keep them.`,
  datesImpossible: (column: string, cells: number) =>
    `${cells === 1 ? 'One cell' : `${cells} cells`} of the date column ${column} ${cells === 1 ? 'contains no date' : 'contain no dates'} of the calendar; ${cells === 1 ? 'it was' : 'they were'} kept as text.`,
  rowsWithoutShape: (rows: number) =>
    `The .dbf file has ${rows === 1 ? 'one more row' : `${rows} more rows`} than the .shp file has shapes; ${rows === 1 ? 'it was' : 'they were'} kept as features without geometry.`,
  namesTruncated: (names: readonly string[]) =>
    `A .dbf file stores only ten bytes of a column's name. These names were restored: ${listed(names)}.`,
});

const damagedFlatGeobuf = (why: string) => `The FlatGeobuf is damaged: ${why}. ${exportAgain}`;

export const flatGeobufProblems = sentences('flatgeobuf_file', {
  otherVersion: invalid(
    () => 'The file is not a FlatGeobuf of version 3, the only one that is read here. Write it again.',
  ),
  brokenHeader: invalid(() => damagedFlatGeobuf('its header cannot be read')),
  otherCount: invalid((read: number, named: number) =>
    damagedFlatGeobuf(`its header names ${named} features, but it has ${read}`),
  ),
  moreThanNamed: invalid((named: number) =>
    damagedFlatGeobuf(`it does not end after the ${named} features that its header names`),
  ),
  ownColumns: invalid(
    (feature: number) =>
      `Feature ${feature} of the FlatGeobuf has columns of its own, which are not read here. Write the file with the same columns for all features.`,
  ),
});

export const flatGeobufRemedies = sentences('flatgeobuf_file_remedy', {
  noReferenceSystem: 'the FlatGeobuf does not state their coordinate reference system; write it with one',
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  character: characters,
  feature: featureProblems,
  feature_fault: featureFaults,
  flatgeobuf_file: flatGeobufProblems,
  flatgeobuf_file_remedy: flatGeobufRemedies,
  geojson: geojsonProblems,
  geojson_warning: geojsonWarnings,
  geometry: geometryProblems,
  json: jsonFaults,
  json_expected: expectedInJson,
  json_file: jsonFileProblems,
  not_on_earth: notOnEarth,
  shapefile: shapefileProblems,
  shapefile_remedy: shapefileRemedies,
  shapefile_warning: shapefileWarnings,
  vector: vectorProblems,
  vector_warning: vectorWarnings,
};
