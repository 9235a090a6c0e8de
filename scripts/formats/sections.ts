import type { WarningCode } from '../../src/geo/findings.ts';
import type { english } from '../../src/messages/areas.ts';

type SectionName = keyof typeof sections;
export type Section = (typeof sections)[SectionName];

const vectorText = `Of a file with several layers the first one that has features is read. Output is RFC 7946: WGS 84 longitude and latitude, outer rings counter-clockwise, at most seven decimals, no
\`crs\` member. The geometry of all features is united to one; points, lines and areas may mix. A layer without features, and a table without geometry, are ready too. Other systems of coordinates are
transformed; without one, coordinates count as longitude and latitude if all of them fit. Longitudes from −360 to 360 are turned into −180 to 180. Curves become lines. Flat pieces of solids (TIN,
polyhedral surface, triangle, MultiPatch) are read as their footprint. Latitudes in the first place are never swapped, but named.`;

const geojsonText = `\`.geojson\` in UTF-8, with or without a byte-order mark: a FeatureCollection, a Feature or a geometry. Properties come out as their own text, digit by digit: \`1.10\` stays
\`1.10\`, and a number beyond a double keeps its digits. What is missing stays missing. Ids of features are a column \`id\` when no property has that name. A \`crs\` member counts when it names an EPSG
number or CRS84; it is never fetched.`;

const archiveText = `\`.zip\`, with Zip64 and data descriptors, Deflate or stored, names in UTF-8, cp866 or windows-1251, with \`/\` or \`\\\`. At any depth it holds one shapefile, one \`.geojson\`
or one \`.gpkg\`, the last one with its \`-wal\`. Hidden files and \`__MACOSX\` do not count.`;

const shapefileText = `In a \`.zip\`: \`.shp\` and \`.dbf\`, and if they are there \`.shx\`, \`.prj\`, \`.cpg\`, \`.cst\` and \`.shp.xml\`. Texts are read as \`.cpg\` says, else \`.cst\`, else the
language byte of the \`.dbf\`, else as UTF-8 if they are, else by their letters as one of windows-1251, cp866, ISO-8859-5 and KZ-1048. A declaration that the letters contradict is overruled; valid
multi-byte UTF-8 always wins. Cells are read from the bytes of the \`.dbf\`:

| Type | Value | Missing: null |
|---|---|---|
| C | the text without blanks at its end | blanks |
| N, F | a number when the field fits the declared type, else its text | blanks, stars, NaN |
| D | the date, \`2020-01-31\`; an impossible one is its text | blanks, stars, \`00000000\` |
| L | its letter (\`T\`, \`Y\`, \`F\`, \`N\`) | blank, \`?\`, stars |
| I, B (of eight bytes), Y, T, @ of FoxPro | the number or the time | blanks |
| other binary types, and M | the column is left out with a warning, unless nothing is in it | |`;

const geopackageText = `\`.gpkg\`: tables and registered views, with the system of coordinates of the layer. A cell is what SQLite stores (\`typeof()\`), whatever type its column declares: numbers have all their digits, texts
are texts, bytes are hexadecimal digits; 0 and 1 in a column of booleans are false and true. A column of any declared type is a column. A file whose changes are still in a \`-wal\` beside it is read from
a \`.zip\` that holds both. SQL of the file is not run but for views that read its own tables by harmless functions.`;

const tableText = `A dataset of the type \`vector_with_kato\` may be any of the formats above. Its columns are those of the file, in its order. KATO codes match units of any level whatever a spreadsheet did to them:
\`110000000.0\`, \`1.1E+8\` from a numeric cell, an apostrophe in front, blanks and invisible characters around or between the digits all mean \`110000000\`. No digit is added: a code of eight digits
stays as it is. Rows without a code are skipped. Each row gives an observation for each mapped column, empty cells included.`;

const rasterText = `\`.tif\` and \`.tiff\`: TIFF and BigTIFF, of any compression and type of values that GDAL reads. The COG made of it keeps CRS, grid, bands, type, nodata, colour table, scale, offset and metadata without
loss; an upload that is a valid COG is kept as it is. Values are in units (value × scale + offset) in tiles, legends and statistics. A nodata value counts as GDAL compares it, with a tolerance for
floating point; quantities of a style are rounded to the type of the raster before they are compared.`;

const styleText = `\`.sld\` and \`.xml\` up to 5 MiB: SLD 1.0.0 and 1.1.0 with the root element StyledLayerDescriptor, in UTF-8, UTF-16 or any encoding that it declares, without DOCTYPE. It is stored as it is.
[maps.md](maps.md) says what is drawn. The header \`X-Style-Left-Out\` and \`GET …/sld/report\` name the parts that are not, by these codes:`;

/** The sections of the document in their order, with what the code does not say itself. */
export const sections = {
  every: {
    heading: 'Every file',
    text: 'The file itself is kept as it came, and can be downloaded. A file that is refused by its name or its first bytes is 422 on `file`; one that turns out to be unreadable later is a dataset that has failed, with the sentence in `parse_error`.',
    warnings: ['other_warnings'],
  },
  vector: {
    heading: 'Vectors of any format',
    text: vectorText,
    warnings: [
      'crs_assumed',
      'datum_unknown',
      'longitudes_turned',
      'axes_maybe_swapped',
      'geometry_repaired',
      'geometry_lost',
      'solids_flattened',
      'values_as_json',
      'features_left_out',
      'columns_left_out',
      'empty_layer',
    ],
  },
  geojson: {
    heading: 'GeoJSON',
    text: geojsonText,
    warnings: ['crs_member_ignored', 'ids_left_out', 'property_repeated'],
  },
  archive: { heading: 'Archives', text: archiveText, warnings: ['files_left_out'] },
  shapefile: {
    heading: 'Shapefiles',
    text: shapefileText,
    warnings: [
      'encoding_guessed',
      'encoding_overruled',
      'names_truncated',
      'dates_impossible',
      'rows_without_shape',
    ],
  },
  geopackage: { heading: 'GeoPackages', text: geopackageText, warnings: ['layers_left_out'] },
  table: {
    heading: 'Tables by KATO',
    text: tableText,
    warnings: [
      'codes_repaired',
      'rows_without_code',
      'codes_without_district',
      'mixed_decimal_comma',
      'ambiguous_decimal_comma',
    ],
  },
  raster: {
    heading: 'GeoTIFF',
    text: rasterText,
    warnings: [
      'no_georeference',
      'georeference_fitted',
      'nodata_suspected',
      'colours_converted',
      'unusual_bits',
      'cog_differs',
      'not_freshest',
    ],
  },
  style: { heading: 'SLD', text: styleText, warnings: [] },
} as const satisfies Readonly<
  Record<string, { heading: string; text: string; warnings: readonly WarningCode[] }>
>;

/** The section of each area of sentences; null for those about no file, and for single words. */
export const sectionOfArea: Readonly<Record<Exclude<Area, WarningArea>, SectionName | null>> = {
  access: null,
  advice: 'every',
  archive: 'archive',
  area_word: null,
  archive_contents: 'archive',
  body: null,
  cadence: null,
  cadence_fault: null,
  category: null,
  category_fault: null,
  character: null,
  comparison: null,
  comparison_phrase: null,
  content: 'every',
  content_remedy: 'every',
  dataset: null,
  dataset_fault: null,
  denominator: null,
  dossier: null,
  drawing: null,
  engine: 'every',
  explanation: null,
  feature: 'vector',
  feature_fault: 'geojson',
  field: null,
  file: null,
  file_fault: 'every',
  filter: null,
  geojson: 'geojson',
  geometry: 'geojson',
  geopackage: 'geopackage',
  geopackage_remedy: 'geopackage',
  group: null,
  hectares: null,
  job: 'every',
  json: 'geojson',
  json_expected: null,
  json_file: 'geojson',
  key: null,
  key_fault: null,
  landscape: null,
  legend: null,
  mapping: null,
  mapping_fault: null,
  meta: null,
  metadata: null,
  not_on_earth: 'vector',
  other_json: 'geojson',
  override: null,
  param: null,
  part: null,
  pending: null,
  polygon_name: null,
  polygons: null,
  raster: 'raster',
  reading: 'geopackage',
  record: null,
  report: null,
  request: null,
  run_fault: null,
  schema: 'geopackage',
  server: null,
  service: null,
  shapefile: 'shapefile',
  shapefile_remedy: 'shapefile',
  sheet: null,
  event: null,
  event_fault: null,
  webhook: null,
  webhook_fault: null,
  sheet_word: null,
  sld: 'style',
  feature_door: null,
  flatgeobuf: null,
  geopackage_out: null,
  standard: null,
  sqlite: 'geopackage',
  style_part: 'style',
  table: 'table',
  table_out: null,
  table_word: null,
  tiff: 'raster',
  upload: null,
  vector: 'vector',
  vector_tile: null,
  condition: null,
  limit_map: null,
  limitation: null,
  limits: null,
  zonal: null,
  zonal_phrase: null,
  zonal_word: null,
  watch: null,
  watch_fault: null,
  zoning: null,
};

type Area = keyof typeof english;
type WarningArea = Extract<Area, `${string}_warning`>;

/** The code of a sentence that is a warning, such as `vector_warning.empty`. */
type WarningSentence = {
  readonly [Each in WarningArea]: `${Each}.${Extract<keyof (typeof english)[Each], string>}`;
}[WarningArea];

/** The sentences of each warning. */
export const warningSentences: Readonly<Record<WarningCode, readonly WarningSentence[]>> = {
  layers_left_out: ['geopackage_warning.layersLeftOut', 'raster_warning.otherImages'],
  files_left_out: ['vector_warning.filesLeftOut', 'geopackage_warning.logNotUsed'],
  crs_assumed: ['vector_warning.crsAssumed'],
  crs_member_ignored: ['vector_warning.crsMemberIgnored'],
  no_georeference: ['raster_warning.noGeotransform', 'raster_warning.noCrs', 'raster_warning.notOnEarth'],
  colours_converted: ['raster_warning.coloursConverted'],
  unusual_bits: ['raster_warning.unusualBits'],
  georeference_fitted: ['raster_warning.fitted'],
  property_repeated: ['vector_warning.repeated'],
  cog_differs: ['raster_warning.cogDiffers', 'raster_warning.zeroIsWhite'],
  encoding_guessed: ['shapefile_warning.encodingGuessed', 'shapefile_warning.encodingUnknown'],
  geometry_repaired: ['vector_warning.repaired'],
  geometry_lost: ['vector_warning.lost'],
  rows_without_shape: ['shapefile_warning.rowsWithoutShape'],
  rows_without_code: ['table_warning.rowsWithoutCode'],
  codes_without_district: ['table_warning.codesWithoutDistrict'],
  mixed_decimal_comma: ['table_warning.mixedCommas'],
  ambiguous_decimal_comma: ['table_warning.ambiguousCommas'],
  names_truncated: ['shapefile_warning.namesTruncated'],
  empty_layer: ['vector_warning.empty'],
  not_freshest: ['slot_warning.notFreshest'],
  axes_maybe_swapped: ['vector_warning.axesMaybeSwapped'],
  codes_repaired: ['table_warning.codesRepaired', 'table_warning.codesShortened'],
  columns_left_out: [
    'shapefile_warning.columnsLeftOut',
    'vector_warning.noTable',
    'geopackage_warning.geometryLeftOut',
  ],
  dates_impossible: ['shapefile_warning.datesImpossible'],
  datum_unknown: ['vector_warning.datumUnknown', 'raster_warning.datumUnknown'],
  encoding_overruled: ['shapefile_warning.encodingOverruled'],
  ids_left_out: ['geojson_warning.idsLeftOut', 'geojson_warning.wrongIds'],
  longitudes_turned: ['vector_warning.longitudesTurned'],
  nodata_suspected: ['raster_warning.noDataSuspected'],
  solids_flattened: ['vector_warning.flattened'],
  values_as_json: ['vector_warning.valuesAsJson'],
  features_left_out: ['vector_warning.featuresLeftOut'],
  other_warnings: ['engine_warning.gdal', 'engine_warning.more'],
};
